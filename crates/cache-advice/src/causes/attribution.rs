//! Attributes each changed spec to the causes below it.
//!
//! The causes are taken 64 at a time, as the bits of one number for each spec. So the time is that of one walk over all
//! edges for every 64 causes, and the memory does not grow with the number of causes.

use std::cmp::Reverse;

use cache_index::sorting;

use super::pauses::Pauses;
use super::{Causes, ChangedSpec};

/// The number of specs that count as one piece of work: handing up bits takes nanoseconds for each.
const PIECE: usize = 64;

/// Counts what each cause explains, and sorts the causes.
pub(super) async fn attribute(causes: &mut Causes, pauses: &mut Pauses<impl AsyncFnMut()>) {
    let specs = &causes.specs;
    let blocks = causes.causes.len().div_ceil(64);
    // By spec: how many of the causes at or below it are shown for the specs that have them.
    let mut shown = vec![0; specs.len()];
    for block in 0..blocks {
        let bits = propagate(specs, block, |is_shown| is_shown, pauses).await;
        shown.iter_mut().zip(&bits).for_each(|(shown, bits)| *shown += bits.count_ones());
    }
    for block in 0..blocks {
        let bits = propagate(specs, block, |_| true, pauses).await;
        for at in (0..specs.len()).filter(|&at| specs[at].is_counted) {
            for bit in ones(bits[at]) {
                let cause = &mut causes.causes[64 * block + bit];
                cause.explains += 1;
                cause.alone += usize::from(shown[at] == 1);
            }
            if at % PIECE == 0 {
                pauses.after_one().await;
            }
        }
    }
    causes.explained =
        specs.iter().zip(&shown).filter(|(spec, shown)| spec.is_counted && **shown > 0).count();
    let unexplained = specs.iter().zip(&shown).filter(|(_, shown)| **shown == 0);
    causes.unexplained = unexplained.map(|(spec, _)| spec.hash).collect();
    causes.unexplained.sort_by_cached_key(|hash| hash.text());
    sort(causes, pauses).await;
}

/// Returns the positions of the bits that are set.
fn ones(bits: u64) -> impl Iterator<Item = usize> {
    let rest = |bits: &u64| Some(bits & (bits - 1)).filter(|rest| *rest != 0);
    std::iter::successors(Some(bits).filter(|bits| *bits != 0), rest)
        .map(|bits| bits.trailing_zeros() as usize)
}

/// Sorts the causes, those that explain most first, and updates the positions that refer to them.
async fn sort(causes: &mut Causes, pauses: &mut Pauses<impl AsyncFnMut()>) {
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
        pauses.after_one().await;
    }
    for (own, _) in causes.specs.iter_mut().flat_map(|spec| &mut spec.own) {
        *own = places[*own as usize];
    }
}

/// Hands 64 causes up to all specs above them. Returns for each spec the causes at or below it, as bits: all of them,
/// or only those that are shown for the specs that have them. Each spec comes after those below it, so that one walk is
/// enough unless there is a cycle.
async fn propagate(
    specs: &[ChangedSpec],
    block: usize,
    is_wanted: impl Fn(bool) -> bool,
    pauses: &mut Pauses<impl AsyncFnMut()>,
) -> Vec<u64> {
    let mut bits = vec![0; specs.len()];
    for (bits, spec) in bits.iter_mut().zip(specs) {
        let of_block = |&&(cause, is_shown): &&(u32, bool)| {
            cause as usize / 64 == block && is_wanted(is_shown)
        };
        spec.own.iter().filter(of_block).for_each(|(cause, _)| *bits |= 1 << (cause % 64));
    }
    loop {
        let mut has_changed = false;
        let mut has_cycle = false;
        for (at, spec) in specs.iter().enumerate() {
            for below in spec.below.iter().map(|&below| below as usize) {
                let with = bits[at] | bits[below];
                has_changed |= with != bits[at];
                has_cycle |= below >= at;
                bits[at] = with;
            }
            if at % PIECE == 0 {
                pauses.after_one().await;
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

/// Returns, for each spec for which `follows` is true, the causes below it, ascending. Only paths to these specs are
/// walked.
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
