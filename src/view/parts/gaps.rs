//! Of a matrix, only the rows in which something is absent.

use cache_index::query::Change;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;

/// Chooses between all rows and those with a gap; the address says which.
#[component]
pub(crate) fn GapsOnly() -> impl IntoView {
    let explorer = Explorer::here();
    let is_on = memo(move || explorer.with_presentation(|shown| shown.gaps));
    view! {
        <label>
            <input
                type="checkbox"
                prop:checked=move || is_on.get()
                on:change=move |_| explorer.go(Change::Gaps(!is_on.get_untracked()))
            />
            "Gaps only"
        </label>
    }
}

/// Says so where there is no gap.
#[component]
pub(crate) fn NoGaps(
    /// `true` if no row is left.
    is_empty: Signal<bool>,
) -> impl IntoView {
    view! {
        <Show when=move || is_empty.get()>
            <p class="muted">"No gaps: every row is in all of these columns."</p>
        </Show>
    }
}
