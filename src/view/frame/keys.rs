//! What the keyboard does, and the dialog that lists it.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::document;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::browser;

/// The id of the dialog.
const DIALOG: &str = "keys";

const KEYS: [(&str, &str); 8] = [
    ("/", "Go to the search"),
    ("j", "Next row of the table"),
    ("k", "Row before it"),
    ("↓ ↑", "The same, once in the table"),
    ("Enter", "Open the row"),
    ("x", "Mark the build for comparison"),
    ("?", "List the keys"),
    ("Esc", "Close what is open"),
];

/// Listens to the whole page from now on.
pub(crate) fn listen_for_keys() {
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&document(), "keydown", options, |event| {
        let Some(event) = event.dyn_ref::<web_sys::KeyboardEvent>() else { return };
        if event.key() == "Escape" {
            browser::close_menus();
            return;
        }
        let with_others = event.ctrl_key() || event.meta_key() || event.alt_key();
        if with_others || browser::is_typing() {
            return;
        }
        let done = match event.key().as_str() {
            "/" => browser::focus("search"),
            "j" => browser::step_in_table(true, true),
            "k" => browser::step_in_table(false, true),
            "ArrowDown" => browser::step_in_table(true, false),
            "ArrowUp" => browser::step_in_table(false, false),
            "x" => browser::mark_row(),
            "?" => browser::open_dialog(DIALOG),
            _ => false,
        };
        if done {
            event.prevent_default();
        }
    })
    .forget();
    // A click elsewhere closes a menu, as everywhere.
    EventListener::new(&document(), "click", |event| {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let inside = |element: web_sys::Element| matches!(element.closest(".menu"), Ok(Some(_)));
        if !target.is_some_and(inside) {
            browser::close_menus();
        }
    })
    .forget();
}

/// The list of keys, closed until it is asked for.
#[component]
pub(crate) fn Keys() -> impl IntoView {
    let keys = KEYS.map(|(key, does)| {
        view! { <div><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div> }
    });
    view! {
        <dialog id=DIALOG aria-labelledby="keys-title">
            <form method="dialog">
                <h2 id="keys-title">"Keys"</h2>
                <dl class="fields">{keys.collect_view()}</dl>
                <button class="button">"Close"</button>
            </form>
        </dialog>
    }
}
