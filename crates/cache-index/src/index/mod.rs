//! What a cache contains, packed for searching: columns of codes, with each distinct string once.
//!
//! ```text
//! packages ─┐ rows of a package lie together, and within it those of a version
//!           ▼
//! row:  version  configuration  variant set  place set   first build ──▶ builds: hash
//!          │           │             │            │
//!          ▼           ▼             ▼            ▼
//!     dictionary   platform, os,   variants   (release, stack) pairs
//!                  target, compiler,
//!                  libc, providers
//! ```
//!
//! A **row** represents all builds that agree in every facet and in their [`Origin`]. They only differ in their hashes,
//! that is, in their dependencies. Facets are counted by rows, so a thousand builds that are alike cost as much as one.
//! Rows are sorted by package, version (newest first), configuration, variant set, place set and origin, and the builds
//! of a row by hash; the number of a build is its position in that order.
//!
//! The hashes are a separate part, because they are ten times as large as everything else and counting does not need
//! them: an [`Index`] answers before they are [loaded](Index::set_hashes). The details of single builds and the
//! [dependencies](Edge) are separate parts too, and so are what changed since an [earlier publication](Earlier) and what
//! [recipes](RecipeList) say.
//!
//! An index does not change after it is created, except that parts may be loaded later. It is created by [`Packer`]
//! from builds or by [`Index::from_json`] from text; [`json`] is the format.

mod closure;
mod code;
mod dependencies;
mod details;
mod dictionary;
mod earlier;
mod fields;
mod hashes;
pub mod json;
mod libraries;
mod lists;
mod origin;
mod pack;
mod parsed;
mod recipe_lists;
mod recipes;
mod sets;
mod subset;
mod tree;

use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::{mem, slice};

pub use code::{BuildId, RowId, ValueCode};
pub use dependencies::{Edge, EdgeTarget};
pub use dictionary::Dictionary;
pub use earlier::{Earlier, PlaceChange, Summary};
pub use json::{
    About, BinaryFacts, BucketServer, BuildFacts, BuildsOfName, DependenciesReader, FactsByBuild,
    FactsTexts, HashReader, KnownMirror, LeftOut, LoadError, PUBLIC_MIRROR_URL, ParsedColumns,
    Part, Parts, Shard, ShardOfBuilds, ShardOfNames, StatedPart, StatedShard, Statement, TotalSize,
    in_script, shard_of, shards_about,
};
pub use libraries::{MissingLibrary, missing_libraries};
pub use origin::Origin;
pub use pack::{Codes, PackError, Packer, Translation, pack};
pub use sets::Sets;
use spack_spec::Dialect;

pub use self::dependencies::{Dependencies, Link};
use self::details::Details;

pub use self::details::SharedTexts;
use self::parsed::ParsedTexts;
use self::recipes::RecipeParts;
pub use self::recipes::{OtherPackages, PackageSummary, RecipeList};
use crate::build::{CompilerSource, Hash, Place, Variant, VariantValue};
use crate::facet::{Facet, Storage};
use crate::sorting;

/// The value of the compiler facet for a build that used no compiler, as cache pages write it.
pub const NO_COMPILER: &str = "none";

/// The value of the libc facet for a build that lists its dependencies, with no libc among them.
pub const NO_LIBC: &str = "none";

/// A cache that is ready to be searched.
#[derive(Clone, Debug)]
pub struct Index {
    identity: Identity,
    about: About,
    /// By [`Facet::at`].
    dictionaries: [Dictionary; Facet::COUNT],
    /// By the code of a variant: `true` if a build may have further values of that variant.
    multi_valued: Vec<bool>,
    /// Variant sets and codes that are exceptions to `multi_valued`; sorted.
    single_valued: Vec<(u32, u32)>,
    pub(crate) configurations: Vec<Configuration>,
    provider_sets: Sets,
    pub(crate) variant_sets: Sets,
    /// Release and stack, distinct.
    pub places: Vec<(u32, u32)>,
    pub(crate) place_sets: Sets,
    /// Ascending; not empty unless there are no builds.
    origins: Vec<Origin>,
    pub(crate) rows: Columns,
    hashes: OnceLock<Vec<Hash>>,
    details: OnceLock<Details>,
    dependencies: OnceLock<Dependencies>,
    earlier: OnceLock<Earlier>,
    recipes: RecipeParts,
    facts: Option<Arc<FactsTexts>>,
    parsed: OnceLock<ParsedTexts>,
    row_by_build: OnceLock<Vec<u32>>,
}

