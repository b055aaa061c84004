//! Notices above the page, and the page that replaces it if the index cannot be read.

use leptos::prelude::*;

use crate::browser::tasks;
use crate::explorer::Explorer;

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
    let try_again = move || {
        tasks::spawn(async move {
            explorer.load_rest().await;
        });
    };
    view! {
        <section class="problem" role="alert">
            <h1>"This page did not load"</h1>
            <p>
                "A part of the explorer could not be fetched. Try again; if that does not help, the site was \
                 published incompletely."
            </p>
            <button type="button" class="button main" on:click=move |_| try_again()>
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
        explorer.problem().map(|problem| {
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
