//! A value in a list of the rail that does not belong to a facet.

use cache_index::number::grouped;
use leptos::prelude::*;

/// Draws a value as a checkbox with a label and a number of builds. The Tab key stops at the first of a list; arrow keys
/// reach the others.
pub(super) fn tick(
    is_first: bool,
    name: String,
    label: AnyView,
    is_asked: Memo<bool>,
    count: Memo<u32>,
    toggle: impl Fn() + 'static,
) -> AnyView {
    view! {
        <li
            class="value"
            class:included=move || is_asked.get()
            class:none=move || count.get() == 0
        >
            <label>
                <input
                    type="checkbox"
                    aria-label=name
                    tabindex=if is_first { 0 } else { -1 }
                    prop:checked=move || is_asked.get()
                    on:change=move |_| toggle()
                />
                <span class="cut">{label}</span>
                <span class="count">{move || grouped(count.get() as usize)}</span>
            </label>
        </li>
    }
    .into_any()
}
