//! Shows only the rows of a matrix in which something is absent, and saves what is absent as a file.

use cache_advice::Gaps;
use cache_index::number::counted;
use cache_query::{Change, MatrixRows};
use leptos::prelude::*;

use site::browser;
use site::explorer::Explorer;
use site::memo::memo;

/// A form of the gaps: its name in the menu, the name of the file, and its text.
type Form = (&'static str, &'static str, fn(&Gaps) -> String);

const FORMS: [Form; 3] = [
    ("Table (CSV)", "gaps.csv", Gaps::csv),
    ("Markdown", "gaps.md", Gaps::markdown),
    ("JSON", "gaps.json", Gaps::json),
];

/// Chooses between all rows and those with a gap; the address says which. Gaps can be saved.
#[component]
pub(crate) fn GapsOnly(
    /// Lists the gaps.
    gaps: Callback<(), Gaps>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let is_on = memo(move || explorer.with_presentation(|shown| shown.rows == MatrixRows::Gaps));
    view! {
        <label>
            <input
                type="checkbox"
                prop:checked=move || is_on.get()
                on:change=move |_| {
                    let rows = if is_on.get_untracked() { MatrixRows::All } else { MatrixRows::Gaps };
                    explorer.go(Change::ShowRows(rows));
                }
            />
            "Gaps only"
        </label>
        <Show when=move || is_on.get()><ExportGaps gaps/></Show>
    }
}

/// The menu of forms.
#[component]
fn ExportGaps(
    /// Lists the gaps.
    gaps: Callback<(), Gaps>,
) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let buttons = FORMS.map(|(label, name, text)| {
        let save = move |_| {
            let gaps = untrack(|| gaps.run(()));
            said.set(if browser::save(name, &text(&gaps)) {
                format!("{} saved as {name}", counted(gaps.count(), "gap", "gaps"))
            } else {
                "The browser does not allow saving".to_owned()
            });
            browser::close_menus();
        };
        view! { <li><button type="button" on:click=save>{label}</button></li> }
    });
    view! {
        <details class="menu" name="menu">
            <summary class="button">"Export gaps"</summary>
            <ul>{buttons.collect_view()}</ul>
        </details>
        <span class="muted" role="status">{said}</span>
    }
}

/// Says that there are no gaps, if no row is left.
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
