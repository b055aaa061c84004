//! What a user has opened: `open.js` reads the files, and keeps what it read on the device.

use js_sys::{Function, JsString, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use site::browser::text::copied;

#[wasm_bindgen]
extern "C" {
    /// Returns a promise of the interface of `open.js`, which it loads if necessary.
    #[wasm_bindgen(js_namespace = spackCache, catch)]
    fn own() -> Result<Promise, JsValue>;
}

/// Who keeps what was read from a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeper {
    /// The page, which was made with it.
    Page,
    /// This device, so that links to it work here.
    Device,
    /// Nobody: it is gone when the user leaves the page.
    Nobody,
}

/// Calls a function of `open.js` that returns a promise.
pub(super) async fn ask(function: &str, argument: &JsValue) -> Result<JsValue, JsValue> {
    let own = JsFuture::from(own()?).await?;
    let ask: Function = Reflect::get(&own, &function.into())?.dyn_into()?;
    let promise: Promise = ask.call1(&JsValue::UNDEFINED, argument)?.dyn_into()?;
    JsFuture::from(promise).await
}

/// Returns one of the texts of something that the device keeps.
pub(super) fn text_of(kept: &JsValue, name: &str) -> Option<String> {
    let text = Reflect::get(kept, &name.into()).ok()?.dyn_into::<JsString>().ok()?;
    Some(copied(&text))
}

/// Returns who keeps something that `open.js` has returned.
pub(super) fn keeper_of(kept: &JsValue) -> Keeper {
    match Reflect::get(kept, &"stays".into()).is_ok_and(|stays| stays.is_truthy()) {
        true => Keeper::Device,
        false => Keeper::Nobody,
    }
}
