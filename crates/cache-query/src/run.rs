//! The answer to a query: how many builds and packages match, and the count of every facet value.
//!
//! One pass over the rows finds all counts. The filters that a row [fails](super::lookup) decide what it counts for:
//! with no failure, for everything; with one, for the facet of that filter alone. Sets are counted as sets and
//! distributed over their members at the end, so the pass adds at most five numbers per row.

use std::sync::Arc;

use cache_index::facet::{Facet, Storage};
use cache_index::index::{BuildId, Earlier, Index, RowId, ValueCode};

use super::Question;
use super::lookup::{Fails, Lookup, RowColumn};
use super::place_counts;
use crate::ByBuild;
use crate::host::Runs;
use crate::search::{MissingData, Search};
use crate::selection::Selection;

/// What a query matches in an index.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The number of matching builds.
    pub builds: u32,
    /// The number of packages with a matching build.
    pub packages: u32,
    /// By [`Facet::at`] and value; [`Answer::count`] says what is counted.
    counts: [Vec<u32>; Facet::COUNT],
    /// By verdict on the user's machine: the number of builds if that verdict alone were asked for.
    runs: [u32; Runs::ALL.len()],
    /// The number of builds if only those that use the machine's GPUs were asked for.
    on_gpu: u32,
    /// By column of the rows and its codes: the number of matching builds.
    matching: [Vec<u32>; RowColumn::ALL.len()],
    filter: Lookup,
    judged: ByBuild<Runs>,
}

impl Answer {
    /// Returns how many builds the answer would have if this value alone were chosen in its facet and all other facets
    /// were unchanged. If a build must have all of the chosen values of the facet, this value is chosen in addition to
    /// them instead.
    pub fn count(&self, facet: Facet, value: ValueCode) -> u32 {
        self.counts[facet.at()][value.0 as usize]
    }

    /// Returns how many builds the answer would have if this verdict alone were asked for; 0 unless a machine is
    /// chosen.
    pub fn runs(&self, runs: Runs) -> u32 {
        self.runs[runs as usize]
    }

    /// Returns how many builds the answer would have if only those that use the machine's GPUs were asked for; 0 until it is
    /// known which do.
    pub fn on_gpu(&self) -> u32 {
        self.on_gpu
    }

    /// Returns `true` if a build matches.
    pub fn has(&self, index: &Index, build: BuildId) -> bool {
        let row = index.row_of(build);
        let package = index.package_of(row);
        self.filter.found.may_have(package)
            && self.filter.row(index, package, row) == Fails::default()
            && self.filter.found.has(build)
            && self.filter.found.count(index, row) > 0
    }

    /// Returns how many builds of a package match.
    pub fn matching(&self, package: ValueCode) -> u32 {
        self.matching_by(RowColumn::Package)[package.0 as usize]
    }

    /// Returns how many builds match, by the codes of a column of the rows.
    pub fn matching_by(&self, column: RowColumn) -> &[u32] {
        &self.matching[column as usize]
    }

    /// Returns the packages with a matching build, by name.
    pub fn matching_packages(&self) -> impl Iterator<Item = ValueCode> {
        (0u32..)
            .zip(self.matching_by(RowColumn::Package))
            .filter(|(_, count)| **count > 0)
            .map(|(code, _)| ValueCode(code))
    }

    /// Returns the matching rows of a package, newest version first.
    pub fn matching_rows(&self, index: &Index, package: ValueCode) -> impl Iterator<Item = RowId> {
        index
            .rows_of(package)
            .filter(move |&row| self.filter.row(index, package, row) == Fails::default())
    }

    /// Returns the rows of a package that match, or would if no release or stack were chosen.
    pub fn rows_but_for_places(
        &self,
        index: &Index,
        package: ValueCode,
    ) -> impl Iterator<Item = RowId> {
        let passes = move |row: &RowId| self.filter.row(index, package, *row).only(Fails::PLACE);
        index.rows_of(package).filter(passes)
    }

    /// Returns all matching builds, in the order of the index.
    pub fn matching_builds(&self, index: &Index) -> impl Iterator<Item = BuildId> {
        self.matching_packages()
            .flat_map(|package| self.matching_rows(index, package))
            .flat_map(|row| self.builds_of(index, row))
    }

    /// Returns the builds of a row of the answer: all of them, unless the text distinguishes them.
    pub fn builds_of(&self, index: &Index, row: RowId) -> impl Iterator<Item = BuildId> {
        index.builds_of(row).filter(|&build| self.filter.found.has(build))
    }

