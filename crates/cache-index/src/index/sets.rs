//! Distinct sets of codes: the variant sets, the place sets and the sets of providers.

use super::lists::Lists;

/// The limit for the total number of members of all sets when they are read: half a gigabyte. A cache of a million
/// builds needs a hundredth of that.
const MOST_MEMBERS: usize = 1 << 27;

/// Many small sets of `u32`, each ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sets(Lists);

impl Sets {
    /// Adds a set at the end.
    pub(crate) fn push(&mut self, members: impl IntoIterator<Item = u32>) {
        self.0.push(members);
    }

    /// Returns the number of sets.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if there are no sets.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the members of a set, ascending.
    pub fn get(&self, set: u32) -> &[u32] {
        self.0.get(set as usize)
    }

    /// Returns each set, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.0.iter()
    }

    /// Returns each set as its difference to the one before it: the members of just one of the two, as steps from one
    /// to the next, the first from 0. Neighbours are alike, so most of these are short.
    pub(crate) fn to_changes(&self) -> Lists {
        let mut changes = Lists::default();
        let mut before: &[u32] = &[];
        let mut members = Vec::new();
        for set in self.iter() {
            let mut last = 0;
            symmetric_difference(before, set, &mut members);
            changes.push(members.iter().map(|&member| {
                let step = member - last;
                last = member;
                step
            }));
            before = set;
        }
        changes
    }

    /// The inverse of [`to_changes`](Sets::to_changes); `None` if a member is not below `limit`, if the steps do not
    /// ascend, or if the sets together would not fit in memory, which a short text can demand.
    pub(crate) fn from_changes(changes: &Lists, limit: usize) -> Option<Sets> {
        let mut sets = Sets::default();
        let mut changed: Vec<u32> = Vec::new();
        let mut set: Vec<u32> = Vec::new();
        let mut before: Vec<u32> = Vec::new();
        let mut members = 0;
        for steps in changes.iter() {
            changed.clear();
            let mut last: u32 = 0;
            for &step in steps {
                if step == 0 && !changed.is_empty() {
                    return None;
                }
                last = last.checked_add(step)?;
                if last as usize >= limit {
                    return None;
                }
                changed.push(last);
            }
            std::mem::swap(&mut set, &mut before);
            symmetric_difference(&before, &changed, &mut set);
            members += set.len();
            if members > MOST_MEMBERS {
                return None;
            }
            sets.0.push_slice(&set);
        }
        Some(sets)
    }
}

impl FromIterator<Vec<u32>> for Sets {
    fn from_iter<I: IntoIterator<Item = Vec<u32>>>(all: I) -> Sets {
        Sets(Lists::from_iter(all))
    }
}

/// Collects the members of just one of two ascending lists, ascending. It takes the fewest steps if the second is the
/// shorter one.
fn symmetric_difference(a: &[u32], b: &[u32], out: &mut Vec<u32>) {
    out.clear();
    let mut rest = a;
    for &member in b {
        let (below, from) = rest.split_at(rest.iter().take_while(|&&of_a| of_a < member).count());
        out.extend_from_slice(below);
        rest = match from.split_first() {
            Some((&first, others)) if first == member => others,
            _ => {
                out.push(member);
                from
            }
        };
    }
    out.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_the_changes_it_writes(
            sets in prop::collection::vec(prop::collection::btree_set(0u32..40, 0..8), 0..12),
        ) {
            let mut all = Sets::default();
            for set in &sets {
                all.push(set.iter().copied());
            }
            prop_assert_eq!(Sets::from_changes(&all.to_changes(), 40), Some(all));
        }

        #[test]
        fn reads_or_rejects_any_changes(
            changes in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..5), 0..5),
        ) {
            let changes = Lists::from_iter(changes);
            if let Some(sets) = Sets::from_changes(&changes, 1000) {
                prop_assert!(sets.iter().all(|set| set.windows(2).all(|pair| pair[0] < pair[1])));
                prop_assert!(sets.iter().flatten().all(|&member| member < 1000));
            }
        }
    }
}
