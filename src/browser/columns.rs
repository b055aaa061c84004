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

/// Reads the columns of an index, and calls back with it. The browser parses them, which takes a third of the time, in a
/// task of its own. What cannot be read in this way is read from the text, which says what is wrong.
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
