//! What a page loads: the files that the browser fetches at each visit.

use std::cell::RefCell;

use cache_index::index::Part;
use lol_html::element;

use super::statement::part_files;
use super::{PageError, rewrite};

/// A file that the browser fetches for a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoadedFile {
    /// The path relative to the page's folder.
    pub(crate) name: String,
    /// `true` if the page cannot answer without it.
    pub(crate) is_urgent: bool,
}

/// How a link's address is used.
pub(super) enum Link {
    /// A style sheet, which is loaded.
    Style,
    /// An icon of the page, which is loaded.
    Icon,
    /// Anything else that is loaded.
    Other,
    /// An address for people to follow, or metadata.
    NotLoaded,
}

impl Link {
    /// Returns the use of a link, given its `rel`; `None` for an unknown value.
    pub(super) fn of(rel: &str) -> Option<Link> {
        match rel {
            "stylesheet" => Some(Link::Style),
            "icon" => Some(Link::Icon),
            "preload" | "modulepreload" | "manifest" | "apple-touch-icon" => Some(Link::Other),
            "alternate" | "canonical" | "help" | "license" | "search" => Some(Link::NotLoaded),
            _ => None,
        }
    }
}

/// Returns the files that a page loads.
///
/// All of them must be in the page's folder or below; a page that loads anything from the root of its host or from
/// another host is rejected.
pub(crate) fn loaded(html: &str) -> Result<Vec<LoadedFile>, PageError> {
    let files = RefCell::new(Vec::new());
    let add = |name: String, is_urgent: bool| -> Result<(), PageError> {
        let inside = name.strip_prefix("./").unwrap_or(&name);
        let is_plain = |part: &str| {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_plain)
        };
        if name.starts_with("data:") {
            return Ok(());
        }
        if !inside.split('/').all(is_plain) {
            return Err(PageError::Elsewhere { name });
        }
        files.borrow_mut().push(LoadedFile { name: inside.to_owned(), is_urgent });
        Ok(())
    };
    let handlers = vec![
        element!("link", |link| {
            let name = link.get_attribute("href").unwrap_or_default();
            let rel = link.get_attribute("rel").unwrap_or_default();
            match Link::of(&rel) {
                Some(Link::NotLoaded) => Ok(()),
                Some(kind) => {
                    add(name, matches!(kind, Link::Style) || rel == "preload")?;
                    // The rest of the app, which the loader fetches after the first answer.
                    Ok(link.get_attribute("data-rest").map_or(Ok(()), |rest| add(rest, false))?)
                }
                None => Err(PageError::UnknownResource { name }.into()),
            }
        }),
        element!("[src]", |element| {
            Ok(add(element.get_attribute("src").unwrap_or_default(), true)?)
        }),
    ];
    rewrite(html, handlers)?;
    for (part, name) in part_files(html)? {
        if !Part::ON_DEMAND.contains(&part) {
            add(name, false)?;
        }
    }
    Ok(files.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, expected: Result<&[(&str, bool)], PageError>) {
        let loaded = loaded(html);
        let found = loaded.as_ref().map(|files| {
            files.iter().map(|file| (file.name.as_str(), file.is_urgent)).collect::<Vec<_>>()
        });
        assert_eq!(found, expected.as_ref().map(|files| files.to_vec()));
    }

    #[test]
    fn lists_every_file_that_is_fetched() {
        check(
            "<link rel=\"icon\" href=\"icon.svg\"><link rel=\"icon\" href=\"data:,\">\
             <link rel=\"stylesheet\" href=\"./a-1.css\"><link rel=\"manifest\" href=\"m.webmanifest\">\
             <link rel=\"preload\" href=\"./app_bg.wasm\" data-rest=\"./app_rest.wasm\"><link rel=\"help\" href=\"https://a.b/\">\
             <a href=\"./\">x</a><script src=\"./js/l.js\"></script>",
            Ok(&[
                ("icon.svg", false),
                ("a-1.css", true),
                ("m.webmanifest", false),
                ("app_bg.wasm", true),
                ("app_rest.wasm", false),
                ("js/l.js", true),
            ]),
        );
    }

    #[test]
    fn rejects_files_from_elsewhere() {
        for name in
            ["/l.js", "//a.b/l.js", "https://a.b/l.js", "../l.js", "a/../../l.js", "l.js?1", ""]
        {
            let elsewhere = PageError::Elsewhere { name: name.to_owned() };
            check(&format!("<script src=\"{name}\"></script>"), Err(elsewhere));
        }
        let name = "x".to_owned();
        check("<link rel=\"new\" href=\"x\">", Err(PageError::UnknownResource { name }));
    }
}
