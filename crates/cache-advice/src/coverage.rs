//! The number of builds of each kind, as a matrix.
//!
//! The number in a cell is the number of builds that the page shows after a click on it, which is one
//! [`Change::Narrow`]. For columns in which a build has exactly one value, that is a count of the matching rows. Stacks
//! are different: a build is in several, and the chosen releases must apply to the same place, so the query is narrowed
//! to each stack in turn.

use cache_index::facet::Facet;
use cache_index::index::{Index, RowId, ValueCode};
use cache_index::order::is_development;
use cache_index::sorting;
use cache_query::lookup::{Fails, place_sets};
use cache_query::{Across, Answer, Change, Choice, Match, MatrixRows, Query, Question};

/// The builds of one package by version and one other property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// What the columns show.
    pub across: Across,
    /// A code for each facet of [`Across::facets`]; in display order.
    pub columns: Vec<Vec<ValueCode>>,
    /// The versions, newest first.
    pub versions: Vec<ValueCode>,
    /// By version and column.
    counts: Vec<Vec<u32>>,
}

impl Coverage {
    /// Counts the matching builds of a package. If the query asks for gaps, versions with builds in
    /// every column are left out.
    pub fn new(index: &Index, query: &Query, answer: &Answer, package: ValueCode) -> Coverage {
        let across = query.presentation.across;
        let mut cells: Vec<(ValueCode, Vec<ValueCode>, u32)> = Vec::new();
        let mut add = |row: RowId, column: Vec<ValueCode>| {
            let version = index.value(row, Facet::Version);
            cells.push((version, column, answer.count_in(index, row)));
        };
        if across == Across::Stack {
            let narrowed = InStacks::new(index, &query.question);
            for (row, stacks) in narrowed.rows(index, answer, package) {
                for &stack in stacks {
                    add(row, vec![narrowed.stacks[stack as usize]]);
                }
            }
        } else {
            for row in answer.matching_rows(index, package) {
                let column = across.facets().iter().map(|&facet| index.value(row, facet));
                add(row, column.collect());
            }
        }
        let mut versions: Vec<ValueCode> = cells.iter().map(|(version, ..)| *version).collect();
        sorting::sort_and_dedup(&mut versions);
        let mut columns: Vec<Vec<ValueCode>> =
            cells.iter().map(|(_, column, _)| column.clone()).collect();
        // The stack of a whole release comes last.
        let key = |column: &Vec<ValueCode>| {
            (across == Across::Stack && index.is_whole_release(column[0]), column.clone())
        };
        sorting::sort_by_key(&mut columns, key);
        columns.dedup();
        let mut counts = vec![vec![0; columns.len()]; versions.len()];
        for (version, column, count) in cells {
            // The version and column of each cell are listed.
            let version = versions.binary_search(&version);
            let column = columns.binary_search_by_key(&key(&column), key);
            if let (Ok(version), Ok(column)) = (version, column) {
                counts[version][column] += count;
            }
        }
        let mut coverage = Coverage { across, counts, columns, versions };
        if query.presentation.rows == MatrixRows::Gaps {
            let gaps: Vec<bool> = coverage.counts.iter().map(|row| row.contains(&0)).collect();
            let mut keep = gaps.iter();
            coverage.versions.retain(|_| keep.next() == Some(&true));
            let mut keep = gaps.iter();
            coverage.counts.retain(|_| keep.next() == Some(&true));
        }
        coverage
    }

    /// Returns the counts of a version, given as an index into [`versions`](Coverage::versions), one per column.
    pub fn row(&self, version: usize) -> &[u32] {
        &self.counts[version]
    }

    /// Returns the largest count.
    pub fn largest(&self) -> u32 {
        self.counts.iter().flatten().copied().max().unwrap_or(0)
    }

    /// Returns the change that a click on a cell makes; the cell is given by the indices of version and column.
    pub fn narrowing(&self, index: &Index, version: usize, column: usize) -> Change {
        let text = |facet, code| (facet, index.dictionary(facet).text(code).to_owned());
        let facets = self.across.facets().iter().zip(&self.columns[column]);
        let mut cell = vec![text(Facet::Version, self.versions[version])];
        cell.extend(facets.map(|(&facet, &code)| text(facet, code)));
        Change::Narrow(cell)
    }
}

