//! The script with which the site takes the place of the page of a package: `take-over.js`. It is the same for all pages.

use crate::marks::IN_SCRIPT;

/// Returns the script.
pub(super) fn script() -> String {
    format!("{IN_SCRIPT}\n{}", include_str!("take-over.js"))
}
