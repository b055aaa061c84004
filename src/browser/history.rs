//! The query and the address bar, which follow each other.
//!
//! This uses the browser's history directly rather than through gloo, whose push panics if the browser refuses it (as
//! browsers do after some hundred pushes in a few seconds): here the page continues, and only its address is out of
//! date.

use cache_query::Query;
use cache_query::address;
use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::{document, document_element, window};
use wasm_bindgen::{JsCast, JsValue};

use super::{IS_HERE, closest};

/// Returns the query string of the address, without the cache that it names.
pub fn query_string() -> String {
    if !IS_HERE {
        return String::new();
    }
    let text = window().location().search().unwrap_or_default();
    let Some(opened) = opened() else { return text };
    // The code that splits at a string is in the rest of the app, which would be loaded at once; splitting at a character
    // does not need it.
    let pairs = text.strip_prefix('?').unwrap_or(&text).split('&');
    pairs.filter(|pair| *pair != opened).collect::<Vec<_>>().join("&")
}

/// Returns `true` if the page shows a cache that the user has opened.
pub fn shows_opened_cache() -> bool {
    opened().is_some()
}

/// Returns the start of every address on this page if it shows a cache that the user has opened. loader.js reads
/// the address, and sets the attribute.
fn opened() -> Option<String> {
    if !IS_HERE {
        return None;
    }
    Some(format!("cache={}", document_element().get_attribute("data-cache")?))
}

/// Returns the address of a query on this page, relative to it.
pub fn address(query: &Query) -> String {
    let query = address::encode(query);
    // Without a `?`, a relative address would keep the current query string.
    let Some(opened) = opened() else { return format!("?{query}") };
    format!("?{opened}&{query}").trim_end_matches('&').to_owned()
}

/// Returns the query of an address on this page; `None` for any other address.
pub(crate) fn query_of(address: &str) -> Option<Query> {
    let text = address.strip_prefix('?')?;
    let starts = |start: &str| text.split('&').next() == Some(start);
    let query = match opened() {
        Some(opened) if starts(&opened) => text.strip_prefix(&opened)?,
        Some(_) => return None,
        None if text.starts_with("cache=") => return None,
        None => text,
    };
    Some(address::decode(query).0)
}

/// Returns the address of a query on the page of a cache that the user has opened, relative to this page.
pub(crate) fn address_in(cache: &str, query: &Query) -> String {
    format!("?cache={cache}&{}", address::encode(query))
}

/// Returns the complete address of a query, for sharing.
pub(crate) fn whole_address(query: &Query) -> String {
    let location = window().location();
    let base = location.href().unwrap_or_default();
    let base = base.split(['?', '#']).next().unwrap_or_default();
    match address(query) {
        text if text == "?" => base.to_owned(),
        text => format!("{base}{text}"),
    }
}

/// Shows a query in the address bar, as a step that Back undoes.
pub(crate) fn push(query: &Query) {
    if let Ok(history) = window().history() {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&whole_address(query)));
    }
}

/// Shows a query in the address bar, replacing the current one.
pub(crate) fn replace(query: &Query) {
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&whole_address(query)));
    }
}

/// Calls back with the address of each link that the user follows on this page, unless the click has been handled already.
/// If the callback returns `true`, the browser does not follow the link.
pub(crate) fn on_follow(follow: impl Fn(&str) -> bool + 'static) {
    if !IS_HERE {
        return;
    }
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&document(), "click", options, move |event| {
        let link = closest(event, "a[href]").filter(|_| is_plain(event));
        let address = link.and_then(|link| link.get_attribute("href"));
        if !event.default_prevented() && address.is_some_and(|address| follow(&address)) {
            event.prevent_default();
        }
    })
    .forget();
}

/// Returns `true` if a click on a link stays on the page. Any other click opens a new tab or window, which is left to the
/// browser.
pub(crate) fn is_plain(event: &web_sys::Event) -> bool {
    let Some(event) = event.dyn_ref::<web_sys::MouseEvent>() else { return false };
    event.button() == 0
        && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
}

/// Calls back when the user goes to another address with Back, Forward or by typing it.
pub fn on_move(moved: impl Fn() + 'static) {
    if !IS_HERE {
        return;
    }
    EventListener::new(&window(), "popstate", move |_| moved()).forget();
}