/// The matching builds of each package in each stack.
#[derive(Clone, Debug)]
pub struct InEachStack {
    stacks: Vec<ValueCode>,
    /// By stack: whether it is compared with the others. A stack of whole releases contains them, so it is compared only if
    /// the question names it.
    is_compared: Vec<bool>,
    /// By package and stack.
    cells: Vec<StackCell>,
    /// The packages with a build that matches apart from its stacks.
    packages: Vec<ValueCode>,
    /// The newest version of each package in any stack, whichever stacks the question allows.
    newest: Vec<Option<ValueCode>>,
}

/// The builds of one package in one stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackCell {
    /// The number of matching builds.
    pub builds: u32,
    /// The newest release among them, or the newest branch if there is no release; `None` if there
    /// are no builds.
    pub newest: Option<ValueCode>,
    /// `true` if another stack has a newer release, whichever stacks the question allows.
    pub is_older: bool,
}

impl InEachStack {
    /// Narrows a question, and its answer, to each stack that it allows.
    pub fn new(index: &Index, question: &Question, answer: &Answer) -> InEachStack {
        let narrowed = InStacks::new(index, question);
        let columns = narrowed.stacks.len();
        let mut anywhere = question.clone();
        *anywhere.choice_mut(Facet::Stack) = Choice::default();
        let fails = place_sets(index, &anywhere);
        let matches =
            |row: RowId| fails[index.columns().place_set[row.at()] as usize] == Fails::default();
        // Including the stacks that are filtered out.
        let is_filtered = anywhere.choice(Facet::Stack) != question.choice(Facet::Stack);
        let every_stack = is_filtered.then(|| InStacks::new(index, &anywhere));
        let every_stack = every_stack.as_ref().unwrap_or(&narrowed);
        let names = index.dictionary(Facet::Package);
        let versions = index.dictionary(Facet::Version);
        let is_branch: Vec<bool> = versions.iter().map(|(_, text)| is_development(text)).collect();
        let mut cells = vec![StackCell::default(); names.len() * columns];
        let mut newest = vec![None; names.len()];
        for (package, _) in names.iter() {
            let start = package.at() * columns;
            for (row, stacks) in narrowed.rows(index, answer, package) {
                let count = answer.count_in(index, row);
                let version = index.value(row, Facet::Version);
                for &stack in stacks {
                    let cell = &mut cells[start + stack as usize];
                    cell.builds += count;
                    // Rows come newest first; a release takes the place of a branch.
                    let is_better =
                        |than: ValueCode| is_branch[than.at()] && !is_branch[version.at()];
                    if cell.newest.is_none_or(is_better) {
                        cell.newest = Some(version);
                    }
                }
            }
            let row = &mut cells[start..start + columns];
            let release = |cell: &StackCell| cell.newest.filter(|code| !is_branch[code.at()]);
            // Small codes are new versions.
            let there = every_stack.rows(index, answer, package);
            let there: Vec<ValueCode> =
                there.map(|(row, _)| index.value(row, Facet::Version)).collect();
            let best = there.iter().copied().filter(|code| !is_branch[code.at()]).min();
            newest[package.at()] = best.or(there.first().copied());
            row.iter_mut().for_each(|cell| cell.is_older = release(cell) > best);
        }
        let is_there =
            |package: &ValueCode| answer.rows_but_for_places(index, *package).any(matches);
        let packages = names.iter().map(|(package, _)| package).filter(is_there).collect();
        let choice = question.choice(Facet::Stack);
        let text = |stack: ValueCode| index.dictionary(Facet::Stack).text(stack);
        let is_compared =
            |&stack: &ValueCode| !index.is_whole_release(stack) || choice.includes(text(stack));
        let is_compared = narrowed.stacks.iter().map(is_compared).collect();
        InEachStack { stacks: narrowed.stacks, is_compared, cells, packages, newest }
    }

    /// Returns the matching packages that are absent from at least one column, by name. If there are several columns,
    /// packages that are in none of them are left out, because they do not tell the columns apart.
    pub fn with_gaps(&self) -> Vec<ValueCode> {
        let has_gap = |package: &ValueCode| {
            let is_in_one = self.of(*package).iter().any(|cell| cell.builds > 0);
            (is_in_one || self.stacks.len() == 1) && self.absent_from(*package).next().is_some()
        };
        self.packages.iter().copied().filter(has_gap).collect()
    }

