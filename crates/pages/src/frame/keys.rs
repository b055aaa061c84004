//! The list of keyboard shortcuts.

use leptos::prelude::*;

const KEYS: [(&str, &str); 13] = [
    ("/", "Go to the search"),
    ("j", "Next row of the table"),
    ("k", "Previous row"),
    ("↓ ↑", "From the search to the table, and from row to row"),
    ("↓ ↑", "Inside a filter, from value to value"),
    ("→ ←", "Only this value, or not this value"),
    ("Enter", "Open the row"),
    ("x", "Select the build, to compare or export it"),
    ("v", "Compare the selected builds"),
    ("c", "Copy the commands that install the build"),
    ("o", "Open a cache of your own"),
    ("?", "Show this list"),
    ("Esc", "Close what is open, or leave the search box"),
];

/// Draws the list.
pub(crate) fn draw() -> AnyView {
    let keys = KEYS.map(|(key, does)| {
        view! { <div><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div> }
    });
    view! { <dl class="fields">{keys.collect_view()}</dl> }.into_any()
}
