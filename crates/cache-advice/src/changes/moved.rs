//! Builds that stayed in a cache, and left a release or stack of it, or came to one.

use std::collections::BTreeMap;

use cache_index::build::Place;
use cache_index::index::{BuildId, Index, PlaceChange};

use super::Side;

/// Compares where the builds are that both sides have, given as builds of the new one. Nothing moves between releases and stacks
/// of one cache: both sides must be of whole snapshots.
pub(super) fn moved(old: &Side<'_>, new: &Side<'_>, stayed: &[BuildId]) -> Vec<PlaceChange> {
    if !old.is_whole() || !new.is_whole() {
        return Vec::new();
    }
    let (old, new) = (old.index(), new.index());
    let mut builds_by_sets: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let set = |index: &Index, build| index.columns().place_set[index.row_of(build).at()];
    for &build in stayed {
        let before = new.hash(build).and_then(|hash| old.find(hash));
        if let Some(before) = before {
            *builds_by_sets.entry((set(old, before), set(new, build))).or_default() += 1;
        }
    }
    let named = |index: &Index| index.all_places().collect::<Vec<_>>();
    let (old_places, new_places) = (named(old), named(new));
    let in_set = |index: &Index, places: &[Place], set: u32| -> Vec<Place> {
        index.place_sets().get(set).iter().map(|&at| places[at as usize].clone()).collect()
    };
    let mut by_place: BTreeMap<Place, (usize, usize)> = BTreeMap::new();
    for ((before, after), builds) in builds_by_sets {
        let before = in_set(old, &old_places, before);
        let after = in_set(new, &new_places, after);
        for place in after.iter().filter(|place| !before.contains(place)) {
            by_place.entry(place.clone()).or_default().0 += builds;
        }
        for place in before.iter().filter(|place| !after.contains(place)) {
            by_place.entry(place.clone()).or_default().1 += builds;
        }
    }
    // Snapshots whose releases and stacks have other names say nothing about these.
    if !old_places.iter().any(|place| new_places.contains(place)) {
        return Vec::new();
    }
    by_place.into_iter().map(|(place, (came, left))| PlaceChange { place, came, left }).collect()
}
