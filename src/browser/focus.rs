//! Where the focus is and goes, and what opens and closes over the page.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::document;
use wasm_bindgen::{JsCast, JsValue};

/// Calls back for every key that is pressed on the page from now on. Where it returns `true`, the
/// browser does nothing of its own.
pub(crate) fn on_key(press: impl Fn(&web_sys::KeyboardEvent) -> bool + 'static) {
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&document(), "keydown", options, move |event| {
        if event.dyn_ref::<web_sys::KeyboardEvent>().is_some_and(&press) {
            event.prevent_default();
        }
    })
    .forget();
}

/// From now on, a click elsewhere closes a menu.
pub(crate) fn close_menus_on_click_elsewhere() {
    EventListener::new(&document(), "click", |event| {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let inside = |element: web_sys::Element| matches!(element.closest(".menu"), Ok(Some(_)));
        if !target.is_some_and(inside) {
            close_menus();
        }
    })
    .forget();
}

/// Puts the focus on an element by its id; whether it is there.
pub(crate) fn focus(id: &str) -> bool {
    let element = document().get_element_by_id(id);
    match element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        Some(element) => element.focus().is_ok(),
        None => false,
    }
}

/// Whether what has the focus takes text, so that a key pressed there is no command.
pub(crate) fn is_typing() -> bool {
    document().active_element().is_some_and(|element| {
        matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
            && !matches!(element.get_attribute("type").as_deref(), Some("checkbox" | "radio"))
    })
}

/// Closes the menus that are open; the focus goes from inside one to its button.
pub(crate) fn close_menus() {
    while let Ok(Some(menu)) = document().query_selector("details.menu[open]") {
        let held_focus = menu.contains(document().active_element().as_deref());
        if menu.remove_attribute("open").is_err() {
            return;
        }
        if held_focus && let Some(button) = html(menu.query_selector("summary")) {
            let _ = button.focus();
        }
    }
}

/// Opens a dialog by its id; whether it is there.
pub(crate) fn open_dialog(id: &str) -> bool {
    let element = document().get_element_by_id(id);
    match element.and_then(|element| element.dyn_into::<web_sys::HtmlDialogElement>().ok()) {
        Some(dialog) => dialog.open() || dialog.show_modal().is_ok(),
        None => false,
    }
}

/// The row of a table that has the focus.
fn focused_row() -> Option<web_sys::Element> {
    document().active_element()?.closest("tr.row").ok()?
}

/// Moves the focus to the next row of the table or the one before; whether there is one. Without a
/// row that has it, the first in sight gets it if the table `may_enter`.
pub(crate) fn step_in_table(down: bool, may_enter: bool) -> bool {
    let row = match focused_row() {
        Some(row) if down => row.next_element_sibling(),
        Some(row) => row.previous_element_sibling(),
        None if may_enter => first_row_in_sight(),
        None => None,
    };
    match row.and_then(|row| html(row.query_selector("th a, th button, td a"))) {
        Some(link) => link.focus().is_ok(),
        None => false,
    }
}

fn first_row_in_sight() -> Option<web_sys::Element> {
    let mut row = document().query_selector("tbody tr.row").ok()??;
    // The masthead and the table's head cover what is above.
    while row.get_bounding_client_rect().top() < 80.0 {
        row = row.next_element_sibling()?;
    }
    Some(row)
}

/// Presses what a selector finds in the row that has the focus, and returns whether it is there.
pub(crate) fn press_in_row(selector: &str) -> bool {
    match focused_row().and_then(|row| html(row.query_selector(selector))) {
        Some(button) => {
            button.click();
            true
        }
        None => false,
    }
}

fn html(found: Result<Option<web_sys::Element>, JsValue>) -> Option<web_sys::HtmlElement> {
    found.ok()??.dyn_into().ok()
}
