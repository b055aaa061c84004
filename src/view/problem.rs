//! The page where there is nothing to explore.

use leptos::prelude::*;

/// The index could not be read.
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
                "The page itself works. Reload it, in case the index was cut off on its way; if that \
                 does not help, whoever publishes this page has to make its index again."
            </p>
        </main>
    }
}