/// Distinguishes the indexes that are in memory at the same time. All clones of an index are the same index.
#[derive(Clone, Debug, Default)]
pub struct Identity(Arc<()>);

impl PartialEq for Identity {
    fn eq(&self, other: &Identity) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What many builds have in common: a code, or none, in each [slot](Storage) that the table of facets has for
/// configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Configuration {
    /// The code in each slot, if the configuration has one.
    pub slots: [Option<u32>; Facet::SLOTS],
}

/// The columns. Those of codes have the same length; the two of starts have one more entry.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// By package: its first row.
    pub package_start: Vec<u32>,
    /// By row: the code of its version.
    pub version: Vec<u32>,
    /// By row: its configuration.
    pub configuration: Vec<u32>,
    /// By row: its set of variants.
    pub variant_set: Vec<u32>,
    /// By row: its set of places.
    pub place_set: Vec<u32>,
    /// Empty if all entries would be 0.
    pub origin: Vec<u32>,
    /// By row: its first build.
    pub build_start: Vec<u32>,
}

impl Index {
    /// Returns when and from what the index was made.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Returns the identity, under which callers keep results that they computed from the index.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the columns of the rows.
    pub fn columns(&self) -> &Columns {
        &self.rows
    }

    /// Returns the distinct configurations.
    pub fn configurations(&self) -> &[Configuration] {
        &self.configurations
    }

    /// Returns the distinct sets of variants.
    pub fn variant_sets(&self) -> &Sets {
        &self.variant_sets
    }

    /// Returns the distinct sets of places.
    pub fn place_sets(&self) -> &Sets {
        &self.place_sets
    }

    /// Returns the distinct places, as codes of release and stack.
    pub fn place_codes(&self) -> &[(u32, u32)] {
        &self.places
    }

    /// Returns [`about`](Index::about) mutably, for the publisher to complete.
    pub fn about_mut(&mut self) -> &mut About {
        &mut self.about
    }

    /// Returns the values of a facet.
    pub fn dictionary(&self, facet: Facet) -> &Dictionary {
        &self.dictionaries[facet.at()]
    }

    /// Returns `true` if any value of a facet has a name. A cache without releases or stacks has one
    /// of each, which is empty.
    pub fn has_names(&self, facet: Facet) -> bool {
        self.dictionary(facet).iter().any(|(_, text)| !text.is_empty())
    }

    /// Returns the number of specs, including those without a binary.
    pub fn specs(&self) -> u32 {
        self.rows.build_start.last().copied().unwrap_or(0)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows.version.len()
    }

    /// Returns the rows of a package, newest version first.
    pub fn rows_of(&self, package: ValueCode) -> impl Iterator<Item = RowId> + use<> {
        self.row_range(package.at()).map(RowId)
    }

    /// Returns the numbers of the rows of a package.
    pub fn row_range(&self, package: usize) -> Range<u32> {
        self.rows.package_start[package]..self.rows.package_start[package + 1]
    }

    /// Returns the builds of a row.
    pub fn builds_of(&self, row: RowId) -> impl ExactSizeIterator<Item = BuildId> + use<> {
        (self.rows.build_start[row.at()]..self.rows.build_start[row.at() + 1]).map(BuildId)
    }

    /// Returns all builds that have a binary, in order.
    pub fn builds_with_binary(&self) -> impl Iterator<Item = BuildId> {
        let rows = (0..self.rows() as u32).map(RowId).filter(|&row| self.has_binary(row));
        rows.flat_map(|row| self.builds_of(row))
    }

    /// Returns the number of builds of a row.
    pub fn row_len(&self, row: RowId) -> u32 {
        self.rows.build_start[row.at() + 1] - self.rows.build_start[row.at()]
    }

    /// Returns the row of a build.
    pub fn row_of(&self, build: BuildId) -> RowId {
        RowId(self.rows.build_start.partition_point(|&start| start <= build.0) as u32 - 1)
    }

    /// Returns the rows of builds, in their order, as [`row_of`](Index::row_of) does for one.
    pub fn rows_of_builds(&self, builds: &[BuildId]) -> Vec<RowId> {
        let rows = self.row_by_build();
        builds.iter().map(|build| RowId(rows[build.at()])).collect()
    }

