//! What is new in an input but harmless: counted, and reported once with an example.
//!
//! Formats outlive their readers. A field that this reader does not know has no effect on those that it knows, so the
//! input is read without it.

use std::collections::BTreeMap;
use std::fmt;

use super::{Position, quote};
use crate::database_version::NEWEST_VERSION;

/// Something in an input that is not understood, but harmless.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Novelty {
    /// A database has a newer version than this reader, but could be read.
    NewerDatabase {
        /// The version.
        version: u32,
    },
    /// There is a database of a newer version than the one that was read.
    UnusedDatabase {
        /// The version.
        version: u32,
    },
    /// A part of a mirror has an unknown media type.
    UnknownMediaType {
        /// The media type in the manifest.
        media_type: String,
    },
    /// A field is not known.
    UnknownField {
        /// Its name, with dots between the levels: `spec.arch.abi`.
        field: String,
    },
    /// A value was understood that Spack does not accept.
    Rejected {
        /// The name of its field, with dots between the levels.
        field: String,
        /// What was found, in words.
        found: String,
    },
}

/// What was new in an input, each kind once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(BTreeMap<Novelty, Occurrences>);

/// How often something was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrences {
    /// The number of occurrences.
    pub count: usize,
    /// The first occurrence.
    pub first: Position,
}

impl Notes {
    /// Counts an occurrence.
    pub fn add(&mut self, novelty: Novelty, at: Position) {
        self.add_seen(novelty, Occurrences { count: 1, first: at });
    }

    /// Adds the counts of other notes.
    pub fn extend(&mut self, other: Notes) {
        for (novelty, seen) in other.0 {
            self.add_seen(novelty, seen);
        }
    }

    fn add_seen(&mut self, novelty: Novelty, seen: Occurrences) {
        match self.0.get_mut(&novelty) {
            Some(known) => known.count += seen.count,
            None => {
                self.0.insert(novelty, seen);
            }
        }
    }

    /// Returns the same notes, for this file of an input with many files.
    pub fn in_file(mut self, file: &str) -> Notes {
        for seen in self.0.values_mut() {
            seen.first.file = file.to_owned();
        }
        self
    }

    /// Returns `true` if nothing was new.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over what was new, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Novelty, &Occurrences)> {
        self.0.iter()
    }
}

impl IntoIterator for Notes {
    type Item = (Novelty, Occurrences);
    type IntoIter = std::collections::btree_map::IntoIter<Novelty, Occurrences>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for Novelty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Novelty::UnknownField { field } => {
                write!(f, "the field {} is not known here and was passed over", super::shown(field))
            }
            Novelty::Rejected { field, found } => {
                let field = super::shown(field);
                write!(f, "the field {field} has {found}, which Spack 1.2 rejects")
            }
            Novelty::UnknownMediaType { media_type } => {
                let media_type = quote(media_type);
                write!(f, "the media type {media_type} is not known here and was passed over")
            }
            Novelty::NewerDatabase { version } => write!(
                f,
                "this database is of version {version}, newer than {NEWEST_VERSION}, which is the \
                 newest known here; it was read as one of that version"
            ),
            Novelty::UnusedDatabase { version } => write!(
                f,
                "a database of version {version} was passed over for one of a version that is \
                 known here"
            ),
        }
    }
}
