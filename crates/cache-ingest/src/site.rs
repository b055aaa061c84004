//! Extracts the index of a published page.
//!
//! `embed` writes each part as `<script type="application/json" id="…">`, whose text contains no `<`, and lists the
//! parts in the script `parts` in the head. So it is enough to search for these tags, without parsing HTML. If a page
//! was cut off, a part that its head lists is missing or too short. A part may also be a file next to the page, which
//! the head names.

use cache_index::index::{Part, Parts, Statement};
use thiserror::Error;

/// The reason why no index could be extracted from a page.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SiteError {
    /// The page has no index.
    #[error("expected a page with an index in it, as `embed` makes them, found none")]
    NoIndex,
    /// A part that the head lists is missing or incomplete.
    #[error("the page was cut off: its part {part:?} is missing or incomplete")]
    Incomplete {
        /// The id of the part.
        part: String,
    },
    /// A part is in a file that could not be read.
    #[error(
        "a part of the index is in {file:?} beside the page, which could not be read: {message}; \
         explorer.html contains the whole index"
    )]
    Unreadable {
        /// The name of the file.
        file: String,
        /// The reason.
        message: String,
    },
}

/// Extracts the parts of the index of a page. `beside` reads a file in the page's folder.
pub fn extract(
    html: &str,
    beside: impl Fn(&str) -> Result<String, String>,
) -> Result<Parts, SiteError> {
    let statement = script(html, Statement::ID).and_then(|json| Statement::from_json(json).ok());
    let statement = statement.unwrap_or_default();
    let text = |part: Part| {
        let stated = statement.part(part);
        let text = match stated.and_then(|stated| stated.file.as_deref()) {
            Some(file) => {
                let is_beside = !file.contains(['/', '\\']) && !file.starts_with('.');
                let text = if is_beside { beside(file) } else { Err("it is elsewhere".to_owned()) };
                Some(
                    text.map_err(|message| SiteError::Unreadable {
                        file: file.to_owned(),
                        message,
                    })?,
                )
            }
            None => script(html, part.id()).map(str::to_owned),
        };
        match stated {
            Some(stated) if !text.as_deref().is_some_and(|text| stated.is_whole(text)) => {
                Err(SiteError::Incomplete { part: part.id().to_owned() })
            }
            _ => Ok(text),
        }
    };
    Ok(Parts {
        columns: text(Part::Columns)?.ok_or(SiteError::NoIndex)?,
        hashes: text(Part::Hashes)?,
        details: text(Part::Details)?,
        dependencies: text(Part::Dependencies)?,
        changes: text(Part::Changes)?,
        facts: None,
        summary: None,
        recipes: text(Part::Recipes)?,
        recipe_details: text(Part::RecipeDetails)?,
        other_packages: text(Part::OtherPackages)?,
    })
}

/// Returns `true` if a page contains an index.
pub(crate) fn has_index(html: &str) -> bool {
    [Statement::ID, Part::Columns.id()].into_iter().any(|id| script(html, id).is_some())
}

/// Returns `true` if a page says what was found in binaries, which [`extract`] leaves out.
#[cfg(feature = "command")]
pub(crate) fn has_facts(html: &str) -> bool {
    let statement = script(html, Statement::ID).and_then(|json| Statement::from_json(json).ok());
    [Part::Facts, Part::Contents].into_iter().any(|part| {
        let is_stated = statement.as_ref().is_some_and(|it| it.part(part).is_some());
        is_stated || script(html, part.id()).is_some()
    })
}

/// Returns the text of the script with an id.
fn script<'h>(html: &'h str, id: &str) -> Option<&'h str> {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, rest) = html.split_once(&start)?;
    Some(rest.split_once("</script>")?.0)
}

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

    /// Extracts the index of a page that has no files next to it.
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
                        explorer.html contains the whole index";
        assert_eq!(gone.map(|_| ()), Err(expected.to_owned()));
    }

    #[test]
    fn extracts_the_parts_of_an_index() {
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
