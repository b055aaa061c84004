//! The service worker as text: writing into it which files make up the build that it keeps.
//!
//! It has one statement for that, `const BUILD = {…};`, which ends at the first line that begins
//! with `}`. The rest is left as it is.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::json;

use crate::digest::digest;

/// How the statement begins.
const STATEMENT: &str = "const BUILD = {";

/// How it ends.
const END: &str = "\n};";

/// Under which address a site's page is kept: that of its folder.
const PAGE: &str = "./";

/// The files of a build, by name, with their digests.
pub(crate) struct Build {
    files: BTreeMap<String, String>,
}

impl Build {
    /// A build of a page alone.
    pub(crate) fn of_page(html: &str) -> Build {
        Build { files: BTreeMap::from([(PAGE.to_owned(), digest(html.as_bytes()))]) }
    }

    /// Adds a file that the page names.
    pub(crate) fn add(&mut self, name: String, bytes: &[u8]) {
        self.files.insert(name, digest(bytes));
    }
}

/// What the statement says of a build.
#[derive(Serialize)]
struct Statement<'b> {
    id: String,
    files: &'b BTreeMap<String, String>,
}

/// A text that is no service worker as this command knows it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoBuild;

/// The service worker that keeps this build.
pub(crate) fn write(worker: &str, build: &Build) -> Result<String, NoBuild> {
    let (before, rest) = worker.split_once(STATEMENT).ok_or(NoBuild)?;
    let (_, after) = rest.split_once(END).ok_or(NoBuild)?;
    // Builds differ exactly if their files do.
    let id = digest(json!(build.files).to_string().as_bytes());
    let value = Statement { id, files: &build.files };
    // Texts, so nothing in them could fail to be written, and no line in them begins with a brace.
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
    fn the_files_and_their_digests_are_written_where_they_stand() {
        let written = write(WORKER, &build("abc")).expect("a worker");
        let (_, rest) = written.split_once("\"id\": \"").expect("an id");
        let (id, _) = rest.split_once('"').expect("its end");
        let page = digest(b"<p>x</p>");
        let expected = format!(
            "\"use strict\";\n\nconst BUILD = {{\n  \"id\": \"{id}\",\n  \"files\": {{\n    \
             \"./\": \"{page}\",\n    \
             \"a.css\": \"sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\"\n  }}\n}};\n\nrun();\n"
        );
        assert_eq!(written, expected);
    }

    #[test]
    fn another_byte_in_any_file_is_another_build() {
        let one = write(WORKER, &build("abc")).expect("a worker");
        let other = write(WORKER, &build("abd")).expect("a worker");
        let id = |worker: &str| worker.split("\"id\": ").nth(1).map(|rest| rest[..50].to_owned());
        assert_ne!(id(&one), id(&other));
        // Written over another build or for the first time, it is the same.
        assert_eq!(write(&other, &build("abc")), Ok(one));
    }

    #[test]
    fn what_is_no_service_worker_of_a_site_is_refused() {
        for text in ["", "const BUILD = {};", "const BUILDS = {\n};"] {
            assert_eq!(write(text, &build("")), Err(NoBuild), "{text}");
        }
        assert_eq!(
            NoBuild.to_string(),
            "expected a service worker with a statement `const BUILD = { … };`, found none"
        );
    }
}
