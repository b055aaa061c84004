//! The node that a name refers to.

use super::Matcher;
use crate::satisfy::{IndexedGraph, MissingData};

/// The path from a node to the nearest node that a name can refer to.
#[derive(Clone, Copy)]
struct Way<N> {
    /// The distance in edges, and the node; `None` if there is no such node.
    nearest: Option<(u32, N)>,
    /// `true` if some edge leads to an unknown node.
    is_lost: bool,
}

/// The paths to the nodes that one name can refer to.
pub(super) struct Ways<'s, N> {
    name: &'s str,
    /// For each link: whether it is followed, and whether it has the name.
    links: Vec<[bool; 2]>,
    /// For each node, by its index.
    known: Vec<Way<N>>,
    /// How many nodes of the order have been evaluated.
    done: usize,
}

impl<'s, G: IndexedGraph + ?Sized> Matcher<'s, G> {
    /// Returns the node that Spack means by a name: the nearest link or run dependency, or else one that the root was
    /// built or tested with. If there is none, the error is the missing data that might contain such a node, or `None`.
    ///
    /// Among nodes at the same distance, the path through the alphabetically first package wins.
    pub(super) fn nearest(
        &mut self,
        root: G::Node,
        name: &'s str,
    ) -> Result<G::Node, Option<MissingData>> {
        let graph = self.graph;
        self.order.add(graph, root, self.looks_everywhere);
        let place = match self.ways.iter().position(|ways| ways.name == name) {
            Some(place) => place,
            None => {
                let known = vec![Way { nearest: None, is_lost: false }; graph.node_count()];
                let link = |link| {
                    let link = graph.link(link);
                    [link.is_linked_or_run(), link.is_called(name)]
                };
                let links = (0..graph.link_count()).map(link).collect();
                self.ways.push(Ways { name, links, known, done: 0 });
                self.ways.len() - 1
            }
        };
        let ways = &mut self.ways[place];
        while let Some(&node) = self.order.nodes.get(ways.done) {
            ways.known[graph.index(node)] = ways.from(graph, node);
            ways.done += 1;
        }
        let way = ways.known[graph.index(root)];
        let built_with = || {
            let edges = graph.dependencies(root).into_iter().flatten();
            let called = edges
                .filter_map(|edge| Some((graph.link(edge.link), edge.node?)))
                .filter(|(link, _)| link.is_called(name));
            called.min_by_key(|(link, _)| link.package).map(|(_, node)| node)
        };
        let nearest = way.nearest.map(|(_, node)| node).or_else(built_with);
        nearest.ok_or_else(|| way.is_lost.then_some(MissingData::Dependencies))
    }
}

impl<N: Copy> Ways<'_, N> {
    fn from<G: IndexedGraph<Node = N> + ?Sized>(&self, graph: &G, node: N) -> Way<N> {
        let Some(edges) = graph.dependencies(node) else {
            return Way { nearest: None, is_lost: true };
        };
        let mut best: Option<(u32, usize, N)> = None;
        let mut is_lost = false;
        for edge in edges {
            let [is_followed, is_called] = self.links[edge.link];
            let Some(child) = edge.node.filter(|_| is_followed) else {
                is_lost |= edge.node.is_none();
                continue;
            };
            let way = self.known[graph.index(child)];
            is_lost |= way.is_lost;
            let found = match is_called {
                true => Some((1, child)),
                false => way.nearest.map(|(steps, found)| (steps.saturating_add(1), found)),
            };
            let Some((steps, found)) = found else { continue };
            let is_better = best.is_none_or(|(least, link, _)| {
                let packages = || graph.link(edge.link).package < graph.link(link).package;
                steps < least || steps == least && packages()
            });
            if is_better {
                best = Some((steps, edge.link, found));
            }
        }
        Way { nearest: best.map(|(steps, _, found)| (steps, found)), is_lost }
    }
}
