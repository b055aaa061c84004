//! Sets of names as sorted lists.

/// Sorts, and keeps each once. The one place where strings are sorted: every other would be
/// another copy of the sort in a program that is downloaded.
pub(crate) fn sort_and_dedup(names: &mut Vec<String>) {
    names.sort_unstable();
    names.dedup();
}