    /// Returns the row of each build, for callers that need many: [`row_of`](Index::row_of) has to search.
    pub fn row_by_build(&self) -> &[u32] {
        self.row_by_build.get_or_init(|| {
            let mut rows = Vec::with_capacity(self.specs() as usize);
            for (row, &end) in (0..).zip(&self.rows.build_start[1..]) {
                rows.resize(end as usize, row);
            }
            rows
        })
    }

    /// Returns the package of a row.
    pub fn package_of(&self, row: RowId) -> ValueCode {
        ValueCode(self.rows.package_start.partition_point(|&start| start <= row.0) as u32 - 1)
    }

    /// Returns a row's value in a facet in which every build has exactly one.
    ///
    /// # Panics
    ///
    /// If a build can have [several](Facet::is_multi_valued) values or none; use [`values`](Index::values) for these
    /// facets.
    pub fn value(&self, row: RowId, facet: Facet) -> ValueCode {
        match facet {
            Facet::Package => self.package_of(row),
            Facet::Version => ValueCode(self.rows.version[row.at()]),
            _ => match self.values_in(self.configuration(row), facet) {
                [code] => ValueCode(*code),
                _ => panic!("a facet in which each build has just one value"),
            },
        }
    }

    /// Returns a row's values in any facet, ascending and without duplicates.
    pub fn values(&self, row: RowId, facet: Facet) -> Vec<ValueCode> {
        let codes = match facet.stored() {
            Storage::Package => return vec![self.package_of(row)],
            Storage::Version => slice::from_ref(&self.rows.version[row.at()]),
            Storage::Variants => self.variants(row),
            Storage::Configuration(_) | Storage::Providers(_) => {
                self.values_in(self.configuration(row), facet)
            }
            Storage::Place(side) => {
                let mut codes: Vec<ValueCode> =
                    self.places(row).map(|place| ValueCode(side.of(place))).collect();
                sorting::sort_and_dedup(&mut codes);
                return codes;
            }
        };
        codes.iter().map(|&code| ValueCode(code)).collect()
    }

    /// Returns the codes that determine the rows' values in a facet, by row, and a number that all codes are below. Rows
    /// with different codes may have the same values. `None` for the package, which has no column.
    pub fn determining(&self, facet: Facet) -> Option<(&[u32], usize)> {
        let rows = &self.rows;
        Some(match facet.stored() {
            Storage::Package => return None,
            Storage::Version => (&rows.version, self.dictionary(facet).len()),
            Storage::Configuration(_) | Storage::Providers(_) => {
                (&rows.configuration, self.configurations.len())
            }
            Storage::Variants => (&rows.variant_set, self.variant_sets.len()),
            Storage::Place(_) => (&rows.place_set, self.place_sets.len()),
        })
    }

    /// Returns some of these rows that together have the same values in a facet as all of these rows. They are few,
    /// because thousands of rows share versions, configurations, and sets of variants and places.
    pub fn representatives(&self, rows: &[RowId], facet: Facet) -> Vec<RowId> {
        let Some((codes, limit)) = self.determining(facet) else {
            let mut first = rows.to_vec();
            first.dedup_by_key(|row| self.package_of(*row));
            return first;
        };
        let mut is_met = vec![false; limit];
        let is_new = |row: &RowId| !mem::replace(&mut is_met[codes[row.at()] as usize], true);
        rows.iter().copied().filter(is_new).collect()
    }

    /// Returns the values that a configuration has in a facet, ascending; empty for facets that are stored elsewhere.
    pub fn values_in<'a>(&'a self, configuration: &'a Configuration, facet: Facet) -> &'a [u32] {
        match facet.stored() {
            Storage::Configuration(slot) => configuration.slots[slot].as_slice(),
            Storage::Providers(slot) => {
                configuration.slots[slot].map_or(&[], |set| self.provider_sets.get(set))
            }
            Storage::Package | Storage::Version | Storage::Variants | Storage::Place(_) => &[],
        }
    }

    /// Returns the text of a row's value in a facet in which every build has exactly one.
    ///
    /// # Panics
    ///
    /// In the same cases as [`value`](Index::value).
    pub fn text(&self, row: RowId, facet: Facet) -> &str {
        self.dictionary(facet).text(self.value(row, facet))
    }

