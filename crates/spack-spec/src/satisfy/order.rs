//! The order in which dependencies are visited.

use std::borrow::Cow;

use super::Indexed;

/// Nodes, each after those that it depends on.
///
/// The list grows as more nodes are asked about, unless it starts with all of them. Nothing recurses, so no chain of
/// dependencies is too long. If the graph has a cycle, some node in it comes before one that it depends on.
pub(super) struct Order<'o, N: Clone> {
    pub(super) nodes: Cow<'o, [N]>,
    is_complete: bool,
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
        G: Indexed<Node = N> + ?Sized,
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

/// Returns nodes of a graph and all below them, each after those that it depends on, for
/// [`Matcher::over_all`](super::Matcher::over_all). If the graph has a cycle, some node in it comes before one that it
/// depends on.
pub fn in_order<G: Indexed + ?Sized>(
    graph: &G,
    nodes: impl IntoIterator<Item = G::Node>,
) -> Vec<G::Node> {
    let mut order = Order::empty();
    for node in nodes {
        order.add(graph, node, true);
    }
    let mut nodes = order.nodes.into_owned();
    // Where the order is free, lower numbers come first, so that lists indexed by node are read from start to end in a
    // few passes rather than at random.
    let mut levels = vec![0u32; graph.node_count()];
    for &node in &nodes {
        let below = graph.dependencies(node).into_iter().flatten().filter_map(|edge| edge.node);
        let highest = below.map(|child| levels[graph.index(child)]).max();
        levels[graph.index(node)] = highest.map_or(0, |level| level.saturating_add(1));
    }
    nodes.sort_unstable_by_key(|&node| (levels[graph.index(node)], graph.index(node)));
    nodes
}
