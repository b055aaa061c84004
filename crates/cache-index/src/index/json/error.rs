//! Why a text is not an index.

use std::fmt;

use super::format::{Formats, READ};
use crate::build::{Hash, HashError};
use crate::facet::Facet;
use crate::message::tame;

/// Why a text is not an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// It is not JSON, or does not have the shape of an index; contains serde's message with line and column.
    Malformed(String),
    /// It is JSON without a `format`, which every index has.
    NoFormat,
    /// A format that a later program writes.
    NewerFormat(u32),
    /// A format that is no longer read.
    OlderFormat(u32),
    /// The list of a facet contains a value twice.
    RepeatedValue(Facet),
    /// A column has a different length than the others.
    UnequalColumns(&'static str),
    /// The named field contains a number that is out of range or out of order.
    BadCode(&'static str),
    /// The named field contains names that are not sorted, or one twice.
    Unsorted(&'static str),
    /// A hash that builds depend on but no build has contains a wrong character, or has a wrong length.
    BadUnknownHash(HashError),
    /// The text of the hashes is not a JSON string.
    HashesNotQuoted,
    /// The number of hashes is not the number of builds.
    HashCount {
        /// The number of builds in the index.
        builds: usize,
        /// The number of characters in the text of the hashes.
        characters: usize,
    },
    /// A hash contains a wrong character.
    BadHash {
        /// The number of the build, from 0.
        build: usize,
        /// What is wrong with it.
        error: HashError,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Malformed(error) => write!(f, "the index is damaged: {error}"),
            LoadError::NoFormat => {
                write!(f, "expected an index of {READ}, found JSON without a format number")
            }
            LoadError::NewerFormat(format) => write!(
                f,
                "the index has format {format}, which is newer than this program; it reads {READ}"
            ),
            LoadError::OlderFormat(format) => write!(
                f,
                "the index has format {format}, which this program no longer reads; \
                 make the index again (this program reads {READ})"
            ),
            LoadError::RepeatedValue(facet) => {
                write!(
                    f,
                    "the index is damaged: the list of values for {} repeats one",
                    facet.key()
                )
            }
            LoadError::UnequalColumns(field) => write!(
                f,
                "the index is damaged: {field} is not as long as the columns it belongs to"
            ),
            LoadError::BadCode(field) => {
                write!(f, "the index is damaged: {field} contains an invalid number")
            }
            LoadError::Unsorted(field) => {
                write!(f, "the index is damaged: {field} is not sorted")
            }
            LoadError::BadUnknownHash(error) => {
                write!(f, "the index is damaged: dependencies.unknown: {error}")
            }
            LoadError::HashesNotQuoted => {
                write!(f, "the index is damaged: expected the hashes in quotes, found no quotes")
            }
            LoadError::HashCount { builds, characters } => write!(
                f,
                "the index is damaged: expected {} characters of hashes for {builds} builds, \
                 found {characters}",
                builds * Hash::CHARACTERS
            ),
            LoadError::BadHash { build, error } => {
                write!(f, "the index is damaged: build {build}: {error}")
            }
        }
    }
}

impl std::error::Error for LoadError {}

impl From<serde_json::Error> for LoadError {
    fn from(error: serde_json::Error) -> LoadError {
        LoadError::Malformed(tame(&error.to_string()))
    }
}

impl Formats {
    /// Accepts a number in the range; for any other, returns the error that rejects it.
    pub(super) fn check(self, format: Option<u32>) -> Result<(), LoadError> {
        match format {
            None => Err(LoadError::NoFormat),
            Some(format) if format > self.newest => Err(LoadError::NewerFormat(format)),
            Some(format) if format < self.oldest => Err(LoadError::OlderFormat(format)),
            Some(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_every_number_of_its_range() {
        let formats = Formats { oldest: 2, newest: 4 };
        assert_eq!(formats.check(None), Err(LoadError::NoFormat));
        assert_eq!(formats.check(Some(1)), Err(LoadError::OlderFormat(1)));
        for format in 2..=4 {
            assert_eq!(formats.check(Some(format)), Ok(()));
        }
        assert_eq!(formats.check(Some(5)), Err(LoadError::NewerFormat(5)));
    }
}
