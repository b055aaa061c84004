//! Builds that stayed in a cache, and left a release or stack of it, or came to one.

use std::collections::BTreeMap;

use cache_index::build::Place;
use cache_index::index::{BuildId, Index, PlaceChange};

use super::Side;

/// Compares the places of the builds that both sides have, given as builds of the new one: of two snapshots by their
/// releases and stacks, of two releases by the names of their stacks. Nothing moves between two stacks.
pub(super) fn moved(old: &Side<'_>, new: &Side<'_>, stayed: &[BuildId]) -> Vec<PlaceChange> {
    let releases = old.release().zip(new.release()).filter(|(old, new)| old != new);
    if releases.is_none() && !(old.is_whole() && new.is_whole()) {
        return Vec::new();
    }
    let (old_side, new_side) = (old, new);
    let (old, new) = (old.index(), new.index());
    let mut builds_by_sets: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let set = |index: &Index, build| index.columns().place_set[index.row_of(build).at()];
    for &build in stayed {
        let before = new.hash(build).and_then(|hash| old.find(hash));
        if let Some(before) = before {
            *builds_by_sets.entry((set(old, before), set(new, build))).or_default() += 1;
        }
    }
    let mut old_places: Vec<Place> = old.all_places().collect();
    let new_places: Vec<Place> = new.all_places().collect();
    if let Some((before, after)) = releases {
        let same = old_places.iter_mut().filter(|place| place.release == before);
        same.for_each(|place| place.release.clone_from(&after));
    }
    let in_set = |side: &Side<'_>, places: &[Place], set: u32| -> Vec<Place> {
        let all = side.index().place_sets().get(set).iter().map(|&at| at as usize);
        all.filter(|&at| side.selects(at)).map(|at| places[at].clone()).collect()
    };
    let mut by_place: BTreeMap<Place, (usize, usize)> = BTreeMap::new();
    for ((before, after), builds) in builds_by_sets {
        let before = in_set(old_side, &old_places, before);
        let after = in_set(new_side, &new_places, after);
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