    /// Returns the number of builds of a row of the answer.
    pub fn count_in(&self, index: &Index, row: RowId) -> u32 {
        self.filter.found.count(index, row)
    }

    /// Returns the verdict on the builds of a row by their labels; `None` without a machine.
    pub fn runs_of(&self, index: &Index, row: RowId) -> Option<Runs> {
        self.filter.runs_of(index, row)
    }

    /// Counts the matching builds of a row by their verdict on the machine; the index is the number of the verdict. Without
    /// a machine, all builds count for the first verdict.
    pub fn working_in(&self, index: &Index, row: RowId) -> [u32; Runs::ALL.len()] {
        let mut counts = [0; Runs::ALL.len()];
        if self.judged.is_known() {
            let builds = self.builds_of(index, row).filter_map(|build| self.judged.of(build));
            builds.for_each(|runs| counts[runs as usize] += 1);
        } else {
            let runs = self.runs_of(index, row).unwrap_or(Runs::Yes);
            counts[runs as usize] = self.count_in(index, row);
        }
        counts
    }

    /// Returns why builds that the text may mean are not in the answer.
    pub fn missing(&self) -> Option<MissingData> {
        self.filter.found.missing
    }
}

/// Answers a question.
pub fn run(index: &Index, question: &Question) -> Answer {
    // The first answer, before anything is typed, does not need the code for this.
    if question.text.is_empty() {
        return run_with(index, question, Arc::default());
    }
    let search = Search::read(index, &question.text);
    let found = Arc::new(search.select(index));
    if !search.chooses() {
        return run_with(index, question, found);
    }
    let mut whole = question.clone();
    whole.choose(search.choices, search.excluded, &search.alternatives);
    run_with(index, &whole, found)
}

/// Answers a question among the builds that went since an earlier publication. Its text is read as in the index. A text
/// that asks for dependencies finds none of these builds, because their dependencies are not known.
pub fn matching_went(index: &Index, earlier: &Earlier, question: &Question) -> Answer {
    matching_in(index, earlier.went(), question)
}

/// Answers a question in another index. Its text is read as in the first one.
///
/// Builds of the other index have not been judged, so their labels decide which of them run. Its other parts are not
/// available, so filters on them do not narrow the answer.
pub fn matching_in(index: &Index, other: &Index, question: &Question) -> Answer {
    let search = Search::read(index, &question.text);
    let question = Question {
        judged: ByBuild::default(),
        on_gpu: ByBuild::default(),
        passing: ByBuild::default(),
        ..question.clone()
    };
    run_with(other, &question, Arc::new(search.select(other)))
}

/// Answers a question, given what its text finds.
pub fn run_with(index: &Index, question: &Question, found: Arc<Selection>) -> Answer {
    let found = match &question.since {
        // None before the details have been loaded.
        Some(since) => Arc::new(found.only(index, |build| {
            index.first_seen(build).is_some_and(|made| made >= since.as_str())
        })),
        None => found,
    };
    let found = match question.passing.is_known() {
        true => Arc::new(found.only(index, |build| question.passing.of(build) == Some(true))),
        false => found,
    };
    let mut filter = Lookup::new(index, question, found);
    let judged = question.judged.is_known().then(|| count_judged(index, question, &filter));
    if judged.is_some() && (!question.asked_runs().is_empty() || question.asks_for_gpu()) {
        filter.found =
            Arc::new(filter.found.only(index, |build| {
                passes_verdict(question, build) && passes_gpu(question, build)
            }));
    }
    let rows = index.columns();

    // For each column, by its codes: the builds that match. For each filter, likewise: the builds that would match
    // without it.
    let mut matching = RowColumn::ALL.map(|column| vec![0; filter.codes(column)]);
    let mut but_for = RowColumn::BY_BIT.map(|column| vec![0; filter.codes(column)]);

    let sizes = filter.found.sizes(index);
    // Each column by itself, because this runs before the browser has optimized it, when a loop over the columns takes
    // half as long again. As slices, because indexing a vector is a function call, which is not inlined in code that is
    // built for size.
    let [by_package, by_version, by_configuration, by_variant_set, by_place_set] =
        matching.each_mut().map(Vec::as_mut_slice);
    let [versions, configurations, variant_sets, place_sets] =
        [&filter.version, &filter.configuration, &filter.variant_set, &filter.place_set]
            .map(Vec::as_slice);
    for (code, (of_package, &fails)) in by_package.iter_mut().zip(&filter.package).enumerate() {
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
            let [v, c, s, p] = [v as usize, c as usize, s as usize, p as usize];
            let fails = Fails(
                fails.0 | versions[v].0 | configurations[c].0 | variant_sets[s].0 | place_sets[p].0,
            );
            if fails == Fails::default() {
                *of_package += count;
                by_version[v] += count;
                by_configuration[c] += count;
                by_variant_set[s] += count;
                by_place_set[p] += count;
            } else if fails.is_single()
                && let Some(counts) = but_for.get_mut(fails.bit())
            {
                let codes = [code, v, c, s, p];
                counts[codes[RowColumn::BY_BIT[fails.bit()] as usize]] += count;
            }
        }
    }

    // The builds that count for a filter's facet, by the codes of its column.
    let counted = |filter: Fails| -> Vec<u32> {
        let column = RowColumn::BY_BIT[filter.bit()] as usize;
        matching[column].iter().zip(&but_for[filter.bit()]).map(|(a, b)| a + b).collect()
    };
    let counts = Facet::ALL.map(|facet| by_value(index, &filter, facet, counted(Fails::of(facet))));
    let (runs, on_gpu) = judged.unwrap_or_else(|| {
        let mut runs = [0; Runs::ALL.len()];
        for (verdict, count) in filter.runs.iter().zip(counted(Fails::RUNS)) {
            runs[*verdict as usize] += count;
        }
        (runs, 0)
    });
    let by_package = &matching[RowColumn::Package as usize];
    Answer {
        builds: by_package.iter().sum(),
        packages: by_package.iter().filter(|&&count| count > 0).count() as u32,
        counts,
        runs,
        on_gpu,
        matching,
        filter,
        judged: question.judged.clone(),
    }
}

