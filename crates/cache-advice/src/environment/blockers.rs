//! Which missing nodes other nodes wait for.

use cache_index::environment::Environment;

use super::coverage::{Coverage, Status, dependencies, numbers};

/// The missing nodes of an environment, as a graph: each points to those that wait for it.
///
/// A missing node *blocks* the missing nodes above it: those that depend on it or are spliced from it, directly or
/// through other missing nodes. A cached node waits for nothing, even if some of its build dependencies are missing.
#[derive(Clone, Debug)]
pub struct Blockers {
    /// The missing nodes, those that block most first; ties in the order of the environment.
    ranked: Vec<usize>,
    /// For each node: how many others wait for it.
    blocks: Vec<usize>,
    /// For each node: the missing nodes that it directly waits for.
    waits_for: Vec<Vec<usize>>,
}

impl Blockers {
    /// Computes which node waits for which. The time is proportional to the number of missing nodes times the edges
    /// between them, divided by [`BLOCK`].
    pub fn new(environment: &Environment, coverage: &Coverage) -> Blockers {
        let nodes = &environment.nodes;
        let numbers = numbers(nodes);
        let missing: Vec<usize> = coverage.missing().collect();
        let mut waits_for = vec![Vec::new(); nodes.len()];
        let mut waiting = vec![Vec::new(); nodes.len()];
        for &node in &missing {
            let needed = dependencies(&nodes[node].build, &numbers).map(|(below, _)| below);
            // Spack rewires the binary of what a node is spliced from.
            let from = nodes[node].spliced_from.and_then(|from| numbers.get(&from).copied());
            for below in needed.chain(from) {
                if coverage.status(below) == Status::Missing && below != node {
                    waits_for[node].push(below);
                    waiting[below].push(node);
                }
            }
            waits_for[node].sort_unstable();
            waits_for[node].dedup();
        }
        let blocks = count_above(&missing, &waits_for, &waiting);
        let mut ranked = missing;
        ranked.sort_by_key(|&node| std::cmp::Reverse(blocks[node]));
        Blockers { ranked, blocks, waits_for }
    }

    /// Returns the missing nodes, those that block most first.
    pub fn ranked(&self) -> &[usize] {
        &self.ranked
    }

    /// Returns how many missing nodes wait for a node, directly or not.
    pub fn blocks(&self, node: usize) -> usize {
        self.blocks[node]
    }

    /// Returns the missing nodes that a node directly waits for, ascending.
    pub fn waits_for(&self, node: usize) -> &[usize] {
        &self.waits_for[node]
    }

    /// Returns the missing nodes that others wait for. Once these are built, nothing else has to wait.
    pub fn blocking(&self) -> &[usize] {
        let end = self.ranked.partition_point(|&node| self.blocks[node] > 0);
        &self.ranked[..end]
    }

    /// Returns the missing nodes that no other node waits for: the roots of the graph.
    pub fn tops(&self) -> &[usize] {
        &self.ranked[self.blocking().len()..]
    }

    /// Returns for each node the length of the longest chain of missing nodes that ends with it; 0 for a node that is
    /// not missing.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.blocks.len()];
        for &node in &from_below(&self.ranked, &self.waits_for) {
            let below = self.waits_for[node].iter().map(|&below| depths[below]).max();
            depths[node] = 1 + below.unwrap_or(0);
        }
        depths
    }
}

/// Orders the missing nodes so that each comes after those it waits for. In a cycle, which no real environment has, one
/// edge is ignored.
pub(super) fn from_below(missing: &[usize], waits_for: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(missing.len());
    let mut seen = vec![false; waits_for.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    for &start in missing {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        open.push((start, 0));
        while let Some((node, next)) = open.last_mut() {
            match waits_for[*node].get(*next) {
                Some(&below) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[below], true) {
                        open.push((below, 0));
                    }
                }
                None => {
                    order.push(*node);
                    open.pop();
                }
            }
        }
    }
    order
}

/// How many nodes are followed at a time.
const BLOCK: usize = 64 * WORDS;
const WORDS: usize = 8;

/// Counts for each node the distinct missing nodes above it, [`BLOCK`] of these at a time. The set of those above a
/// node is the union of what waits for it directly and of the sets of these, so the sets are computed from the top
/// down.
fn count_above(missing: &[usize], waits_for: &[Vec<usize>], waiting: &[Vec<usize>]) -> Vec<usize> {
    let mut order = from_below(missing, waits_for);
    order.reverse();
    let mut counts = vec![0; waits_for.len()];
    for start in (0..order.len()).step_by(BLOCK) {
        let mut numbers = vec![None; waits_for.len()];
        let block = order[start..].iter().take(BLOCK);
        block.enumerate().for_each(|(at, &node)| numbers[node] = Some(at));
        let mut above = vec![[0u64; WORDS]; waits_for.len()];
        for &node in &order[start..] {
            let mut set = [0; WORDS];
            for &upper in &waiting[node] {
                set.iter_mut().zip(above[upper]).for_each(|(own, theirs)| *own |= theirs);
                if let Some(at) = numbers[upper] {
                    set[at / 64] |= 1 << (at % 64);
                }
            }
            if let Some(at) = numbers[node] {
                set[at / 64] &= !(1 << (at % 64));
            }
            counts[node] += set.iter().map(|word| word.count_ones() as usize).sum::<usize>();
            above[node] = set;
        }
    }
    counts
}
