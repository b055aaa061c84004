//! A query turned into lookup tables: for each code of each column, the filters that it fails.
//!
//! Every filter is one bit of a [`Fails`]. A row fails what its codes fail, so one `or` over its columns decides
//! everything: without any bit, the row is in the answer; with one bit, it would be in the answer without that filter,
//! which is what the filter's own facet counts.
//!
//! Release and stack are one filter, [`Fails::PLACE`], because they must apply to the same place.

use std::sync::Arc;

use cache_index::facet::{Facet, Side, Storage};
use cache_index::index::{Configuration, Index, RowId, ValueCode};

use super::{Choice, Match, Question};
use crate::host::{LabelVerdicts, Runs};
use crate::selection::Selection;

/// The filters that something fails, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fails(pub u32);

// The bits of the facets are followed by those of two other filters.
const _: () = assert!(Facet::COUNT + 2 <= u32::BITS as usize);

impl Fails {
    /// The number of filters that some counts ignore: those of the facets, by [`Facet::at`], and [`Fails::RUNS`].
    pub const FILTERS: usize = Facet::COUNT + 1;

    /// The chosen releases and stacks: one filter, because both must apply to the same place.
    pub const PLACE: Fails = Fails(1 << Facet::Stack.at());

    /// The chosen verdicts on the user's machine.
    pub const RUNS: Fails = Fails(1 << Facet::COUNT);

    /// The filters that the counts of no facet ignore: the text, and having a binary.
    pub const ALWAYS: Fails = Fails(1 << (Facet::COUNT + 1));

    /// Returns the filter of a facet.
    pub const fn of(facet: Facet) -> Fails {
        match facet.stored() {
            Storage::Place(_) => Fails::PLACE,
            _ => Fails(1 << facet.at()),
        }
    }

    /// Returns the number of the lowest bit.
    #[inline]
    pub const fn bit(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    /// Returns `true` if exactly one filter fails.
    #[inline]
    pub fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Returns `true` if no filter other than this one fails.
    pub fn only(self, other: Fails) -> bool {
        self.0 & !other.0 == 0
    }

    fn and(self, other: Fails) -> Fails {
        Fails(self.0 | other.0)
    }

    fn when(self, fails: bool) -> Fails {
        if fails { self } else { Fails::default() }
    }
}

/// A column of the rows, whose codes decide a filter and are counted for its facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowColumn {
    /// The column of packages.
    Package,
    /// The column of versions.
    Version,
    /// The column of configurations.
    Configuration,
    /// The column of sets of variants.
    VariantSet,
    /// The column of sets of places.
    PlaceSet,
}

impl RowColumn {
    /// All columns, in the order of their declaration.
    pub const ALL: [RowColumn; 5] = [
        RowColumn::Package,
        RowColumn::Version,
        RowColumn::Configuration,
        RowColumn::VariantSet,
        RowColumn::PlaceSet,
    ];

    /// For the bit of each filter: the column that decides it.
    pub const BY_BIT: [RowColumn; Fails::FILTERS] = {
        let mut by_bit = [RowColumn::Configuration; Fails::FILTERS];
        let mut at = 0;
        while at < Facet::COUNT {
            by_bit[at] = RowColumn::of(Facet::ALL[at]);
            at += 1;
        }
        by_bit
    };

    /// Returns the column that has the values of a facet.
    pub const fn of(facet: Facet) -> RowColumn {
        match facet.stored() {
            Storage::Package => RowColumn::Package,
            Storage::Version => RowColumn::Version,
            Storage::Configuration(_) | Storage::Providers(_) => RowColumn::Configuration,
            Storage::Variants => RowColumn::VariantSet,
            Storage::Place(_) => RowColumn::PlaceSet,
        }
    }
}

/// The filters that each code of each column of an index fails under one query.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// By code of the package.
    pub package: Vec<Fails>,
    /// By code of the version.
    pub version: Vec<Fails>,
    /// By configuration.
    pub configuration: Vec<Fails>,
    /// By set of variants.
    pub variant_set: Vec<Fails>,
    /// By set of places.
    pub place_set: Vec<Fails>,
    /// By configuration, if a machine was chosen.
    pub runs: Vec<Runs>,
    /// What is chosen in each facet, by [`Facet::at`].
    chosen: [ChosenCodes; Facet::COUNT],
    /// The builds that the text finds.
    pub found: Arc<Selection>,
}

