//! Which spec of the old side a spec of the new side is compared with.
//!
//! Specs of one package are paired, each at most once. Pairs that differ in the fewest aspects are made first; among
//! these, pairs for the same operating system, then those with the fewest edges that only one of the two has, and then
//! those with the fewest edges to specs that are not paired with each other. So packages are paired after those that
//! they depend on. Swapping the sides gives the same pairs. Where stacks matter, both specs [share one](super::stacks),
//! unless one of them is in none.

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::Hash;

use super::graph::{Edge, Graph, Spec, Target};
use super::pauses::Pauses;
use super::stacks::may_be_counterparts;
use crate::differences::Aspect;
use crate::differences::likeness::Codebook;

/// The maximum number of comparisons for a package.
const LIMIT: usize = 10_000;

/// The aspects in which specs must agree to be compared, by round, if there are too many to compare all.
const ROUNDS: [&[Aspect]; 4] = [
    &[
        Aspect::Version,
        Aspect::Architecture,
        Aspect::Compiler,
        Aspect::Variants,
        Aspect::Flags,
        Aspect::Patches,
        Aspect::Dependencies,
        Aspect::Recipe,
    ],
    &[Aspect::Architecture, Aspect::Compiler, Aspect::Variants, Aspect::Dependencies],
    &[Aspect::Variants, Aspect::Dependencies],
    &[],
];

/// The pairs so far: for each spec of one side, its counterpart on the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    pub(super) of_old: Vec<Option<u32>>,
    pub(super) of_new: Vec<Option<u32>>,
    /// For each spec of the old side, its hash if both sides have it: then edges to it are stored with that hash.
    shared: Vec<Option<Hash>>,
    /// The operating systems that both sides have, where stacks matter.
    lasting: BTreeSet<u32>,
}

/// How the edges of two specs differ, as positions in their lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EdgeChanges {
    /// Edges that only the old spec has.
    pub(super) gone: Vec<usize>,
    /// Edges that only the new spec has.
    pub(super) come: Vec<usize>,
    /// Edges that both have, but that point to builds that are not counterparts of each other.
    pub(super) redirected: Vec<(usize, usize)>,
}

/// Pairs the specs of two graphs whose numbers are from the same book. Unless both are in stacks, a spec for a
/// `lasting` operating system is only paired with one for the same system.
pub(super) async fn pair(
    old: &Graph,
    new: &Graph,
    book: &Codebook,
    lasting: &BTreeSet<u32>,
    pauses: &mut Pauses<impl AsyncFnMut()>,
) -> Pairs {
    #[derive(Default)]
    struct Package {
        height: u32,
        old: Vec<usize>,
        new: Vec<usize>,
    }
    let mut packages: BTreeMap<u32, Package> = BTreeMap::new();
    for (graph, is_new) in [(old, false), (new, true)] {
        for (at, height) in graph.heights(pauses).await.into_iter().enumerate() {
            let package = packages.entry(graph.specs[at].package).or_default();
            package.height = package.height.max(height);
            if is_new { &mut package.new } else { &mut package.old }.push(at);
        }
    }
    let mut packages: Vec<(u32, Package)> = packages.into_iter().collect();
    packages.sort_by_key(|(name, package)| (package.height, book.spelled(*name)));
    let mut pairs = Pairs {
        of_old: vec![None; old.specs.len()],
        of_new: vec![None; new.specs.len()],
        shared: old.specs.iter().map(|spec| spec.is_shared.then_some(spec.hash)).collect(),
        lasting: lasting.clone(),
    };
    for (_, Package { old: mut olds, new: mut news, .. }) in packages {
        olds.sort_by_cached_key(|&at| old.specs[at].hash.text());
        news.sort_by_cached_key(|&at| new.specs[at].hash.text());
        for round in ROUNDS {
            let is_last = round.is_empty() || olds.len() * news.len() <= LIMIT;
            let round = if is_last { &[] } else { round };
            pairs.greedily((old, &olds), (new, &news), round, pauses).await;
            olds.retain(|&at| pairs.of_old[at].is_none());
            news.retain(|&at| pairs.of_new[at].is_none());
            if is_last {
                break;
            }
        }
    }
    pairs
}

