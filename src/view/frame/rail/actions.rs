//! The buttons of a value in a facet, which show it alone or exclude it. They appear under the mouse or the focus.
//!
//! A page has about forty values, so these are a tenth of the elements of the first answer, which nobody sees then. All of
//! this is in the rest of the app.

use cache_index::facet::Facet;
use cache_index::query::Change;
use leptos::prelude::*;

use crate::explorer::Explorer;

/// Draws the buttons of a value, whose state is its count and whether it is included or excluded.
#[inline(never)]
pub(super) fn draw_later(facet: Facet, value: String, state: Memo<(u32, bool, bool)>) -> AnyView {
    let explorer = Explorer::here();
    let only_label = format!("Only {value}");
    let not_label = format!("Not {value}");
    let go = |change: fn(Facet, String) -> Change| {
        let value = value.clone();
        move |_| explorer.go(change(facet, value.clone()))
    };
    view! {
        <span class="value-actions">
            <button type="button" tabindex="-1" aria-label=only_label on:click=go(Change::Only)>
                "only"
            </button>
            <button
                type="button"
                tabindex="-1"
                aria-label=not_label
                aria-pressed=move || state.get().2.to_string()
                on:click=go(Change::ToggleExcluded)
            >
                "not"
            </button>
        </span>
    }
    .into_any()
}
