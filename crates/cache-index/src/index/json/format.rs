//! The number of the format: which one is written, which ones can be read, and when it changes.
//!
//! An index outlives the program that wrote it: it is part of published pages, and people keep the files. So:
//!
//! 1. **A field keeps its name, shape and meaning for ever.** Data of another shape gets a field with another name. One
//!    set of types can then read all formats: fields of older formats are converted to today's structure when they are
//!    read, and fields that a format does not have yet are `#[serde(default)]`.
//! 2. **A reader skips fields and lists of values that it does not know.** A field whose absence only means "not known"
//!    can therefore be added without a new number, and older readers still answer correctly. Programs up to format 1
//!    rejected unknown fields, so the first addition made format 2: the virtual packages that builds provide, and the
//!    builds that were left out as damaged.
//! 3. **Every other change takes the next number**: any change that would make a reader that skips it answer wrongly.
//!    Readers reject a number that is newer than they are, with a message.
//! 4. **Golden files are never changed or deleted.** Each format has a folder in `crates/cache-index/tests/golden`,
//!    with indexes and the builds that they contain. If an old format is given up, `READ` starts after it, and its
//!    golden files test the message that rejects it.
//!
//! The parts of an index that are separate texts (hashes, details, dependencies, changes) are published with their columns
//! and have no number: the first rule distinguishes their shapes.
//!
//! Where to add data:
//!
//! | data | where |
//! | --- | --- |
//! | about the whole index or one of its places: a title, notes about the input, the exact URL of a mirror | `about` |
//! | known for each build and shown only on its page: a size, a date, a key | `details`: distinct values, and their code by build |
//! | about another publication of the same cache | `changes`, a part that is only read when asked for |
//! | the same for nearly all builds, such as a property of the spec's format | `origins` |
//! | something to filter by | a list in `values`, with a column of codes beside `rows` |
//!
//! CONTRIBUTING.md lists the steps of a change.

use std::fmt;

/// The number of the format that is written.
pub const FORMAT: u32 = READ.newest;

/// The formats that can be read.
pub(super) const READ: Formats = Formats { oldest: 1, newest: 2 };

/// A range of format numbers, both ends inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Formats {
    pub(super) oldest: u32,
    pub(super) newest: u32,
}

impl fmt::Display for Formats {
    /// Writes `format 1`, or `formats 1 to 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formats { oldest, newest } if oldest == newest => write!(f, "format {newest}"),
            Formats { oldest, newest } => write!(f, "formats {oldest} to {newest}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_one_format_or_a_range() {
        assert_eq!(Formats { oldest: 1, newest: 1 }.to_string(), "format 1");
        assert_eq!(Formats { oldest: 1, newest: 3 }.to_string(), "formats 1 to 3");
    }
}
