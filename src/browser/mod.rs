//! The app's interface to the browser. No other module uses the window or the document.
//!
//! The browser may refuse anything here (storage and the clipboard, in private windows and frames); the functions then
//! say so or do nothing, and never panic.
//!
//! Natively, where the first view is written as HTML, there is no window: the functions that drawing needs then answer as
//! for a page without a query, in a window of the usual size, that is never drawn again.

pub(crate) mod columns;
pub mod focus;
pub mod history;
pub mod parts;
pub mod published;
pub(crate) mod rest;
pub mod scripting;
pub mod storage;
pub mod tasks;
pub mod text;

use gloo::events::EventListener;
use gloo::utils::{body, document, window};
use leptos::prelude::StoredValue;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

pub use self::focus::{close_menus, focus, is_typing, press_in_row, scroll_to};
pub(crate) use self::focus::{
    close_menus_on_click_elsewhere, has_in_row, is_in_dialog, leave_results, leave_search, on_key,
    open_dialog, open_menu, press_first, step_in_facet, step_in_table,
};
pub(crate) use self::storage::Theme;
pub use self::storage::{remember_machine, remembered_machine};

/// `false` natively, where there is no browser.
pub(crate) const IS_HERE: bool = cfg!(target_arch = "wasm32");

/// Returns the element that `index.html` has for the app, without its initial contents.
///
/// The app stays inside this element: the parts of the index follow it in the page, and may still be arriving.
pub(crate) fn cleared_frame() -> web_sys::HtmlElement {
    let frame = document().get_element_by_id("app").and_then(|frame| frame.dyn_into().ok());
    let frame: web_sys::HtmlElement = frame.unwrap_or_else(body);
    frame.set_inner_html("");
    frame
}

/// Returns the milliseconds since the page was requested.
pub fn now() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

/// Returns how many seconds ago a date was, by this device's clock; `None` if it is invalid or in the future.
pub(crate) fn seconds_since(date: &str) -> Option<u64> {
    if !IS_HERE {
        return None;
    }
    let seconds = (js_sys::Date::now() - js_sys::Date::parse(date)) / 1000.0;
    (seconds >= 0.0).then_some(seconds as u64)
}

/// Returns the time by this device's clock, in UTC as `2026-11-21T09:50:00Z`.
pub fn time() -> String {
    let time = String::from(js_sys::Date::new_0().to_iso_string());
    match time.split_once('.') {
        Some((seconds, _)) => format!("{seconds}Z"),
        None => time,
    }
}

/// Sets a mark on the page's timeline, for measurements.
pub(crate) fn mark(name: &str) {
    if let Some(performance) = window().performance() {
        // If the browser refuses the mark, only one measurement is missing.
        let _ = performance.mark(name);
    }
}

/// Waits until the initial page has been drawn, which `loader.js` observes.
pub(crate) async fn frame_drawn() {
    let drawn = js_sys::Reflect::get(&window(), &"spackCache".into())
        .and_then(|cache| js_sys::Reflect::get(&cache, &"drawn".into()));
    if let Ok(Ok(drawn)) = drawn.map(JsCast::dyn_into::<js_sys::Promise>) {
        let _ = JsFuture::from(drawn).await;
    }
    tasks::pause().await;
}

/// Copies a text; returns `false` if the browser refused.
pub(crate) async fn copy(text: String) -> bool {
    // On an insecure page (plain HTTP) this is not a `Clipboard` but the replacement from loader.js.
    let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into());
    match clipboard.map(JsCast::unchecked_into::<web_sys::Clipboard>) {
        Ok(clipboard) if clipboard.is_object() => {
            JsFuture::from(clipboard.write_text(&text)).await.is_ok()
        }
        _ => false,
    }
}

/// The visible part of the page, in CSS pixels.
pub(crate) struct VisibleArea {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// How far the page is scrolled down.
    pub(crate) top: f64,
}

/// Calls back whenever the page is scrolled or the window is resized.
pub(crate) fn on_viewport_change(changed: impl Fn() + Copy + 'static) {
    for event in ["scroll", "resize"].into_iter().filter(|_| IS_HERE) {
        EventListener::new(&window(), event, move |_| changed()).forget();
    }
}

/// Calls back with `true` before the page is printed, and with `false` afterwards, until the component that asks is removed.
pub(crate) fn on_print(changed: impl Fn(bool) + Copy + 'static) {
    let events = [("beforeprint", true), ("afterprint", false)];
    let listen =
        |(event, printing)| EventListener::new(&window(), event, move |_| changed(printing));
    let listeners: Vec<EventListener> =
        events.into_iter().filter(|_| IS_HERE).map(listen).collect();
    StoredValue::new_local(listeners);
}

/// Returns the visible part of the page.
pub(crate) fn viewport() -> VisibleArea {
    if !IS_HERE {
        return VisibleArea { width: 1280.0, height: 800.0, top: 0.0 };
    }
    let window = window();
    let size = |value: Result<JsValue, JsValue>| value.ok().and_then(|value| value.as_f64());
    VisibleArea {
        width: size(window.inner_width()).unwrap_or(1280.0),
        height: size(window.inner_height()).unwrap_or(800.0),
        top: window.scroll_y().unwrap_or_default(),
    }
}

/// Returns the innermost element that matches a selector: the target of an event, or an element around it.
pub(crate) fn closest(event: &web_sys::Event, selector: &str) -> Option<web_sys::Element> {
    event.target()?.dyn_into::<web_sys::Element>().ok()?.closest(selector).ok()?
}

/// Returns the text that is being pasted.
pub fn pasted(event: &web_sys::ClipboardEvent) -> String {
    let text = event.clipboard_data().and_then(|data| data.get_data("text/plain").ok());
    text.unwrap_or_default()
}

/// Sets the title of the page, which browsers show on its tab.
pub(crate) fn set_title(title: &str) {
    document().set_title(title);
}

/// Scrolls to the top, as for a newly opened page.
pub(crate) fn scroll_to_top() {
    window().scroll_to_with_x_and_y(0.0, 0.0);
}

/// Prevents the page under an open sheet from scrolling, or allows it again.
pub(crate) fn hold_page(hold: bool) {
    let _ = body().class_list().toggle_with_force("held", hold);
}

/// Saves a text as a file; returns `false` if the browser refused.
pub fn save(name: &str, text: &str) -> bool {
    let save = || -> Result<(), JsValue> {
        let blob = web_sys::Blob::new_with_str_sequence(&js_sys::Array::of1(&text.into()))?;
        let url = web_sys::Url::create_object_url_with_blob(&blob)?;
        let link = document().create_element("a")?.unchecked_into::<web_sys::HtmlAnchorElement>();
        link.set_href(&url);
        link.set_download(name);
        link.click();
        // The download has started and no longer needs the URL.
        web_sys::Url::revoke_object_url(&url)
    };
    save().is_ok()
}
