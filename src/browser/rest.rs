//! The rest of the app: the code of everything that a first visit does not show.
//!
//! The release has two modules; `crates/split` makes them, and lists what is in the second. The first starts the page and
//! gives the first answer. A function that is missing there calls [`load_rest`], which loads the second module
//! synchronously: this always works, but blocks the page. So a view that needs the rest waits for it with [`load`] instead.
//! `loader.js` fetches the module. An app in one module has its rest from the start.

use std::cell::Cell;

use gloo::utils::window;
use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// Loads the rest unless it has arrived. If `at_once` is `true`, it has been loaded when this returns.
    /// `crates/split` finds this import by its name, and makes missing functions call it.
    #[wasm_bindgen(js_namespace = spackCache, js_name = loadRest)]
    fn load_rest(at_once: bool) -> Promise;
}

thread_local! {
    static IS_HERE: Cell<bool> = const { Cell::new(false) };
}

/// Gives the loader the exports that the rest imports. Must be called before anything else.
pub(crate) fn announce() {
    if let Ok(object) = Reflect::get(&window(), &"spackCache".into()) {
        // The object is only missing if no loader has started this app.
        let _ = Reflect::set(&object, &"app".into(), &wasm_bindgen::exports());
    }
}

/// Returns `true` if [`load`] has loaded the rest.
pub(crate) fn is_here() -> bool {
    IS_HERE.get()
}

/// Loads the rest; returns `false` if it could not be fetched. The next call tries again.
pub(crate) async fn load() -> bool {
    let is_here = JsFuture::from(load_rest(false)).await.is_ok();
    IS_HERE.set(is_here);
    is_here
}
