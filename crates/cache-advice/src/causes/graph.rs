//! The two graphs that are compared, without what both have.
//!
//! A hash covers everything below it, so a build with the same hash on both sides is the same down to the leaves, and only
//! the others are looked at. They are kept as numbers; a spec is only spelled out if it differs from its counterpart. A build
//! that both sides have may still be the counterpart of another one: then it is [shared](Spec::is_shared).

use std::borrow::Cow;

use cache_index::build::{Build, Hash};
use cache_index::environment::{Environment, Root};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, Index};
use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::pauses::Pauses;
use super::requested::RequestedSpec;
use crate::differences::likeness::{Aspects, Codebook, Coded, Coding};

/// Where the specs of one side are read from.
#[derive(Clone, Copy, Debug)]
pub(super) enum SpecSource<'a> {
    /// The builds of an index.
    Index(&'a Index),
    /// The nodes of an environment.
    Environment(&'a Environment),
}

/// The position of a spec in its side: the number of a build or of a node.
pub(super) type Position = u32;

impl<'a> SpecSource<'a> {
    /// Returns the spec at a position, with its dependencies; `None` if the index has no hashes yet.
    pub(super) fn build(self, at: Position) -> Option<Cow<'a, Build>> {
        match self {
            SpecSource::Index(index) => index.build(BuildId(at)).map(Cow::Owned),
            SpecSource::Environment(environment) => {
                environment.nodes.get(at as usize).map(|node| Cow::Borrowed(&node.build))
            }
        }
    }

    pub(super) fn hash(self, at: Position) -> Option<Hash> {
        match self {
            SpecSource::Index(index) => index.hash(BuildId(at)),
            SpecSource::Environment(environment) => {
                environment.nodes.get(at as usize).map(|node| node.build.hash)
            }
        }
    }

    /// Returns the version of a build of an index by its hash.
    pub(super) fn version_of(self, hash: Hash) -> Option<String> {
        let SpecSource::Index(index) = self else { return None };
        Some(index.build_alone(index.find(hash)?)?.version)
    }

    /// Returns the specs that were asked for, by the hash of the node that each was concretized to.
    pub(super) fn asked(self) -> HashMap<Hash, RequestedSpec<'a>> {
        let SpecSource::Environment(environment) = self else { return HashMap::new() };
        let asked = environment
            .roots
            .iter()
            .filter_map(|Root { spec, hash, .. }| Some(((*hash)?, RequestedSpec::read(spec)?)));
        asked.collect()
    }

    /// Returns the positions of specs without one of these hashes.
    pub(super) async fn without(
        self,
        hashes: &HashSet<Hash>,
        positions: Vec<Position>,
        pauses: &mut Pauses<impl AsyncFnMut()>,
    ) -> Vec<Position> {
        let mut rest = Vec::with_capacity(positions.len());
        for at in positions {
            let is_one = self.hash(at).is_some_and(|hash| hashes.contains(&hash));
            rest.extend((!is_one).then_some(at));
            pauses.after_one().await;
        }
        rest
    }

    /// Adds everything that these specs depend on.
    pub(super) async fn closure(
        self,
        positions: impl IntoIterator<Item = Position>,
        pauses: &mut Pauses<impl AsyncFnMut()>,
    ) -> Vec<Position> {
        let SpecSource::Index(index) = self else { return positions.into_iter().collect() };
        let mut is_met = vec![false; index.specs() as usize];
        let mut open: Vec<Position> = positions.into_iter().collect();
        let mut all = Vec::with_capacity(open.len());
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut is_met[at as usize], true) {
                continue;
            }
            all.push(at);
            open.extend(index.dependencies(BuildId(at)).into_iter().flatten().filter_map(|edge| {
                match edge.target {
                    EdgeTarget::Build(target) => Some(target.0),
                    EdgeTarget::Unknown { .. } => None,
                }
            }));
            pauses.after_one().await;
        }
        all.sort_unstable();
        all
    }
}

/// The target of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// A spec of the same graph that only this side has.
    Spec(u32),
    /// A spec that both sides have, or whose hash is all that is known.
    Other(Hash),
}

/// An edge: the number of its package, purposes and virtual packages, and its target.
pub(super) type Edge = (u32, Target);

/// A spec that is compared.
#[derive(Clone, Debug)]
pub(super) struct Spec {
    pub(super) at: Position,
    pub(super) hash: Hash,
    /// `true` if both sides have it.
    pub(super) is_shared: bool,
    pub(super) package: u32,
    /// The number of its operating system.
    pub(super) os: u32,
    pub(super) coded: Coded,
    /// Sorted by number; `None` if its dependencies are not listed.
    pub(super) edges: Option<Vec<Edge>>,
    /// The numbers of its stacks, ascending; empty if these are not known, or do not matter.
    pub(super) stacks: Vec<u32>,
}

/// The specs of one side that are compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) specs: Vec<Spec>,
}

