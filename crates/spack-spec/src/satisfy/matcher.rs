//! One spec asked of many builds.

use super::node::hash_matches;
use super::reach::{Memory, Question};
use super::{Answer, Edge, Graph, Missing};
use crate::spec::Node;
use crate::{Dialect, Spec};

/// Asks one spec of builds of one graph, and keeps what it learns about their dependencies.
///
/// ```
/// # use spack_spec::satisfy::{Answer, Graph, Matcher};
/// # use spack_spec::Spec;
/// fn matching<G: Graph<Node = usize>>(spec: &Spec, graph: &G) -> Vec<usize> {
///     let mut matcher = Matcher::new(spec, graph);
///     (0..graph.node_count()).filter(|build| matcher.answer(*build) == Answer::Yes).collect()
/// }
/// ```
pub struct Matcher<'s, G: Graph + ?Sized> {
    spec: &'s Spec,
    /// The root's name, if it is that of a virtual package.
    virtual_name: Option<&'s str>,
    pub(super) graph: &'s G,
    pub(super) memories: Vec<Memory<'s>>,
}

impl<'s, G: Graph + ?Sized> Matcher<'s, G> {
    /// Nothing is looked at yet.
    pub fn new(spec: &'s Spec, graph: &'s G) -> Matcher<'s, G> {
        let virtual_name = spec.root.name.as_deref().filter(|name| graph.is_virtual(name));
        Matcher { spec, virtual_name, graph, memories: Vec::new() }
    }

    /// Whether the node is what the spec asks for, dependencies and all.
    pub fn answer(&mut self, node: G::Node) -> Answer {
        let spec = self.spec;
        // Spack looks no further than the hash before it asks recipes for what a package provides.
        if let Some(name) = self.virtual_name
            && name != self.graph.name(node)
        {
            return match hash_matches(self.graph, node, &spec.root) {
                true => Answer::CannotTell(Missing::Providers),
                false => Answer::No,
            };
        }
        let answer = self.node(node, &spec.root, spec.dialect);
        if answer == Answer::No || spec.root.dependencies.is_empty() {
            return answer;
        }
        answer.and(self.dependencies(node))
    }

    /// Whether the dependencies of a node are as the spec asks, whatever the node is.
    ///
    /// For an index that knows better ways to the nodes that are otherwise as asked.
    pub fn dependencies(&mut self, node: G::Node) -> Answer {
        match self.spec.dialect {
            Dialect::V0 => self.dependencies_v0(node, &self.spec.root.dependencies),
            Dialect::V1 => self.dependencies_v1(node, &self.spec.root),
        }
    }

    /// Whether a node is as asked, its dependencies apart, but for what is asked of all below it.
    pub(super) fn node(&mut self, node: G::Node, wanted: &'s Node, dialect: Dialect) -> Answer {
        let answer = self.graph.matches(node, wanted, dialect);
        let is_propagated = wanted.variants.iter().any(|asked| asked.propagate);
        if answer == Answer::No || !is_propagated {
            return answer;
        }
        answer.and(match self.ask(Question::Contradicts(wanted), node) {
            Answer::Yes => Answer::No,
            Answer::No => Answer::Yes,
            cannot_tell => cannot_tell,
        })
    }

    /// Whether the lower end of an edge, which has the right name, is as asked.
    pub(super) fn child(&mut self, edge: &Edge<'_, G::Node>, wanted: &'s Node) -> Answer {
        match edge.node {
            _ if wanted.name.as_deref().is_some_and(|name| name != edge.package) => {
                edge.as_provider(self.graph, wanted)
            }
            Some(node) => self.node(node, wanted, self.spec.dialect),
            None if wanted.is_bare_name() => Answer::Yes,
            None => Answer::CannotTell(Missing::Dependencies),
        }
    }
}
