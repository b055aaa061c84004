//! The focus, and what opens and closes on top of the page.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::document;
use wasm_bindgen::{JsCast, JsValue};

/// Calls back for every key pressed on the page from now on. If the callback returns `true`, the browser does not
/// handle the key itself.
pub(crate) fn on_key(press: impl Fn(&web_sys::KeyboardEvent) -> bool + 'static) {
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&document(), "keydown", options, move |event| {
        if event.dyn_ref::<web_sys::KeyboardEvent>().is_some_and(&press) {
            event.prevent_default();
        }
    })
    .forget();
}

/// Makes a click elsewhere close the open menus from now on.
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

/// Focuses an element by its id; returns `false` if it does not exist.
pub(crate) fn focus(id: &str) -> bool {
    let element = document().get_element_by_id(id);
    match element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        Some(element) => element.focus().is_ok(),
        None => false,
    }
}

/// Returns `true` if the focused element accepts text, so that keys pressed there are not commands.
pub(crate) fn is_typing() -> bool {
    document().active_element().is_some_and(|element| {
        matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
            && !matches!(element.get_attribute("type").as_deref(), Some("checkbox" | "radio"))
    })
}

/// Closes the open menus; the focus moves from inside a menu to its button.
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

/// Opens a menu by its class, and focuses an element in it by its id, once the click that asked for it is over.
pub(crate) fn open_menu(class: &'static str, id: &'static str) {
    super::soon(move || {
        if let Some(menu) = html(document().query_selector(&format!("details.menu.{class}"))) {
            let _ = menu.set_attribute("open", "");
            focus(id);
        }
    });
}

/// Opens a dialog by its id; returns `false` if it does not exist.
pub(crate) fn open_dialog(id: &str) -> bool {
    let element = document().get_element_by_id(id);
    match element.and_then(|element| element.dyn_into::<web_sys::HtmlDialogElement>().ok()) {
        Some(dialog) => dialog.open() || dialog.show_modal().is_ok(),
        None => false,
    }
}

/// Returns the row of a table that has the focus.
fn focused_row() -> Option<web_sys::Element> {
    document().active_element()?.closest("tr.row").ok()?
}

/// Moves the focus to the next or previous row of the table; returns `false` if there is none. If no row has the focus
/// and the table `may_enter`, the first visible one gets it.
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
    // The masthead and the table's head cover the top of the window.
    while row.get_bounding_client_rect().top() < 80.0 {
        row = row.next_element_sibling()?;
    }
    Some(row)
}

/// Presses the element that matches a selector in the focused row; returns `false` if there is none.
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
