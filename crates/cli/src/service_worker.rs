//! The service worker as text: writing into it the list of files that it keeps.
//!
//! The list is one statement, `const BUILD = {…};`, which ends at the first line that starts with `}`. Everything else
//! stays unchanged.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::json;

use cache_ingest::digest::integrity;

/// The start of the statement.
const STATEMENT: &str = "const BUILD = {";

/// The end of the statement.
const END: &str = "\n};";

/// The address of a site's page: its folder.
const PAGE: &str = "./";

/// The files of a build by name, with their digests.
pub(crate) struct Build {
    files: BTreeMap<String, String>,
    /// Files that are loaded on demand, and kept once they are loaded.
    later: BTreeMap<String, String>,
}

impl Build {
    /// Creates a build that consists of a page.
    pub(crate) fn of_page(html: &str) -> Build {
        let files = BTreeMap::from([(PAGE.to_owned(), integrity(html.as_bytes()))]);
        Build { files, later: BTreeMap::new() }
    }

    /// Adds a file that the page names.
    pub(crate) fn add(&mut self, name: String, bytes: &[u8]) {
        self.files.insert(name, integrity(bytes));
    }

    /// Adds a file that the page loads on demand.
    pub(crate) fn add_later(&mut self, name: String, bytes: &[u8]) {
        self.later.insert(name, integrity(bytes));
    }
}

/// The contents of the statement.
#[derive(Serialize)]
struct Statement<'b> {
    id: String,
    files: &'b BTreeMap<String, String>,
    later: &'b BTreeMap<String, String>,
}

/// A text that is not a service worker of a site.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoBuild;

/// Returns `true` if a text is a service worker of a site.
pub(crate) fn is_one(worker: &str) -> bool {
    worker.split_once(STATEMENT).is_some_and(|(_, rest)| rest.contains(END))
}

/// Returns the service worker that keeps this build.
pub(crate) fn write(worker: &str, build: &Build) -> Result<String, NoBuild> {
    let (before, rest) = worker.split_once(STATEMENT).ok_or(NoBuild)?;
    let (_, after) = rest.split_once(END).ok_or(NoBuild)?;
    // Builds have the same id exactly if their files are the same.
    let id = integrity(json!([build.files, build.later]).to_string().as_bytes());
    let value = Statement { id, files: &build.files, later: &build.later };
    // The struct has only texts, so serializing cannot fail, and no line in them starts with a brace.
    let value = serde_json::to_string_pretty(&value).map_err(|_| NoBuild)?;
    Ok(format!("{before}const BUILD = {value};{after}"))
}

impl fmt::Display for NoBuild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a service worker with a statement `{STATEMENT} … }};`, found none")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKER: &str =
        "\"use strict\";\n\nconst BUILD = {\n  \"id\": \"\",\n  \"files\": {}\n};\n\nrun();\n";

    fn build(css: &str) -> Build {
        let mut build = Build::of_page("<p>x</p>");
        build.add("a.css".to_owned(), css.as_bytes());
        build
    }

    #[test]
    fn writes_the_files_and_their_digests_into_the_statement() {
        let written = write(WORKER, &build("abc")).expect("a worker");
        let (_, rest) = written.split_once("\"id\": \"").expect("an id");
        let (id, _) = rest.split_once('"').expect("its end");
        let page = integrity(b"<p>x</p>");
        let expected = format!(
            "\"use strict\";\n\nconst BUILD = {{\n  \"id\": \"{id}\",\n  \"files\": {{\n    \
             \"./\": \"{page}\",\n    \
             \"a.css\": \"sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\"\n  }},\n  \"later\": {{}}\n}};\n\nrun();\n"
        );
        assert_eq!(written, expected);
    }

    #[test]
    fn changes_the_build_with_any_byte_of_any_file() {
        let one = write(WORKER, &build("abc")).expect("a worker");
        let other = write(WORKER, &build("abd")).expect("a worker");
        let id = |worker: &str| worker.split("\"id\": ").nth(1).map(|rest| rest[..50].to_owned());
        assert_ne!(id(&one), id(&other));
        // Writing over an earlier build gives the same result.
        assert_eq!(write(&other, &build("abc")), Ok(one));
    }

    #[test]
    fn rejects_what_is_not_a_service_worker_of_a_site() {
        for text in ["", "const BUILD = {};", "const BUILDS = {\n};"] {
            assert_eq!(write(text, &build("")), Err(NoBuild), "{text}");
        }
        assert_eq!(
            NoBuild.to_string(),
            "expected a service worker with a statement `const BUILD = { … };`, found none"
        );
    }
}
