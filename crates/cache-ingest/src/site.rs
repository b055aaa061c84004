//! Taking the index out of a page that was published with one.
//!
//! `embed` writes each part as `<script type="application/json" id="…">`, with no `<` in it, and what
//! must follow into the script `parts` in the head. So the text is searched for just these tags; no
//! other page is read, and no HTML is understood. A page that was cut off lacks a part that its head
//! announces, or has less of it. A part may also be a file beside the page, which the head names.

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
    /// A part is in a file that could not be read.
    Unreadable {
        /// The name of the file.
        file: String,
        /// Why.
        message: String,
    },
}

/// What the head of a page says of a part.
#[derive(Deserialize)]
struct Announced {
    /// In UTF-16 units.
    length: usize,
    /// The name of its file beside the page, if it has one.
    file: Option<String>,
}

/// Takes out the parts of the index of a page. `beside` reads a file in the folder of the page.
pub fn extract(
    html: &str,
    beside: impl Fn(&str) -> Result<String, String>,
) -> Result<Parts, SiteError> {
    let announced: BTreeMap<String, Announced> =
        script(html, MARK).and_then(|mark| serde_json::from_str(mark).ok()).unwrap_or_default();
    let mut files = BTreeMap::new();
    for (part, Announced { length, file }) in announced {
        let is_whole = |text: &str| text.encode_utf16().count() == length;
        let found = match file {
            Some(file) => {
                let is_beside = !file.contains(['/', '\\']) && !file.starts_with('.');
                let text =
                    if is_beside { beside(&file) } else { Err("it is elsewhere".to_owned()) };
                let text = text.map_err(|message| SiteError::Unreadable { file, message })?;
                let is_whole = is_whole(&text);
                files.insert(part.clone(), text);
                is_whole
            }
            None => script(html, &part).is_some_and(is_whole),
        };
        if !found {
            return Err(SiteError::Incomplete { part });
        }
    }
    let mut text =
        |part: Part| files.remove(part.id()).or_else(|| script(html, part.id()).map(str::to_owned));
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
            SiteError::Unreadable { file, message } => {
                write!(
                    f,
                    "a part of the index is in {file:?} beside the page, which could not be read: \
                     {message}; explorer.html has the whole index in it"
                )
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

    /// Takes the index out of a page with no file beside it.
    fn alone(html: &str) -> Result<Parts, SiteError> {
        extract(html, |_| Err("gone".to_owned()))
    }

    #[test]
    fn reads_parts_beside_the_page() {
        let stated = |file: &str| {
            let file = format!("\"length\":4,\"file\":{}", serde_json::json!(file));
            page("").replace("\"length\":4", &file)
        };
        let read = |html: &str, text: &str| extract(html, |_| Ok(text.to_owned()));
        let parts = read(&stated("h.json"), "\"aa\"").expect("an index");
        assert_eq!(parts.hashes.as_deref(), Some("\"aa\""));
        let cut = SiteError::Incomplete { part: "index-hashes".to_owned() };
        assert_eq!(read(&stated("h.json"), "\"a"), Err(cut));
        for name in ["../h.json", "a/h.json", ".h", "a\\b"] {
            let refused = read(&stated(name), "\"aa\"");
            assert!(matches!(refused, Err(SiteError::Unreadable { .. })), "{name}: {refused:?}");
        }
        let gone = alone(&stated("h.json")).map_err(|error| error.to_string());
        let expected = "a part of the index is in \"h.json\" beside the page, which could not be read: gone; \
                        explorer.html has the whole index in it";
        assert_eq!(gone.map(|_| ()), Err(expected.to_owned()));
    }

    #[test]
    fn takes_out_what_was_put_in() {
        let parts = alone(&(page("\"ä\u{e9}\"") + "</script></body>")).expect("an index");
        assert_eq!(parts.columns, "{}");
        assert_eq!(parts.hashes.as_deref(), Some("\"ä\u{e9}\""));
        assert_eq!((parts.details, parts.dependencies), (None, None));
    }

    #[test]
    fn rejects_a_page_that_was_cut_off_or_has_no_index() {
        let cut = SiteError::Incomplete { part: "index-hashes".to_owned() };
        assert_eq!(alone(&page("\"a")), Err(cut.clone()));
        assert_eq!(alone(&(page("\"a\"") + "</script>")), Err(cut));
        assert_eq!(alone("<!doctype html><body></body>"), Err(SiteError::NoIndex));
    }
}
