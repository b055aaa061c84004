//! Many short lists of numbers.

use serde::ser::{Serialize, Serializer};

/// Lists of `u32`, stored in two vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lists {
    /// Where each list ends in `numbers`; the first starts at 0.
    ends: Vec<u32>,
    numbers: Vec<u32>,
}

impl Lists {
    /// Divides numbers into lists of these lengths; `None` if the lengths do not add up to the number of numbers.
    pub(crate) fn new(numbers: Vec<u32>, lengths: &[u32]) -> Option<Lists> {
        let mut end: u32 = 0;
        let mut ends = Vec::with_capacity(lengths.len());
        for &length in lengths {
            end = end.checked_add(length)?;
            ends.push(end);
        }
        (end as usize == numbers.len()).then_some(Lists { ends, numbers })
    }

    /// Adds a list at the end.
    pub(crate) fn push(&mut self, numbers: impl IntoIterator<Item = u32>) {
        self.numbers.extend(numbers);
        self.ends.push(self.numbers.len() as u32);
    }

    /// Adds a list at the end by copying a slice.
    pub(crate) fn push_slice(&mut self, numbers: &[u32]) {
        self.numbers.extend_from_slice(numbers);
        self.ends.push(self.numbers.len() as u32);
    }

    /// Returns the number of lists.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn get(&self, list: usize) -> &[u32] {
        let start = if list == 0 { 0 } else { self.ends[list - 1] as usize };
        &self.numbers[start..self.ends[list] as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|list| self.get(list))
    }
}

impl FromIterator<Vec<u32>> for Lists {
    fn from_iter<I: IntoIterator<Item = Vec<u32>>>(all: I) -> Lists {
        let mut lists = Lists::default();
        all.into_iter().for_each(|list| lists.push(list));
        lists
    }
}

impl Serialize for Lists {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn divides_numbers_by_their_lengths(
            lists in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..4), 0..6),
        ) {
            let lengths: Vec<u32> = lists.iter().map(|list| list.len() as u32).collect();
            prop_assert_eq!(Lists::new(lists.concat(), &lengths), Some(Lists::from_iter(lists)));
        }
    }

    #[test]
    fn rejects_lengths_of_other_numbers() {
        for lengths in [[1, 1], [2, 2], [u32::MAX, 4]] {
            assert_eq!(Lists::new(vec![7, 8, 9], &lengths), None, "{lengths:?}");
        }
    }
}