impl Lookup {
    /// Judges each distinct code of the index by a question; `found` is what its text selects.
    pub fn new(index: &Index, question: &Question, found: Arc<Selection>) -> Lookup {
        let chosen = Facet::ALL.map(|facet| ChosenCodes::new(index, question.choice(facet), facet));
        let single = |facet: Facet, code: u32| {
            Fails::of(facet).when(!chosen[facet.at()].passes_one(ValueCode(code)))
        };
        let package = index
            .dictionary(Facet::Package)
            .iter()
            .map(|(code, _)| {
                single(Facet::Package, code.0).and(Fails::ALWAYS.when(!found.may_have(code)))
            })
            .collect();
        let versions = index.dictionary(Facet::Version).len() as u32;
        let runs = match &question.host {
            Some(host) => LabelVerdicts::new(index, host).runs().collect(),
            None => Vec::new(),
        };
        // If each build has been judged, labels do not decide.
        let asked = if question.judged.is_known() { &[] } else { question.asked_runs() };
        let runs_as_asked =
            |place: usize| asked.is_empty() || runs.get(place).is_some_and(|r| asked.contains(r));
        let configuration = |(place, configuration): (usize, &Configuration)| {
            let fails = Fails::RUNS.when(!runs_as_asked(place));
            Facet::BY_SLOT.into_iter().fold(fails, |fails, facet| {
                let values = index.values_in(configuration, facet);
                fails.and(Fails::of(facet).when(!chosen[facet.at()].passes_set(values)))
            })
        };
        let [release, stack] = SIDES.map(|facet| &chosen[facet.at()]);
        let place_set = failing_places(index, release, stack);
        let variants = &chosen[Facet::Variant.at()];
        let variant_set = match variants.is_empty() {
            true => vec![Fails::default(); index.variant_sets().len()],
            false => {
                let fails = |set| Fails::of(Facet::Variant).when(!variants.passes_set(set));
                index.variant_sets().iter().map(fails).collect()
            }
        };
        let version = match chosen[Facet::Version.at()].is_empty() {
            true => vec![Fails::default(); versions as usize],
            false => (0..versions).map(|code| single(Facet::Version, code)).collect(),
        };
        let configuration = index.configurations().iter().enumerate().map(configuration).collect();
        Lookup { package, version, configuration, variant_set, place_set, runs, chosen, found }
    }

    /// Returns which filters a row fails.
    pub fn row(&self, index: &Index, package: ValueCode, row: RowId) -> Fails {
        let rows = index.columns();
        let row = row.0 as usize;
        self.package[package.0 as usize]
            .and(self.version[rows.version[row] as usize])
            .and(self.configuration[rows.configuration[row] as usize])
            .and(self.variant_set[rows.variant_set[row] as usize])
            .and(self.place_set[rows.place_set[row] as usize])
            .and(Fails::ALWAYS.when(self.found.count(index, RowId(row as u32)) == 0))
    }

    /// Returns the verdict on the builds of a row; `None` without a machine.
    pub fn runs_of(&self, index: &Index, row: RowId) -> Option<Runs> {
        self.runs.get(index.columns().configuration[row.0 as usize] as usize).copied()
    }

    /// Returns the number of codes of a column.
    pub fn codes(&self, column: RowColumn) -> usize {
        let fails = match column {
            RowColumn::Package => &self.package,
            RowColumn::Version => &self.version,
            RowColumn::Configuration => &self.configuration,
            RowColumn::VariantSet => &self.variant_set,
            RowColumn::PlaceSet => &self.place_set,
        };
        fails.len()
    }

    /// Returns the choice in a facet.
    pub fn chosen(&self, facet: Facet) -> &ChosenCodes {
        &self.chosen[facet.at()]
    }

    /// Returns the choice on a side of a place.
    pub fn side(&self, side: Side) -> &ChosenCodes {
        self.chosen(match side {
            Side::Release => Facet::Release,
            Side::Stack => Facet::Stack,
        })
    }
}

/// The two sides of a place.
const SIDES: [Facet; 2] = [Facet::Release, Facet::Stack];

/// Returns for each place set of an index whether its builds fail a query's releases and stacks.
pub fn place_sets(index: &Index, question: &Question) -> Vec<Fails> {
    let [release, stack] =
        SIDES.map(|facet| ChosenCodes::new(index, question.choice(facet), facet));
    failing_places(index, &release, &stack)
}

/// Returns the same for these choices of releases and stacks.
///
/// One place must satisfy both sides. An exclusion removes the build if a place that satisfies the other side has the
/// excluded value: without stack e4s *in release v1*, a build that is in e4s only in another release still passes.
fn failing_places(index: &Index, release: &ChosenCodes, stack: &ChosenCodes) -> Vec<Fails> {
    let by_place = |judge: &dyn Fn(u32, u32) -> bool| -> Vec<bool> {
        index.place_codes().iter().map(|&(r, s)| judge(r, s)).collect()
    };
    let excluded = by_place(&|r, s| {
        release.excludes(r) && stack.includes(s) || stack.excludes(s) && release.includes(r)
    });
    let included = by_place(&|r, s| release.includes(r) && stack.includes(s));
    // If all of several values are required, each pair of demands needs its own place.
    let has_all = |set: &[u32]| {
        let places = || set.iter().map(|&place| index.place_codes()[place as usize]);
        release.demands().all(|r| {
            stack
                .demands()
                .all(|s| places().any(|place| release.meets(r, place.0) && stack.meets(s, place.1)))
        })
    };
    let any_will_do = release.needed() == 1 && stack.needed() == 1;
    let fails = |set: &[u32]| {
        let mut is_included = false;
        for &place in set {
            if excluded[place as usize] {
                return Fails::PLACE;
            }
            is_included |= included[place as usize];
        }
        Fails::PLACE.when(!is_included || !any_will_do && !has_all(set))
    };
    // A build without a place has no binary.
    let sets = index.place_sets().iter();
    sets.map(|set| if set.is_empty() { Fails::ALWAYS } else { fails(set) }).collect()
}

