//! `spackCache`: the page's interface for scripts and tests.
//!
//! `loader.js` creates the object and its promise `ready` before the app has loaded; this module adds the functions, whose
//! code is in the rest of the app.

use cache_index::index::Index;
use gloo::utils::window;
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;

/// The functions of the interface.
#[derive(Clone, Copy)]
pub struct Scripting {
    /// Counts the builds of an address.
    pub query: fn(&'static Index, &JsValue) -> Result<JsValue, JsValue>,
    /// Lists the builds of an address, from an offset on, up to a limit.
    pub builds: fn(&'static Index, &JsValue, [&JsValue; 2]) -> Result<JsValue, JsValue>,
    /// Returns the address of what has been opened. The argument is the query of an address that has nothing else.
    pub address_of: fn(&str) -> String,
}

/// Adds the functions to `spackCache`.
pub(crate) fn publish(index: &'static Index, functions: Scripting) {
    let Scripting { query, builds, address_of } = functions;
    let query =
        Closure::<dyn Fn(JsValue) -> Result<JsValue, JsValue>>::new(move |link: JsValue| {
            query(index, &link)
        });
    let builds = Closure::<dyn Fn(JsValue, JsValue, JsValue) -> Result<JsValue, JsValue>>::new(
        move |link: JsValue, offset: JsValue, limit: JsValue| {
            builds(index, &link, [&offset, &limit])
        },
    );
    let address_of =
        Closure::<dyn Fn(String) -> String>::new(move |opened: String| address_of(&opened));
    set("query", &query.into_js_value());
    set("builds", &builds.into_js_value());
    set("addressOf", &address_of.into_js_value());
}

/// Settles `spackCache.ready`: resolves it, or rejects it with an error.
pub(crate) fn settle(error: Option<&str>) {
    let settle = Reflect::get(&object(), &"settle".into());
    if let Some(settle) = settle.ok().and_then(|value| value.dyn_into::<Function>().ok()) {
        let error = error.map_or(JsValue::UNDEFINED, |text| js_sys::Error::new(text).into());
        let _ = settle.call1(&JsValue::UNDEFINED, &error);
    }
}

fn object() -> JsValue {
    Reflect::get(&window(), &"spackCache".into()).unwrap_or_default()
}

fn set(name: &str, value: &JsValue) {
    // Without the object, there is nobody to notify.
    let _ = Reflect::set(&object(), &name.into(), value);
}
