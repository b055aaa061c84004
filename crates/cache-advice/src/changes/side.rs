//! One side of a comparison: an index, or the part of it in some places.

use std::collections::BTreeSet;

use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index, RowId, ValueCode};

/// The builds with a binary in an index, in one release, or in one stack of a release.
#[derive(Clone, Debug)]
pub struct Side<'i> {
    index: &'i Index,
    /// By place of the index: `true` if it is a part of the side. `None` for all builds with a binary.
    places: Option<Vec<bool>>,
    /// By build: `true` if it is among those that the side is narrowed to. `None` if it is not narrowed.
    among: Option<Vec<bool>>,
}

/// The stacks of a side, without its index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideStacks {
    /// By place of the index: the stack; `None` if it has no name, is a whole release, or is not a part of the side.
    by_place: Vec<Option<String>>,
    /// The operating systems of its builds, whatever it is narrowed to.
    systems: BTreeSet<String>,
}

/// The builds of a side and its stacks, without its index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideBuilds {
    /// The builds that the side is narrowed to, ascending.
    pub(crate) builds: Vec<BuildId>,
    /// All builds of the side, ascending.
    pub(crate) all: Vec<BuildId>,
    pub(crate) stacks: SideStacks,
}

impl SideStacks {
    pub(crate) fn systems(&self) -> &BTreeSet<String> {
        &self.systems
    }

    pub(crate) fn by_place(&self) -> &[Option<String>] {
        &self.by_place
    }
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
        let mut among = vec![false; self.index.specs() as usize];
        builds.into_iter().for_each(|build| among[build.at()] = true);
        Side { among: Some(among), ..self }
    }

    /// Returns the index.
    pub fn index(&self) -> &'i Index {
        self.index
    }

    /// Returns the stacks of the side, whatever it is narrowed to. Stacks that are whole releases are left out: they
    /// contain everything, so a side that is one of them has all stacks of the release.
    pub fn stacks(&self) -> SideStacks {
        let is_selected = |at: usize| self.selects(at);
        let whole = self.index.all_places().enumerate();
        let whole = whole.filter(|(at, place)| place.is_whole_release() && is_selected(*at));
        let whole: BTreeSet<String> = whole.map(|(_, place)| place.release).collect();
        let stack = |(at, place): (usize, Place)| {
            let is_part = is_selected(at) || whole.contains(&place.release);
            let is_stack = !place.stack.is_empty() && !place.is_whole_release();
            (is_stack && is_part).then_some(place.stack)
        };
        let by_place = self.index.all_places().enumerate().map(stack).collect();
        let mut is_there = vec![false; self.index.configurations().len()];
        for row in (0..self.index.rows() as u32).map(RowId).filter(|&row| self.has_row(row)) {
            is_there[self.index.columns().configuration[row.at()] as usize] = true;
        }
        let configurations = self.index.configurations().iter().zip(is_there);
        let there = configurations.filter(|(_, is_there)| *is_there);
        let systems = there.flat_map(|(one, _)| self.index.values_in(one, Facet::Os));
        let names = self.index.dictionary(Facet::Os);
        let systems = systems.map(|&code| names.text(ValueCode(code)).to_owned()).collect();
        SideStacks { by_place, systems }
    }

    /// Returns `true` if the side is a complete index, and not a release or stack.
    pub(super) fn is_whole(&self) -> bool {
        self.places.is_none()
    }

    /// Returns the release that the side consists of; `None` if it has several releases, or only a part of one.
    pub(super) fn release(&self) -> Option<String> {
        let places: Vec<(usize, Place)> = self.index.all_places().enumerate().collect();
        let (_, Place { release, .. }) = places.iter().find(|(at, _)| self.selects(*at))?;
        let is_all = places.iter().all(|(at, one)| self.selects(*at) == (one.release == *release));
        is_all.then(|| release.clone())
    }

    /// Returns `true` if a place of the index, by its number, is a part of the side.
    pub(super) fn selects(&self, place: usize) -> bool {
        self.places.as_ref().is_none_or(|places| places[place])
    }

    /// Returns the builds and the stacks of the side, for callers that cannot keep the side itself.
    pub fn without_index(&self) -> SideBuilds {
        let all = Side { among: None, ..self.clone() };
        SideBuilds { builds: self.builds(), all: all.builds(), stacks: self.stacks() }
    }

    fn has_row(&self, row: RowId) -> bool {
        match &self.places {
            None => self.index.has_binary(row),
            Some(places) => {
                let set = self.index.place_sets().get(self.index.columns().place_set[row.at()]);
                set.iter().any(|&place| places[place as usize])
            }
        }
    }

    fn has(&self, build: BuildId) -> bool {
        self.among.as_ref().is_none_or(|among| among[build.at()])
    }

    /// Returns the builds, ascending.
    pub fn builds(&self) -> Vec<BuildId> {
        let mut builds = Vec::with_capacity(self.index.specs() as usize);
        for row in (0..self.index.rows() as u32).map(RowId) {
            if self.has_row(row) {
                builds.extend(self.index.builds_of(row).filter(|&build| self.has(build)));
            }
        }
        builds
    }

    /// Returns the rows of a package that have a build, newest version first.
    pub(super) fn rows_of(&self, package: &str) -> Vec<RowId> {
        let Some(code) = self.index.dictionary(Facet::Package).code(package) else {
            return Vec::new();
        };
        let rows = self.index.rows_of(code).filter(|&row| self.has_row(row));
        rows.filter(|&row| self.index.builds_of(row).any(|build| self.has(build))).collect()
    }

    /// Returns the versions of rows of a package, newest first.
    pub(super) fn versions(&self, rows: &[RowId]) -> Vec<String> {
        let mut versions: Vec<String> = Vec::new();
        for &row in rows {
            let version = self.index.text(row, Facet::Version);
            if versions.last().is_none_or(|last| last != version) {
                versions.push(version.to_owned());
            }
        }
        versions
    }
}