impl Graph {
    /// Collects the specs at these positions of a side, each once; `both` are the hashes that both sides have.
    pub(super) async fn new(
        side: SpecSource<'_>,
        positions: &[Position],
        both: &HashSet<Hash>,
        book: &mut Codebook,
        pauses: &mut Pauses<impl AsyncFnMut()>,
    ) -> Graph {
        let mut numbers: HashMap<Hash, u32> = HashMap::new();
        let mut chosen: Vec<(Position, Hash)> = Vec::new();
        for &at in positions {
            pauses.after_one().await;
            let Some(hash) = side.hash(at) else { continue };
            numbers.entry(hash).or_insert_with(|| {
                chosen.push((at, hash));
                chosen.len() as u32 - 1
            });
        }
        let target = |hash: Hash| match numbers.get(&hash) {
            Some(&at) if !both.contains(&hash) => Target::Spec(at),
            _ => Target::Other(hash),
        };
        let mut specs = Vec::with_capacity(chosen.len());
        match side {
            SpecSource::Environment(Environment { nodes, .. }) => {
                let versions: HashMap<Hash, &str> = nodes
                    .iter()
                    .map(|node| (node.build.hash, node.build.version.as_str()))
                    .collect();
                let mut spec = |(at, hash): (Position, Hash)| {
                    let build = &nodes[at as usize].build;
                    let aspects = Aspects::new(build, |edge| versions.get(&edge.hash).copied());
                    let coded = book.spec(&aspects);
                    let edges = build.dependencies.as_ref().map(|edges| {
                        let edges =
                            edges.iter().map(|edge| (book.dependency(edge), target(edge.hash)));
                        sorted(edges.collect())
                    });
                    Spec {
                        at,
                        hash,
                        is_shared: both.contains(&hash),
                        package: book.text(&build.package),
                        os: book.text(&build.os),
                        coded,
                        edges,
                        stacks: Vec::new(),
                    }
                };
                for one in chosen {
                    specs.push(spec(one));
                    pauses.after_one().await;
                }
            }
            SpecSource::Index(index) => {
                let mut coding = Coding::default();
                let mut spec = |(at, hash): (Position, Hash)| {
                    let (build, row) = (BuildId(at), index.row_of(BuildId(at)));
                    let decided = coding.row(book, index, row);
                    let outline = coding.outline(book, index, decided, build);
                    let coded = coding.whole(book, index, outline, row, build);
                    let [package, os] =
                        [Facet::Package, Facet::Os].map(|facet| book.text(index.text(row, facet)));
                    let edges = coding.edges(book, index, build).map(|edges| {
                        let hash = |to: EdgeTarget<'_>| match to {
                            EdgeTarget::Build(build) => index.hash(build),
                            EdgeTarget::Unknown { hash, .. } => Some(hash),
                        };
                        let edges = edges.into_iter();
                        let edges =
                            edges.filter_map(|(label, to)| Some((label, target(hash(to)?))));
                        sorted(edges.collect())
                    });
                    let is_shared = both.contains(&hash);
                    Spec { at, hash, is_shared, package, os, coded, edges, stacks: Vec::new() }
                };
                for one in chosen {
                    specs.push(spec(one));
                    pauses.after_one().await;
                }
            }
        }
        Graph { specs }
    }

    /// Returns the specs of this graph that a spec depends on.
    pub(super) fn below(&self, spec: usize) -> impl Iterator<Item = usize> {
        self.specs[spec].edges.iter().flatten().filter_map(|(_, target)| match target {
            Target::Spec(at) => Some(*at as usize),
            Target::Other(_) => None,
        })
    }

    /// Returns the hash of the target of an edge.
    pub(super) fn hash(&self, target: Target) -> Hash {
        match target {
            Target::Spec(at) => self.specs[at as usize].hash,
            Target::Other(hash) => hash,
        }
    }

    /// Orders the specs so that each comes after those it depends on. In a cycle, which no real graph has, one edge is
    /// ignored.
    pub(super) async fn upwards(&self, pauses: &mut Pauses<impl AsyncFnMut()>) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.specs.len());
        let mut is_met = vec![false; self.specs.len()];
        for start in 0..self.specs.len() {
            let mut open = vec![(start, false)];
            while let Some((spec, is_done)) = open.pop() {
                if is_done {
                    order.push(spec);
                } else if !std::mem::replace(&mut is_met[spec], true) {
                    open.push((spec, true));
                    open.extend(
                        self.below(spec).filter(|&below| !is_met[below]).map(|at| (at, false)),
                    );
                }
            }
            pauses.after_one().await;
        }
        order
    }

    /// Returns for each spec the length of the longest path below it.
    pub(super) async fn heights(&self, pauses: &mut Pauses<impl AsyncFnMut()>) -> Vec<u32> {
        let mut heights = vec![0; self.specs.len()];
        for spec in self.upwards(pauses).await {
            heights[spec] = self.below(spec).map(|below| heights[below] + 1).max().unwrap_or(0);
        }
        heights
    }
}

fn sorted(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.sort_by_key(|(label, _)| *label);
    edges
}
