//! Sets of names as sorted lists.

use std::cmp::Ordering;

/// Sorts, and keeps each once.
pub(crate) fn sort_and_dedup<T: Clone + Ord>(names: &mut Vec<T>) {
    sort_by(names, T::cmp);
    names.dedup();
}

/// Sorts by a comparison; equal things keep their order.
///
/// The one place where this crate sorts: a sort is made anew for every type and every comparison,
/// four kilobytes each time in a program that is downloaded. Here places are sorted, whatever is
/// there.
pub(crate) fn sort_by<T: Clone>(things: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = places(things.len(), &|one, two| compare(&things[one], &things[two]));
    *things = order.into_iter().map(|place| things[place].clone()).collect();
}

fn places(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|&one, &two| compare(one, two));
    order
}
