//! The site's page as text: finishing it, and putting an index or all other files into it.
//!
//! Functions here take and return texts; the commands read and write the files. `lol_html` rewrites the page, and changes no
//! byte that it is not asked to change.

mod bundle;
mod embed;
mod first;
mod head;
mod later;
mod loaded;
mod placed;
mod seal;
mod shards;
mod start;
mod statement;

use std::fmt;

use lol_html::errors::RewritingError;
use lol_html::{ElementContentHandlers, RewriteStrSettings, Selector, rewrite_str};

pub(crate) use self::bundle::bundle;
pub(crate) use self::embed::{PartFile, embed, embed_beside};
pub(crate) use self::first::{with_first_view, with_packages};
pub(crate) use self::head::{OPEN_SEARCH, Presentation, open_search, present};
pub(crate) use self::later::{build_name, files as later_files, has_later};
pub(crate) use self::loaded::{LoadedFile, loaded};
pub(crate) use self::placed::is_part_file;
pub(crate) use self::seal::{Inline, LoaderAttributes, policy, seal};
pub(crate) use self::shards::length_of_shards;
pub(crate) use self::start::starting_with;
pub(crate) use self::statement::named_files;

/// Why a page could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PageError {
    /// There is no `<body>` to put the index into.
    NoBody,
    /// More than one element has the id of the index.
    ManyIndexes,
    /// The element with the id of the index is something else.
    NotAnIndex,
    /// The page does not name the app's files as this command expects.
    NoApp {
        /// The id of the element that should name one of them.
        id: &'static str,
    },
    /// The page does not name exactly one script that starts the app.
    NoLoader,
    /// The page does not state its encoding, which its policy must follow.
    NoCharset,
    /// The page loads something from outside its folder.
    Elsewhere {
        /// The address in the page.
        name: String,
    },
    /// A file that the page names could not be read.
    MissingFile {
        /// The address in the page.
        name: String,
        /// The reason.
        message: String,
    },
    /// A file to be put into the page would end its element early.
    EndsEarly {
        /// The address in the page.
        name: String,
        /// The text that would end the element.
        text: &'static str,
    },
    /// A script is a module, which a browser does not load from disk.
    Module {
        /// The address in the page.
        name: String,
    },
    /// The page loads something that this command cannot put into it.
    UnknownResource {
        /// The address in the page.
        name: String,
    },
    /// The page is not HTML that can be rewritten.
    Unreadable {
        /// The rewriter's message.
        message: String,
    },
}

type Handler<'h> = (std::borrow::Cow<'h, Selector>, ElementContentHandlers<'h>);

/// Rewrites a page. A handler's [`PageError`] is returned unchanged.
fn rewrite(html: &str, handlers: Vec<Handler<'_>>) -> Result<String, PageError> {
    let settings = handlers.into_iter().fold(RewriteStrSettings::new(), |settings, handler| {
        settings.append_element_content_handler(handler)
    });
    rewrite_str(html, settings).map_err(|error| match error {
        RewritingError::ContentHandlerError(error) => match error.downcast::<PageError>() {
            Ok(error) => *error,
            Err(error) => PageError::Unreadable { message: error.to_string() },
        },
        error => PageError::Unreadable { message: error.to_string() },
    })
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageError::NoBody => write!(f, "expected a page with a <body>, found none"),
            PageError::ManyIndexes => {
                write!(f, "expected at most one element with the id \"index\", found more")
            }
            PageError::NotAnIndex => write!(
                f,
                "expected the element with the id \"index\" to be a script of the type \
                 \"application/json\", found another"
            ),
            PageError::NoApp { id } => {
                write!(f, "expected a <link rel=\"preload\" id=\"{id}\">, found none")
            }
            PageError::NoLoader => write!(f, "expected one <script src>, found none or several"),
            PageError::NoCharset => {
                write!(f, "expected one <meta charset> in the <head>, found none or several")
            }
            PageError::Elsewhere { name } => {
                write!(f, "expected a file of the site, found {name:?}")
            }
            PageError::MissingFile { name, message } => {
                write!(f, "{name:?}, which the page names, could not be read: {message}")
            }
            PageError::EndsEarly { name, text } => {
                write!(f, "{name:?} has {text:?} in it, which would end its element early")
            }
            PageError::Module { name } => {
                write!(f, "{name:?} is a module; expected a script, which loads from disk")
            }
            PageError::UnknownResource { name } => {
                write!(f, "{name:?} cannot be put into the page itself: its type is unknown")
            }
            PageError::Unreadable { message } => {
                write!(f, "the page could not be rewritten: {message}")
            }
        }
    }
}

impl std::error::Error for PageError {}

#[cfg(test)]
mod tests {
    use super::PageError;

    #[test]
    fn writes_each_error_as_a_sentence() {
        #[track_caller]
        fn check(error: PageError, expected: &str) {
            assert_eq!(error.to_string(), expected);
        }
        let name = || "x.js".to_string();
        check(PageError::NoBody, "expected a page with a <body>, found none");
        check(
            PageError::ManyIndexes,
            "expected at most one element with the id \"index\", found more",
        );
        check(
            PageError::NotAnIndex,
            "expected the element with the id \"index\" to be a script of the type \
             \"application/json\", found another",
        );
        check(
            PageError::NoApp { id: "wasm" },
            "expected a <link rel=\"preload\" id=\"wasm\">, found none",
        );
        check(PageError::NoLoader, "expected one <script src>, found none or several");
        check(
            PageError::NoCharset,
            "expected one <meta charset> in the <head>, found none or several",
        );
        check(PageError::Elsewhere { name: name() }, "expected a file of the site, found \"x.js\"");
        check(
            PageError::MissingFile { name: name(), message: "gone".into() },
            "\"x.js\", which the page names, could not be read: gone",
        );
        check(
            PageError::EndsEarly { name: name(), text: "</script" },
            "\"x.js\" has \"</script\" in it, which would end its element early",
        );
        check(
            PageError::Module { name: name() },
            "\"x.js\" is a module; expected a script, which loads from disk",
        );
        check(
            PageError::UnknownResource { name: name() },
            "\"x.js\" cannot be put into the page itself: its type is unknown",
        );
        check(
            PageError::Unreadable { message: "oh".into() },
            "the page could not be rewritten: oh",
        );
    }
}
