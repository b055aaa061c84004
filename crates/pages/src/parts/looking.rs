//! Notes on a search among the files of binaries, among signatures or licences: its progress, problems, and builds for which
//! the cache does not say.

use cache_index::number::{counted, grouped};
use cache_query::{Change, View};
use leptos::prelude::*;

use crate::data::part_filters::{MissingPart, PartSearch, PartSearchState};
use site::browser::history;
use site::explorer::Explorer;
use site::memo::memo;

/// Begins the search, and draws its notes where builds are listed.
pub(crate) fn draw() -> AnyView {
    let explorer = Explorer::here();
    let search = PartSearch::follow(explorer);
    let lists = memo(move || {
        explorer.view().with(|view| !matches!(view, View::Build(_) | View::Compare(_)))
    });
    (move || lists.get().then(|| note(explorer, search)).flatten()).into_any()
}

fn note(explorer: Explorer, search: PartSearch) -> Option<AnyView> {
    // The buttons that continue and that give up: no other filter can be changed until one of them is pressed.
    let choices = move |words: &'static str| {
        view! {
            <button type="button" class="button" on:click=move |_| search.begin_again()>{words}</button>
            " "
            <button type="button" class="button" on:click=move |_| explorer.go(Change::ClearAll)>
                "Clear all filters"
            </button>
        }
    };
    Some(match search.looking() {
        PartSearchState::NotAsked | PartSearchState::Known(0) | PartSearchState::Unstated(0) => {
            return None;
        }
        PartSearchState::Reads(_, 0) => {
            view! { <p class="loading" role="status">"Looking…"</p> }.into_any()
        }
        PartSearchState::Reads(read, of) => {
            let text = format!("Looking through the lists of files: {read} of {of}");
            view! {
                <p class="loading" role="status">{text}</p>
                <progress class="looking" max=of.to_string() value=read.to_string() aria-label="Lists of files"></progress>
            }
            .into_any()
        }
        PartSearchState::Asks(bytes) => {
            let text = format!(
                "To find out which builds have such files, {} MB of lists have to be fetched. A whole name, or its beginning, \
                 takes less: file:libhdf5.so*",
                grouped(bytes >> 20)
            );
            view! { <p class="notice" role="status">{text}" "{choices("Look through all of them")}</p> }
                .into_any()
        }
        PartSearchState::Failed(problem) => view! {
            <p class="notice" role="alert">
                {format!("This search could not be finished: {problem}. ")}{choices("Try again")}
            </p>
        }
        .into_any(),
        PartSearchState::Lacks(what) => {
            let is_opened = history::shows_opened_cache();
            let verb = if is_opened { "opened" } else { "published" };
            let text =
                format!("This cache was {verb} without {}, so nothing is found.", what.words());
            let again = (is_opened && what == MissingPart::Files).then(|| view! {
                " "
                <button type="button" class="plain" data-open="">"Open its mirror again, and look inside"</button>
            });
            view! { <p class="notice" role="status">{text}{again}</p> }.into_any()
        }
        PartSearchState::Unstated(builds) => {
            let they_are = if builds == 1 { "it is" } else { "they are" };
            let builds = counted(builds, "build", "builds");
            let text = format!("This cache does not say of {builds} whether {they_are} signed");
            view! { <p class="notice" role="status">{text}"."</p> }.into_any()
        }
        PartSearchState::Known(builds) => {
            let them = if builds == 1 { "it" } else { "they" };
            let builds = counted(builds, "build", "builds");
            let text = format!(
                "What is in the binaries of {builds} of this cache is not known: {them} may have the file too"
            );
            view! { <p class="notice" role="status">{text}"."</p> }.into_any()
        }
    })
}