impl Pairs {
    /// Pairs specs of one package that agree in these aspects. Where there are still too many to compare all, they are
    /// paired in their order.
    async fn greedily(
        &mut self,
        (old, olds): (&Graph, &[usize]),
        (new, news): (&Graph, &[usize]),
        agree: &[Aspect],
        pauses: &mut Pauses<impl AsyncFnMut()>,
    ) {
        type Group = (Vec<usize>, Vec<usize>);
        let mut groups: BTreeMap<Vec<u32>, Group> = BTreeMap::new();
        let key = |spec: &Spec| agree.iter().map(|&aspect| spec.coded.number(aspect)).collect();
        for &at in olds {
            groups.entry(key(&old.specs[at])).or_default().0.push(at);
        }
        for &at in news {
            groups.entry(key(&new.specs[at])).or_default().1.push(at);
        }
        for (olds, news) in groups.into_values() {
            if olds.len() * news.len() > LIMIT {
                self.in_order((old, olds), (new, news));
                continue;
            }
            let mut possible = Vec::with_capacity(olds.len() * news.len());
            for (rank, &at) in olds.iter().enumerate() {
                for (other, &with) in news.iter().enumerate() {
                    let (old, new) = (&old.specs[at], &new.specs[with]);
                    if !may_be_counterparts(old, new, &self.lasting) {
                        continue;
                    }
                    let changes = self.edges(old, new);
                    let others = changes.gone.len() + changes.come.len();
                    let redirected = changes.redirected.len();
                    let differs = old.coded.differences(&new.coded);
                    let own = differs.count() - u32::from(differs.has(Aspect::DependencyHashes));
                    let ranks = (rank.max(other), rank.min(other));
                    possible.push(((own, old.os != new.os, others, redirected, ranks), at, with));
                }
                pauses.after_one().await;
            }
            possible.sort_unstable();
            for (_, old, new) in possible {
                if self.of_old[old].is_none() && self.of_new[new].is_none() {
                    self.take(old, new);
                }
            }
        }
    }

    /// Pairs specs in their order, those that are in the same stacks first.
    fn in_order(
        &mut self,
        (old, mut olds): (&Graph, Vec<usize>),
        (new, mut news): (&Graph, Vec<usize>),
    ) {
        let mut by_stacks: BTreeMap<&[u32], (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for &at in &olds {
            by_stacks.entry(&old.specs[at].stacks).or_default().0.push(at);
        }
        for &at in &news {
            by_stacks.entry(&new.specs[at].stacks).or_default().1.push(at);
        }
        for (olds, news) in by_stacks.into_values() {
            olds.into_iter().zip(news).for_each(|(old, new)| self.take(old, new));
        }
        olds.retain(|&at| self.of_old[at].is_none());
        news.retain(|&at| self.of_new[at].is_none());
        for (at, with) in olds.into_iter().zip(news) {
            if may_be_counterparts(&old.specs[at], &new.specs[with], &self.lasting) {
                self.take(at, with);
            }
        }
    }

    fn take(&mut self, old: usize, new: usize) {
        self.of_old[old] = Some(new as u32);
        self.of_new[new] = Some(old as u32);
    }

    /// Returns the target on the old side that corresponds to a target on the new one: the same build, or its
    /// counterpart.
    fn counterpart(&self, new: Target) -> Option<Target> {
        match new {
            Target::Other(_) => Some(new),
            Target::Spec(new) => self.of_new[new as usize]
                .map(|old| self.shared[old as usize].map_or(Target::Spec(old), Target::Other)),
        }
    }

    /// Returns the positions of the edges that have no equivalent on the other side. `from` and `to` are the positions
    /// of the first edges.
    fn unpaired(
        &self,
        (from, olds): (usize, &[Edge]),
        (to, news): (usize, &[Edge]),
    ) -> (Vec<usize>, Vec<usize>) {
        let mut by_target: BTreeMap<Target, Vec<usize>> = BTreeMap::new();
        for (at, (_, target)) in (from..).zip(olds) {
            by_target.entry(*target).or_default().push(at);
        }
        let mut others = Vec::new();
        for (at, (_, target)) in (to..).zip(news) {
            let with = self.counterpart(*target).and_then(|old| by_target.get_mut(&old)?.pop());
            others.extend(with.is_none().then_some(at));
        }
        let mut rest: Vec<usize> = by_target.into_values().flatten().collect();
        rest.sort_unstable();
        (rest, others)
    }

    /// Compares the edges of two specs. They are equal if one of them does not list its dependencies.
    pub(super) fn edges(&self, old: &Spec, new: &Spec) -> EdgeChanges {
        let mut changes = EdgeChanges::default();
        let (Some(olds), Some(news)) = (&old.edges, &new.edges) else { return changes };
        let label = |edges: &[Edge], at: usize| edges.get(at).map_or(u32::MAX, |(label, _)| *label);
        let (mut from, mut to) = (0, 0);
        while from < olds.len() || to < news.len() {
            let next = label(olds, from).min(label(news, to));
            let end = |edges: &[Edge], start| (start..).find(|&at| label(edges, at) != next);
            let (from_end, to_end) = (end(olds, from).unwrap_or(from), end(news, to).unwrap_or(to));
            let (mut rest, mut others) = match (&olds[from..from_end], &news[to..to_end]) {
                // Nearly always, each side has one edge with a label.
                ([(_, old)], [(_, new)]) => match self.counterpart(*new) == Some(*old) {
                    true => Default::default(),
                    false => (vec![from], vec![to]),
                },
                (some, others) => self.unpaired((from, some), (to, others)),
            };
            let redirected = rest.len().min(others.len());
            changes.gone.extend(rest.drain(redirected..));
            changes.come.extend(others.drain(redirected..));
            changes.redirected.extend(rest.into_iter().zip(others));
            (from, to) = (from_end, to_end);
        }
        changes
    }
}
