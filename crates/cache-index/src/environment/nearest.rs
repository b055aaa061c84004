//! The cached builds of a package that differ least from a missing node.
//!
//! The nearest builds are those that differ in the fewest [aspects](Differs). A build that differs only in its recipe
//! is what most people would call the same build.

use std::collections::BTreeMap;

use super::coverage::numbers;
use super::{Environment, Node};
use crate::build::Hash;
use crate::facet::Facet;
use crate::index::{BuildId, Index, ValueCode};
use crate::likeness::{Aspects, Differs, nearest_first};

/// A cached build of the same package that differs from a node in no more aspects than any other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The build.
    pub build: BuildId,
    /// The aspects in which it differs, most significant first.
    pub differs: Vec<Differs>,
}

/// Finds the cached builds that differ least from the nodes of an environment.
pub struct Nearness<'a> {
    index: &'a Index,
    nodes: &'a [Node],
    numbers: BTreeMap<Hash, usize>,
    /// The cached builds of the packages asked about so far, by hash.
    candidates: BTreeMap<ValueCode, Vec<(BuildId, Aspects)>>,
}

impl<'a> Nearness<'a> {
    /// Prepares to search for builds near these nodes.
    pub fn new(index: &'a Index, environment: &'a Environment) -> Nearness<'a> {
        let nodes = environment.nodes.as_slice();
        Nearness { index, nodes, numbers: numbers(nodes), candidates: BTreeMap::new() }
    }

    /// Returns the cached builds that differ least from a node, by hash; empty if the cache has no build of the
    /// package.
    ///
    /// If the index has no details or dependencies, recipes and dependencies count as equal.
    pub fn of(&mut self, node: usize) -> Vec<Nearest> {
        let index = self.index;
        let wanted = &self.nodes[node].build;
        let Some(package) = index.dictionary(Facet::Package).code(&wanted.package) else {
            return Vec::new();
        };
        let wanted = Aspects::new(wanted, |edge| {
            let at = self.numbers.get(&edge.hash)?;
            Some(self.nodes[*at].build.version.as_str())
        });
        let candidates =
            self.candidates.entry(package).or_insert_with(|| candidates(index, package));
        let all = candidates.iter().map(|(build, aspects)| {
            let differs = wanted.differences(aspects);
            (differs.len(), Nearest { build: *build, differs })
        });
        let all = nearest_first(all.collect());
        let fewest = all.first().map(|(differences, _)| *differences);
        let nearest = all.into_iter().take_while(|(differences, _)| Some(*differences) == fewest);
        nearest.map(|(_, nearest)| nearest).collect()
    }
}

fn candidates(index: &Index, package: ValueCode) -> Vec<(BuildId, Aspects)> {
    let rows = index.rows_of(package).filter(|&row| index.has_binary(row));
    let builds = rows.flat_map(|row| index.builds_of(row));
    let mut candidates: Vec<(BuildId, Aspects)> =
        builds.filter_map(|build| Some((build, Aspects::of(index, build)?))).collect();
    candidates.sort_by_cached_key(|(build, _)| index.hash(*build).map(|hash| hash.text()));
    candidates
}
