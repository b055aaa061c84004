//! Taking the index out of a page that was published with one.
//!
//! `embed` writes each part as `<script type="application/json" id="…">`, with no `<` in it, and what
//! must follow into the script `parts` in the head. So the text is searched for just these tags; no
//! other page is read, and no HTML is understood. A page that was cut off lacks a part that its head
//! announces, or has less of it.

use std::collections::BTreeMap;
use std::fmt;

use cache_index::index::{Part, Parts};
use serde::Deserialize;

/// The script that says what must follow.
const MARK: &str = "parts";

/// Why no index could be taken out of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteError {
    /// It has none.
    NoIndex,
    /// A part that the head announces is not there, or not whole.
    Incomplete {
        /// Its id.
        part: String,
    },
}

/// What the head of a page says of a part.
#[derive(Deserialize)]
struct Announced {
    /// In UTF-16 units.
    length: usize,
}

/// Takes out the parts of the index that is in a page.
pub fn extract(html: &str) -> Result<Parts, SiteError> {
    let announced: BTreeMap<String, Announced> =
        script(html, MARK).and_then(|mark| serde_json::from_str(mark).ok()).unwrap_or_default();
    for (part, Announced { length }) in announced {
        let found = script(html, &part);
        if found.is_none_or(|text| text.encode_utf16().count() != length) {
            return Err(SiteError::Incomplete { part });
        }
    }
    let text = |part: Part| script(html, part.id()).map(str::to_owned);
    Ok(Parts {
        columns: text(Part::Columns).ok_or(SiteError::NoIndex)?,
        hashes: text(Part::Hashes),
        details: text(Part::Details),
        dependencies: text(Part::Dependencies),
    })
}

/// The text of the script with an id.
fn script<'h>(html: &'h str, id: &str) -> Option<&'h str> {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, rest) = html.split_once(&start)?;
    Some(rest.split_once("</script>")?.0)
}

impl fmt::Display for SiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SiteError::NoIndex => {
                write!(f, "expected a page with an index in it, as `embed` makes them, found none")
            }
            SiteError::Incomplete { part } => {
                write!(f, "the page announces {part:?}, which is not whole: it was cut off")
            }
        }
    }
}

impl std::error::Error for SiteError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(hashes: &str) -> String {
        format!(
            "<!doctype html><head><script type=\"application/json\" id=\"parts\">\
             {{\"index\":{{\"length\":2,\"digest\":\"x\"}},\"index-hashes\":{{\"length\":4,\"digest\":\"y\"}}}}\
             </script></head><body><script type=\"application/json\" id=\"index\">{{}}</script>\
             <script type=\"application/json\" id=\"index-hashes\">{hashes}"
        )
    }

    #[test]
    fn takes_out_what_was_put_in() {
        let parts = extract(&(page("\"ä\u{e9}\"") + "</script></body>")).expect("an index");
        assert_eq!(parts.columns, "{}");
        assert_eq!(parts.hashes.as_deref(), Some("\"ä\u{e9}\""));
        assert_eq!((parts.details, parts.dependencies), (None, None));
    }

    #[test]
    fn rejects_a_page_that_was_cut_off_or_has_no_index() {
        let cut = SiteError::Incomplete { part: "index-hashes".to_owned() };
        assert_eq!(extract(&page("\"a")), Err(cut.clone()));
        assert_eq!(extract(&(page("\"a\"") + "</script>")), Err(cut));
        assert_eq!(extract("<!doctype html><body></body>"), Err(SiteError::NoIndex));
    }
}
