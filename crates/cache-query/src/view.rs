//! The page that answers a question.

use std::fmt;

use cache_index::build::Hash;
use cache_index::index::{BuildId, Index};
use spack_spec::is_hash_part;

/// The page that answers a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// Which packages are there?
    Packages,
    /// Which builds of this package are there?
    Package(String),
    /// What is this build?
    Build(Hash),
    /// The address asks for a build, but this part of it is not a hash.
    MalformedHash(String),
    /// How do these builds differ?
    Compare(Vec<AskedHash>),
    /// How much of an environment is there? The question says which.
    Environment,
    /// What changed between two releases or stacks? The question says which.
    Changes,
}

impl View {
    /// Returns `true` if filters apply to what it shows: builds that are given by their hashes cannot be filtered.
    pub fn has_filters(&self) -> bool {
        match self {
            View::Packages | View::Package(_) | View::Environment | View::Changes => true,
            View::Build(_) | View::MalformedHash(_) | View::Compare(_) => false,
        }
    }
}

/// A hash as written in an address.
///
/// People type addresses, and programs truncate them. Text that is not a hash is kept, so that the page can say what is
/// wrong with it and the address does not change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AskedHash {
    /// A well-formed hash, of a build that the cache may or may not have.
    Hash(Hash),
    /// Any other text.
    Malformed(String),
}

impl AskedHash {
    /// Returns the hash, or `None` if the text is not one.
    pub fn hash(&self) -> Option<Hash> {
        match self {
            AskedHash::Hash(hash) => Some(*hash),
            AskedHash::Malformed(_) => None,
        }
    }

    /// Returns the build with the hash, or the only one whose hash starts with the text; `None` until the hashes have been
    /// loaded.
    pub fn find(&self, index: &Index) -> Option<BuildId> {
        match self {
            AskedHash::Hash(hash) => index.find(*hash),
            AskedHash::Malformed(text) if is_hash_prefix(text) => {
                match index.find_prefix(text, 2)[..] {
                    [only] => Some(only),
                    _ => None,
                }
            }
            AskedHash::Malformed(_) => None,
        }
    }
}

/// Returns `true` if a text may be the beginning of a hash.
pub fn is_hash_prefix(text: &str) -> bool {
    text.len() < Hash::CHARACTERS && is_hash_part(text)
}

impl From<Hash> for AskedHash {
    fn from(hash: Hash) -> AskedHash {
        AskedHash::Hash(hash)
    }
}

impl From<&str> for AskedHash {
    fn from(text: &str) -> AskedHash {
        // As pages write a build: `curl@8.17.0/ukl4xmx`.
        let part = text.rsplit('/').next().filter(|part| is_hash_part(part));
        let text = part.unwrap_or(text);
        text.parse().map_or_else(|_| AskedHash::Malformed(text.to_owned()), AskedHash::Hash)
    }
}

impl fmt::Display for AskedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskedHash::Hash(hash) => hash.fmt(f),
            AskedHash::Malformed(text) => text.fmt(f),
        }
    }
}
