//! A build that somebody needs, known before its files are.

use cache_index::build::Hash;

/// A build that a mirror is asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WantedBuild {
    /// Its hash.
    pub hash: Hash,
    /// Its package.
    pub package: String,
    /// Its version.
    pub version: String,
}
