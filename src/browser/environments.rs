//! Environments that a person has opened: `open.js` reads their files and keeps them on the device.

use cache_index::environment::{Environment, Kept};
use cache_query::address;
use cache_query::{Change, Query, apply};
use wasm_bindgen::JsValue;

use super::kept::{ask, text_of};
use super::storage;
use super::tasks::pause;

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
