//! The interface for data stored as an index: each distinct thing once, identified by a number.
//!
//! A [`Graph`] is easier to implement; [`NumberedGraph`] turns one into an `IndexedGraph`.

use std::collections::HashMap;

use super::{Compiler, Facts, Graph, Link};
use crate::virtuals;
use crate::{VariantValue, Version};

/// A graph that stores each distinct thing once.
///
/// A cache has many nodes but few kinds of them. An index that stores each distinct version, set of variants and so on
/// once can report which nodes and edges are alike, through [`kind`](IndexedGraph::kind) and [`Link`]s. Each kind is
/// then evaluated only once.
///
/// Each method answers for one node. If the data does not say something, return `None`: where it matters, the answer is
/// then [`Satisfies::CannotTell`](super::Satisfies::CannotTell), never a guess.
pub trait IndexedGraph {
    /// Identifies a node.
    type Node: Copy;

    /// Returns the number of nodes.
    fn node_count(&self) -> usize;

    /// Returns a number below [`node_count`](IndexedGraph::node_count) that no other node has. Results are kept in lists
    /// indexed by it.
    fn index(&self, node: Self::Node) -> usize;

    /// Returns a number that two nodes share only if they differ in nothing but hash, compiler and dependencies.
    fn kind(&self, node: Self::Node) -> usize {
        self.index(node)
    }

    /// Returns a number above all kinds.
    fn kind_count(&self) -> usize {
        self.node_count()
    }

    /// Returns the package.
    fn name(&self, node: Self::Node) -> &str;

    /// Returns `true` if the hash starts with this text. The comparison is case-sensitive.
    fn hash_starts_with(&self, node: Self::Node, prefix: &str) -> bool;

    /// Returns the repository of the recipe; `None` if the data does not say.
    fn namespace(&self, node: Self::Node) -> Option<&str>;

    /// Returns the version.
    fn version(&self, node: Self::Node) -> &Version;

    /// Returns the value of the variant of this name; `None` if the node has no such variant.
    fn variant(&self, node: Self::Node, name: &str) -> Option<&VariantValue>;

    /// Returns platform, operating system and target.
    fn architecture(&self, node: Self::Node) -> [&str; 3];

    /// Returns the compiler flags of one name (`cflags`); `None` if the data does not say.
    fn flags(&self, node: Self::Node, name: &str) -> Option<&[String]>;

    /// Returns the compiler, in the form in which the data records it.
    fn compiler(&self, node: Self::Node) -> Compiler<'_>;

    /// Iterates over the direct dependencies; `None` if the data does not list dependencies.
    fn dependencies(&self, node: Self::Node) -> Option<impl Iterator<Item = Edge<Self::Node>>>;

    /// Returns the number of links.
    fn link_count(&self) -> usize;

    /// Returns what the [edges](Edge) with this link have in common.
    fn link(&self, link: usize) -> Link<'_>;

    /// Returns `true` if this is the name of a virtual package. If the data does not say which packages provide it, the
    /// answer is [`MissingData::Providers`](crate::MissingData).
    ///
    /// The default knows the virtual packages of Spack's own repository; add those that edges name.
    fn is_virtual(&self, name: &str) -> bool {
        virtuals::is_virtual(name)
    }

    /// Returns the nodes that provide the virtual package of this name on some edge. Other nodes may provide it too,
    /// without having been used for it.
    fn stood_for(&self, name: &str) -> Vec<Self::Node> {
        let _ = name;
        Vec::new()
    }

    /// Returns the virtual packages that the node provides, as `mpi` or with a version as `libgfortran@5`; `None` if
    /// the data does not say.
    fn provided(&self, node: Self::Node) -> Option<&[String]> {
        let _ = node;
        None
    }
}

/// An edge to a dependency.
#[derive(Clone, Copy, Debug)]
pub struct Edge<N> {
    /// The number of its [link](IndexedGraph::link).
    pub link: usize,
    /// The dependency's node; `None` if the data has only its name.
    pub node: Option<N>,
}

/// A [`Graph`] whose edges have been numbered, to ask many questions.
///
/// ```
/// use spack_spec::{Graph, Matcher, NumberedGraph, Satisfies, Spec};
///
/// fn matching(spec: &Spec, graph: &impl Graph) -> Vec<usize> {
///     let numbered = NumberedGraph::new(graph);
///     let mut matcher = Matcher::new(spec, &numbered);
///     (0..graph.node_count()).filter(|node| matcher.answer(*node) == Satisfies::Yes).collect()
/// }
/// ```
#[derive(Debug)]
pub struct NumberedGraph<'g, G: ?Sized> {
    graph: &'g G,
    links: Vec<Link<'g>>,
    /// The edges of each node; `None` if the data does not list dependencies.
    edges: Vec<Option<Vec<Edge<usize>>>>,
}

impl<'g, G: Graph + ?Sized> NumberedGraph<'g, G> {
    /// Reads the edges of all nodes.
    pub fn new(graph: &'g G) -> NumberedGraph<'g, G> {
        let mut links = Vec::new();
        let mut numbers = HashMap::new();
        let mut edge = |(link, node)| {
            let link = *numbers.entry(link).or_insert_with(|| {
                links.push(link);
                links.len() - 1
            });
            Edge { link, node }
        };
        let edges = (0..graph.node_count())
            .map(|node| Some(graph.dependencies(node)?.into_iter().map(&mut edge).collect()))
            .collect();
        NumberedGraph { graph, links, edges }
    }

    fn facts(&self, node: usize) -> Facts<'g> {
        self.graph.facts(node)
    }
}

impl<G: Graph + ?Sized> IndexedGraph for NumberedGraph<'_, G> {
    type Node = usize;

    fn node_count(&self) -> usize {
        self.edges.len()
    }

    fn index(&self, node: usize) -> usize {
        node
    }

    fn name(&self, node: usize) -> &str {
        self.facts(node).name
    }

    fn hash_starts_with(&self, node: usize, prefix: &str) -> bool {
        self.facts(node).hash.starts_with(prefix)
    }

    fn namespace(&self, node: usize) -> Option<&str> {
        self.facts(node).namespace
    }

    fn version(&self, node: usize) -> &Version {
        self.facts(node).version
    }

    fn variant(&self, node: usize, name: &str) -> Option<&VariantValue> {
        self.graph.variant(node, name)
    }

    fn architecture(&self, node: usize) -> [&str; 3] {
        self.facts(node).architecture
    }

    fn flags(&self, node: usize, name: &str) -> Option<&[String]> {
        let flags = self.facts(node).flags?.iter().find(|(known, _)| known == name);
        Some(flags.map_or(&[], |(_, flags)| flags))
    }

    fn compiler(&self, node: usize) -> Compiler<'_> {
        self.facts(node).compiler
    }

    fn dependencies(&self, node: usize) -> Option<impl Iterator<Item = Edge<usize>>> {
        Some(self.edges[node].as_ref()?.iter().copied())
    }

    fn link_count(&self) -> usize {
        self.links.len()
    }

    fn link(&self, link: usize) -> Link<'_> {
        self.links[link]
    }

    fn is_virtual(&self, name: &str) -> bool {
        virtuals::is_virtual(name) || self.links.iter().any(|link| link.stands_for(name))
    }
}
