//! Where the matching builds are available.

use std::cmp::Reverse;

use super::Answer;
use crate::build::Place;
use crate::index::{Index, ValueCode};
use crate::sorting;

/// Returns the places with matching builds of a package and their counts, most first, then by name.
pub fn places(index: &Index, answer: &Answer, package: ValueCode) -> Vec<(Place, u32)> {
    let mut counts: Vec<((u32, u32), u32)> = Vec::new();
    for row in answer.matching_rows(index, package) {
        for place in index.places(row) {
            counts.push((place, answer.count_in(index, row)));
        }
    }
    sorting::sort_by_key(&mut counts, |(place, _)| *place);
    let counts = counts.chunk_by(|a, b| a.0 == b.0);
    let sum = |same: &[((u32, u32), u32)]| same.iter().map(|(_, count)| count).sum();
    let mut places: Vec<(Place, u32)> =
        counts.map(|same| (index.place(same[0].0), sum(same))).collect();
    sorting::sort_by_key(&mut places, |(_, count)| Reverse(*count));
    places
}
