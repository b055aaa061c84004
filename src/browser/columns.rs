//! Reading the columns of an index, which the browser parses.

use cache_index::index::{Index, LoadError, ParsedColumns};
use js_sys::JsString;
use wasm_bindgen::prelude::*;

use super::text::copied;
use super::{mark, soon};

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

/// Reads an index from its columns, and calls back with it in another task. The browser parses them, which halves the time.
/// What cannot be read in this way is read from the text, so that the error says what is wrong, and where.
pub(crate) fn read_columns(text: JsString, done: impl FnOnce(Result<Index, LoadError>) + 'static) {
    let parsed = parse_columns(&text).ok();
    soon(move || {
        let index = parsed.and_then(|mut columns| Index::from_parsed(&mut columns).ok());
        done(index.map_or_else(
            || {
                mark("columns-read-as-text");
                Index::from_json(&copied(&text))
            },
            Ok,
        ));
    });
}
