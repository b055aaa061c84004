//! Builds that are the same as a spec in everything but their hash.
//!
//! Two specs have the same content if they agree in every [aspect](crate::differences::Aspect) but the hashes of their
//! dependencies, and their dependencies have the same content. So contents are numbered from below: specs with the same
//! content get the same number, and each spec is looked at once.

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::Hash;
use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, Index};
use cache_query::search::graph::IndexGraph;

use super::coverage::{dependencies, numbers};
use crate::differences::likeness::{Aspects, Codebook, Coded, Coding};

/// The number of a content.
type Content = u32;

/// Finds the builds of an index with the content of specs of an environment, some builds at a time.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    book: Codebook,
    coding: Coding,
    /// By package: `true` if the environment has it.
    is_wanted: Vec<bool>,
    /// By build: its content, if it has been looked at.
    contents: Vec<Option<Content>>,
    /// The content of each node.
    nodes: Vec<Content>,
    wanted: BTreeSet<Content>,
    found: BTreeMap<Content, Vec<BuildId>>,
    next: usize,
}

/// How many builds are looked at in a step.
const STEP: usize = 500;

impl Contents {
    /// Prepares to look for the content of these nodes.
    pub(super) fn new(index: &Index, environment: &Environment, wanted: &[usize]) -> Contents {
        let nodes = &environment.nodes;
        let packages = index.dictionary(Facet::Package);
        let mut is_wanted = vec![false; packages.len()];
        let codes = nodes.iter().filter_map(|node| packages.code(&node.build.package));
        codes.for_each(|code| is_wanted[code.at()] = true);
        let mut book = Codebook::default();
        let contents = contents_of(environment, &mut book);
        Contents {
            book,
            coding: Coding::default(),
            is_wanted,
            contents: vec![None; index.specs() as usize],
            wanted: wanted.iter().map(|&node| contents[node]).collect(),
            nodes: contents,
            found: BTreeMap::new(),
            next: 0,
        }
    }

    /// Looks at the next builds; returns `false` if none are left.
    pub(super) fn step(&mut self, index: &Index) -> bool {
        let order = IndexGraph::new(index).in_order().unwrap_or_default();
        for &build in order.iter().skip(self.next).take(STEP) {
            let row = index.row_of(build);
            if !self.is_wanted[index.package_of(row).at()] {
                continue;
            }
            let decided = self.coding.row(&mut self.book, index, row);
            let outline = self.coding.outline(&mut self.book, index, decided, build);
            let whole = self.coding.whole(&mut self.book, index, outline, row, build);
            let Some(edges) = self.coding.edges(&mut self.book, index, build) else { continue };
            let edges = edges.into_iter().map(|(link, target)| {
                let content = match target {
                    EdgeTarget::Build(below) => self.contents[below.at()],
                    EdgeTarget::Unknown { .. } => None,
                };
                [link, content.unwrap_or_else(|| unknown(&mut self.book, hash_of(index, target)))]
            });
            let edges = edges.collect();
            let package = self.book.text(index.text(row, Facet::Package));
            let content = content(&mut self.book, package, whole, edges);
            self.contents[build.at()] = Some(content);
            if index.has_binary(row) && self.wanted.contains(&content) {
                self.found.entry(content).or_default().push(build);
            }
        }
        self.next += STEP;
        self.next < order.len()
    }

    /// Returns how many steps are left at most.
    pub(super) fn steps_left(&self) -> usize {
        self.contents.len().saturating_sub(self.next).div_ceil(STEP).max(1)
    }

    /// Returns the builds with the content of a node.
    pub(super) fn builds_like(&self, node: usize) -> &[BuildId] {
        self.found.get(&self.nodes[node]).map_or(&[], Vec::as_slice)
    }
}

/// Returns the content of each node of an environment.
fn contents_of(environment: &Environment, book: &mut Codebook) -> Vec<Content> {
    let nodes = &environment.nodes;
    let numbers = numbers(nodes);
    let below: Vec<Vec<usize>> = nodes
        .iter()
        .map(|node| dependencies(&node.build, &numbers).map(|(at, _)| at).collect())
        .collect();
    let all: Vec<usize> = (0..nodes.len()).collect();
    let mut contents = vec![None; nodes.len()];
    for node in super::blockers::from_below(&all, &below) {
        let build = &nodes[node].build;
        let number = |hash: &Hash| numbers.get(hash).copied();
        let aspects = Aspects::new(build, |edge| {
            number(&edge.hash).map(|at| nodes[at].build.version.as_str())
        });
        let coded = book.spec(&aspects);
        let edges = build.dependencies.iter().flatten().map(|edge| {
            let known = number(&edge.hash).and_then(|at| contents[at]);
            [book.dependency(edge), known.unwrap_or_else(|| unknown(book, Some(edge.hash)))]
        });
        let edges = edges.collect();
        let package = book.text(&build.package);
        contents[node] = Some(content(book, package, coded, edges));
    }
    contents.into_iter().flatten().collect()
}

/// Returns the number of a content; `edges` are pairs of what a dependency is for and its content.
fn content(book: &mut Codebook, package: u32, coded: Coded, mut edges: Vec<[u32; 2]>) -> Content {
    edges.sort_unstable();
    let mut list = vec![package];
    list.extend(coded.without_hashes());
    list.extend(edges.into_iter().flatten());
    book.number(&list)
}

/// Returns a number for a spec whose hash is all that is known.
fn unknown(book: &mut Codebook, hash: Option<Hash>) -> Content {
    let hash = hash.map_or(u32::MAX, |hash| book.hash(hash));
    book.number(&[u32::MAX, hash])
}

fn hash_of(index: &Index, target: EdgeTarget<'_>) -> Option<Hash> {
    match target {
        EdgeTarget::Build(build) => index.hash(build),
        EdgeTarget::Unknown { hash, .. } => Some(hash),
    }
}
