//! Distinct sets of codes: the variant sets, the place sets and the sets of providers.

/// The limit for the members of all sets together when they are read: half a gigabyte. A cache of a million builds
/// needs a hundredth of that.
const MOST_MEMBERS: usize = 1 << 27;

/// Many small sets of `u32`, each ascending, stored in two vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sets {
    /// Where each set ends in `members`; the first starts at 0.
    ends: Vec<u32>,
    members: Vec<u32>,
}

impl Sets {
    /// Adds a set at the end.
    pub(crate) fn push(&mut self, members: impl IntoIterator<Item = u32>) {
        self.members.extend(members);
        self.ends.push(self.members.len() as u32);
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, set: u32) -> &[u32] {
        let set = set as usize;
        let start = if set == 0 { 0 } else { self.ends[set - 1] as usize };
        &self.members[start..self.ends[set] as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len() as u32).map(|set| self.get(set))
    }

    /// Returns each set as its difference to the one before it: the members of just one of the two, as steps from one
    /// to the next, the first from 0. Neighbours are alike, so most of these are short.
    pub(crate) fn to_changes(&self) -> Vec<Vec<u32>> {
        let mut before: &[u32] = &[];
        self.iter()
            .map(|set| {
                let mut last = 0;
                let mut steps = symmetric_difference(before, set);
                for member in &mut steps {
                    (*member, last) = (*member - last, *member);
                }
                before = set;
                steps
            })
            .collect()
    }

    /// The inverse of [`to_changes`](Sets::to_changes); `None` if a member is not below `limit`, if the steps do not
    /// ascend, or if the sets together would not fit in memory, which a short text can demand.
    pub(crate) fn from_changes(changes: &[Vec<u32>], limit: usize) -> Option<Sets> {
        let mut sets = Sets::default();
        let mut before: Vec<u32> = Vec::new();
        for steps in changes {
            let mut members = Vec::with_capacity(steps.len());
            let mut last: u32 = 0;
            for (place, &step) in steps.iter().enumerate() {
                if place > 0 && step == 0 {
                    return None;
                }
                last = last.checked_add(step)?;
                if last as usize >= limit {
                    return None;
                }
                members.push(last);
            }
            before = symmetric_difference(&before, &members);
            if sets.members.len() + before.len() > MOST_MEMBERS {
                return None;
            }
            sets.push(before.iter().copied());
        }
        Some(sets)
    }
}

impl FromIterator<Vec<u32>> for Sets {
    fn from_iter<I: IntoIterator<Item = Vec<u32>>>(all: I) -> Sets {
        let mut sets = Sets::default();
        all.into_iter().for_each(|set| sets.push(set));
        sets
    }
}

/// Returns the members of just one of two ascending lists, ascending.
fn symmetric_difference(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut out = Vec::new();
    let (mut at_a, mut at_b) = (0, 0);
    while at_a < a.len() && at_b < b.len() {
        match a[at_a].cmp(&b[at_b]) {
            std::cmp::Ordering::Less => {
                out.push(a[at_a]);
                at_a += 1;
            }
            std::cmp::Ordering::Greater => {
                out.push(b[at_b]);
                at_b += 1;
            }
            std::cmp::Ordering::Equal => {
                at_a += 1;
                at_b += 1;
            }
        }
    }
    out.extend_from_slice(&a[at_a..]);
    out.extend_from_slice(&b[at_b..]);
    out
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
            if let Some(sets) = Sets::from_changes(&changes, 1000) {
                prop_assert!(sets.iter().all(|set| set.windows(2).all(|pair| pair[0] < pair[1])));
                prop_assert!(sets.iter().flatten().all(|&member| member < 1000));
            }
        }
    }
}
