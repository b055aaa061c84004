//! What the page says of a search among the files of binaries, and of licences: how far it is, what it lacks, and what it
//! cannot know.

use cache_index::number::{counted, grouped};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::explorer::part_filters::{Looking, Search};

/// Draws what is to be said of such a search, and begins it. All of this is in the rest of the app.
#[inline(never)]
pub(crate) fn draw_later() -> AnyView {
    let search = Search::follow(Explorer::here());
    (move || said(search)).into_any()
}

fn said(search: Search) -> Option<AnyView> {
    let again = move |words: &'static str| {
        view! { <button type="button" class="button" on:click=move |_| search.begin_again()>{words}</button> }
    };
    Some(match search.looking() {
        Looking::NotAsked | Looking::Known(0) => return None,
        Looking::Reads(_, 0) => {
            view! { <p class="loading" role="status">"Looking…"</p> }.into_any()
        }
        Looking::Reads(read, of) => {
            let text = format!("Looking through the lists of files: {read} of {of}");
            view! {
                <p class="loading" role="status">{text}</p>
                <progress class="looking" max=of.to_string() value=read.to_string() aria-label="Lists of files"></progress>
            }
            .into_any()
        }
        Looking::Asks(bytes) => {
            let text = format!(
                "Any file may fit this. To find out, {} MB of lists have to be fetched. A whole name, or its beginning, takes \
                 less: file:libhdf5.so*",
                grouped(bytes >> 20)
            );
            view! { <p class="notice" role="status">{text}" "{again("Look through all of them")}</p> }
                .into_any()
        }
        Looking::Failed(problem) => view! {
            <p class="notice" role="alert">
                {format!("This search could not be finished: {problem}. ")}{again("Try again")}
            </p>
        }
        .into_any(),
        Looking::Lacks(what) => {
            let text = format!("This cache was published without {what}, so nothing is found");
            view! { <p class="notice" role="status">{text}"."</p> }.into_any()
        }
        Looking::Known(builds) => {
            let them = if builds == 1 { "it" } else { "they" };
            let builds = counted(builds, "build", "builds");
            let text = format!(
                "Nobody has looked into {builds} of this cache: {them} may have the file too"
            );
            view! { <p class="notice" role="status">{text}"."</p> }.into_any()
        }
    })
}