    /// Returns the packages that are in each stack and in no other that is a column, by name. Stacks of whole releases are
    /// left out, unless the question names them.
    pub fn only_in(&self) -> Vec<(ValueCode, Vec<ValueCode>)> {
        let at: Vec<usize> = (0..self.stacks.len()).filter(|&at| self.is_compared[at]).collect();
        let mut packages = vec![Vec::new(); self.stacks.len()];
        for package in &self.packages {
            let cells = self.of(*package);
            let mut there = at.iter().filter(|&&at| cells[at].builds > 0);
            if let (Some(&one), None) = (there.next(), there.next()) {
                packages[one].push(*package);
            }
        }
        at.into_iter().map(|at| (self.stacks[at], std::mem::take(&mut packages[at]))).collect()
    }

    /// Returns how many of these packages have more builds in a whole release than in this stack. If no other compared
    /// stack has the packages, these further builds are only in the whole release.
    pub fn with_builds_beside(&self, stack: ValueCode, packages: &[ValueCode]) -> usize {
        let Some(own) = self.stacks.iter().position(|other| *other == stack) else { return 0 };
        let has_more = |package: &&ValueCode| {
            let cells = self.of(**package);
            let whole =
                cells.iter().zip(&self.is_compared).filter(|(_, is_compared)| !**is_compared);
            whole.map(|(cell, _)| cell.builds).max() > Some(cells[own].builds)
        };
        packages.iter().filter(has_more).count()
    }

    /// Returns the packages that are in all stacks that are columns, by name; none if there is only one. Stacks of
    /// whole releases are left out, unless the question names them.
    pub fn in_each(&self) -> Vec<ValueCode> {
        if self.is_compared.iter().filter(|is_compared| **is_compared).count() < 2 {
            return Vec::new();
        }
        let is_in_each = |package: &ValueCode| {
            let mut cells = self.is_compared.iter().zip(self.of(*package));
            cells.all(|(is_compared, cell)| !is_compared || cell.builds > 0)
        };
        self.packages.iter().copied().filter(is_in_each).collect()
    }

    /// Returns the columns without a build of a package. The stack of a whole release contains everything, so it counts
    /// only if the question names it, or it is the only column.
    pub fn absent_from(&self, package: ValueCode) -> impl Iterator<Item = ValueCode> {
        let is_only = self.stacks.len() == 1;
        let cells = self.stacks().zip(&self.is_compared).zip(self.of(package));
        let absent = cells
            .filter(move |((_, is_compared), cell)| cell.builds == 0 && (is_only || **is_compared));
        absent.map(|((stack, _), _)| stack)
    }

    /// Returns the newest release of a package in any stack, or the newest branch if there is no release.
    pub fn newest(&self, package: ValueCode) -> Option<ValueCode> {
        self.newest[package.at()]
    }

    /// Returns the stacks, the one of whole releases last.
    pub fn stacks(&self) -> impl Iterator<Item = ValueCode> {
        self.stacks.iter().copied()
    }

    /// Returns the cells of a package, one for each stack, in the order of the stacks.
    pub fn of(&self, package: ValueCode) -> &[StackCell] {
        let columns = self.stacks.len();
        &self.cells[package.at() * columns..][..columns]
    }
}

/// A question narrowed to each stack in turn. Only the place sets that pass depend on the stack, and there are a few
/// thousand of them; so the rows are visited once, however many stacks there are.
struct InStacks {
    /// In display order.
    stacks: Vec<ValueCode>,
    /// For each place set: the stacks in which its builds match, if they match otherwise.
    of_set: Vec<Vec<u32>>,
}

