//! Which mirror has which nodes, and the smallest set of mirrors that has all of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use cache_index::build::Place;
use cache_index::environment::Environment;
use cache_index::index::Index;

use super::Coverage;

/// The nodes of an environment in each mirror of a cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mirrors {
    /// The mirrors that have any node, most complete first, then by name.
    pub shares: Vec<MirrorShare>,
    /// The smallest set of mirrors, in the order of `shares`, that has every node in any mirror.
    pub smallest: Vec<Place>,
    /// `true` if no smaller set exists. The search stops after a bounded number of attempts.
    pub is_smallest: bool,
}

/// The part of an environment that one mirror has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorShare {
    /// The mirror.
    pub place: Place,
    /// The number of nodes it has.
    pub cached: usize,
    /// The number of nodes it has that are needed to run the roots.
    pub cached_to_run: usize,
}

/// How many partial sets are tried before the best set found so far is accepted.
const TRIES: usize = 20_000;

impl Mirrors {
    /// Counts the nodes that each mirror has, of those that are `allowed`, and searches for the smallest set that has them all.
    /// Filters on builds change nothing: a mirror has what it has.
    pub fn new(
        index: &Index,
        environment: &Environment,
        coverage: &Coverage,
        allowed: impl Fn(&Place) -> bool,
    ) -> Mirrors {
        let places: Vec<Place> =
            index.place_codes().iter().map(|&code| index.place(code)).collect();
        let allowed: Vec<bool> = places.iter().map(allowed).collect();
        // By place of the index: its number in `shares`.
        let mut numbers = vec![None; index.place_codes().len()];
        let mut shares: Vec<MirrorShare> = Vec::new();
        let mut has: Vec<Vec<usize>> = Vec::new();
        let mut covered = 0;
        for node in 0..environment.nodes.len() {
            let Some(build) = coverage.build(node) else { continue };
            let set = index.columns().place_set[index.row_of(build).at()];
            let mut of_build = index
                .place_sets()
                .get(set)
                .iter()
                .filter(|code| allowed[**code as usize])
                .peekable();
            if of_build.peek().is_none() {
                continue;
            }
            for &code in of_build {
                let at = *numbers[code as usize].get_or_insert_with(|| {
                    let place = places[code as usize].clone();
                    shares.push(MirrorShare { place, cached: 0, cached_to_run: 0 });
                    has.push(Vec::new());
                    shares.len() - 1
                });
                shares[at].cached += 1;
                shares[at].cached_to_run += usize::from(coverage.is_needed_to_run(node));
                has[at].push(covered);
            }
            covered += 1;
        }
        let mut order: Vec<usize> = (0..shares.len()).collect();
        order.sort_by(|&a, &b| {
            (shares[b].cached.cmp(&shares[a].cached))
                .then_with(|| shares[a].place.cmp(&shares[b].place))
        });
        let has: Vec<Vec<usize>> = order.iter().map(|&at| std::mem::take(&mut has[at])).collect();
        let shares: Vec<MirrorShare> = order.iter().map(|&at| shares[at].clone()).collect();
        let (chosen, is_smallest) = smallest_cover(&has, covered);
        let smallest = chosen.iter().map(|&at| shares[at].place.clone()).collect();
        Mirrors { shares, smallest, is_smallest }
    }
}

/// Returns the fewest of these sets whose union is `0..count`, ascending, and whether no fewer would do. Every number
/// must be in a set.
fn smallest_cover(sets: &[Vec<usize>], count: usize) -> (Vec<usize>, bool) {
    let words = count.div_ceil(64);
    let as_bits = |set: &Vec<usize>| {
        let mut bits = vec![0u64; words];
        set.iter().for_each(|&number| bits[number / 64] |= 1 << (number % 64));
        bits
    };
    let sets: Vec<Vec<u64>> = sets.iter().map(as_bits).collect();
    let mut all = vec![0u64; words];
    (0..count).for_each(|number| all[number / 64] |= 1 << (number % 64));
    let greedy = greedy_cover(&sets, all.clone());
    // Try fewer sets than the greedy algorithm found, one more each time.
    let mut tries = TRIES;
    for size in 0..greedy.len() {
        let mut chosen = Vec::new();
        match cover_of_size(&sets, &all, size, &mut chosen, &mut tries) {
            Some(true) => {
                chosen.sort_unstable();
                return (chosen, true);
            }
            Some(false) => {}
            None => return (greedy, false),
        }
    }
    (greedy, true)
}

fn greedy_cover(sets: &[Vec<u64>], mut open: Vec<u64>) -> Vec<usize> {
    let gain = |set: &Vec<u64>, open: &[u64]| -> u32 {
        set.iter().zip(open).map(|(own, open)| (own & open).count_ones()).sum()
    };
    // Choosing a set never increases what another one adds, so most need not be looked at again.
    let mut queue: BinaryHeap<(u32, Reverse<usize>)> =
        (0..sets.len()).map(|at| (gain(&sets[at], &open), Reverse(at))).collect();
    let mut chosen = Vec::new();
    while let Some((known, Reverse(at))) = queue.pop() {
        match gain(&sets[at], &open) {
            0 => {}
            less if less < known => queue.push((less, Reverse(at))),
            _ => {
                open.iter_mut().zip(&sets[at]).for_each(|(open, own)| *open &= !own);
                chosen.push(at);
            }
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Returns `true` if this many sets, each chosen for the first number that is still open, cover everything; `None` if
/// the attempts are used up.
fn cover_of_size(
    sets: &[Vec<u64>],
    open: &[u64],
    size: usize,
    chosen: &mut Vec<usize>,
    tries: &mut usize,
) -> Option<bool> {
    let Some(word) = open.iter().position(|&word| word != 0) else { return Some(true) };
    if size == 0 {
        return Some(false);
    }
    let bit = 1 << open[word].trailing_zeros();
    for (at, set) in sets.iter().enumerate().filter(|(_, set)| set[word] & bit != 0) {
        *tries = tries.checked_sub(1)?;
        let rest: Vec<u64> = open.iter().zip(set).map(|(open, own)| open & !own).collect();
        chosen.push(at);
        if cover_of_size(sets, &rest, size - 1, chosen, tries)? {
            return Some(true);
        }
        chosen.pop();
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn covers(sets: &[Vec<usize>], chosen: &[usize], count: usize) -> bool {
        (0..count).all(|number| chosen.iter().any(|&at| sets[at].contains(&number)))
    }

    proptest! {
        #[test]
        fn finds_the_smallest_cover(sets in prop::collection::vec(prop::collection::vec(0usize..12, 0..6), 1..9)) {
            // Only numbers that some set contains, without gaps.
            let mut known: Vec<usize> = sets.iter().flatten().copied().collect();
            known.sort_unstable();
            known.dedup();
            let number = |n: &usize| known.binary_search(n).expect("known");
            let sets: Vec<Vec<usize>> = sets.iter().map(|set| set.iter().map(number).collect()).collect();
            let (chosen, is_smallest) = smallest_cover(&sets, known.len());
            prop_assert!(is_smallest);
            prop_assert!(covers(&sets, &chosen, known.len()));
            let brute = (0u32..1 << sets.len())
                .filter(|mask| {
                    let chosen: Vec<usize> = (0..sets.len()).filter(|at| mask >> at & 1 == 1).collect();
                    covers(&sets, &chosen, known.len())
                })
                .map(u32::count_ones)
                .min();
            prop_assert_eq!(Some(chosen.len() as u32), brute);
        }
    }
}