    /// Returns `true` if the builds of a row list their dependencies; those of cache pages do not.
    pub fn lists_dependencies(&self, row: RowId) -> bool {
        !self.values_in(self.configuration(row), Facet::Libc).is_empty()
    }

    /// Returns the configuration of a row.
    pub fn configuration(&self, row: RowId) -> &Configuration {
        &self.configurations[self.rows.configuration[row.at()] as usize]
    }

    /// Returns the codes of the variants of a row, ascending.
    pub fn variants(&self, row: RowId) -> &[u32] {
        self.variant_sets.get(self.rows.variant_set[row.at()])
    }

    /// Returns the places of a row, as codes of release and stack.
    pub fn places(&self, row: RowId) -> impl Iterator<Item = (u32, u32)> {
        let set = self.place_sets.get(self.rows.place_set[row.at()]);
        set.iter().map(|&place| self.places[place as usize])
    }

    /// Returns `true` if the builds of a row have a binary in the cache.
    pub fn has_binary(&self, row: RowId) -> bool {
        !self.place_sets.get(self.rows.place_set[row.at()]).is_empty()
    }

    /// Returns how the builds of a row were made.
    pub fn origin(&self, row: RowId) -> &Origin {
        &self.origins[self.origin_code(row) as usize]
    }

    /// Returns the position of the origin of a row among [all](Index::origins).
    pub fn origin_code(&self, row: RowId) -> u32 {
        self.rows.origin.get(row.at()).copied().unwrap_or(0)
    }

    /// Returns the distinct origins, ascending.
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// Returns the index's texts as the spec language reads them, parsed once.
    pub fn parsed(&self) -> &ParsedTexts {
        self.parsed.get_or_init(|| ParsedTexts::new(self))
    }

    /// Returns the dialect in which queries are answered unless a user chooses one: that of Spack 1.x if any build
    /// was read from a database file of version 8 or later, where the compiler is never a field.
    pub fn dialect(&self) -> Dialect {
        let is_new = |origin: &Origin| origin.compiler_source != CompilerSource::Field;
        if self.origins.iter().any(is_new) { Dialect::V1 } else { Dialect::V0 }
    }

    /// Returns `true` for the stack that contains a whole release.
    pub fn is_whole_release(&self, stack: ValueCode) -> bool {
        Place::holds_release(self.dictionary(Facet::Stack).text(stack))
    }

    /// Returns the places of a row's builds in full.
    pub fn places_of(&self, row: RowId) -> impl Iterator<Item = Place> {
        self.places(row).map(|place| self.place(place))
    }

    /// Returns every place that has a build.
    pub fn all_places(&self) -> impl Iterator<Item = Place> {
        self.places.iter().map(|&place| self.place(place))
    }

    /// Returns the place with these codes of release and stack.
    pub fn place(&self, (release, stack): (u32, u32)) -> Place {
        Place {
            release: self.dictionary(Facet::Release).text(ValueCode(release)).to_owned(),
            stack: self.dictionary(Facet::Stack).text(ValueCode(stack)).to_owned(),
        }
    }

    /// Returns the variants of a row's builds, sorted by name, with the values of a multi-valued one combined.
    pub fn variants_of(&self, row: RowId) -> Vec<Variant> {
        self.spell_variants(self.rows.variant_set[row.at()])
    }

    /// Returns the variants of a set, sorted by name.
    pub fn spell_variants(&self, set: u32) -> Vec<Variant> {
        let is_of_list = |code: u32| {
            self.multi_valued[code as usize]
                && self.single_valued.binary_search(&(set, code)).is_err()
        };
        let mut variants: Vec<Variant> = Vec::new();
        for &code in self.variant_sets.get(set) {
            let text = self.dictionary(Facet::Variant).text(ValueCode(code));
            // Only a damaged index contains a text without a sigil or an equals sign.
            let Some(Variant { name, value }) = Variant::of_one_value(text) else { continue };
            let VariantValue::Single(value) = value else {
                variants.push(Variant { name, value });
                continue;
            };
            if !is_of_list(code) {
                variants.push(Variant { name, value: VariantValue::Single(value) });
                continue;
            }
            match variants.last_mut() {
                Some(Variant { name: last, value: VariantValue::Multi(values) })
                    if *last == name =>
                {
                    values.push(value);
                }
                _ => variants.push(Variant { name, value: VariantValue::Multi(vec![value]) }),
            }
        }
        sorting::sort_by(&mut variants, Variant::cmp);
        variants
    }
}
