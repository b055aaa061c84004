//! A build that the user needs, whose files are not known yet.

use std::slice;

use cache_index::build::{Build, Hash};
use cache_index::file_names::manifest_path;

use crate::mirror::{Layout, V2Names};

/// A build that a mirror is asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WantedBuild {
    pub(crate) hash: Hash,
    pub(crate) package: String,
    /// The path of its manifest in layout v3.
    manifest: String,
    /// Its files in layout v2.
    pub(crate) v2: V2Names,
}

impl WantedBuild {
    /// Returns what a mirror is asked about a build.
    pub fn of(build: &Build) -> WantedBuild {
        let Build { hash, package, version, .. } = build;
        WantedBuild {
            hash: *hash,
            package: package.clone(),
            manifest: manifest_path(package, version, *hash),
            v2: V2Names::of(build),
        }
    }

    /// Returns its hash.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// Returns the paths of the files that may describe it, the best one first.
    pub(crate) fn described_by(&self, layout: Layout) -> &[String] {
        match layout {
            Layout::V2 => &self.v2.specs,
            Layout::V3 | Layout::Images => slice::from_ref(&self.manifest),
        }
    }
}
