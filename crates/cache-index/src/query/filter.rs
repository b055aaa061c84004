//! A query turned into look-up tables: for each code of each column, which filters it fails.
//!
//! Every filter is one bit of a [`Fails`]. A row fails what its codes fail, so one `or` over its
//! columns tells all: no bit, and the row is in the answer; one bit, and it would be if that filter
//! were not, which is what the filter's own facet counts.
//!
//! Release and stack are one filter, [`Fails::PLACE`], because they must hold of one place.

use std::sync::Arc;

use super::{Choice, Match, Query};
use crate::facet::Facet;
use crate::host::{Runs, Verdicts};
use crate::index::{Configuration, Index, RowId, ValueCode};
use crate::search::Selection;

/// The filters that something fails, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fails(pub(crate) u16);

impl Fails {
    pub(crate) const PACKAGE: Fails = Fails(1);
    pub(crate) const VERSION: Fails = Fails(1 << 1);
    pub(crate) const PLATFORM: Fails = Fails(1 << 2);
    pub(crate) const OS: Fails = Fails(1 << 3);
    pub(crate) const TARGET: Fails = Fails(1 << 4);
    pub(crate) const COMPILER: Fails = Fails(1 << 5);
    pub(crate) const VARIANT: Fails = Fails(1 << 6);
    pub(crate) const PLACE: Fails = Fails(1 << 7);
    /// What is asked of running on a person's machine.
    pub(crate) const RUNS: Fails = Fails(1 << 11);
    /// What no facet's own counts leave out: the text, and having no binary.
    pub(crate) const ALWAYS: Fails = Fails(1 << 8);
    pub(crate) const PROVIDER: Fails = Fails(1 << 9);
    pub(crate) const LIBC: Fails = Fails(1 << 10);

    /// The filter that a facet's choice makes.
    pub(crate) fn of(facet: Facet) -> Fails {
        match facet {
            Facet::Package => Fails::PACKAGE,
            Facet::Version => Fails::VERSION,
            Facet::Platform => Fails::PLATFORM,
            Facet::Os => Fails::OS,
            Facet::Target => Fails::TARGET,
            Facet::Compiler => Fails::COMPILER,
            Facet::Variant => Fails::VARIANT,
            Facet::Provider => Fails::PROVIDER,
            Facet::Libc => Fails::LIBC,
            Facet::Stack | Facet::Release => Fails::PLACE,
        }
    }

    fn and(self, other: Fails) -> Fails {
        Fails(self.0 | other.0)
    }

    fn when(self, fails: bool) -> Fails {
        if fails { self } else { Fails::default() }
    }
}

/// The facets in which a configuration has one value at most.
pub(crate) const CONFIGURATION: [Facet; 5] =
    [Facet::Platform, Facet::Os, Facet::Target, Facet::Compiler, Facet::Libc];

/// What each code of each column of an index fails under one query.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) package: Vec<Fails>,
    pub(crate) version: Vec<Fails>,
    pub(crate) configuration: Vec<Fails>,
    pub(crate) variant_set: Vec<Fails>,
    pub(crate) place_set: Vec<Fails>,
    /// By configuration, where there is a machine to judge by.
    pub(crate) runs: Vec<Runs>,
    release: Chosen,
    stack: Chosen,
    /// What the text finds.
    pub(crate) found: Arc<Selection>,
}

impl Filter {
    pub(crate) fn new(index: &Index, query: &Query, found: Arc<Selection>) -> Filter {
        let chosen = Facet::ALL.map(|facet| Chosen::new(index, query.choice(facet), facet));
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
        let providers = &chosen[Facet::Provider.at()];
        let runs = match &query.host {
            Some(host) => Verdicts::new(index, host).runs().collect(),
            None => Vec::new(),
        };
        let asked = query.asked_runs();
        let runs_as_asked =
            |place: usize| asked.is_empty() || runs.get(place).is_some_and(|r| asked.contains(r));
        let configuration = |(place, configuration): (usize, &Configuration)| {
            let set = index.providers(configuration);
            let fails = Fails::PROVIDER
                .when(!providers.passes_set(set))
                .and(Fails::RUNS.when(!runs_as_asked(place)));
            CONFIGURATION.into_iter().fold(fails, |fails, facet| {
                fails.and(match configuration.code(facet) {
                    Some(code) => single(facet, code),
                    // Of what is not known nothing can be asked.
                    None => Fails::of(facet).when(chosen[facet.at()].asked > 0),
                })
            })
        };
        let [release, stack] =
            [Facet::Release, Facet::Stack].map(|facet| chosen[facet.at()].clone());
        let variants = &chosen[Facet::Variant.at()];
        Filter {
            package,
            version: (0..versions).map(|code| single(Facet::Version, code)).collect(),
            configuration: index.configurations.iter().enumerate().map(configuration).collect(),
            variant_set: index
                .variant_sets
                .iter()
                .map(|set| Fails::VARIANT.when(!variants.passes_set(set)))
                .collect(),
            place_set: index
                .place_sets
                .iter()
                .map(|set| match set {
                    [] => Fails::ALWAYS,
                    set => Fails::PLACE.when(!passes_places(index, set, &release, &stack)),
                })
                .collect(),
            runs,
            release,
            stack,
            found,
        }
    }

