//! The cached builds of a package that differ least from a missing node.
//!
//! The nearest builds are those that differ in the fewest [aspects](Differs). A build that differs only in its recipe
//! is what most people would call the same build.
//!
//! A package may have thousands of builds. Most aspects are the same for all builds of a row, so the rows are compared
//! first, and only builds of rows that may have a nearest one are compared in full.

use std::collections::BTreeMap;

use super::Environment;
use super::coverage::numbers;
use crate::build::{Hash, Variant};
use crate::facet::Facet;
use crate::index::{BuildId, Index, RowId};
use crate::likeness::{Aspects, Differs};
use crate::sorting;

/// A cached build of the same package that differs from a node in no more aspects than any other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The build.
    pub build: BuildId,
    /// The aspects in which it differs, most significant first.
    pub differs: Vec<Differs>,
}

/// Finds the cached builds that differ least from the nodes of an environment.
#[derive(Clone, Debug)]
pub struct Nearness {
    numbers: BTreeMap<Hash, usize>,
    /// The variants of the sets that were compared so far.
    variants: BTreeMap<u32, Vec<Variant>>,
}

impl Nearness {
    /// Prepares to search for builds near the nodes of an environment.
    pub fn new(environment: &Environment) -> Nearness {
        Nearness { numbers: numbers(&environment.nodes), variants: BTreeMap::new() }
    }

    /// Returns the cached builds that differ least from a node of this environment, by hash; empty if the cache has no
    /// build of the package.
    ///
    /// If the index has no details or dependencies, recipes and dependencies count as equal.
    pub fn of(&mut self, index: &Index, environment: &Environment, node: usize) -> Vec<Nearest> {
        let nodes = &environment.nodes;
        let wanted = &nodes[node].build;
        let Some(package) = index.dictionary(Facet::Package).code(&wanted.package) else {
            return Vec::new();
        };
        let wanted = Aspects::new(wanted, |edge| {
            let at = self.numbers.get(&edge.hash)?;
            Some(nodes[*at].build.version.as_str())
        });
        let with_binary = index.rows_of(package).filter(|&row| index.has_binary(row));
        let mut rows: Vec<(usize, RowId)> = Vec::new();
        for row in with_binary {
            let set = index.rows.variant_set[row.at()];
            let variants = self.variants.entry(set).or_insert_with(|| index.spell_variants(set));
            rows.push((wanted.differs_from_row(index, row, variants), row));
        }
        sorting::sort_by_key(&mut rows, |(differences, _)| *differences);
        let mut nearest: Vec<Nearest> = Vec::new();
        for (at_least, row) in rows {
            if nearest.first().is_some_and(|nearest| nearest.differs.len() < at_least) {
                break;
            }
            for build in index.builds_of(row) {
                let Some(aspects) = Aspects::of(index, build) else { continue };
                let differs = wanted.differences(&aspects);
                let fewest = nearest.first().map_or(usize::MAX, |nearest| nearest.differs.len());
                if differs.len() < fewest {
                    nearest.clear();
                }
                if differs.len() <= fewest {
                    nearest.push(Nearest { build, differs });
                }
            }
        }
        nearest.sort_by_cached_key(|nearest| index.hash(nearest.build).map(|hash| hash.text()));
        nearest
    }
}
