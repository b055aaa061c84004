//! Environments that a user has opened: `open.js` reads their files and keeps them on the device.

use cache_index::environment::{Environment, Kept};
use cache_query::address;
use cache_query::{Change, Query, apply};
use gloo::utils::document;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::kept::{ask, text_of};
use site::browser::storage;
use site::browser::tasks::pause;

/// An environment that the device keeps, with the name of its file; or why there is none, if it is known.
pub(crate) type Found = Result<(String, Environment), Option<String>>;

/// Returns the environment with an id. What follows is in a task of its own.
pub(crate) async fn find(id: &str) -> Found {
    let (name, kept) = match in_page(id) {
        Some(element) => {
            let kept = Kept::from_json(&element.text_content().unwrap_or_default());
            (element.get_attribute("data-name"), kept)
        }
        None => {
            let kept = ask("environment", &id.into()).await.ok();
            let kept = kept.filter(JsValue::is_object).ok_or(None)?;
            let text = |name: &str| text_of(&kept, name);
            let head = text("head").unwrap_or_default();
            (text("name"), Ok(Kept { head, nodes: text("nodes") }))
        }
    };
    let environment = kept.and_then(|kept| kept.read()).map_err(|error| Some(error.to_string()))?;
    pause().await;
    Ok((name.unwrap_or_default(), environment))
}

/// Returns the element with the environment that the page was made with, if it has this id. It comes before the index.
fn in_page(id: &str) -> Option<Element> {
    let element = document().get_element_by_id(Kept::ELEMENT)?;
    (element.get_attribute("data-id").as_deref() == Some(id)).then_some(element)
}

/// Returns `true` if the page was made with the environment that has this id.
pub(crate) fn is_in_page(id: &str) -> bool {
    in_page(id).is_some()
}

/// The key under which this device remembers the address of the user's environment.
const REMEMBERED: &str = "environment";

/// Returns the environment that the user looked at last: the id of its file, which may be empty, and its specs.
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
