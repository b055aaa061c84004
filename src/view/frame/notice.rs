//! What the link asked for and nothing here understands.

use leptos::prelude::*;

use crate::explorer::Explorer;

/// Tells which parts of the link were left out, if any were.
#[component]
pub(crate) fn Ignored() -> impl IntoView {
    let explorer = Explorer::here();
    move || {
        let ignored = explorer.ignored();
        (!ignored.is_empty()).then(|| {
            let parts = ignored
                .into_iter()
                .map(|part| view! { " " <code><bdi>{part}</bdi></code> })
                .collect_view();
            view! {
                <p class="notice" role="status">
                    "This link has parts that mean nothing here, and were left out:"
                    {parts}
                </p>
            }
        })
    }
}
