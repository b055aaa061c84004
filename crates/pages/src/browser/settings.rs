//! The settings of a user's Spack, which they choose as a file or paste: `open.js` has the reader read them.

use cache_index::settings::Settings;
use cache_query::Preference;
use cache_query::address;
use js_sys::{Object, Reflect};
use leptos::ev::Event;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{File, HtmlInputElement};

use super::kept::ask;

/// Settings that have not been read.
pub(crate) enum UnreadSettings {
    /// A pasted text.
    Text(String),
    /// A file that was chosen.
    File(File),
}

/// Reads settings. What they do not mention is taken from `known`. The error says everything that is wrong.
pub(crate) async fn read(given: UnreadSettings, known: &Preference) -> Result<Settings, String> {
    let given = match given {
        UnreadSettings::Text(text) => JsValue::from(text),
        UnreadSettings::File(file) => JsValue::from(file),
    };
    let request = Object::new();
    for (name, value) in [("given", given), ("known", address::encode_preference(known).into())] {
        let _ = Reflect::set(&request, &name.into(), &value);
    }
    let stopped = "the reader stopped: a part of this site could not be fetched";
    let answer = ask("settings", &request).await.map_err(|_| stopped.to_owned())?;
    let text = |name: &str| Reflect::get(&answer, &name.into()).ok()?.as_string();
    match text("settings") {
        Some(settings) => Ok(address::decode_preference(&settings).settings),
        None => Err(text("problems").unwrap_or_else(|| stopped.to_owned())),
    }
}

/// Returns the file that was chosen in a field, and empties the field, so that the same file can be chosen again.
pub(crate) fn chosen_file(event: &Event) -> Option<File> {
    let field: HtmlInputElement = event.target()?.dyn_into().ok()?;
    let file = field.files()?.get(0);
    field.set_value("");
    file
}
