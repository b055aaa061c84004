//! Environments that a user has opened: `open.js` reads their files and keeps them on the device.

use cache_index::environment::{Environment, EnvironmentTexts};
use cache_query::address;
use cache_query::{AskedEnvironment, Change, Query, apply};
use gloo::utils::document;
use js_sys::Array;
use wasm_bindgen::JsValue;
use web_sys::{Element, File};

use super::kept::{ask, text_of};
use site::browser::storage;
use site::browser::tasks::{pause, spawn};

/// An environment that the device keeps, with the name of its file; if there is none, the reason, if it is known.
pub(crate) type FoundEnvironment = Result<(String, Environment), Option<String>>;

/// Returns the environment with an id. The caller continues in a new task.
pub(crate) async fn find(id: &str) -> FoundEnvironment {
    let (name, kept) = match in_page(id) {
        Some(element) => {
            let kept = EnvironmentTexts::from_json(&element.text_content().unwrap_or_default());
            (element.get_attribute("data-name"), kept)
        }
        None => {
            let kept = ask("environment", &id.into()).await.ok();
            let kept = kept.filter(JsValue::is_object).ok_or(None)?;
            let text = |name: &str| text_of(&kept, name);
            let head = text("head").unwrap_or_default();
            (text("name"), Ok(EnvironmentTexts { head, nodes: text("nodes") }))
        }
    };
    let environment = kept.and_then(|kept| kept.read()).map_err(|error| Some(error.to_string()))?;
    pause().await;
    Ok((name.unwrap_or_default(), environment))
}

/// Opens the text of a file, as if the file had been dropped.
pub(crate) fn open_text(text: &str) {
    let Ok(file) = File::new_with_str_sequence(&Array::of1(&text.into()), "pasted text") else {
        return;
    };
    spawn(async move {
        let _ = ask("open", &Array::of1(&file)).await;
    });
}

/// Returns the element with the environment that the page was made with, if it has this id. It comes before the index.
fn in_page(id: &str) -> Option<Element> {
    let element = document().get_element_by_id(EnvironmentTexts::ELEMENT)?;
    (element.get_attribute("data-id").as_deref() == Some(id)).then_some(element)
}

/// Returns `true` if the page was made with the file of this environment.
pub(crate) fn is_in_page(environment: &AskedEnvironment) -> bool {
    environment.file.as_deref().is_some_and(|id| in_page(id).is_some())
}

/// The key under which this device remembers the address of the user's environment.
const REMEMBERED: &str = "environment";

/// Returns the environment that the user looked at last.
pub(crate) fn remembered() -> Option<AskedEnvironment> {
    let (query, _) = address::decode(&storage::recall(REMEMBERED)?);
    query.question.environment.filter(|environment| !environment.is_empty())
}

/// Remembers an environment on this device, or forgets the last one if this one is empty.
pub(crate) fn remember(environment: AskedEnvironment) {
    let is_empty = environment.is_empty();
    let query = apply(&Query::default(), Change::OpenEnvironment(environment));
    let address = address::encode(&query);
    storage::remember(REMEMBERED, (!is_empty).then_some(address.as_str()));
}