impl InStacks {
    fn new(index: &Index, question: &Question) -> InStacks {
        let choice = question.choice(Facet::Stack);
        let is_open = |name: &str| {
            let alternatives = choice.matching() == Match::Any && !choice.included().is_empty();
            !choice.excludes(name) && (choice.includes(name) || !alternatives)
        };
        let names = index.dictionary(Facet::Stack);
        let open = names.iter().filter(|(_, name)| is_open(name));
        let mut stacks: Vec<ValueCode> = open.map(|(code, _)| code).collect();
        sorting::sort_by_key(&mut stacks, |code| index.is_whole_release(*code));
        let mut of_set = vec![Vec::new(); index.place_sets().len()];
        for (column, &stack) in (0..).zip(&stacks) {
            let name = names.text(stack).to_owned();
            let mut narrowed = question.clone();
            narrowed.narrow(vec![(Facet::Stack, name)]);
            let fails = place_sets(index, &narrowed);
            for (set, _) in fails.iter().enumerate().filter(|(_, f)| **f == Fails::default()) {
                of_set[set].push(column);
            }
        }
        InStacks { stacks, of_set }
    }

    /// Returns the rows of a package that match in any of the stacks, each with those stacks.
    fn rows<'a>(
        &'a self,
        index: &'a Index,
        answer: &'a Answer,
        package: ValueCode,
    ) -> impl Iterator<Item = (RowId, &'a [u32])> {
        let stacks =
            |row: RowId| &self.of_set[index.columns().place_set[row.0 as usize] as usize][..];
        let rows = answer.rows_but_for_places(index, package).map(move |row| (row, stacks(row)));
        rows.filter(|(_, stacks)| !stacks.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use cache_index::build::{Build, Place};
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;
    use cache_query::{PackageRow, apply, run};

    fn queries() -> impl Strategy<Value = String> {
        let pairs = prop::sample::select(vec![
            "os=sequoia",
            "not.target=zen4",
            "stack=cpu",
            "stack=cuda",
            "not.stack=cuda",
            "stack=root",
            "all=stack",
            "release=v1",
            "not.release=v1",
            "variant=mpi",
        ]);
        prop::collection::vec(pairs, 0..5).prop_map(|pairs| pairs.join("&"))
    }

    #[test]
    fn compares_with_stacks_that_are_filtered_out() {
        let hdf5 = |number: usize, version: &str, stack: &str| Build {
            hash: sample::hash(number),
            places: Place { release: "v1".to_owned(), stack: stack.to_owned() }.into(),
            ..sample::one("hdf5", version)
        };
        let all = [hdf5(0, "1.14", "cpu"), hdf5(1, "2.0", "cuda"), hdf5(2, "develop", "rocm")];
        let index = pack(About::default(), all).expect("an index");
        #[track_caller]
        fn check(index: &Index, address: &str, expected: &[bool]) {
            let question = address::decode(address).0.question;
            let cells = InEachStack::new(index, &question, &run(index, &question));
            let package = index.dictionary(Facet::Package).code("hdf5").expect("a package");
            let is_older: Vec<bool> = cells.of(package).iter().map(|cell| cell.is_older).collect();
            assert_eq!(is_older, expected, "{address}");
        }
        check(&index, "", &[true, false, false]);
        check(&index, "stack=cpu", &[true]);
        check(&index, "not.stack=cuda", &[true, false]);
        check(&index, "stack=cpu&version=1.14", &[false]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn counts_in_each_cell_what_a_click_shows(
            all in sample::builds(),
            query in queries(),
            across in prop::sample::select(Across::ALL.to_vec()),
        ) {
            let index = pack(About::default(), all).expect("different hashes");
            for (package, name) in index.dictionary(Facet::Package).iter() {
                let link = format!("package={name}&tab=coverage&across={}&{query}", across.key());
                let (query, _) = address::decode(&link);
                let coverage = Coverage::new(&index, &query, &run(&index, &query.question), package);
                for version in 0..coverage.versions.len() {
                    for (column, &count) in coverage.row(version).iter().enumerate() {
                        let narrowed = apply(&query, coverage.narrowing(&index, version, column));
                        prop_assert_eq!(count, run(&index, &narrowed.question).builds, "{}", link);
                    }
                }
            }
        }

        #[test]
        fn counts_in_each_stack_what_a_click_shows(all in sample::builds(), query in queries()) {
            let index = pack(About::default(), all).expect("different hashes");
            let (query, _) = address::decode(&query);
            let cells = InEachStack::new(&index, &query.question, &run(&index, &query.question));
            for (package, name) in index.dictionary(Facet::Package).iter() {
                for (stack, cell) in cells.stacks().zip(cells.of(package)) {
                    let stack = index.dictionary(Facet::Stack).text(stack).to_owned();
                    let narrowing = vec![(Facet::Package, name.to_owned()), (Facet::Stack, stack)];
                    let narrowed = apply(&query, Change::Narrow(narrowing));
                    let answer = run(&index, &narrowed.question);
                    prop_assert_eq!(cell.builds, answer.builds);
                    let (release, branch) =
                        PackageRow::new(&index, &answer, package).newest(&index);
                    prop_assert_eq!(cell.newest, release.or(branch));
                    // In all stacks, even those that the question excludes.
                    let newest_in = |stack: &String| {
                        let mut there = query.question.clone();
                        *there.choice_mut(Facet::Stack) = Choice::default();
                        there.narrow(vec![
                            (Facet::Package, name.to_owned()),
                            (Facet::Stack, stack.clone()),
                        ]);
                        PackageRow::new(&index, &run(&index, &there), package).newest(&index).0
                    };
                    let stacks = index.dictionary(Facet::Stack).values().iter();
                    let best = stacks.filter_map(newest_in).min();
                    let is_older = release.zip(best).is_some_and(|(own, best)| best < own);
                    prop_assert_eq!(cell.is_older, is_older);
                }
            }
        }

        #[test]
        fn gaps_are_the_rows_in_which_something_is_absent(
            all in sample::builds(),
            query in queries(),
        ) {
            let index = pack(About::default(), all).expect("different hashes");
            let question = address::decode(&query).0.question;
            let cells = InEachStack::new(&index, &question, &run(&index, &question));
            let mut anywhere = question.clone();
            *anywhere.choice_mut(Facet::Stack) = Choice::default();
            let there = run(&index, &anywhere);
            let names = index.dictionary(Facet::Stack);
            let is_named = |stack| question.choice(Facet::Stack).includes(names.text(stack));
            let root = |stack| index.is_whole_release(stack) && !is_named(stack);
            let columns: Vec<ValueCode> = cells.stacks().collect();
            let with_gaps: Vec<ValueCode> = there
                .matching_packages()
                .filter(|&package| {
                    let is_in_none = cells.of(package).iter().all(|cell| cell.builds == 0);
                    if is_in_none && columns.len() > 1 {
                        return false;
                    }
                    let of_package = columns.iter().zip(cells.of(package));
                    let mut others = of_package.filter(|(s, _)| columns.len() == 1 || !root(**s));
                    others.any(|(_, cell)| cell.builds == 0)
                })
                .collect();
            prop_assert_eq!(cells.with_gaps(), with_gaps);
            let parts = columns.iter().filter(|stack| !root(**stack)).count();
            let is_in_each = |package: &ValueCode| {
                let mut of_package = columns.iter().zip(cells.of(*package));
                parts > 1 && of_package.all(|(stack, cell)| root(*stack) || cell.builds > 0)
            };
            let in_each: Vec<ValueCode> = there.matching_packages().filter(is_in_each).collect();
            prop_assert_eq!(cells.in_each(), in_each);
            for (stack, packages) in cells.only_in() {
                let is_only_here = |package: &ValueCode| {
                    let cells = columns.iter().zip(cells.of(*package));
                    let mut cells = cells.filter(|(other, _)| !root(**other));
                    cells.all(|(other, cell)| (cell.builds > 0) == (*other == stack))
                };
                let only: Vec<ValueCode> = there.matching_packages().filter(is_only_here).collect();
                prop_assert_eq!(only, packages);
            }

            for (package, name) in index.dictionary(Facet::Package).iter() {
                let link = format!("package={name}&tab=coverage&across=stack&{query}");
                let coverage = |link: &str| {
                    let (query, _) = address::decode(link);
                    Coverage::new(&index, &query, &run(&index, &query.question), package)
                };
                let (all, gaps) = (coverage(&link), coverage(&format!("{link}&gaps=only")));
                let mut expected = (0..all.versions.len()).filter(|&v| all.row(v).contains(&0));
                for (place, version) in gaps.versions.iter().enumerate() {
                    let of_all = expected.next();
                    prop_assert_eq!(of_all.map(|v| all.versions[v]), Some(*version));
                    prop_assert_eq!(of_all.map(|v| all.row(v)), Some(gaps.row(place)));
                }
                prop_assert_eq!(expected.next(), None);
            }
        }
    }
}
