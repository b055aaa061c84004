//! One side of a comparison: an index, or the part of it in some places.

use std::cell::OnceCell;

use crate::build::{Hash, Place, Variant};
use crate::facet::Facet;
use crate::index::{BuildId, Index, RowId};
use crate::likeness::Aspects;

/// The builds with a binary in an index, in one release, or in one stack of a release.
#[derive(Clone, Debug)]
pub struct Side<'i> {
    index: &'i Index,
    /// By place of the index, whether it is a part of the side; `None` for all builds with a binary.
    places: Option<Vec<bool>>,
    /// The builds to which it is narrowed, ascending.
    among: Option<Vec<BuildId>>,
}

impl<'i> Side<'i> {
    /// Selects all builds of an index.
    pub fn all(index: &'i Index) -> Side<'i> {
        Side { index, places: None, among: None }
    }

    /// Selects the builds of a release, or of one stack in it.
    pub fn part(index: &'i Index, release: &str, stack: Option<&str>) -> Side<'i> {
        let is_part = |place: Place| {
            place.release == release && stack.is_none_or(|stack| place.stack == stack)
        };
        let places = Some(index.all_places().map(is_part).collect());
        Side { index, places, among: None }
    }

    /// Narrows the side to these builds of its index, such as those that match a query.
    pub fn among(self, builds: impl IntoIterator<Item = BuildId>) -> Side<'i> {
        let mut builds: Vec<BuildId> = builds.into_iter().collect();
        builds.sort_unstable();
        Side { among: Some(builds), ..self }
    }

    /// Returns the index.
    pub fn index(&self) -> &'i Index {
        self.index
    }

    fn has_row(&self, row: RowId) -> bool {
        match &self.places {
            None => self.index.has_binary(row),
            Some(places) => {
                let set = self.index.place_sets.get(self.index.rows.place_set[row.at()]);
                set.iter().any(|&place| places[place as usize])
            }
        }
    }

    /// Returns the hashes of the builds, sorted, each with its build. Empty until the hashes have been loaded.
    pub(super) fn hashes(&self) -> Vec<(Hash, BuildId)> {
        let has_row = |build: &BuildId| self.has_row(self.index.row_of(*build));
        let with_hash = |build: BuildId| Some((self.index.hash(build)?, build));
        let mut hashes: Vec<(Hash, BuildId)> = match &self.among {
            Some(builds) => builds.iter().copied().filter(has_row).filter_map(with_hash).collect(),
            None => {
                let rows = (0..self.index.rows() as u32).map(RowId);
                let rows = rows.filter(|&row| self.has_row(row));
                rows.flat_map(|row| self.index.builds_of(row)).filter_map(with_hash).collect()
            }
        };
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

    fn rows_of(&self, package: &str) -> Vec<RowId> {
        let Some(code) = self.index.dictionary(Facet::Package).code(package) else {
            return Vec::new();
        };
        let is_among = |build: BuildId| {
            self.among.as_ref().is_none_or(|builds| builds.binary_search(&build).is_ok())
        };
        let rows = self.index.rows_of(code).filter(|&row| self.has_row(row));
        rows.filter(|&row| self.index.builds_of(row).any(is_among)).collect()
    }

    /// Returns one build of each row of a package.
    pub(super) fn candidates(&self, package: &str) -> Vec<Candidate> {
        let candidate = |row: RowId| {
            let build = self.index.builds_of(row).next()?;
            let variants = self.index.variants_of(row);
            Some(Candidate { row, variants, build, aspects: OnceCell::new() })
        };
        self.rows_of(package).into_iter().filter_map(candidate).collect()
    }
}

/// A build that others are compared with. Most differ in more than the nearest one by their rows alone, so a build is only
/// spelled out if it may be that.
pub(super) struct Candidate {
    pub(super) row: RowId,
    /// The variants of the row.
    pub(super) variants: Vec<Variant>,
    build: BuildId,
    aspects: OnceCell<Option<Aspects>>,
}

impl Candidate {
    /// Returns its aspects in this index; `None` until its hash has been loaded.
    pub(super) fn aspects(&self, index: &Index) -> Option<&Aspects> {
        self.aspects.get_or_init(|| Aspects::of(index, self.build)).as_ref()
    }
}
