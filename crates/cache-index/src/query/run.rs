//! The answer to a query: how many builds and packages, and the count of every facet value.
//!
//! One pass over the rows. What a row [fails](super::filter) decides what it counts for: with no
//! failure for everything, with one for the facet of that filter alone. Sets are counted as sets
//! and spread over their members at the end, so the pass adds five numbers a row at most.

use std::sync::Arc;

use super::Question;
use super::filter::{CONFIGURATION, Fails, Filter};
use super::sides;
use crate::facet::Facet;
use crate::host::Runs;
use crate::index::{BuildId, Index, RowId, ValueCode};
use crate::search::{Missing, Search, Selection};

/// What a query matches in an index.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How many builds match.
    pub builds: u32,
    /// How many packages have a build that matches.
    pub packages: u32,
    /// By [`Facet::at`] and value: builds if that value alone were chosen in its facet.
    counts: [Vec<u32>; Facet::COUNT],
    /// By verdict on the person's machine: builds if that verdict alone were asked for.
    runs: [u32; Runs::ALL.len()],
    /// By package: builds that match.
    matching: Vec<u32>,
    filter: Filter,
}

impl Answer {
    /// How many builds the answer would have if this value alone were chosen in its facet, with all
    /// other facets as they are.
    pub fn count(&self, facet: Facet, value: ValueCode) -> u32 {
        self.counts[facet.at()][value.0 as usize]
    }

    /// How many builds the answer would have if this verdict alone were asked for; 0 while there is no
    /// machine to judge by.
    pub fn runs(&self, runs: Runs) -> u32 {
        self.runs[runs as usize]
    }

    /// How many builds of a package match.
    pub fn matching(&self, package: ValueCode) -> u32 {
        self.matching[package.0 as usize]
    }

    /// The packages with a build that matches, by name.
    pub fn matching_packages(&self) -> impl Iterator<Item = ValueCode> {
        (0u32..)
            .zip(&self.matching)
            .filter(|(_, count)| **count > 0)
            .map(|(code, _)| ValueCode(code))
    }

    /// The rows of a package that match, newest version first.
    pub fn matching_rows(&self, index: &Index, package: ValueCode) -> impl Iterator<Item = RowId> {
        index
            .rows_of(package)
            .filter(move |&row| self.filter.row(index, package, row) == Fails::default())
    }

    /// The rows of a package that match, or would if nothing were chosen of releases and stacks.
    pub(crate) fn rows_but_for_places(
        &self,
        index: &Index,
        package: ValueCode,
    ) -> impl Iterator<Item = RowId> {
        let passes = move |row: &RowId| self.filter.row(index, package, *row).only(Fails::PLACE);
        index.rows_of(package).filter(passes)
    }

    /// All builds that match, in the order of the index.
    pub fn matching_builds(&self, index: &Index) -> impl Iterator<Item = BuildId> {
        self.matching_packages()
            .flat_map(|package| self.matching_rows(index, package))
            .flat_map(|row| self.builds_of(index, row))
    }

    /// The builds of a row of the answer: all of them, unless the text tells them apart.
    pub fn builds_of(&self, index: &Index, row: RowId) -> impl Iterator<Item = BuildId> {
        index.builds_of(row).filter(|&build| self.filter.found.has(build))
    }

    /// How many builds of a row of the answer there are.
    pub fn count_in(&self, index: &Index, row: RowId) -> u32 {
        self.filter.found.count(index, row)
    }

    /// Why builds that may be meant by the text are not in the answer.
    pub fn missing(&self) -> Option<Missing> {
        self.filter.found.missing
    }
}

/// Among the counts by configuration, the place of those for providers.
const PROVIDERS: usize = 1 + CONFIGURATION.len();

/// And of those for what runs.
const RUNS: usize = PROVIDERS + 1;

/// Answers a question.
pub fn run(index: &Index, question: &Question) -> Answer {
    let found = Search::read(index, &question.text).select(index);
    run_with(index, question, Arc::new(found))
}

