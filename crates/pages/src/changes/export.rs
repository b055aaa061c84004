//! Saving and copying the changes, as the command prints them.

use std::sync::Arc;

use cache_advice::changes::Changes;
use leptos::prelude::*;

use site::browser;
use site::view::parts::copy::Copy;

/// A form of the changes: its name in the menu, the end of the name of the file, and its text.
type Form = (&'static str, &'static str, fn(&Changes) -> String);

const FORMS: [Form; 2] = [
    ("Markdown, for release notes", "md", Changes::markdown),
    ("JSON", "json", |changes| format!("{}\n", changes.json())),
];

/// The menu of forms, and a button that copies the release notes.
#[component]
pub(super) fn ExportChanges(
    /// The changes.
    changes: Arc<Changes>,
    /// The name of the file, without its end.
    name: String,
) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let copied = changes.clone();
    let buttons = FORMS.map(|(label, ending, text)| {
        let (changes, name) = (changes.clone(), format!("{name}.{ending}"));
        let save = move |_| {
            said.set(if browser::save(&name, &text(&changes)) {
                format!("Saved as {name}")
            } else {
                "The browser does not allow saving".to_owned()
            });
            browser::close_menus();
        };
        view! { <li><button type="button" on:click=save>{label}</button></li> }
    });
    view! {
        <span class="line">
            <span class="muted" role="status">{said}</span>
            <Copy text=Callback::new(move |()| copied.markdown()) label="Copy as Markdown"/>
            <details class="menu" name="menu">
                <summary class="button">"Export"</summary>
                <ul>{buttons.collect_view()}</ul>
            </details>
        </span>
    }
}
