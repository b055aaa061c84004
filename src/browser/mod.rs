//! What the app asks of the browser. No other module uses the window or the document.
//!
//! Everything here may be refused (storage and clipboard are, in private windows and frames), and
//! then returns so or does nothing; nothing here panics.

mod focus;
pub(crate) mod history;
pub(crate) mod parts;
pub(crate) mod scripting;
mod storage;

use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use gloo::utils::{body, document, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

pub(crate) use self::focus::{
    close_menus, close_menus_on_click_elsewhere, focus, is_typing, on_key, open_dialog,
    press_in_row, step_in_table,
};
pub(crate) use self::storage::{Theme, remember_machine, remembered_machine};

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

/// The window on the page, in CSS pixels.
pub(crate) struct Seen {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// How far the page is scrolled down.
    pub(crate) top: f64,
}

/// Calls back whenever the page is scrolled or the window gets another size.
pub(crate) fn on_viewport_change(changed: impl Fn() + Copy + 'static) {
    for event in ["scroll", "resize"] {
        EventListener::new(&window(), event, move |_| changed()).forget();
    }
}

/// Returns the part of the page that the window shows.
pub(crate) fn viewport() -> Seen {
    let window = window();
    let size = |value: Result<JsValue, JsValue>| value.ok().and_then(|value| value.as_f64());
    Seen {
        width: size(window.inner_width()).unwrap_or(1280.0),
        height: size(window.inner_height()).unwrap_or(800.0),
        top: window.scroll_y().unwrap_or_default(),
    }
}

/// Sets the title of the page, which browsers show on its tab.
pub(crate) fn set_title(title: &str) {
    document().set_title(title);
}

/// Scrolls to the top, as a page that has just been opened.
pub(crate) fn scroll_to_top() {
    window().scroll_to_with_x_and_y(0.0, 0.0);
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
