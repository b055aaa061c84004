//! Environments that a user has opened: `open.js` reads their files and keeps them on the device.

use std::sync::Arc;

use cache_index::environment::{Environment, EnvironmentTexts};
use cache_query::address;
use cache_query::{AskedEnvironment, Change, Query, apply};
use gloo::utils::document;
use js_sys::Array;
use wasm_bindgen::JsValue;
use web_sys::{Element, File};

use super::kept::{Keeper, ask, keeper_of, text_of};
use site::browser::storage;
use site::browser::tasks::{pause, spawn};

/// An environment that a user has opened.
#[derive(Clone)]
pub(crate) struct FoundEnvironment {
    /// The name of its file.
    pub(crate) name: String,
    pub(crate) environment: Arc<Environment>,
    pub(crate) keeper: Keeper,
}

/// Returns the environment with an id; if there is none, the reason, if it is known. The caller continues in a new task.
pub(crate) async fn find(id: &str) -> Result<FoundEnvironment, Option<String>> {
    let (name, kept, keeper) = match in_page(id) {
        Some(element) => {
            let kept = EnvironmentTexts::from_json(&element.text_content().unwrap_or_default());
            (element.get_attribute("data-name"), kept, Keeper::Page)
        }
        None => {
            let kept = ask("environment", &id.into()).await.ok();
            let kept = kept.filter(JsValue::is_object).ok_or(None)?;
            let text = |name: &str| text_of(&kept, name);
            let head = text("head").unwrap_or_default();
            let texts = EnvironmentTexts { head, nodes: text("nodes") };
            (text("name"), Ok(texts), keeper_of(&kept))
        }
    };
    let environment = kept.and_then(|kept| kept.read()).map_err(|error| Some(error.to_string()))?;
    pause().await;
    let name = name.unwrap_or_default();
    Ok(FoundEnvironment { name, environment: Arc::new(environment), keeper })
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

/// The key under which this device remembers the address of the user's environment.
const REMEMBERED: &str = "environment";

/// Returns the environment that the user looked at last, without its file if this device does not have it any more.
pub(crate) async fn remembered() -> Option<AskedEnvironment> {
    let (query, _) = address::decode(&storage::recall(REMEMBERED)?);
    let mut environment = query.question.environment?;
    let is_gone = match &environment.file {
        Some(id) if in_page(id).is_none() => {
            let kept = ask("environment", &id.into()).await;
            kept.is_ok_and(|kept| kept.is_undefined())
        }
        _ => false,
    };
    if is_gone {
        environment.file = None;
    }
    Some(environment).filter(|environment| !environment.is_empty())
}

/// Remembers an environment on this device, or forgets the last one if this one is empty.
pub(crate) fn remember(environment: AskedEnvironment) {
    let is_empty = environment.is_empty();
    let query = apply(&Query::default(), Change::OpenEnvironment(environment));
    let address = address::encode(&query);
    storage::remember(REMEMBERED, (!is_empty).then_some(address.as_str()));
}
