//! An index as several texts, the most urgent first.
//!
//! A page contains each of them in a `<script type="application/json">` with its own id:
//!
//! | id | part | read by |
//! | --- | --- | --- |
//! | `index` | the columns, which answer every query; or all parts as one text | [`Index::from_json`], or [`Index::from_parsed`] if something else has parsed it |
//! | `index-hashes` | the hashes | [`Index::set_hashes`] |
//! | `index-details` | what only the page of a single build shows | [`Index::set_details`] |
//! | `index-dependencies` | which builds depend on which; most visits never need it | [`Index::set_dependencies`] |
//! | `index-changes` | what changed since an earlier publication | [`Index::set_changes`] |

#[cfg(doc)]
use crate::index::Index;
use crate::index::Summary;

/// A part of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The columns.
    Columns,
    /// The hashes.
    Hashes,
    /// The details of single builds.
    Details,
    /// The dependencies.
    Dependencies,
    /// What changed since an earlier publication.
    Changes,
}

impl Part {
    /// All parts, the most urgent first.
    pub const ALL: [Part; 5] =
        [Part::Columns, Part::Hashes, Part::Details, Part::Dependencies, Part::Changes];

    /// Returns the id of the script that contains the part in a page.
    pub const fn id(self) -> &'static str {
        match self {
            Part::Columns => "index",
            Part::Hashes => "index-hashes",
            Part::Details => "index-details",
            Part::Dependencies => "index-dependencies",
            Part::Changes => "index-changes",
        }
    }
}

/// The texts of the parts of an index, each JSON. A part without data has no text.
///
/// The columns answer every query and are the only part that [`Index::from_json`] needs; the others
/// can follow in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The text of [`Part::Columns`].
    pub columns: String,
    /// The text of [`Part::Hashes`].
    pub hashes: Option<String>,
    /// The text of [`Part::Details`].
    pub details: Option<String>,
    /// The text of [`Part::Dependencies`].
    pub dependencies: Option<String>,
    /// The text of [`Part::Changes`].
    pub changes: Option<String>,
    /// What a page says about the changes before it has them.
    pub summary: Option<Summary>,
}

impl Parts {
    /// Returns the text of a part, if it has one.
    pub fn text(&self, part: Part) -> Option<&str> {
        match part {
            Part::Columns => Some(&self.columns),
            Part::Hashes => self.hashes.as_deref(),
            Part::Details => self.details.as_deref(),
            Part::Dependencies => self.dependencies.as_deref(),
            Part::Changes => self.changes.as_deref(),
        }
    }
}
