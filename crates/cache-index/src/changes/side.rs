//! One side of a comparison: an index, or the part of it in some places.

use super::Class;
use crate::build::{Hash, Place};
use crate::facet::Facet;
use crate::index::{BuildId, Index, RowId};
use crate::likeness::Aspects;

/// The builds with a binary in an index, in one release, or in one stack of a release.
#[derive(Clone, Debug)]
pub struct Side<'i> {
    index: &'i Index,
    release: Option<String>,
    stack: Option<String>,
}

impl<'i> Side<'i> {
    /// Selects all builds of an index.
    pub fn all(index: &'i Index) -> Side<'i> {
        Side { index, release: None, stack: None }
    }

    /// Selects the builds of a release, or of one stack in it.
    pub fn part(index: &'i Index, release: &str, stack: Option<&str>) -> Side<'i> {
        Side { index, release: Some(release.to_owned()), stack: stack.map(str::to_owned) }
    }

    /// Returns the index.
    pub fn index(&self) -> &'i Index {
        self.index
    }

    fn has(&self, place: &Place) -> bool {
        self.release.as_ref().is_none_or(|release| *release == place.release)
            && self.stack.as_ref().is_none_or(|stack| *stack == place.stack)
    }

    fn has_row(&self, row: RowId) -> bool {
        match (&self.release, &self.stack) {
            (None, None) => self.index.has_binary(row),
            _ => self.index.places_of(row).any(|place| self.has(&place)),
        }
    }

    /// Returns the hashes of the builds, sorted, each with its build. Empty until the hashes have been loaded.
    pub(super) fn hashes(&self) -> Vec<(Hash, BuildId)> {
        let rows = (0..self.index.rows() as u32).map(RowId).filter(|&row| self.has_row(row));
        let builds = rows.flat_map(|row| self.index.builds_of(row));
        let mut hashes: Vec<(Hash, BuildId)> =
            builds.filter_map(|build| Some((self.index.hash(build)?, build))).collect();
        hashes.sort_unstable();
        hashes
    }

    pub(super) fn package(&self, build: BuildId) -> &'i str {
        self.index.text(self.index.row_of(build), Facet::Package)
    }

    /// Returns the versions of a package, newest first.
    pub(super) fn versions(&self, package: &str) -> Vec<String> {
        let mut versions: Vec<String> = Vec::new();
        for row in self.rows_of(package) {
            let version = self.index.text(row, Facet::Version);
            if versions.last().is_none_or(|last| last != version) {
                versions.push(version.to_owned());
            }
        }
        versions
    }

    fn rows_of(&self, package: &str) -> impl Iterator<Item = RowId> {
        let code = self.index.dictionary(Facet::Package).code(package);
        let rows = code.into_iter().flat_map(|code| self.index.rows_of(code));
        rows.filter(|&row| self.has_row(row))
    }

    /// Returns the class of the smallest change that turns a build of the other side into one of this side. It looks at
    /// one build of each row.
    pub(super) fn nearest_class(
        &self,
        package: &str,
        other: &Side<'_>,
        build: BuildId,
    ) -> Option<Class> {
        let aspects = Aspects::of(other.index, build)?;
        self.rows_of(package)
            .filter_map(|row| Aspects::of(self.index, self.index.builds_of(row).next()?))
            .map(|own| own.differences(&aspects))
            .min_by_key(|differs| (differs.len(), std::cmp::Reverse(Class::of(differs))))
            .map(|differs| Class::of(&differs))
    }
}
