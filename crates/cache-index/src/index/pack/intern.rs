//! Distinct values by number: first in the order of arrival, finally in sorted order.

use std::borrow::Borrow;
use std::hash::Hash as StdHash;

use foldhash::fast::RandomState;
use indexmap::IndexSet;

use crate::index::Sets;
use crate::sorting::positions;

/// Distinct values, numbered in the order of arrival.
#[derive(Debug)]
pub(super) struct Interner<T> {
    values: IndexSet<T, RandomState>,
}

impl<T> Default for Interner<T> {
    fn default() -> Interner<T> {
        Interner { values: IndexSet::default() }
    }
}

impl<T: StdHash + Eq> Interner<T> {
    pub(super) fn code<Q>(&mut self, value: &Q) -> u32
    where
        T: Borrow<Q>,
        Q: StdHash + Eq + ToOwned<Owned = T> + ?Sized,
    {
        match self.values.get_index_of(value) {
            Some(code) => code as u32,
            None => self.values.insert_full(value.to_owned()).0 as u32,
        }
    }

    /// Returns the code of a value that was interned before.
    pub(super) fn get<Q>(&self, value: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
        Q: StdHash + Eq + ?Sized,
    {
        self.values.get_index_of(value).map(|code| code as u32)
    }

    /// Returns the value with a code.
    pub(super) fn value(&self, code: u32) -> &T {
        &self.values[code as usize]
    }

    /// Returns all values, each at the index of its code.
    pub(super) fn by_code(&self) -> Vec<&T> {
        self.values.iter().collect()
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn into_values(self) -> Vec<T> {
        self.values.into_iter().collect()
    }
}

/// Sorts distinct values, and returns them with the new code of each old one.
pub(super) fn sort_values<T: Ord>(values: Vec<T>) -> (Vec<T>, Vec<u32>) {
    let order = positions(values.len(), &|a, b| values[a].cmp(&values[b]));
    reorder(values, &order)
}

/// Sorts values by `order`, which lists their codes, and returns them with the new code of each old one.
pub(super) fn reorder<T>(values: Vec<T>, order: &[u32]) -> (Vec<T>, Vec<u32>) {
    let mut new = vec![0; values.len()];
    for (place, &old) in (0..).zip(order) {
        new[old as usize] = place;
    }
    let mut values: Vec<Option<T>> = values.into_iter().map(Some).collect();
    (order.iter().filter_map(|&old| values[old as usize].take()).collect(), new)
}

/// Sorts sets by the first package that has them, then by their members' new codes, and returns them with the new code
/// of each old one.
pub(super) fn sort_sets(
    sets: Vec<Vec<u32>>,
    new_member: &[u32],
    used: impl Iterator<Item = (u32, u32)>,
) -> (Sets, Vec<u32>) {
    let mut keyed: Vec<(u32, Vec<u32>, usize)> = sets
        .iter()
        .enumerate()
        .map(|(old, set)| {
            let mut members: Vec<u32> =
                set.iter().map(|&member| new_member[member as usize]).collect();
            members.sort_unstable();
            (u32::MAX, members, old)
        })
        .collect();
    for (package, set) in used {
        let first = &mut keyed[set as usize].0;
        *first = package.min(*first);
    }
    keyed.sort_unstable();
    let mut new = vec![0; keyed.len()];
    let mut sorted = Sets::default();
    for (place, (_, members, old)) in keyed.into_iter().enumerate() {
        new[old] = place as u32;
        sorted.push(members);
    }
    (sorted, new)
}
