//! The statement of the parts that must follow, in the head of a page.
//!
//! ```json
//! {"index": {"length": 80112, "digest": "sha256-…"}, "index-hashes": {…, "file": "index-hashes-….json"},
//!  "index-changes": {…, "since": "2026-11-20T09:50:00Z", "came": 38, "went": 12}}
//! ```
//!
//! For each part, by its id: its length in UTF-16 units, as scripts count them, the digest of its UTF-8, and the name of
//! its file if it is not in the page. So a truncated page is never mistaken for a complete one, or for one without an
//! index. Of the changes, it also states what the page says about them before it has them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use cache_index::index::Summary;
use lol_html::html_content::{ContentType, Element};
use lol_html::{element, text};
use serde::{Deserialize, Serialize, Serializer};

use crate::digest::digest;

use super::{PageError, rewrite};

/// The id of the script that states which parts must follow.
const MARK: &str = "parts";

/// What the page states about a part that must follow.
#[derive(Serialize, Deserialize)]
pub(super) struct Announced {
    /// The length in UTF-16 units.
    length: usize,
    digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    /// The name of its file; `None` if it is in the page.
    pub(super) file: Option<String>,
    #[serde(flatten)]
    pub(super) summary: Option<Stated>,
}

/// What the page says about the changes: since when, and how many builds came and went.
#[derive(Serialize, Deserialize)]
pub(super) struct Stated {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    came: usize,
    went: usize,
}

impl From<&Summary> for Stated {
    fn from(summary: &Summary) -> Stated {
        let Summary { made, came, went } = summary.clone();
        Stated { since: made, came, went }
    }
}

impl Announced {
    pub(super) fn of(text: &str, file: Option<String>, summary: Option<Stated>) -> Announced {
        let length = text.encode_utf16().count();
        Announced { length, digest: digest(text.as_bytes()), file, summary }
    }
}

/// Returns what a page states about its parts, by their ids.
pub(super) fn stated(html: &str) -> Result<BTreeMap<String, Announced>, PageError> {
    let json = RefCell::new(String::new());
    let read = text!("script#parts", |chunk| {
        json.borrow_mut().push_str(chunk.as_str());
        Ok(())
    });
    rewrite(html, vec![read])?;
    match json.into_inner() {
        json if json.is_empty() => Ok(BTreeMap::new()),
        json => serde_json::from_str(&json)
            .map_err(|error| PageError::Unreadable { message: format!("its parts: {error}") }),
    }
}

/// Returns the names of the files that contain parts of the index of a page.
pub(crate) fn part_files(html: &str) -> Result<Vec<String>, PageError> {
    let stated = stated(html)?.into_values();
    Ok(stated.filter_map(|part| part.file).collect())
}

/// Returns the statement, with the parts and their fields in a fixed order: the bytes of a page must not depend on how
/// `serde_json` orders maps, which other crates of the build decide.
pub(super) fn statement(parts: impl Iterator<Item = (&'static str, Announced)>) -> String {
    let mut json = Vec::new();
    serde_json::Serializer::new(&mut json).collect_map(parts).expect("strings and numbers");
    let mark = String::from_utf8(json).expect("JSON is UTF-8");
    format!("<script type=\"application/json\" id=\"{MARK}\">{mark}</script>")
}

/// Returns the page with a statement of its parts at the start of its head, replacing any earlier one.
pub(super) fn with_mark(html: &str, mark: &str) -> Result<String, PageError> {
    let is_marked = Cell::new(false);
    let remove = element!("script#parts", |other| {
        other.remove();
        Ok(())
    });
    let page = rewrite(html, vec![remove])?;
    let add = |place: &mut Element<'_, '_>, inside: bool| {
        if !is_marked.replace(true) {
            match inside {
                true => place.prepend(mark, ContentType::Html),
                false => place.after(mark, ContentType::Html),
            }
        }
    };
    // Browsers look for the encoding in the first kilobyte, so it stays first.
    let after_charset = element!("head > meta[charset]", |charset| {
        add(charset, false);
        Ok(())
    });
    let page = rewrite(&page, vec![after_charset])?;
    if is_marked.get() {
        return Ok(page);
    }
    let in_body = element!("body", |body| {
        add(body, true);
        Ok(())
    });
    rewrite(&page, vec![in_body])
}
