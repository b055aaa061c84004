//! Environments that a person has opened: `open.js` reads their files and keeps them on the device.

use cache_index::environment::{Environment, Kept};
use cache_query::address;
use cache_query::{Change, Query, apply};
use js_sys::{Function, JsString, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::opened::pause;
use super::storage;
use super::text::copied;

#[wasm_bindgen]
extern "C" {
    /// Returns a promise of the interface of `open.js`, which it loads if necessary.
    #[wasm_bindgen(js_namespace = spackCache, catch)]
    fn own() -> Result<Promise, JsValue>;
}

/// An environment that the device keeps, with the name of its file; or why there is none, if it is known.
pub(crate) type Found = Result<(String, Environment), Option<String>>;

/// Returns the environment with an id. What follows is in a task of its own.
pub(crate) async fn find(id: &str) -> Found {
    let kept = ask("environment", &id.into()).await.ok().filter(JsValue::is_object).ok_or(None)?;
    let text = |name: &str| text_of(&kept, name);
    let read = Kept { head: text("head").unwrap_or_default(), nodes: text("nodes") }.read();
    let environment = read.map_err(|error| Some(error.to_string()))?;
    pause().await;
    Ok((text("name").unwrap_or_default(), environment))
}

/// Returns a text of what the device keeps.
pub(super) fn text_of(kept: &JsValue, name: &str) -> Option<String> {
    let text = Reflect::get(kept, &name.into()).ok()?.dyn_into::<JsString>().ok()?;
    Some(copied(&text))
}

/// Calls a function of `open.js` that returns a promise.
pub(super) async fn ask(function: &str, argument: &JsValue) -> Result<JsValue, JsValue> {
    let own = JsFuture::from(own()?).await?;
    let ask: Function = Reflect::get(&own, &function.into())?.dyn_into()?;
    let promise: Promise = ask.call1(&JsValue::UNDEFINED, argument)?.dyn_into()?;
    JsFuture::from(promise).await
}

/// The key under which this device remembers the address of the person's environment.
const REMEMBERED: &str = "environment";

/// Returns the environment that the person looked at last: the id of its file, which may be empty, and its specs.
pub(crate) fn remembered() -> Option<(String, Vec<String>)> {
    let (query, _) = address::decode(&storage::recall(REMEMBERED)?);
    let question = query.question;
    let file = question.environment.unwrap_or_default();
    (!file.is_empty() || !question.specs.is_empty()).then_some((file, question.specs))
}

/// Remembers an environment on this device, or forgets it if there is nothing in it.
pub(crate) fn remember(file: String, specs: Vec<String>) {
    let is_nothing = file.is_empty() && specs.is_empty();
    let query = apply(&Query::default(), Change::OpenEnvironment(file, specs));
    let address = address::encode(&query);
    storage::remember(REMEMBERED, (!is_nothing).then_some(address.as_str()));
}
