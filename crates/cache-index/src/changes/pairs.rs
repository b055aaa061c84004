//! Which build replaced which: pairs by likeness.
//!
//! The algorithm is greedy: of all possible pairs it takes the most alike first, ties by hash. Where there are too many
//! candidates to compare all of them, builds are paired in their order.

use std::collections::BTreeMap;

use super::{Class, PAIRED_WITHIN, Side};
use crate::build::Hash;
use crate::index::BuildId;
use crate::likeness::{Aspects, Differs};

/// A build that went, and the build that replaced it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The build that went.
    pub old: Hash,
    /// The build that came.
    pub new: Hash,
    /// The aspects in which they differ, most significant first.
    pub differs: Vec<Differs>,
    /// The class of the change.
    pub class: Class,
}

/// The maximum number of comparisons for a package, operating system and target.
const LIMIT: usize = 10_000;

struct Candidate {
    hash: Hash,
    aspects: Aspects,
}

/// Pairs the builds of one package.
pub(super) fn paired(
    old: &Side<'_>,
    went: &[BuildId],
    new: &Side<'_>,
    came: &[BuildId],
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut new_by_machine = by_machine(new, came);
    for (machine, went) in by_machine(old, went) {
        if let Some(came) = new_by_machine.remove(&machine) {
            pair_up(&went, &came, &mut pairs);
        }
    }
    pairs
}

fn by_machine<'s>(
    side: &'s Side<'_>,
    builds: &[BuildId],
) -> BTreeMap<[&'s str; 2], Vec<Candidate>> {
    let index = side.index();
    let mut by_machine: BTreeMap<[&str; 2], Vec<Candidate>> = BTreeMap::new();
    for &build in builds {
        let row = index.row_of(build);
        let machine = PAIRED_WITHIN.map(|facet| index.text(row, facet));
        if let (Some(hash), Some(aspects)) = (index.hash(build), Aspects::of(index, build)) {
            by_machine.entry(machine).or_default().push(Candidate { hash, aspects });
        }
    }
    by_machine.values_mut().for_each(|builds| builds.sort_by_key(|build| build.hash.text()));
    by_machine
}

fn pair_up(went: &[Candidate], came: &[Candidate], pairs: &mut Vec<Pair>) {
    let mut push = |old: &Candidate, new: &Candidate| {
        let differs = old.aspects.differences(&new.aspects);
        let class = Class::of(&differs);
        pairs.push(Pair { old: old.hash, new: new.hash, differs, class });
    };
    if went.len() * came.len() > LIMIT {
        went.iter().zip(came).for_each(|(old, new)| push(old, new));
        return;
    }
    let mut possible: Vec<(usize, usize, usize)> = Vec::new();
    for (at, old) in went.iter().enumerate() {
        for (other, new) in came.iter().enumerate() {
            possible.push((old.aspects.differences(&new.aspects).len(), at, other));
        }
    }
    possible.sort_unstable();
    let (mut old_taken, mut new_taken) = (vec![false; went.len()], vec![false; came.len()]);
    for (_, old, new) in possible {
        if !old_taken[old] && !new_taken[new] {
            (old_taken[old], new_taken[new]) = (true, true);
            push(&went[old], &came[new]);
        }
    }
}
