//! The builds that satisfy the specs that were asked for.

use std::collections::HashMap;

use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_query::search::Search;
use cache_query::{Answer, Selection};
use spack_spec::{Dialect, ParseError, Spec};

use crate::Near;

/// The builds that a cache has for one spec.
#[derive(Clone, Debug)]
pub struct SatisfyingBuilds {
    /// The spec in canonical form.
    pub spec: String,
    /// The group of specs that it is in, if there are groups.
    pub group: Option<String>,
    /// The nodes, by number, that a lock file has for this spec. The cache may have other builds that satisfy it.
    pub nodes: Vec<usize>,
    /// The builds with a binary that satisfy it, in the order of the index; none if it is developed.
    pub builds: Vec<BuildId>,
    /// `true` if these are all; `false` if the cache does not say enough, for example because it does not list
    /// dependencies.
    pub is_certain: bool,
    /// `true` if its package is built from sources on the user's machine.
    pub is_developed: bool,
    /// `true` if it names, by hash, a spec that the cache knows only as external: it is on the user's machine already.
    pub is_external: bool,
    /// If no build satisfies it, and it is among the first such specs: the builds that fail the fewest parts of the
    /// spec and the filters.
    pub nearest: Vec<Near>,
}

impl SatisfyingBuilds {
    /// Finds the builds that satisfy a spec, among those of an answer, by the rules of a dialect.
    ///
    /// # Errors
    ///
    /// Why the spec cannot be read.
    pub fn new(
        index: &Index,
        answer: &Answer,
        dialect: Dialect,
        spec: &str,
    ) -> Result<SatisfyingBuilds, ParseError> {
        let parsed = Spec::parse(spec, dialect)?;
        let spec = parsed.to_string();
        let is_by_hash = parsed.root.hash.is_some();
        let found = Search::of(parsed).select(index);
        let packages = index.dictionary(Facet::Package).iter();
        let rows = packages.filter(|(package, _)| found.may_have(*package));
        let rows = rows.flat_map(|(package, _)| answer.matching_rows(index, package));
        let rows = rows.filter(|&row| found.count(index, row) > 0);
        let builds = rows.flat_map(|row| answer.builds_of(index, row));
        let builds: Vec<BuildId> = builds.filter(|&build| found.has(build)).collect();
        let is_external = is_by_hash && builds.is_empty() && finds_only_externals(index, &found);
        Ok(SatisfyingBuilds {
            spec,
            group: None,
            nodes: Vec::new(),
            builds,
            is_certain: found.missing.is_none(),
            is_developed: false,
            is_external,
            nearest: Vec::new(),
        })
    }
}

/// Returns `true` if a search finds something, and all of it is external.
fn finds_only_externals(index: &Index, found: &Selection) -> bool {
    let packages = index.dictionary(Facet::Package).iter();
    let packages = packages.filter(|(package, _)| found.may_have(*package));
    let rows = packages.flat_map(|(package, _)| index.rows_of(package));
    let mut rows = rows.filter(|&row| found.count(index, row) > 0).peekable();
    rows.peek().is_some() && rows.all(|row| index.origin(row).external)
}

/// A spec that was asked for, once in each group of specs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WantedSpec {
    pub(super) group: Option<String>,
    pub(super) spec: String,
    /// The nodes that a lock file has for the spec.
    pub(super) nodes: Vec<usize>,
}

/// Returns the specs that were asked for, in their order.
pub(super) fn wanted(environment: &Environment) -> Vec<WantedSpec> {
    let mut numbers = HashMap::new();
    for (number, node) in environment.nodes.iter().enumerate() {
        numbers.entry(node.build.hash).or_insert(number);
    }
    let mut places = HashMap::new();
    let mut all: Vec<WantedSpec> = Vec::new();
    for root in &environment.roots {
        let place = *places.entry((&root.group, &root.spec)).or_insert_with(|| {
            let (group, spec) = (root.group.clone(), root.spec.clone());
            all.push(WantedSpec { group, spec, nodes: Vec::new() });
            all.len() - 1
        });
        all[place].nodes.extend(root.hash.and_then(|hash| numbers.get(&hash)));
    }
    all
}
