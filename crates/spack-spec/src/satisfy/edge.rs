//! What an edge says about its lower end.

use std::collections::VecDeque;

use super::{Answer, Edge, Graph, Missing};
use crate::spec::{Deptypes, Node};

impl<N: Copy> Edge<'_, N> {
    /// Whether it can be meant by a name: that of the package, or of a virtual one that it stands
    /// for.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.package == name || self.stands_for(name)
    }

    pub(super) fn stands_for(&self, name: &str) -> bool {
        self.virtuals.iter().any(|known| known == name)
    }

    /// What it means that it is asked for by the name of a virtual package that it stands for.
    ///
    /// Spack looks into the recipe of the provider, and knows none but those of its own repository.
    pub(super) fn as_provider<G: Graph<Node = N> + ?Sized>(
        &self,
        graph: &G,
        wanted: &Node,
    ) -> Answer {
        let namespace = self.node.and_then(|node| graph.namespace(node));
        if namespace.is_some_and(|namespace| namespace != "builtin") {
            Answer::No
        } else if wanted.is_bare_name() {
            Answer::Yes
        } else {
            Answer::CannotTell(Missing::Providers)
        }
    }
}

/// The node that Spack takes for a name: the nearest of what is linked or run, else one that the
/// root was built with or is tested with. If there is none, whether the data would have it.
pub(super) fn nearest<G: Graph + ?Sized>(
    graph: &G,
    root: G::Node,
    name: &str,
) -> Result<G::Node, Option<Missing>> {
    let mut missing = None;
    let mut seen = vec![false; graph.node_count()];
    let mut left = VecDeque::from([root]);
    let mut built_with = None;
    while let Some(node) = left.pop_front() {
        let Some(edges) = graph.dependencies(node) else {
            missing = Some(Missing::Dependencies);
            continue;
        };
        for edge in by_package(edges) {
            let is_followed = edge.deptypes.intersects(Deptypes::LINK.union(Deptypes::RUN));
            match edge.node.filter(|_| edge.is_called(name)) {
                Some(found) if is_followed => return Ok(found),
                Some(found) if graph.index(node) == graph.index(root) => {
                    built_with = built_with.or(Some(found));
                }
                _ => {}
            }
            match edge.node {
                Some(child) if is_followed => {
                    if !std::mem::replace(&mut seen[graph.index(child)], true) {
                        left.push_back(child);
                    }
                }
                Some(_) => {}
                None => missing = Some(Missing::Dependencies),
            }
        }
    }
    built_with.ok_or(missing)
}

/// By insertion, since there are few and mostly in order.
fn by_package<'a, N>(edges: impl Iterator<Item = Edge<'a, N>>) -> Vec<Edge<'a, N>> {
    let mut sorted: Vec<Edge<'a, N>> = Vec::new();
    for edge in edges {
        let later = sorted.iter().rev().take_while(|other| other.package > edge.package).count();
        sorted.insert(sorted.len() - later, edge);
    }
    sorted
}
