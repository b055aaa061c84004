//! What the app asks of the browser, apart from its [history](crate::history).
//!
//! Everything here may be refused (storage and clipboard are, in private windows and frames), and
//! then says so or does nothing; nothing here panics.

use gloo::storage::{LocalStorage, Storage};
use gloo::timers::callback::Timeout;
use gloo::utils::{body, document, document_element, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The element that `index.html` keeps for the app, without what it shows until the app is there.
///
/// The app stays inside it: behind it come the parts of the index, which may still be arriving.
pub(crate) fn cleared_frame() -> web_sys::HtmlElement {
    let frame = document().get_element_by_id("app").and_then(|frame| frame.dyn_into().ok());
    let frame: web_sys::HtmlElement = frame.unwrap_or_else(body);
    frame.set_inner_html("");
    frame
}

/// Milliseconds since the page was asked for.
pub(crate) fn now() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

/// Leaves a mark on the page's time line, for measurements.
pub(crate) fn mark(name: &str) {
    if let Some(performance) = window().performance() {
        // A mark that is refused is only a figure less.
        let _ = performance.mark(name);
    }
}

/// Runs something in a task of its own, so that the browser can do what is more urgent before.
pub(crate) fn soon(run: impl FnOnce() + 'static) {
    Timeout::new(0, run).forget();
}

/// Runs something when what has been drawn is on the screen, as nearly as a page can tell: in a task
/// of its own after the next frame.
pub(crate) fn after_painting(run: impl FnOnce() + 'static) {
    leptos::prelude::request_animation_frame(|| soon(run));
}

/// Runs something once what the page came with is on the screen, in a task of its own. `loader.js`
/// knows when.
pub(crate) fn after_frame(run: impl FnOnce() + 'static) {
    let painted = js_sys::Reflect::get(&window(), &"spackCache".into())
        .and_then(|cache| js_sys::Reflect::get(&cache, &"painted".into()));
    wasm_bindgen_futures::spawn_local(async move {
        if let Ok(Ok(painted)) = painted.map(JsCast::dyn_into::<js_sys::Promise>) {
            let _ = JsFuture::from(painted).await;
        }
        soon(run);
    });
}

/// Copies a text; whether the browser did.
pub(crate) async fn copy(text: String) -> bool {
    // Of another type on a page without a secure origin (plain HTTP), where loader.js stands in for it.
    let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into());
    match clipboard.map(JsCast::unchecked_into::<web_sys::Clipboard>) {
        Ok(clipboard) if clipboard.is_object() => {
            JsFuture::from(clipboard.write_text(&text)).await.is_ok()
        }
        _ => false,
    }
}

/// The colours that a person has asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    const KEY: &'static str = "theme";

    fn name(self) -> Option<&'static str> {
        match self {
            Theme::System => None,
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
        }
    }

    /// What this device remembers.
    pub(crate) fn remembered() -> Theme {
        match recall(Theme::KEY).as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        }
    }

    /// Shows the page in it, and remembers it on this device.
    pub(crate) fn choose(self) {
        let root = document_element();
        let _ = match self.name() {
            Some(name) => root.set_attribute("data-theme", name),
            None => root.remove_attribute("data-theme"),
        };
        remember(Theme::KEY, self.name());
    }
}

/// Under what this device remembers the person's machine.
const MACHINE: &str = "machine";

/// The machine that this device remembers, as it was written.
pub(crate) fn remembered_machine() -> Option<String> {
    recall(MACHINE)
}

/// Remembers the person's machine on this device, or forgets it.
pub(crate) fn remember_machine(host: Option<&str>) {
    remember(MACHINE, host);
}

/// Whether storage may be used; asking gloo where it may not would panic.
fn storage_is_allowed() -> bool {
    matches!(window().local_storage(), Ok(Some(_)))
}

fn recall(key: &str) -> Option<String> {
    if storage_is_allowed() { LocalStorage::get(key).ok() } else { None }
}

fn remember(key: &str, value: Option<&str>) {
    if storage_is_allowed() {
        match value {
            // A storage that is full forgets; the page goes on.
            Some(value) => drop(LocalStorage::set(key, value)),
            None => LocalStorage::delete(key),
        }
    }
}

/// The window on the page, in CSS pixels.
pub(crate) struct Seen {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// How far the page is scrolled down.
    pub(crate) top: f64,
}

/// What of the page is seen.
pub(crate) fn viewport() -> Seen {
    let window = window();
    let size = |value: Result<JsValue, JsValue>| value.ok().and_then(|value| value.as_f64());
    Seen {
        width: size(window.inner_width()).unwrap_or(1280.0),
        height: size(window.inner_height()).unwrap_or(800.0),
        top: window.scroll_y().unwrap_or_default(),
    }
}

/// Scrolls to the top, as a page that has just been opened.
pub(crate) fn scroll_to_top() {
    window().scroll_to_with_x_and_y(0.0, 0.0);
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

/// Whether the page behind an open sheet is kept from scrolling.
pub(crate) fn hold_page(hold: bool) {
    let _ = body().class_list().toggle_with_force("held", hold);
}

/// Saves a text as a file; whether the browser lets it.
pub(crate) fn save(name: &str, text: &str) -> bool {
    let save = || -> Result<(), JsValue> {
        let blob = web_sys::Blob::new_with_str_sequence(&js_sys::Array::of1(&text.into()))?;
        let url = web_sys::Url::create_object_url_with_blob(&blob)?;
        let link = document().create_element("a")?.unchecked_into::<web_sys::HtmlAnchorElement>();
        link.set_href(&url);
        link.set_download(name);
        link.click();
        // The download has begun and keeps what it needs.
        web_sys::Url::revoke_object_url(&url)
    };
    save().is_ok()
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
    match row.and_then(|row| html(row.query_selector("th a, td a"))) {
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

/// Presses the box of the row that has the focus; whether there is one.
pub(crate) fn mark_row() -> bool {
    match focused_row().and_then(|row| html(row.query_selector(".c-pick input"))) {
        Some(mark) => {
            mark.click();
            true
        }
        None => false,
    }
}

fn html(found: Result<Option<web_sys::Element>, JsValue>) -> Option<web_sys::HtmlElement> {
    found.ok()??.dyn_into().ok()
}
