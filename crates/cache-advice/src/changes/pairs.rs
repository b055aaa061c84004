//! Which build replaced which: pairs by likeness.
//!
//! The algorithm is greedy: of all possible pairs it takes the most alike first, ties by hash. Where there are too many
//! candidates to compare all of them, builds are paired in their order.

use std::collections::BTreeMap;

use cache_index::build::Hash;
use cache_query::Class;

use super::classes::class_of;
use crate::differences::Aspect;
use crate::differences::likeness::Coded;

/// A build that went, and the build that replaced it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The build that went.
    pub old: Hash,
    /// The build that came.
    pub new: Hash,
    /// The aspects in which they differ, most significant first.
    pub differs: Vec<Aspect>,
    /// The class of the change.
    pub class: Class,
}

/// The maximum number of comparisons for a package, operating system and target.
const LIMIT: usize = 10_000;

/// A build that only one side has.
pub(super) struct Lone<'s> {
    pub(super) hash: Hash,
    /// Builds are only paired if these agree.
    pub(super) machine: [&'s str; 2],
    pub(super) coded: Coded,
}

/// Pairs the builds of one package.
pub(super) fn paired(went: &[Lone<'_>], came: &[Lone<'_>]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    // Most packages with changes have them on one side only.
    if went.is_empty() || came.is_empty() {
        return pairs;
    }
    let mut came_by_machine = by_machine(came);
    for (machine, went) in by_machine(went) {
        if let Some(came) = came_by_machine.remove(&machine) {
            pair_up(&went, &came, &mut pairs);
        }
    }
    pairs
}

fn by_machine<'l>(builds: &'l [Lone<'l>]) -> BTreeMap<[&'l str; 2], Vec<&'l Lone<'l>>> {
    let mut by_machine: BTreeMap<[&str; 2], Vec<&Lone<'_>>> = BTreeMap::new();
    for build in builds {
        by_machine.entry(build.machine).or_default().push(build);
    }
    by_machine.values_mut().for_each(|builds| builds.sort_by_cached_key(|build| build.hash.text()));
    by_machine
}

fn pair_up(went: &[&Lone<'_>], came: &[&Lone<'_>], pairs: &mut Vec<Pair>) {
    let mut push = |old: &Lone<'_>, new: &Lone<'_>| {
        let differs = old.coded.differences(&new.coded).list();
        let class = class_of(&differs);
        pairs.push(Pair { old: old.hash, new: new.hash, differs, class });
    };
    if went.len() * came.len() > LIMIT {
        went.iter().zip(came).for_each(|(old, new)| push(old, new));
        return;
    }
    let mut possible: Vec<(u32, usize, usize)> = Vec::new();
    for (at, old) in went.iter().enumerate() {
        for (other, new) in came.iter().enumerate() {
            possible.push((old.coded.differences(&new.coded).count(), at, other));
        }
    }
    possible.sort_unstable();
    let (mut old_taken, mut new_taken) = (vec![false; went.len()], vec![false; came.len()]);
    for (_, old, new) in possible {
        if !old_taken[old] && !new_taken[new] {
            (old_taken[old], new_taken[new]) = (true, true);
            push(went[old], came[new]);
        }
    }
}
