//! Which nodes of an environment are in the cache.

use std::collections::BTreeMap;

use cache_index::build::{Build, Dependency, Hash};
use cache_index::environment::{Environment, Node};
use cache_index::index::{BuildId, Index};

/// The nodes of an environment that a cache has.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// For each node, in the order of [`Environment::nodes`].
    statuses: Vec<Status>,
    /// For each node: whether it is needed to run the roots.
    needed_to_run: Vec<bool>,
    is_root: Vec<bool>,
    /// For each node that is missing only because its build does not count: that build.
    left_out: Vec<Option<BuildId>>,
}

/// How a node gets installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is on the machine already: Spack neither builds nor fetches it.
    External,
    /// The cache has the binary that it is installed from: the one with exactly this hash, or for a spliced spec that of the
    /// build that it was [spliced from](Node::spliced_from).
    Cached(BuildId),
    /// It must be built.
    Missing,
}

/// The number of nodes of each kind; every node is either external, cached or missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All nodes.
    pub nodes: usize,
    /// Nodes that are on the machine already.
    pub external: usize,
    /// Nodes that the cache has.
    pub cached: usize,
    /// Nodes that must be built.
    pub missing: usize,
    /// Missing nodes that are built from sources on the user's machine.
    pub developed: usize,
    /// Missing nodes that the cache has, and that filters leave out.
    pub left_out: usize,
    /// Missing nodes that the cache has under another hash: a build that is the same in all else.
    pub by_content: usize,
}

impl Counts {
    /// Returns the share of the nodes that are not external that the cache has, from 0 to 1; 1 if there are none.
    pub fn share(&self) -> f64 {
        let wanted = self.nodes - self.external;
        if wanted == 0 { 1.0 } else { self.cached as f64 / wanted as f64 }
    }
}

impl Coverage {
    /// Looks up every node in an index; `counts` says which of its builds count as being there.
    ///
    /// Nodes are missing while the index [has no hashes](Index::has_hashes).
    pub fn new(
        index: &Index,
        environment: &Environment,
        counts: impl Fn(BuildId) -> bool,
    ) -> Coverage {
        let nodes = &environment.nodes;
        let hashes: Vec<Hash> = nodes.iter().map(installed_from).collect();
        let found = index.find_all(&hashes);
        let status = |(node, found): (&Node, Option<BuildId>)| match found {
            _ if node.build.external => Status::External,
            Some(build) if counts(build) => Status::Cached(build),
            _ => Status::Missing,
        };
        let is_left_out =
            |build: &BuildId| index.has_binary(index.row_of(*build)) && !counts(*build);
        let left_out = |(node, found): (&Node, &Option<BuildId>)| {
            found.filter(|build| !node.build.external && is_left_out(build))
        };
        let left_out = nodes.iter().zip(&found).map(left_out).collect();
        let statuses = nodes.iter().zip(found).map(status).collect();
        let mut is_root = vec![false; nodes.len()];
        let numbers = numbers(nodes);
        let roots: Vec<usize> =
            environment.roots.iter().filter_map(|root| numbers.get(&root.hash?).copied()).collect();
        roots.iter().for_each(|&root| is_root[root] = true);
        let needed_to_run = needed_to_run(nodes, &numbers, roots);
        Coverage { statuses, needed_to_run, is_root, left_out }
    }

    /// Returns how a node gets installed.
    pub fn status(&self, node: usize) -> Status {
        self.statuses[node]
    }

    /// Returns `true` for a node that was asked for.
    pub fn is_root(&self, node: usize) -> bool {
        self.is_root[node]
    }

    /// Returns `true` for a missing node that the cache has, and that filters leave out.
    pub fn is_left_out(&self, node: usize) -> bool {
        self.left_out[node].is_some()
    }

    /// Returns the build whose binary a node is installed from, whether filters leave it out or not; `None` if the cache
    /// does not have it.
    pub fn build(&self, node: usize) -> Option<BuildId> {
        match self.statuses[node] {
            Status::Cached(build) => Some(build),
            Status::External | Status::Missing => self.left_out[node],
        }
    }

    /// Returns `true` if a node is needed to run the roots: it is a root, or is a link or run dependency of such a
    /// node. All others are only needed for building.
    pub fn is_needed_to_run(&self, node: usize) -> bool {
        self.needed_to_run[node]
    }

    /// Returns the nodes that must be built, in the order of the environment.
    pub fn missing(&self) -> impl Iterator<Item = usize> {
        (0..self.statuses.len()).filter(|&node| self.statuses[node] == Status::Missing)
    }

    /// Counts all nodes.
    pub fn counts(&self, environment: &Environment) -> Counts {
        self.counts_of(environment, |_| true)
    }

    /// Counts the nodes needed to run the roots.
    pub fn counts_to_run(&self, environment: &Environment) -> Counts {
        self.counts_of(environment, |node| self.needed_to_run[node])
    }

    /// Counts the roots.
    pub fn counts_of_roots(&self, environment: &Environment) -> Counts {
        self.counts_of(environment, |node| self.is_root[node])
    }

    fn counts_of(&self, environment: &Environment, counted: impl Fn(usize) -> bool) -> Counts {
        let mut counts = Counts::default();
        for (at, node) in environment.nodes.iter().enumerate().filter(|&(at, _)| counted(at)) {
            counts.nodes += 1;
            match self.statuses[at] {
                Status::External => counts.external += 1,
                Status::Cached(_) => counts.cached += 1,
                Status::Missing => {
                    counts.missing += 1;
                    counts.developed += usize::from(node.is_developed());
                    counts.left_out += usize::from(self.is_left_out(at));
                }
            }
        }
        counts
    }
}

/// Returns the hash of the binary that a node is installed from. Spack never fetches the binary of a spliced spec: it rewires
/// the one of the build that the spec was spliced from.
pub(super) fn installed_from(node: &Node) -> Hash {
    node.spliced_from.unwrap_or(node.build.hash)
}

/// Maps the hash of each node to its index.
pub(super) fn numbers(nodes: &[Node]) -> BTreeMap<Hash, usize> {
    nodes.iter().enumerate().map(|(at, node)| (node.build.hash, at)).collect()
}

/// Returns the indices of the nodes that a node depends on, without those that the environment does not list.
pub(super) fn dependencies<'e>(
    build: &'e Build,
    numbers: &'e BTreeMap<Hash, usize>,
) -> impl Iterator<Item = (usize, &'e Dependency)> + 'e {
    let edges = build.dependencies.iter().flatten();
    edges.filter_map(|edge| Some((*numbers.get(&edge.hash)?, edge)))
}

fn needed_to_run(
    nodes: &[Node],
    numbers: &BTreeMap<Hash, usize>,
    mut open: Vec<usize>,
) -> Vec<bool> {
    let mut needed = vec![false; nodes.len()];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut needed[node], true) {
            let edges = dependencies(&nodes[node].build, numbers);
            open.extend(edges.filter(|(_, edge)| edge.is_needed_to_run()).map(|(at, _)| at));
        }
    }
    needed
}
