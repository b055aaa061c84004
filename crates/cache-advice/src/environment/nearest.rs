//! The cached builds of a package that differ least from a missing node.
//!
//! The nearest builds are those that differ in the fewest [aspects](Aspect). A build that differs only in its recipe
//! is what most people would call the same build.
//!
//! A package may have thousands of builds. Most aspects are the same for all builds of a row, so the rows are compared
//! first, and only builds of rows that may have a nearest one are compared in full.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::{Build, Hash, Variant};
use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Edge, EdgeTarget, Index, RowId};

use spack_spec::Target;

use super::coverage::{dependencies, numbers};
use crate::differences::Aspect;
use crate::differences::likeness::{Aspects, Codebook, Coded, Coding, Differences};

/// A cached build of the same package that differs from a node in no more aspects than any other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The build.
    pub build: BuildId,
    /// The aspects in which it differs, most significant first.
    pub differs: Vec<Aspect>,
}

/// Finds the cached builds that differ least from the nodes of an environment.
#[derive(Clone, Debug)]
pub struct Nearness {
    numbers: BTreeMap<Hash, usize>,
    book: Codebook,
    coding: Coding,
}

impl Nearness {
    /// Prepares to search one index for builds near the nodes of an environment.
    pub fn new(environment: &Environment) -> Nearness {
        let (book, coding) = Default::default();
        Nearness { numbers: numbers(&environment.nodes), book, coding }
    }

    /// Returns the cached builds that differ least from a node of this environment, of those that `counts` accepts;
    /// empty if there is none of the package. They are sorted by these criteria:
    ///
    /// 1. those for its platform, operating system and target first, then those for what is nearest to these;
    /// 2. those that differ in what matters least, and in the fewest variants;
    /// 3. those that directly depend on the most packages in the same versions as the node, and on the most specs that
    ///    the environment has;
    /// 4. newer versions;
    /// 5. their hashes.
    ///
    /// If the index has no details or dependencies, recipes and dependencies count as equal.
    pub fn of(
        &mut self,
        index: &Index,
        environment: &Environment,
        node: usize,
        counts: impl Fn(BuildId) -> bool,
    ) -> Vec<Nearest> {
        let nodes = &environment.nodes;
        let missing = &nodes[node].build;
        let package = index.dictionary(Facet::Package).code(&missing.package);
        let Some(package) = package.filter(|_| index.has_hashes()) else { return Vec::new() };
        let wanted = self.book.spec(&Aspects::new(missing, |edge| {
            let at = self.numbers.get(&edge.hash)?;
            Some(nodes[*at].build.version.as_str())
        }));
        let with_binary = index.rows_of(package).filter(|&row| index.has_binary(row));
        let mut rows: Vec<(u32, RowId, Coded)> = Vec::new();
        for row in with_binary {
            let coded = self.coding.row(&mut self.book, index, row);
            rows.push((wanted.differences(&coded).count(), row, coded));
        }
        let mut fewest = u32::MAX;
        let mut nearest: Vec<(BuildId, Differences)> = Vec::new();
        let most = rows.iter().map(|(at_least, ..)| *at_least).max().unwrap_or(0);
        for level in 0..=most {
            if level > fewest {
                break;
            }
            for &(_, row, coded) in rows.iter().filter(|(at_least, ..)| *at_least == level) {
                for build in index.builds_of(row).filter(|&build| counts(build)) {
                    let outline = self.coding.outline(&mut self.book, index, coded, build);
                    if wanted.differences(&outline).count() > fewest {
                        continue;
                    }
                    let whole = self.coding.whole(&mut self.book, index, outline, row, build);
                    let differs = wanted.differences(&whole);
                    if differs.count() < fewest {
                        fewest = differs.count();
                        nearest.clear();
                    }
                    if differs.count() == fewest {
                        nearest.push((build, differs));
                    }
                }
            }
        }
        let spelled =
            |(build, differs): (BuildId, Differences)| Nearest { build, differs: differs.list() };
        let mut nearest: Vec<Nearest> = nearest.into_iter().map(spelled).collect();
        let direct: Vec<(&str, &str)> = dependencies(missing, &self.numbers)
            .map(|(at, _)| (nodes[at].build.package.as_str(), nodes[at].build.version.as_str()))
            .collect();
        nearest.sort_by_cached_key(|nearest| {
            let differs =
                |facet, wanted: &str| index.text(index.row_of(nearest.build), facet) != wanted;
            let machine = [
                differs(Facet::Platform, &missing.platform),
                differs(Facet::Os, &missing.os),
                differs(Facet::Target, &missing.target),
            ];
            let text = |facet| index.text(index.row_of(nearest.build), facet);
            let apart = (
                distribution(text(Facet::Os)) != distribution(&missing.os),
                family(text(Facet::Target)) != family(&missing.target),
                generation(text(Facet::Target)).abs_diff(generation(&missing.target)),
            );
            let edges = || index.dependencies(nearest.build).into_iter().flatten();
            let is_alike = |edge: &Edge<'_>| match edge.target {
                EdgeTarget::Build(build) => {
                    let text = |facet| index.text(index.row_of(build), facet);
                    direct.contains(&(text(Facet::Package), text(Facet::Version)))
                }
                EdgeTarget::Unknown { .. } => false,
            };
            let is_shared = |edge: &Edge<'_>| {
                let hash = match edge.target {
                    EdgeTarget::Build(build) => index.hash(build),
                    EdgeTarget::Unknown { hash, .. } => Some(hash),
                };
                hash.is_some_and(|hash| self.numbers.contains_key(&hash))
            };
            let shared = (edges().filter(is_alike).count(), edges().filter(is_shared).count());
            // Small codes are new versions.
            let version = index.value(index.row_of(nearest.build), Facet::Version).at();
            let hash = index.hash(nearest.build).map(|hash| hash.text());
            // The later an aspect, the less it matters.
            let differs = Reverse(nearest.differs.clone());
            let variants =
                differing_variants(missing, &index.variants_of(index.row_of(nearest.build)));
            (machine, apart, differs, variants, Reverse(shared), version, hash)
        });
        nearest
    }
}

/// Returns in how many variants a build differs from these.
pub(crate) fn differing_variants(build: &Build, others: &[Variant]) -> usize {
    // By its text: not every index knows which of its values are lists of one.
    let value = |variants: &[Variant], name: &str| {
        let variant = variants.iter().find(|variant| variant.name == name);
        variant.map(Variant::to_string)
    };
    let names: BTreeSet<&str> =
        build.variants.iter().chain(others).map(|variant| variant.name.as_str()).collect();
    let differs = |name: &&str| value(&build.variants, name) != value(others, name);
    names.into_iter().filter(differs).count()
}

/// Returns the name of an operating system without its release: `ubuntu` of `ubuntu22.04`.
fn distribution(os: &str) -> &str {
    os.trim_end_matches(|end: char| end.is_ascii_digit() || end == '.')
}

/// Returns the family of a target, such as `aarch64`; `None` for an unknown target.
fn family(target: &str) -> Option<&'static str> {
    Target::named(target).map(|target| target.family().name())
}

/// Returns how many older targets a target runs; 0 for an unknown target.
fn generation(target: &str) -> usize {
    Target::named(target).map_or(0, |target| target.ancestors().count())
}
