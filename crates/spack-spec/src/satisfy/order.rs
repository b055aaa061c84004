//! The order in which dependencies are visited.

use std::borrow::Cow;

use super::IndexedGraph;

/// Nodes, each after those that it depends on.
///
/// The list grows as more nodes are asked about, unless it starts with all of them. Nothing recurses, so no chain of
/// dependencies is too long. If the graph has a cycle, some node in it comes before one that it depends on.
pub(super) struct Order<'o, N: Clone> {
    pub(super) nodes: Cow<'o, [N]>,
    pub(super) is_complete: bool,
    /// For each node, whether it is in the list; empty before the first is added.
    met: Vec<bool>,
    /// For each link, whether any question follows its edges further down; empty or one entry per link.
    follows: Vec<bool>,
}

impl<'o, N: Copy> Order<'o, N> {
    pub(super) fn empty() -> Order<'o, N> {
        let nodes = Cow::Owned(Vec::new());
        Order { nodes, is_complete: false, met: Vec::new(), follows: Vec::new() }
    }

    pub(super) fn complete(nodes: &'o [N]) -> Order<'o, N> {
        Order { nodes: Cow::Borrowed(nodes), is_complete: true, ..Order::empty() }
    }

    /// Adds a node and the nodes below it, following all edges or only link and run dependencies.
    pub(super) fn add<G>(&mut self, graph: &G, root: N, over_all: bool)
    where
        G: IndexedGraph<Node = N> + ?Sized,
    {
        if self.is_complete {
            return;
        }
        if self.met.is_empty() {
            self.met = vec![false; graph.node_count()];
            let follows = |link| over_all || graph.link(link).is_linked_or_run();
            self.follows = (0..graph.link_count()).map(follows).collect();
        }
        let Order { nodes, met, follows, .. } = self;
        let mut is_new = |node: N| !std::mem::replace(&mut met[graph.index(node)], true);
        if !is_new(root) {
            return;
        }
        let edges = |node: N| graph.dependencies(node).into_iter().flatten();
        let mut open = vec![(root, edges(root))];
        while let Some((node, left)) = open.last_mut() {
            let mut children = left.filter(|edge| follows[edge.link]).filter_map(|edge| edge.node);
            match children.find(|child| is_new(*child)) {
                Some(child) => open.push((child, edges(child))),
                None => {
                    nodes.to_mut().push(*node);
                    open.pop();
                }
            }
        }
    }
}

/// Returns the given nodes of a graph and all nodes below them, each after those that it depends on, for
/// [`Matcher::over_all`](crate::Matcher::over_all). If the graph has a cycle, some node in it comes before one that it
/// depends on.
///
/// Where the order is free, lower numbers come first, so that lists indexed by node are read from start to end in a few
/// passes rather than at random.
pub fn dependency_order<G: IndexedGraph + ?Sized>(
    graph: &G,
    nodes: impl IntoIterator<Item = G::Node>,
) -> Vec<G::Node> {
    // For each node that was met, its level: how far up it is from nodes without dependencies. The level is final once
    // the node is left.
    let mut levels: Vec<Option<(u32, G::Node)>> = vec![None; graph.node_count()];
    let edges = |node: G::Node| graph.dependencies(node).into_iter().flatten();
    let mut open = Vec::new();
    let mut highest = 0;
    for node in nodes {
        if levels[graph.index(node)].is_some() {
            continue;
        }
        levels[graph.index(node)] = Some((0, node));
        open.push((node, edges(node), 0u32));
        while let Some((node, left, level)) = open.last_mut() {
            let new = left.filter_map(|edge| edge.node).find(|&child| {
                match &mut levels[graph.index(child)] {
                    Some((below, _)) => {
                        *level = (*level).max(below.saturating_add(1));
                        false
                    }
                    unmet => {
                        *unmet = Some((0, child));
                        true
                    }
                }
            });
            if let Some(child) = new {
                open.push((child, edges(child), 0));
                continue;
            }
            let (level, node) = (*level, *node);
            levels[graph.index(node)] = Some((level, node));
            highest = highest.max(level);
            open.pop();
            if let Some((_, _, above)) = open.last_mut() {
                *above = (*above).max(level.saturating_add(1));
            }
        }
    }
    // This is a counting sort, because there are few levels.
    let met = || levels.iter().flatten();
    let mut next = vec![0; highest as usize + 2];
    met().for_each(|&(level, _)| next[level as usize + 1] += 1);
    for level in 0..=highest as usize {
        next[level + 1] += next[level];
    }
    let Some(&(_, any)) = met().next() else { return Vec::new() };
    let mut sorted = vec![any; next[highest as usize + 1]];
    for &(level, node) in met() {
        let place = &mut next[level as usize];
        sorted[*place] = node;
        *place += 1;
    }
    sorted
}
