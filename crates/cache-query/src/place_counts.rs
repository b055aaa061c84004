//! Counting releases and stacks, the two sides of a place.
//!
//! The count of a release is the number of builds that have *one place* with this release and with what is chosen for
//! stacks, and vice versa. Builds are counted by place set. There are a few thousand sets; each is visited once
//! for each side, place by place.
//!
//! If a build must have all of the chosen values of a side, the count of a value is the number of builds that have such
//! a place for that value and for each of the chosen ones.

use cache_index::facet::Side;
use cache_index::index::Index;

use super::lookup::{Lookup, OneMore};

/// A place, seen from one side.
struct SidedPlace {
    /// Its value on this side.
    value: u32,
    /// `true` if its value on the other side is one that is asked for.
    meets: bool,
    /// `true` if its value on the other side is excluded.
    excluded: bool,
}

/// The result for the places of a set that have one value on this side.
#[derive(Clone, Copy, Default)]
struct Tally {
    places: u32,
    meets: u32,
    excluded: bool,
}

/// Distributes the counts of place sets over the values of one side.
pub(crate) fn count(
    index: &Index,
    filter: &Lookup,
    side: Side,
    place_set: &[u32],
    counts: &mut [u32],
) {
    let (own, other) = (filter.side(side), filter.side(side.other()));
    let places: Vec<SidedPlace> = index
        .places
        .iter()
        .map(|&place| SidedPlace {
            value: side.of(place),
            meets: other.includes(side.other().of(place)),
            excluded: other.excludes(side.other().of(place)),
        })
        .collect();
    let needed = other.needed();
    let mut tallies = vec![Tally::default(); counts.len()];
    for (set, &count) in index.place_sets().iter().zip(place_set) {
        if count == 0 {
            continue;
        }
        for &place in set {
            let place = &places[place as usize];
            let tally = &mut tallies[place.value as usize];
            tally.places += 1;
            tally.meets += u32::from(place.meets);
            tally.excluded |= place.excluded;
        }
        let passes = |tally: Tally| tally.places > 0 && tally.meets >= needed && !tally.excluded;
        let more = match own.asks_for_all() {
            false => OneMore::Any,
            true => own.one_more(
                |&code| passes(tallies[code as usize]),
                |&code| tallies[code as usize].meets > 0,
            ),
        };
        // The same places again: the first place of each value adds to its count and clears its tally.
        for &place in set {
            let value = places[place as usize].value;
            let tally = std::mem::take(&mut tallies[value as usize]);
            if passes(tally) && more.may_be(value) {
                counts[value as usize] += count;
            }
        }
    }
}
