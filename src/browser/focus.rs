//! The focus, and what opens and closes on top of the page.

use gloo::events::{EventListener, EventListenerOptions, EventListenerPhase};
use gloo::utils::document;
use wasm_bindgen::{JsCast, JsValue};

use super::IS_HERE;
use super::tasks::{pause, spawn};

/// The id of the search box.
const SEARCH: &str = "search";

/// The elements that the arrow keys reach inside a facet.
const FACET_ITEMS: &str = "h2 button, .matching button, .facet-search, .value input, .more";

/// Calls back for every key pressed on the page from now on, before the focused element handles it. If the callback
/// returns `true`, neither that element nor the browser handles the key.
pub(crate) fn on_key(press: impl Fn(&web_sys::KeyboardEvent) -> bool + 'static) {
    if !IS_HERE {
        return;
    }
    let options = EventListenerOptions { phase: EventListenerPhase::Capture, passive: false };
    EventListener::new_with_options(&document(), "keydown", options, move |event| {
        if event.dyn_ref::<web_sys::KeyboardEvent>().is_some_and(&press) {
            event.prevent_default();
            event.stop_propagation();
        }
    })
    .forget();
}

/// Makes a click elsewhere close the open menus from now on.
pub(crate) fn close_menus_on_click_elsewhere() {
    if !IS_HERE {
        return;
    }
    EventListener::new(&document(), "click", |event| {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        // An element that the click has removed from the page was in a menu.
        let is_inside = |element: web_sys::Element| {
            !element.is_connected() || matches!(element.closest(".menu"), Ok(Some(_)))
        };
        if !target.is_some_and(is_inside) {
            close_menus();
        }
    })
    .forget();
}

/// Focuses an element by its id; returns `false` if it does not exist.
pub fn focus(id: &str) -> bool {
    let element = document().get_element_by_id(id);
    match element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        Some(element) => element.focus().is_ok(),
        None => false,
    }
}

/// Scrolls the end of an element into view, by its id.
pub fn scroll_to(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.scroll_into_view_with_bool(false);
    }
}

/// Takes the focus from a link or button of the results, which are about to be replaced by another page. When a focused
/// element is removed, Chromium first lays out the page with it, which takes a third of the time of opening a package.
pub(crate) fn leave_results() {
    let focused =
        document().active_element().and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(focused) = focused
        && focused.matches("#results :is(a, button)").unwrap_or(false)
    {
        let _ = focused.blur();
    }
}

/// Returns `true` if the focused element accepts text, so that keys pressed there are not commands.
pub fn is_typing() -> bool {
    document().active_element().is_some_and(|element| {
        matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
            && !matches!(element.get_attribute("type").as_deref(), Some("checkbox" | "radio"))
    })
}

/// Returns `true` while a dialog is open, which is modal, or a menu, in which people begin to type.
pub(crate) fn is_in_dialog() -> bool {
    html(document().query_selector("dialog[open], .menu[open]")).is_some()
}

/// Closes the open menus; the focus moves from inside a menu to its button.
pub fn close_menus() {
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

/// Opens a menu by its class, unfolds whatever hides an element in it, and focuses that element by its id. Waits until the
/// click that asked for this is over.
pub(crate) fn open_menu(class: &'static str, id: &'static str) {
    spawn(async move {
        pause().await;
        if let Some(menu) = html(document().query_selector(&format!("details.menu.{class}"))) {
            let _ = menu.set_attribute("open", "");
            let element = document().get_element_by_id(id);
            let folded = || html(element.as_ref()?.closest("details:not([open])"));
            while let Some(details) = folded() {
                let _ = details.set_attribute("open", "");
            }
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
/// and the table `may_enter`, the first visible one gets it. From the first row, the focus moves up to the search box.
pub(crate) fn step_in_table(down: bool, may_enter: bool) -> bool {
    let row = match focused_row() {
        Some(row) if down => row.next_element_sibling(),
        Some(row) => match row.previous_element_sibling() {
            None => return focus(SEARCH),
            row => row,
        },
        None if may_enter => first_row_in_sight(),
        None => None,
    };
    match row.and_then(|row| html(row.query_selector("th a, th button, td a"))) {
        Some(link) => link.focus().is_ok(),
        None => false,
    }
}

fn first_row_in_sight() -> Option<web_sys::Element> {
    // The masthead, the headline and the table's head cover the top of the window.
    let above = [".masthead", ".headline", "thead th"].into_iter().filter_map(|selector| {
        let element = document().query_selector(selector).ok()??;
        Some(element.get_bounding_client_rect().bottom())
    });
    let above = above.fold(0.0, f64::max);
    let mut row = document().query_selector("tbody tr.row").ok()??;
    while row.get_bounding_client_rect().top() < above - 1.0 {
        row = row.next_element_sibling()?;
    }
    Some(row)
}

/// Moves the focus from the search box to the first visible row, unless completions are open; returns `false` if it
/// stays.
pub(crate) fn leave_search() -> bool {
    let is_closed = document().active_element().is_some_and(|field| {
        field.id() == SEARCH && field.get_attribute("aria-expanded").as_deref() != Some("true")
    });
    is_closed && step_in_table(true, true)
}

/// Moves the focus inside a facet, which is one stop for the Tab key: up and down from value to value, left and right
/// between the buttons of one value. Returns `false` if the focus stays.
pub(crate) fn step_in_facet(key: &str) -> bool {
    let Some(focused) = document().active_element() else { return false };
    let within = |selector| focused.closest(selector).ok().flatten();
    let (parent, items) = match key {
        "ArrowUp" | "ArrowDown" => (within(".facet"), FACET_ITEMS),
        "ArrowLeft" | "ArrowRight"
            if focused.tag_name() == "INPUT" && !is_typing() || focused.tag_name() == "BUTTON" =>
        {
            (within(".value"), "input, button")
        }
        _ => return false,
    };
    let Some(Ok(items)) = parent.map(|parent| parent.query_selector_all(items)) else {
        return false;
    };
    // From the buttons of a value, up and down continue from the value.
    let of_value = within(".value");
    let is_focused = |item: &web_sys::Node| {
        item.is_same_node(Some(&focused))
            || matches!(key, "ArrowUp" | "ArrowDown")
                && of_value.as_ref().is_some_and(|value| value.contains(Some(item)))
    };
    let Some(place) =
        (0..items.length()).find(|&at| items.get(at).as_ref().is_some_and(is_focused))
    else {
        return false;
    };
    let next = match key {
        "ArrowUp" | "ArrowLeft" => place.checked_sub(1),
        _ => Some(place + 1),
    };
    let next = next.and_then(|next| items.get(next)?.dyn_into::<web_sys::HtmlElement>().ok());
    next.is_some_and(|next| next.focus().is_ok())
}

/// Presses the element that matches a selector in the focused row; returns `false` if there is none.
pub fn press_in_row(selector: &str) -> bool {
    press(focused_row().and_then(|row| html(row.query_selector(selector))))
}

/// Returns `true` if an element of the focused row matches a selector.
pub(crate) fn has_in_row(selector: &str) -> bool {
    focused_row().is_some_and(|row| html(row.query_selector(selector)).is_some())
}

/// Presses the first element of the page that matches a selector; returns `false` if there is none.
pub(crate) fn press_first(selector: &str) -> bool {
    press(html(document().query_selector(selector)))
}

fn press(button: Option<web_sys::HtmlElement>) -> bool {
    button.inspect(|button| button.click()).is_some()
}

fn html(found: Result<Option<web_sys::Element>, JsValue>) -> Option<web_sys::HtmlElement> {
    found.ok()??.dyn_into().ok()
}
