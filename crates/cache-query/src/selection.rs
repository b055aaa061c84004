//! The builds of an index that a text finds: what an answer needs from a search. Without a text, all builds.

use std::borrow::Cow;

use cache_index::index::{BuildId, Index, RowId, ValueCode};
use spack_spec::MissingData;

/// The builds that a text finds.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// By package: `true` if rows of it may be found; `None` if all may be.
    pub packages: Option<Vec<bool>>,
    /// By row: how many of its builds are found; `None` for all builds of the packages.
    pub rows: Option<Vec<u32>>,
    /// By build: `true` if it is found; `None` if rows are found completely.
    pub(crate) builds: Option<Vec<bool>>,
    /// Why builds that may match were not found.
    pub missing: Option<MissingData>,
}

impl Selection {
    /// Returns the selected builds that are wanted.
    pub fn only(&self, index: &Index, is_wanted: impl Fn(BuildId) -> bool) -> Selection {
        let mut rows = vec![0; index.rows()];
        let mut builds = vec![false; index.specs() as usize];
        for row in (0..index.rows() as u32).map(RowId).filter(|&row| self.count(index, row) > 0) {
            for build in index.builds_of(row).filter(|&build| self.has(build) && is_wanted(build)) {
                builds[build.at()] = true;
                rows[row.at()] += 1;
            }
        }
        let Selection { packages, missing, .. } = self.clone();
        Selection { packages, rows: Some(rows), builds: Some(builds), missing }
    }

    /// Returns `true` if builds of a package may be found.
    pub fn may_have(&self, package: ValueCode) -> bool {
        self.packages.as_ref().is_none_or(|packages| packages[package.0 as usize])
    }

    /// Returns how many builds of a row are found, given that its package may be.
    pub fn count(&self, index: &Index, row: RowId) -> u32 {
        match &self.rows {
            Some(rows) => rows[row.0 as usize],
            None => index.row_len(row),
        }
    }

    /// Returns for each row how many of its builds are found, given that its package may be.
    pub fn sizes<'a>(&'a self, index: &'a Index) -> Cow<'a, [u32]> {
        match &self.rows {
            Some(rows) => Cow::Borrowed(rows),
            None => {
                Cow::Owned(index.columns().build_start.windows(2).map(|w| w[1] - w[0]).collect())
            }
        }
    }

    /// Returns `true` if a build is found, given that its row is in the answer.
    pub fn has(&self, build: BuildId) -> bool {
        self.builds.as_ref().is_none_or(|builds| builds[build.0 as usize])
    }
}
