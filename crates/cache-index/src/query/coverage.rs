//! The number of builds of each kind, as a matrix.
//!
//! The number in a cell is the number of builds that the page shows after a click on it, which is one
//! [`Change::Narrow`]. For columns in which a build has exactly one value, that is a count of the matching rows. Stacks
//! are different: a build is in several, and the chosen releases must apply to the same place, so the query is narrowed
//! to each stack in turn.

use super::filter::{Fails, place_sets};
use super::{Across, Answer, Change, Match, Query, Question};
use crate::facet::Facet;
use crate::index::{Index, RowId, ValueCode};
use crate::sorting;

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
    /// Counts the matching builds of a package.
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
        Coverage { across, counts, columns, versions }
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

/// The number of matching builds of each package in each stack.
#[derive(Clone, Debug)]
pub struct StackCounts {
    stacks: Vec<ValueCode>,
    /// By package and stack.
    counts: Vec<u32>,
}

impl StackCounts {
    /// Narrows a question, and its answer, to each stack that it allows.
    pub fn new(index: &Index, question: &Question, answer: &Answer) -> StackCounts {
        let narrowed = InStacks::new(index, question);
        let columns = narrowed.stacks.len();
        let packages = index.dictionary(Facet::Package);
        let mut counts = vec![0; packages.len() * columns];
        for (package, _) in packages.iter() {
            let start = package.0 as usize * columns;
            for (row, stacks) in narrowed.rows(index, answer, package) {
                let count = answer.count_in(index, row);
                stacks.iter().for_each(|&stack| counts[start + stack as usize] += count);
            }
        }
        StackCounts { stacks: narrowed.stacks, counts }
    }

    /// Returns the stacks, the one of whole releases last.
    pub fn stacks(&self) -> impl Iterator<Item = ValueCode> {
        self.stacks.iter().copied()
    }

    /// Returns how many builds of a package match in each stack, in the order of the stacks.
    pub fn of(&self, package: ValueCode) -> &[u32] {
        let columns = self.stacks.len();
        &self.counts[package.0 as usize * columns..][..columns]
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
        let mut of_set = vec![Vec::new(); index.place_sets.len()];
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
        let stacks = |row: RowId| &self.of_set[index.rows.place_set[row.0 as usize] as usize][..];
        let rows = answer.rows_but_for_places(index, package).map(move |row| (row, stacks(row)));
        rows.filter(|(_, stacks)| !stacks.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::index::{About, pack};
    use crate::query::{apply, run};
    use crate::{address, sample};

    fn queries() -> impl Strategy<Value = String> {
        let pairs = prop::sample::select(vec![
            "os=sequoia",
            "not.target=zen4",
            "stack=cpu",
            "stack=cuda",
            "not.stack=cuda",
            "all=stack",
            "release=v1",
            "not.release=v1",
            "variant=mpi",
        ]);
        prop::collection::vec(pairs, 0..5).prop_map(|pairs| pairs.join("&"))
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
            let counts = StackCounts::new(&index, &query.question, &run(&index, &query.question));
            for (package, name) in index.dictionary(Facet::Package).iter() {
                for (stack, &count) in counts.stacks().zip(counts.of(package)) {
                    let stack = index.dictionary(Facet::Stack).text(stack).to_owned();
                    let cell = vec![(Facet::Package, name.to_owned()), (Facet::Stack, stack)];
                    let narrowed = apply(&query, Change::Narrow(cell));
                    prop_assert_eq!(count, run(&index, &narrowed.question).builds);
                }
            }
        }
    }
}
