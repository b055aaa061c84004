//! The script with which the site takes the place of the page of a package: `take-over.js`. All pages have the same.

const COMMENT: &str = "// Written by cache-explorer";

/// Returns `true` if a file is one that [`script`] has returned.
pub(crate) fn is_one(text: &str) -> bool {
    text.lines().next() == Some(COMMENT)
}

/// Returns the script.
pub(super) fn script() -> String {
    format!("{COMMENT}\n{}", include_str!("take-over.js"))
}
