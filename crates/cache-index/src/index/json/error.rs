//! Why a text is no index.

use std::fmt;

use super::FORMAT;
use crate::build::{Hash, HashError};
use crate::facet::Facet;

/// Why a text is no index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// It is not JSON, or not of the shape of an index; serde's words, with line and column.
    Malformed(String),
    /// JSON, but no `format` says that it is an index.
    NoFormat,
    /// An index of a format that this reader does not know.
    OtherFormat(u32),
    /// No list of values for a facet.
    MissingValues(Facet),
    /// A list of values for a facet that nobody knows.
    UnknownFacet(String),
    /// A value that stands twice in the list of a facet.
    RepeatedValue(Facet),
    /// Columns whose lengths do not fit together.
    UnequalColumns(&'static str),
    /// A number that leads nowhere, or an order that is broken, in the field named.
    BadCode(&'static str),
    /// A hash of no build, that dependencies lead to, with a wrong character or length.
    BadUnknownHash(HashError),
    /// The part of the hashes is no string.
    HashesNotQuoted,
    /// The hashes are not as many as the builds.
    HashCount {
        /// Builds of the index.
        builds: usize,
        /// Characters of the hashes' text.
        characters: usize,
    },
    /// A hash with a wrong character.
    BadHash {
        /// Which, from 0.
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
                write!(
                    f,
                    "expected an index of format {FORMAT}, found JSON without a format number"
                )
            }
            LoadError::OtherFormat(format) if *format > FORMAT => write!(
                f,
                "the index has format {format}, which is newer than this program; \
                 it reads format {FORMAT}"
            ),
            LoadError::OtherFormat(format) => write!(
                f,
                "the index has format {format}, which is older than this program reads; \
                 make it again, in format {FORMAT}"
            ),
            LoadError::MissingValues(facet) => {
                write!(f, "the index is damaged: no list of values for {}", facet.key())
            }
            LoadError::UnknownFacet(key) => {
                let key = tame(key);
                write!(f, "the index is damaged: a list of values for {key:?}, which is no facet")
            }
            LoadError::RepeatedValue(facet) => {
                write!(f, "the index is damaged: a {} stands twice in its list", facet.key())
            }
            LoadError::UnequalColumns(field) => write!(
                f,
                "the index is damaged: {field} has another length than the columns beside it"
            ),
            LoadError::BadCode(field) => {
                write!(f, "the index is damaged: a number in {field} leads nowhere")
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

/// A message of `serde_json`, which can repeat any length of its input as it stands: the beginning
/// and the end of it, where it says what and where, and no control characters.
pub fn tame(message: &str) -> String {
    const KEPT: usize = 100;
    let begin = message.char_indices().nth(KEPT).map_or(message.len(), |(place, _)| place);
    let end = message.char_indices().rev().nth(KEPT).map_or(0, |(place, _)| place).max(begin);
    let cut = if begin < end { "…" } else { "" };
    let text = format!("{}{cut}{}", &message[..begin], &message[end..]);
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
