//! How many builds there are of each kind, as a matrix.
//!
//! The number in a cell is how many builds the page shows after a click on it, and that click is one
//! [`Change::Narrow`]. For columns of which a build has one this is a count of the rows that match.
//! Stacks are different: a build is in several, and what is chosen of releases must hold of the same
//! place; so each stack is asked for by itself.

use std::sync::Arc;

use super::filter::{Fails, Filter};
use super::{Across, Answer, Change, Match, Query, apply};
use crate::facet::Facet;
use crate::index::{Index, RowId, ValueCode};
use crate::sorting;

/// The builds of one package by version and something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// What the columns are.
    pub across: Across,
    /// A code for each facet of [`Across::facets`]; in display order.
    pub columns: Vec<Vec<ValueCode>>,
    /// Newest first.
    pub versions: Vec<ValueCode>,
    /// By version and column.
    counts: Vec<Vec<u32>>,
}

impl Coverage {
    /// Counts the builds of a package that match.
    pub fn new(index: &Index, query: &Query, answer: &Answer, package: ValueCode) -> Coverage {
        let across = query.across;
        let mut cells: Vec<(ValueCode, Vec<ValueCode>, u32)> = Vec::new();
        let mut add = |row: RowId, column: Vec<ValueCode>| {
            let version = index.value(row, Facet::Version);
            cells.push((version, column, answer.count_in(index, row)));
        };
        if across == Across::Stack {
            for (stack, filter) in &StackCounts::new(index, query, answer).stacks {
                for row in matching(filter, index, package) {
                    add(row, vec![*stack]);
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
        // The stack `root`, which holds everything, comes last.
        let key = |column: &Vec<ValueCode>| {
            (across == Across::Stack && is_root(index, column[0]), column.clone())
        };
        sorting::sort_by_key(&mut columns, key);
        columns.dedup();
        let mut counts = vec![vec![0; columns.len()]; versions.len()];
        for (version, column, count) in cells {
            // Each cell's version and column is listed.
            let version = versions.binary_search(&version);
            let column = columns.binary_search_by_key(&key(&column), key);
            if let (Ok(version), Ok(column)) = (version, column) {
                counts[version][column] += count;
            }
        }
        Coverage { across, counts, columns, versions }
    }

    /// The counts of a version, by its place in [`versions`](Coverage::versions); one a column.
    pub fn row(&self, version: usize) -> &[u32] {
        &self.counts[version]
    }

    /// The largest count of all.
    pub fn largest(&self) -> u32 {
        self.counts.iter().flatten().copied().max().unwrap_or(0)
    }

    /// What a click on a cell does, by the places of its version and column.
    pub fn narrowing(&self, index: &Index, version: usize, column: usize) -> Change {
        let text = |facet, code| (facet, index.dictionary(facet).text(code).to_owned());
        let facets = self.across.facets().iter().zip(&self.columns[column]);
        let mut cell = vec![text(Facet::Version, self.versions[version])];
        cell.extend(facets.map(|(&facet, &code)| text(facet, code)));
        Change::Narrow(cell)
    }
}

/// How many builds of each package match in each stack, asked for package by package.
#[derive(Clone, Debug)]
pub struct StackCounts {
    /// In display order, and what the query lets through when narrowed to it.
    stacks: Vec<(ValueCode, Filter)>,
}

impl StackCounts {
    /// Narrows a query, and its answer, to each stack that it does not rule out.
    pub fn new(index: &Index, query: &Query, answer: &Answer) -> StackCounts {
        let choice = query.choice(Facet::Stack);
        let is_open = |name: &str| {
            let alternatives = choice.matching() == Match::Any && !choice.included().is_empty();
            !choice.excludes(name) && (choice.includes(name) || !alternatives)
        };
        let mut stacks: Vec<(ValueCode, Filter)> = index
            .dictionary(Facet::Stack)
            .iter()
            .filter(|(_, name)| is_open(name))
            .map(|(code, name)| {
                let narrow = Change::Narrow(vec![(Facet::Stack, name.to_owned())]);
                let found = Arc::clone(answer.found());
                (code, Filter::new(index, &apply(query, narrow), found))
            })
            .collect();
        sorting::sort_by_key(&mut stacks, |(code, _)| is_root(index, *code));
        StackCounts { stacks }
    }

    /// The stacks; `root`, which holds everything, comes last.
    pub fn stacks(&self) -> impl Iterator<Item = ValueCode> {
        self.stacks.iter().map(|(stack, _)| *stack)
    }

    /// How many builds of a package match in each stack, in the order of the stacks.
    pub fn of(&self, index: &Index, package: ValueCode) -> Vec<u32> {
        let count = |(_, filter): &(ValueCode, Filter)| {
            matching(filter, index, package).map(|row| filter.found.count(index, row)).sum()
        };
        self.stacks.iter().map(count).collect()
    }
}

fn matching(filter: &Filter, index: &Index, package: ValueCode) -> impl Iterator<Item = RowId> {
    let passes = move |row: &RowId| filter.row(index, package, *row) == Fails::default();
    index.rows_of(package).filter(passes)
}

fn is_root(index: &Index, stack: ValueCode) -> bool {
    index.dictionary(Facet::Stack).text(stack) == "root"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::index::{About, pack};
    use crate::query::run;
    use crate::{link, sample};

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
        fn a_cell_says_what_a_click_on_it_shows(
            all in sample::builds(),
            query in queries(),
            across in prop::sample::select(Across::ALL.to_vec()),
        ) {
            let index = pack(About::default(), all).expect("different hashes");
            for (package, name) in index.dictionary(Facet::Package).iter() {
                let link = format!("package={name}&tab=coverage&across={}&{query}", across.key());
                let (query, _) = link::decode(&link);
                let coverage = Coverage::new(&index, &query, &run(&index, &query), package);
                for version in 0..coverage.versions.len() {
                    for (column, &count) in coverage.row(version).iter().enumerate() {
                        let narrowed = apply(&query, coverage.narrowing(&index, version, column));
                        prop_assert_eq!(count, run(&index, &narrowed).builds, "{}", link);
                    }
                }
            }
        }

        #[test]
        fn a_package_has_in_a_stack_what_a_click_shows(all in sample::builds(), query in queries()) {
            let index = pack(About::default(), all).expect("different hashes");
            let (query, _) = link::decode(&query);
            let counts = StackCounts::new(&index, &query, &run(&index, &query));
            for (package, name) in index.dictionary(Facet::Package).iter() {
                for (stack, count) in counts.stacks().zip(counts.of(&index, package)) {
                    let stack = index.dictionary(Facet::Stack).text(stack).to_owned();
                    let cell = vec![(Facet::Package, name.to_owned()), (Facet::Stack, stack)];
                    let narrowed = apply(&query, Change::Narrow(cell));
                    prop_assert_eq!(count, run(&index, &narrowed).builds);
                }
            }
        }
    }
}