/// A choice as codes of an index.
#[derive(Clone, Debug)]
pub struct ChosenCodes {
    included: Vec<u32>,
    excluded: Vec<u32>,
    matching: Match,
    /// The number of included values, even those that the index does not have.
    asked: usize,
}

/// Which value of a set may be chosen in addition without making the set fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneMore {
    /// Any of them.
    Any,
    /// The only one that is excluded now.
    Only(u32),
    /// None: the set lacks a chosen value, or more than one of its values is excluded.
    None,
}

impl OneMore {
    /// Returns `true` for a value that may be chosen.
    #[inline]
    pub fn may_be(self, code: u32) -> bool {
        match self {
            OneMore::Any => true,
            OneMore::Only(only) => only == code,
            OneMore::None => false,
        }
    }
}

/// One requirement: to have this value, or any of the chosen ones.
#[derive(Clone, Copy)]
enum Demand {
    Value(u32),
    AnyIncluded,
    Impossible,
}

impl ChosenCodes {
    fn new(index: &Index, choice: &Choice, facet: Facet) -> ChosenCodes {
        let codes = |values: &[String]| {
            let known = values.iter().filter_map(|value| index.dictionary(facet).code(value));
            known.map(|code| code.0).collect()
        };
        ChosenCodes {
            included: codes(choice.included()),
            excluded: codes(choice.excluded()),
            matching: choice.matching(),
            asked: choice.included().len(),
        }
    }

    fn is_empty(&self) -> bool {
        self.asked == 0 && self.excluded.is_empty()
    }

    /// Returns `true` if a build must have all of the chosen values, so that choosing one more narrows the answer.
    pub fn asks_for_all(&self) -> bool {
        self.matching == Match::All
    }

    /// Returns which value of a set may be chosen in addition where a build must have
    /// [all](ChosenCodes::asks_for_all) of the chosen ones.
    ///
    /// `has` returns whether the set has an included value, `hits` whether an excluded value rules it
    /// out. Choosing a value takes back its exclusion.
    pub fn one_more(&self, has: impl Fn(&u32) -> bool, hits: impl Fn(&u32) -> bool) -> OneMore {
        let has_included = self.included.len() == self.asked && self.included.iter().all(has);
        let mut excluded = self.excluded.iter().filter(|&code| hits(code));
        match (has_included, excluded.next(), excluded.next()) {
            (false, ..) | (true, _, Some(_)) => OneMore::None,
            (true, Some(&code), None) => OneMore::Only(code),
            (true, None, None) => OneMore::Any,
        }
    }

    /// Returns how many of the included values a build must have at least; 1 if there are none.
    pub fn needed(&self) -> u32 {
        if self.matching == Match::All { self.asked.max(1) as u32 } else { 1 }
    }

    #[inline]
    /// Returns `true` if a code is chosen.
    pub fn includes(&self, code: u32) -> bool {
        self.asked == 0 || self.included.contains(&code)
    }

    #[inline]
    /// Returns `true` if a code is excluded.
    pub fn excludes(&self, code: u32) -> bool {
        self.excluded.contains(&code)
    }

    /// Returns `true` if a value passes, for a facet in which a build has one value.
    fn passes_one(&self, code: ValueCode) -> bool {
        self.includes(code.0) && !self.excludes(code.0)
    }

    /// Returns `true` if an ascending set of values passes, for a facet in which a build has a set of values.
    fn passes_set(&self, set: &[u32]) -> bool {
        let has = |code: &u32| set.binary_search(code).is_ok();
        let included = match self.matching {
            _ if self.asked == 0 => true,
            Match::Any => self.included.iter().any(has),
            Match::All => self.included.len() == self.asked && self.included.iter().all(has),
        };
        included && !self.excluded.iter().any(has)
    }

    fn demands(&self) -> impl Iterator<Item = Demand> {
        let all = self.matching == Match::All && self.asked > 0;
        let values = if all { self.included.as_slice() } else { &[] };
        let impossible = all && self.included.len() < self.asked;
        let rest = match (all, impossible) {
            (_, true) => Some(Demand::Impossible),
            (true, false) => None,
            (false, false) => Some(Demand::AnyIncluded),
        };
        rest.into_iter().chain(values.iter().map(|&code| Demand::Value(code)))
    }

    fn meets(&self, demand: Demand, code: u32) -> bool {
        match demand {
            Demand::Value(value) => value == code,
            Demand::AnyIncluded => self.includes(code),
            Demand::Impossible => false,
        }
    }
}
