//! Notices above the page, and the page that replaces it if the index cannot be read.

use cache_index::number::grouped;
use leptos::prelude::*;

use crate::explorer::{Explorer, Rest};

/// How many parts of a link are listed.
const MOST: usize = 12;

/// Shows which parts of the link were ignored, if any were.
#[component]
pub(crate) fn Ignored() -> impl IntoView {
    let explorer = Explorer::here();
    move || {
        let ignored = explorer.ignored();
        (!ignored.is_empty() && explorer.rest() == Rest::Here).then(|| draw_ignored(ignored))
    }
}

#[inline(never)] // The first answer does without this code.
fn draw_ignored(ignored: Vec<String>) -> AnyView {
    let others = ignored.len().saturating_sub(MOST);
    let others = (others > 0).then(|| format!(" and {} more", grouped(others)));
    let ignored = ignored.into_iter().take(MOST);
    let parts = ignored.map(|part| view! { " " <code><bdi>{part}</bdi></code> }).collect_view();
    view! {
        <p class="notice" role="status">
            "Parts of this link have no meaning here and were ignored:"
            {parts}{others}
        </p>
    }
    .into_any()
}

/// Shown instead of the page if the index could not be read.
#[component]
pub(crate) fn IndexProblem(
    /// What is wrong with it.
    text: String,
) -> impl IntoView {
    view! {
        <main class="problem" role="alert">
            <h1>"This cache cannot be shown"</h1>
            <p>{text}"."</p>
            <p>
                "The page itself works. Reload it, in case the download was cut off. If that does not \
                 help, the publisher of this page has to create its index again."
            </p>
        </main>
    }
}

/// Shown instead of a page whose code could not be fetched.
#[component]
pub(crate) fn RestProblem() -> impl IntoView {
    let explorer = Explorer::here();
    view! {
        <section class="problem" role="alert">
            <h1>"This page did not load"</h1>
            <p>
                "A part of the explorer could not be fetched. Try again; if that does not help, the site was \
                 published incompletely."
            </p>
            <button type="button" class="button main" on:click=move |_| explorer.load_rest(|| ())>
                "Try again"
            </button>
        </section>
    }
}

/// Shown if a part of the index that follows the columns could not be read: the page works without it.
#[component]
pub(crate) fn PartProblem() -> impl IntoView {
    let explorer = Explorer::here();
    move || {
        explorer.arrived().problem.map(|problem| {
            view! {
                <p class="notice" role="alert">
                    "Part of this cache's index could not be read and is missing here: "
                    {problem}". What is shown is right, but incomplete. Reload the page; if that \
                     does not help, its publisher has to publish it again."
                </p>
            }
        })
    }
}
