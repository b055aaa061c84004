//! Where what matches can be had.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Answer;
use crate::build::Place;
use crate::index::{Index, ValueCode};

/// The places with builds of a package that match, and how many: most first, then by name.
pub fn places(index: &Index, answer: &Answer, package: ValueCode) -> Vec<(Place, u32)> {
    let mut counts: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for row in answer.matching_rows(index, package) {
        for place in index.places(row) {
            *counts.entry(place).or_default() += answer.count_in(index, row);
        }
    }
    let mut places: Vec<(Place, u32)> =
        counts.into_iter().map(|(place, count)| (index.place(place), count)).collect();
    places.sort_by_key(|(_, count)| Reverse(*count));
    places
}