    pub(crate) fn row(&self, index: &Index, package: ValueCode, row: RowId) -> Fails {
        let rows = &index.rows;
        let row = row.0 as usize;
        self.package[package.0 as usize]
            .and(self.version[rows.version[row] as usize])
            .and(self.configuration[rows.configuration[row] as usize])
            .and(self.variant_set[rows.variant_set[row] as usize])
            .and(self.place_set[rows.place_set[row] as usize])
            .and(Fails::ALWAYS.when(self.found.count(index, RowId(row as u32)) == 0))
    }

    /// Whether the builds at these places would pass if `value` alone were chosen on one side.
    pub(crate) fn passes_with(
        &self,
        index: &Index,
        places: &[u32],
        facet: Facet,
        value: ValueCode,
    ) -> bool {
        let alone = Chosen::only(value);
        match facet {
            Facet::Release => passes_places(index, places, &alone, &self.stack),
            _ => passes_places(index, places, &self.release, &alone),
        }
    }

    /// Whether nothing is chosen on the other side of release and stack.
    pub(crate) fn other_side_is_open(&self, facet: Facet) -> bool {
        match facet {
            Facet::Release => self.stack.is_empty(),
            _ => self.release.is_empty(),
        }
    }
}

/// Whether a build at these places passes what is chosen of releases and stacks.
///
/// A place must be right on both sides. An exclusion removes the build if a place that has what the
/// other side includes has the excluded value: without stack e4s *in release v1* still lets a build
/// pass that is in e4s of another release only.
fn passes_places(index: &Index, set: &[u32], release: &Chosen, stack: &Chosen) -> bool {
    let places = || set.iter().map(|&place| index.places[place as usize]);
    let excluded = places().any(|(r, s)| {
        release.excludes(r) && stack.includes(s) || stack.excludes(s) && release.includes(r)
    });
    if excluded {
        return false;
    }
    // For each pair of what must be there, a place that has both.
    release.demands().all(|r| {
        stack
            .demands()
            .all(|s| places().any(|place| release.meets(r, place.0) && stack.meets(s, place.1)))
    })
}

/// A choice in the codes of an index.
#[derive(Clone, Debug)]
struct Chosen {
    included: Vec<u32>,
    excluded: Vec<u32>,
    matching: Match,
    /// How many values are included, those included that the index does not have.
    asked: usize,
}

/// One thing that must hold: to have this value, or any of those chosen.
#[derive(Clone, Copy)]
enum Demand {
    Value(u32),
    AnyIncluded,
    Impossible,
}

impl Chosen {
    fn new(index: &Index, choice: &Choice, facet: Facet) -> Chosen {
        let codes = |values: &[String]| {
            let known = values.iter().filter_map(|value| index.dictionary(facet).code(value));
            known.map(|code| code.0).collect()
        };
        Chosen {
            included: codes(choice.included()),
            excluded: codes(choice.excluded()),
            matching: choice.matching(),
            asked: choice.included().len(),
        }
    }

    fn only(value: ValueCode) -> Chosen {
        Chosen { included: vec![value.0], excluded: Vec::new(), matching: Match::Any, asked: 1 }
    }

    fn is_empty(&self) -> bool {
        self.asked == 0 && self.excluded.is_empty()
    }

    fn includes(&self, code: u32) -> bool {
        self.asked == 0 || self.included.contains(&code)
    }

    fn excludes(&self, code: u32) -> bool {
        self.excluded.contains(&code)
    }

    /// For a facet in which a build has one value.
    fn passes_one(&self, code: ValueCode) -> bool {
        self.includes(code.0) && !self.excludes(code.0)
    }

    /// For a facet in which a build has an ascending set of values.
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
