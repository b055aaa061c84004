//! The edges that a dependency may be looked for on.

use std::collections::BTreeSet;

use super::{Answer, Edge, Graph, Missing};
use crate::spec::{Deptypes, Node};

/// What is linked or run, from a node down, and what the node itself was built with.
pub(super) struct Closure<'a, N> {
    pub(super) edges: Vec<Edge<'a, N>>,
    /// Why there may be more.
    pub(super) missing: Option<Missing>,
}

impl<'a, N: Copy + Ord> Closure<'a, N> {
    pub(super) fn of<G: Graph<Node = N> + ?Sized>(graph: &'a G, root: N) -> Closure<'a, N> {
        let mut closure = Closure { edges: Vec::new(), missing: None };
        let mut seen = BTreeSet::from([root]);
        // First in, first out: what is nearest to the root is found first.
        let mut left = std::collections::VecDeque::from([root]);
        let mut builds = Vec::new();
        while let Some(node) = left.pop_front() {
            let Some(edges) = graph.dependencies(node) else {
                closure.missing = Some(Missing::Dependencies);
                continue;
            };
            let mut edges: Vec<Edge<'a, N>> = edges.collect();
            edges.sort_by_key(|edge| edge.package);
            for edge in edges {
                if !edge.deptypes.intersects(Deptypes::LINK.union(Deptypes::RUN)) {
                    if node == root && edge.deptypes.intersects(Deptypes::BUILD) {
                        builds.push(edge);
                    }
                    continue;
                }
                closure.edges.push(edge);
                match edge.node {
                    Some(child) if seen.insert(child) => left.push_back(child),
                    Some(_) => {}
                    None => closure.missing = Some(Missing::Dependencies),
                }
            }
        }
        closure.edges.append(&mut builds);
        closure
    }

    /// Those that can be meant by a name: a package's, or that of a virtual one that it stands for.
    pub(super) fn named(&self, name: Option<&str>) -> impl Iterator<Item = &Edge<'a, N>> {
        self.edges.iter().filter(move |edge| name.is_none_or(|name| edge.is_called(name)))
    }
}

impl<N> Edge<'_, N> {
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.package == name || self.stands_for(name)
    }

    /// What it means that it is asked for by the name of a virtual package that it stands for.
    ///
    /// Spack looks into the recipe of the provider, and knows none but those of its own repository.
    pub(super) fn as_provider<G: Graph<Node = N> + ?Sized>(
        &self,
        graph: &G,
        wanted: &Node,
    ) -> Answer
    where
        N: Copy + Ord,
    {
        let namespace = self.node.and_then(|node| graph.namespace(node));
        if namespace.is_some_and(|namespace| namespace != "builtin") {
            Answer::No
        } else if wanted.is_bare_name() {
            Answer::Yes
        } else {
            Answer::CannotTell(Missing::Providers)
        }
    }

    pub(super) fn stands_for(&self, name: &str) -> bool {
        self.virtuals.iter().any(|known| known == name)
    }
}
