//! Attributes each changed spec to the causes below it.
//!
//! The causes are taken 64 at a time, as the bits of a number for each spec, so that the time is that of a walk over all
//! edges for each 64 causes, and the memory does not grow with their number.

use std::cmp::Reverse;

use cache_index::sorting;

use super::{Causes, ChangedSpec};

/// Bits of causes, by spec.
struct Bits {
    /// The causes that a spec has or is above.
    all: Vec<u64>,
    /// Those among them that are shown where they are found.
    shown: Vec<u64>,
}

/// Counts what each cause explains, and sorts the causes.
pub(super) fn attribute(causes: &mut Causes) {
    let specs = &causes.specs;
    let blocks = causes.causes.len().div_ceil(64);
    let mut shown = vec![0; specs.len()];
    for block in 0..blocks {
        let bits = propagate(specs, block);
        shown.iter_mut().zip(&bits.shown).for_each(|(shown, bits)| *shown += bits.count_ones());
    }
    let counted = |at: &usize| specs[*at].is_counted;
    for block in 0..blocks {
        let bits = propagate(specs, block);
        let of_block = causes.causes.iter_mut().skip(64 * block).take(64);
        for (bit, cause) in of_block.enumerate() {
            let is_above = |at: &usize| bits.all[*at] >> bit & 1 == 1;
            let explained = (0..specs.len()).filter(counted).filter(is_above);
            for at in explained {
                cause.explains += 1;
                cause.alone += usize::from(shown[at] == 1);
            }
        }
    }
    causes.explained = (0..specs.len()).filter(counted).filter(|&at| shown[at] > 0).count();
    let unexplained = specs.iter().zip(&shown).filter(|(_, shown)| **shown == 0);
    causes.unexplained = unexplained.map(|(spec, _)| spec.hash).collect();
    causes.unexplained.sort_by_cached_key(|hash| hash.text());
    sort(causes);
}

/// Puts the causes that explain most first, and adapts the positions.
fn sort(causes: &mut Causes) {
    let mut order: Vec<u32> = (0..causes.causes.len() as u32).collect();
    let key = |at: &u32| {
        let cause = &causes.causes[*at as usize];
        (Reverse(cause.explains), Reverse(cause.hashes.len()), &cause.difference)
    };
    sorting::sort_by(&mut order, |a, b| key(a).cmp(&key(b)));
    let mut places = vec![0; order.len()];
    (0..).zip(&order).for_each(|(place, &at)| places[at as usize] = place);
    let mut all: Vec<_> = std::mem::take(&mut causes.causes).into_iter().map(Some).collect();
    causes.causes = order.iter().filter_map(|&at| all[at as usize].take()).collect();
    for cause in &mut causes.causes {
        cause.hashes.sort_by_cached_key(|hash| hash.text());
    }
    for (own, _) in causes.specs.iter_mut().flat_map(|spec| &mut spec.own) {
        *own = places[*own as usize];
    }
}

/// Hands 64 causes up to all specs above them. Each spec comes after those below it, so that one walk is enough unless
/// there is a cycle.
fn propagate(specs: &[ChangedSpec], block: usize) -> Bits {
    let mut bits = Bits { all: vec![0; specs.len()], shown: vec![0; specs.len()] };
    for (at, spec) in specs.iter().enumerate() {
        for &(cause, is_shown) in spec.own.iter().filter(|(cause, _)| *cause as usize / 64 == block)
        {
            let bit = 1 << (cause % 64);
            bits.all[at] |= bit;
            bits.shown[at] |= if is_shown { bit } else { 0 };
        }
    }
    loop {
        let mut has_changed = false;
        let mut has_cycle = false;
        for (at, spec) in specs.iter().enumerate() {
            for below in spec.below.iter().map(|&below| below as usize) {
                let (all, shown) =
                    (bits.all[at] | bits.all[below], bits.shown[at] | bits.shown[below]);
                has_changed |= (all, shown) != (bits.all[at], bits.shown[at]);
                has_cycle |= below >= at;
                (bits.all[at], bits.shown[at]) = (all, shown);
            }
        }
        if !has_changed || !has_cycle {
            return bits;
        }
    }
}

/// Returns which specs are among these or above them.
pub(super) fn reached(above: &[Vec<u32>], seeds: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let mut is_reached = vec![false; above.len()];
    let mut open: Vec<usize> = seeds.into_iter().collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut is_reached[at], true) {
            open.extend(above[at].iter().map(|&above| above as usize));
        }
    }
    is_reached
}

/// Returns for each spec that follows those of the causes that it is above, ascending. Only paths that lead to one that
/// follows are walked.
pub(super) fn followers(
    above: &[Vec<u32>],
    causes: impl Iterator<Item = usize>,
    follows: impl Fn(usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut below = vec![Vec::new(); above.len()];
    for (at, above) in (0..).zip(above) {
        above.iter().for_each(|&above| below[above as usize].push(at));
    }
    let leads_there = reached(&below, (0..above.len()).filter(|&at| follows(at)));
    let mut followers = vec![Vec::new(); above.len()];
    let mut last_walk = vec![usize::MAX; above.len()];
    for cause in causes.filter(|&cause| leads_there[cause]) {
        let mut open = vec![cause];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut last_walk[at], cause) == cause || !leads_there[at] {
                continue;
            }
            if follows(at) {
                followers[at].push(cause);
            }
            open.extend(above[at].iter().map(|&above| above as usize));
        }
    }
    followers
}
