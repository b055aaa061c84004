//! Reading the columns of an index, which the browser parses.

use cache_index::index::{Index, LoadError, ParsedColumns};
use js_sys::JsString;
use wasm_bindgen::prelude::*;

use super::mark;
use super::tasks::pause;
use super::text::copied;

#[wasm_bindgen]
extern "C" {
    /// Columns that the browser has parsed.
    type Columns;
    #[wasm_bindgen(js_namespace = spackCache, js_name = parseColumns, catch)]
    fn parse_columns(text: &JsString) -> Result<Columns, JsValue>;
    #[wasm_bindgen(method)]
    fn lengths(this: &Columns, field: &str) -> Vec<u32>;
    #[wasm_bindgen(method)]
    fn take(this: &Columns, field: &str) -> Vec<u32>;
    #[wasm_bindgen(method)]
    fn rest(this: &Columns) -> JsString;
}

impl ParsedColumns for Columns {
    fn lengths(&mut self, field: &str) -> Vec<u32> {
        Columns::lengths(self, field)
    }

    fn take(&mut self, field: &str) -> Vec<u32> {
        Columns::take(self, field)
    }

    fn rest(&mut self) -> String {
        copied(&Columns::rest(self))
    }
}

/// Reads an index from its columns. The browser parses them, in half the time, and another task reads the result. If that
/// fails, the text is read instead, so that the error says what is wrong, and where.
pub(crate) async fn read_columns(text: JsString) -> Result<Index, LoadError> {
    let parsed = parse_columns(&text).ok();
    pause().await;
    if let Some(index) = parsed.and_then(|mut columns| Index::from_parsed(&mut columns).ok()) {
        return Ok(index);
    }
    mark("columns-read-as-text");
    Index::from_json(&copied(&text))
}