/// Answers a question whose text is known to find this.
pub fn run_with(index: &Index, question: &Question, found: Arc<Selection>) -> Answer {
    let filter = Filter::new(index, question, found);
    let rows = &index.rows;
    let packages = index.dictionary(Facet::Package).len();

    let mut matching = vec![0; packages];
    let mut package = vec![0; packages];
    let mut version = vec![0; filter.version.len()];
    let mut variant_set = vec![0; filter.variant_set.len()];
    let mut place_set = vec![0; filter.place_set.len()];
    // After the first, those of rows that fail just one thing: a facet of CONFIGURATION, the
    // providers, or what is asked of running.
    let mut configuration: [Vec<u32>; RUNS + 1] =
        std::array::from_fn(|_| vec![0; filter.configuration.len()]);

    let sizes = filter.found.sizes(index);
    for code in 0..packages {
        let fails = filter.package[code];
        if fails.0 & Fails::ALWAYS.0 != 0 {
            continue;
        }
        let range = index.row_range(code);
        let (from, to) = (range.start as usize, range.end as usize);
        let columns = rows.version[from..to]
            .iter()
            .zip(&rows.configuration[from..to])
            .zip(rows.variant_set[from..to].iter().zip(&rows.place_set[from..to]))
            .zip(&sizes[from..to]);
        for (((&v, &c), (&s, &p)), &count) in columns {
            let (v, c, s, p) = (v as usize, c as usize, s as usize, p as usize);
            let fails = Fails(
                fails.0
                    | filter.version[v].0
                    | filter.configuration[c].0
                    | filter.variant_set[s].0
                    | filter.place_set[p].0,
            );
            match fails {
                Fails(0) => {
                    matching[code] += count;
                    version[v] += count;
                    configuration[0][c] += count;
                    variant_set[s] += count;
                    place_set[p] += count;
                }
                Fails::PACKAGE => package[code] += count,
                Fails::VERSION => version[v] += count,
                Fails::PLATFORM => configuration[1][c] += count,
                Fails::OS => configuration[2][c] += count,
                Fails::TARGET => configuration[3][c] += count,
                Fails::COMPILER => configuration[4][c] += count,
                Fails::LIBC => configuration[5][c] += count,
                Fails::PROVIDER => configuration[PROVIDERS][c] += count,
                Fails::RUNS => configuration[RUNS][c] += count,
                Fails::VARIANT => variant_set[s] += count,
                Fails::PLACE => place_set[p] += count,
                _ => {}
            }
        }
    }

    let mut counts: [Vec<u32>; Facet::COUNT] =
        Facet::ALL.map(|facet| vec![0; index.dictionary(facet).len()]);
    for (total, count) in package.iter_mut().zip(&matching) {
        *total += count;
    }
    counts[Facet::Package.at()] = package;
    counts[Facet::Version.at()] = version;
    for (place, facet) in CONFIGURATION.into_iter().enumerate() {
        let counts = &mut counts[facet.at()];
        for (at, values) in index.configurations.iter().enumerate() {
            if let Some(code) = values.code(facet) {
                counts[code as usize] += configuration[0][at] + configuration[place + 1][at];
            }
        }
    }
    for (at, values) in index.configurations.iter().enumerate() {
        for &provider in index.providers(values) {
            counts[Facet::Provider.at()][provider as usize] +=
                configuration[0][at] + configuration[PROVIDERS][at];
        }
    }
    let mut runs = [0; Runs::ALL.len()];
    for (at, verdict) in filter.runs.iter().enumerate() {
        runs[*verdict as usize] += configuration[0][at] + configuration[RUNS][at];
    }
    for (set, &count) in index.variant_sets.iter().zip(&variant_set) {
        if count > 0 {
            for &variant in set {
                counts[Facet::Variant.at()][variant as usize] += count;
            }
        }
    }
    for facet in [Facet::Release, Facet::Stack] {
        sides::count(index, &filter, facet, &place_set, &mut counts[facet.at()]);
    }
    Answer {
        builds: matching.iter().sum(),
        packages: matching.iter().filter(|&&count| count > 0).count() as u32,
        counts,
        runs,
        matching,
        filter,
    }
}
