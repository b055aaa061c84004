//! Texts that have arrived. They stay outside the module's memory until they are read, so that it never holds a large one as
//! a whole.

use js_sys::{JsString, Uint8Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type TextEncoder;
    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &JsString) -> Uint8Array;

    #[wasm_bindgen(js_namespace = spackCache)]
    fn free(bytes: &Uint8Array);
}

/// Copies a text out of JavaScript. The browser encodes it in one call, whereas the conversion of wasm-bindgen visits each
/// character in a script, which takes fifteen milliseconds for the columns of a large cache if that script has not been
/// compiled yet.
pub fn copied(text: &JsString) -> String {
    decoded(&TextEncoder::new().encode(text))
}

fn decoded(bytes: &Uint8Array) -> String {
    String::from_utf8(bytes.to_vec()).unwrap_or_default()
}

/// The bytes of a file. Their memory is freed when they have been read; otherwise the browser may keep it for minutes.
pub struct PartBytes(pub(super) Uint8Array);

impl Drop for PartBytes {
    fn drop(&mut self) {
        free(&self.0);
    }
}

/// A text, as it arrived.
pub enum Text {
    /// From an element of the page.
    Characters(JsString),
    /// From a file, in UTF-8. Decoding all hashes of a million builds at once would take a tenth of a second.
    Bytes(PartBytes),
}

impl Text {
    /// Returns the text without the white space that a page may have around it.
    pub(super) fn trimmed(self) -> Text {
        match self {
            Text::Characters(text) => Text::Characters(text.trim()),
            bytes => bytes,
        }
    }

    /// Returns the number of characters or bytes.
    pub(super) fn length(&self) -> u32 {
        match self {
            Text::Characters(text) => text.length(),
            Text::Bytes(bytes) => bytes.0.length(),
        }
    }

    /// Copies a part of a text that consists of ASCII.
    pub(super) fn slice(&self, from: u32, to: u32) -> String {
        match self {
            Text::Characters(text) => copied(&text.substring(from, to)),
            Text::Bytes(bytes) => decoded(&bytes.0.subarray(from, to)),
        }
    }

    /// Copies the whole text.
    pub fn copied(&self) -> String {
        match self {
            Text::Characters(text) => copied(text),
            Text::Bytes(bytes) => decoded(&bytes.0),
        }
    }

    /// Returns the text as a JavaScript string.
    pub(super) fn into_characters(self) -> JsString {
        match self {
            Text::Characters(text) => text,
            Text::Bytes(bytes) => decoded(&bytes.0).into(),
        }
    }
}
