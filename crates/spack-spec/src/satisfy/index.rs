//! The interface for data that is stored as an index: each distinct thing once, and by number.
//!
//! A [`Graph`](super::Graph) is easier to implement; [`Numbered`] makes one of these from it.

use std::collections::HashMap;

use super::{Answer, Compiler, Facts, Graph, Link, node};
use crate::spec::Node;
use crate::virtuals;
use crate::{Dialect, VariantValue, Version};

pub use super::order::in_order;
pub use crate::virtuals::is_known as is_known_virtual;

/// A graph that keeps each distinct thing once.
///
/// A cache has many nodes and few kinds of them. An index that stores each distinct version, set of
/// variants and so on once says by [`kind`](Indexed::kind) and by [`Link`]s which nodes and edges
/// are alike, and each kind is asked about once.
///
/// Each method answers for one node. Where the data does not say something, `None` leads to
/// [`Answer::CannotTell`] where it matters, and is never taken for a no.
pub trait Indexed {
    /// Identifies a node.
    type Node: Copy;

    /// The number of nodes.
    fn node_count(&self) -> usize;

    /// A number below [`node_count`](Indexed::node_count) that no other node has. What is learnt
    /// of nodes is kept in lists by it.
    fn index(&self, node: Self::Node) -> usize;

    /// A number that is the same only for nodes that differ in nothing but hash, compiler and
    /// dependencies.
    fn kind(&self, node: Self::Node) -> usize {
        self.index(node)
    }

    /// A number above all kinds.
    fn kind_count(&self) -> usize {
        self.node_count()
    }

    /// The package.
    fn name(&self, node: Self::Node) -> &str;

    /// Returns `true` if the hash starts with this text. Case counts.
    fn hash_starts_with(&self, node: Self::Node, prefix: &str) -> bool;

    /// The repository of the recipe; `None` if the data does not say.
    fn namespace(&self, node: Self::Node) -> Option<&str>;

    /// The version.
    fn version(&self, node: Self::Node) -> &Version;

    /// What the variant of this name is set to; `None` if the node has no such variant.
    fn variant(&self, node: Self::Node, name: &str) -> Option<&VariantValue>;

    /// Platform, operating system and target.
    fn architecture(&self, node: Self::Node) -> [&str; 3];

    /// The compiler flags of one name (`cflags`); `None` if the data does not say.
    fn flags(&self, node: Self::Node, name: &str) -> Option<&[String]>;

    /// What it was compiled by, and how the data says so.
    fn compiler(&self, node: Self::Node) -> Compiler<'_>;

    /// The direct dependencies; `None` if the data does not list dependencies.
    fn dependencies(&self, node: Self::Node) -> Option<impl Iterator<Item = Edge<Self::Node>>>;

    /// The number of links.
    fn link_count(&self) -> usize;

    /// What the [edges](Edge) with this link have in common.
    fn link(&self, link: usize) -> Link<'_>;

    /// Returns `true` if this is the name of a virtual package. Which packages provide it is then
    /// [`Missing::Providers`](crate::Missing).
    ///
    /// The default knows the virtual packages of Spack's own repository; add those that edges name.
    fn is_virtual(&self, name: &str) -> bool {
        virtuals::is_known(name)
    }

    /// The nodes that stand for the virtual package of this name on some edge. Other nodes may
    /// provide it too, without being needed for it.
    fn stood_for(&self, name: &str) -> Vec<Self::Node> {
        let _ = name;
        Vec::new()
    }

    /// The virtual packages that the node provides, as `mpi` or with a version as `libgfortran@5`;
    /// `None` if the data does not say.
    fn provided(&self, node: Self::Node) -> Option<&[String]> {
        let _ = node;
        None
    }

    /// Returns the answer for all that is asked of a node itself, without its dependencies. A
    /// propagated variant (`++x`) is asked of it only if it has that variant; the name of a virtual
    /// package is like any name that is not the node's own.
    fn matches(&self, node: Self::Node, wanted: &Node, dialect: Dialect) -> Answer {
        match node::kind_matches(self, node, wanted, dialect) {
            Answer::No => Answer::No,
            answer => answer.and(node::node_matches(self, node, wanted)),
        }
    }
}

/// An edge to a dependency.
#[derive(Clone, Copy, Debug)]
pub struct Edge<N> {
    /// The number of its [link](Indexed::link).
    pub link: usize,
    /// The node depended on; `None` if the data has only its name.
    pub node: Option<N>,
}

/// A [`Graph`] with numbers for its edges, made once to be asked many questions.
///
/// ```
/// use spack_spec::Spec;
/// use spack_spec::satisfy::{Answer, Graph, Matcher, Numbered};
///
/// fn matching(spec: &Spec, graph: &impl Graph) -> Vec<usize> {
///     let numbered = Numbered::new(graph);
///     let mut matcher = Matcher::new(spec, &numbered);
///     (0..graph.node_count()).filter(|node| matcher.answer(*node) == Answer::Yes).collect()
/// }
/// ```
#[derive(Debug)]
pub struct Numbered<'g, G: ?Sized> {
    graph: &'g G,
    links: Vec<Link<'g>>,
    /// By node; `None` if the data does not list dependencies.
    edges: Vec<Option<Vec<Edge<usize>>>>,
}

impl<'g, G: Graph + ?Sized> Numbered<'g, G> {
    /// Reads the edges of all nodes.
    pub fn new(graph: &'g G) -> Numbered<'g, G> {
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
        Numbered { graph, links, edges }
    }

    fn facts(&self, node: usize) -> Facts<'g> {
        self.graph.facts(node)
    }
}

impl<G: Graph + ?Sized> Indexed for Numbered<'_, G> {
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
        is_known_virtual(name) || self.links.iter().any(|link| link.stands_for(name))
    }
}