/// Returns `true` if a build has one of the verdicts that are asked for, or if none are asked for.
fn passes_verdict(question: &Question, build: BuildId) -> bool {
    let asked = question.asked_runs();
    asked.is_empty() || question.judged.of(build).is_some_and(|runs| asked.contains(&runs))
}

/// Returns `true` if a build uses one of the GPUs, or if that is not asked for or not known.
fn passes_gpu(question: &Question, build: BuildId) -> bool {
    !question.asks_for_gpu() || question.on_gpu.of(build).unwrap_or(true)
}

/// Counts the builds that pass a filter: by verdict, and those that use one of the GPUs. Each of the two counts applies the
/// other's filter.
fn count_judged(
    index: &Index,
    question: &Question,
    filter: &Lookup,
) -> ([u32; Runs::ALL.len()], u32) {
    let mut on_gpu = 0;
    let mut counts = [0; Runs::ALL.len()];
    for (package, _) in index.dictionary(Facet::Package).iter() {
        for row in index.rows_of(package) {
            if filter.row(index, package, row) != Fails::default() {
                continue;
            }
            for build in index.builds_of(row).filter(|&build| filter.found.has(build)) {
                if let Some(runs) =
                    question.judged.of(build).filter(|_| passes_gpu(question, build))
                {
                    counts[runs as usize] += 1;
                }
                let uses_gpu = question.on_gpu.of(build) == Some(true);
                on_gpu += u32::from(uses_gpu && passes_verdict(question, build));
            }
        }
    }
    (counts, on_gpu)
}

/// Distributes counts by the codes of a facet's column over the values of the facet.
fn by_value(index: &Index, filter: &Lookup, facet: Facet, by_code: Vec<u32>) -> Vec<u32> {
    let mut counts = vec![0; index.dictionary(facet).len()];
    let chosen = filter.chosen(facet);
    let mut add = |values: &[u32], count: u32| match chosen.asks_for_all() {
        false => values.iter().for_each(|&value| counts[value as usize] += count),
        true => {
            let has = |code: &u32| values.binary_search(code).is_ok();
            let more = chosen.one_more(has, has);
            let values = values.iter().filter(|&&value| more.may_be(value));
            values.for_each(|&value| counts[value as usize] += count);
        }
    };
    let used = by_code.iter().copied().enumerate().filter(|(_, count)| *count > 0);
    match facet.stored() {
        Storage::Package | Storage::Version => return by_code,
        Storage::Configuration(_) | Storage::Providers(_) => {
            for (code, count) in used {
                add(index.values_in(&index.configurations()[code], facet), count);
            }
        }
        Storage::Variants => {
            for (code, count) in used {
                add(index.variant_sets().get(code as u32), count);
            }
        }
        Storage::Place(side) => place_counts::count(index, filter, side, &by_code, &mut counts),
    }
    counts
}
