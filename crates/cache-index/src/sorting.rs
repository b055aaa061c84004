//! Sorting, once: one instance of the library's sort for all the lists that the app sorts.
//!
//! `slice::sort_by` is made anew for every type and every comparison that it is used with, some six
//! kilobytes each time, and the app is downloaded before the first answer. Here the positions of the
//! things are sorted, and the comparison is called through a pointer: a few nanoseconds more, for
//! lists that a person looks at.

use std::cmp::Ordering;

/// Sorts by a comparison; equal things keep their order.
pub fn sort_by<T: Clone>(things: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = positions(things.len(), &|a, b| compare(&things[a], &things[b]));
    *things = order.into_iter().map(|at| things[at as usize].clone()).collect();
}

/// Sorts by a key, which is made once for each thing; equal things keep their order.
pub fn sort_by_key<T: Clone, K: Ord>(things: &mut Vec<T>, key: impl FnMut(&T) -> K) {
    let keys: Vec<K> = things.iter().map(key).collect();
    let order = positions(things.len(), &|a, b| keys[a].cmp(&keys[b]));
    *things = order.into_iter().map(|at| things[at as usize].clone()).collect();
}

/// Sorts things by themselves and drops repeated ones.
pub fn sort_and_dedup<T: Clone + Ord>(things: &mut Vec<T>) {
    // What was gathered in the order of the index often is in order already.
    if !things.is_sorted() {
        sort_by(things, T::cmp);
    }
    things.dedup();
}

/// The numbers below `length`, in the order of what they stand for.
pub(crate) fn positions(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..length as u32).collect();
    order.sort_by(|&a, &b| compare(a as usize, b as usize));
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(
            things in prop::collection::vec((0u8..9, any::<u8>()), 0..60),
        ) {
            let (mut ours, mut theirs) = (things.clone(), things.clone());
            sort_by(&mut ours, |a, b| b.0.cmp(&a.0));
            theirs.sort_by_key(|thing| std::cmp::Reverse(thing.0));
            prop_assert_eq!(&ours, &theirs);
            let (mut ours, mut theirs) = (things.clone(), things.clone());
            sort_by_key(&mut ours, |thing| thing.0);
            theirs.sort_by_key(|thing| thing.0);
            prop_assert_eq!(&ours, &theirs);
            let (mut ours, mut theirs) = (things.clone(), things);
            sort_and_dedup(&mut ours);
            theirs.sort();
            theirs.dedup();
            prop_assert_eq!(&ours, &theirs);
        }
    }
}
