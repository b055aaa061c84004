//! The hashes of an index: from a build to its hash, and back. None are known until the part has been loaded.

use std::collections::BTreeMap;

use super::{BuildId, Index};
use crate::build::Hash;

impl Index {
    /// Returns the hash of a build, once the hashes have been loaded.
    pub fn hash(&self, build: BuildId) -> Option<Hash> {
        self.hashes.get().map(|hashes| hashes[build.at()])
    }

    /// Returns the hashes of all builds; empty until they have been loaded.
    pub fn hashes(&self) -> &[Hash] {
        self.hashes.get().map_or(&[], |hashes| &hashes[..])
    }

    /// Returns `true` once the hashes have been loaded.
    pub fn has_hashes(&self) -> bool {
        self.hashes.get().is_some()
    }

    /// Returns the build with a hash, if it is in the cache and the hashes have been loaded.
    ///
    /// This looks at every hash, which is fast enough for a click (a millisecond for a million).
    pub fn find(&self, hash: Hash) -> Option<BuildId> {
        let hashes = self.hashes.get()?;
        hashes.iter().position(|&other| other == hash).map(|place| BuildId(place as u32))
    }

    /// Returns the builds whose hashes start with a prefix, at most `count`; empty until the hashes have been loaded.
    pub fn find_prefix(&self, prefix: &str, count: usize) -> Vec<BuildId> {
        let hashes = (0..).zip(self.hashes.get().into_iter().flatten());
        let begins = |hash: &Hash| hash.text().starts_with(prefix.as_bytes());
        hashes.filter(|(_, hash)| begins(hash)).map(|(at, _)| BuildId(at)).take(count).collect()
    }

    /// Returns the build of each hash, in the order of the hashes; `None` for all until the hashes have been loaded.
    ///
    /// This looks at every build once, for any number of hashes.
    pub fn find_all(&self, wanted: &[Hash]) -> Vec<Option<BuildId>> {
        let mut found = vec![None; wanted.len()];
        let Some(hashes) = self.hashes.get() else { return found };
        // The first 20 bits rule out nearly every build. A bit for each beginning fits in the processor's nearest cache.
        let start = |hash: &Hash| {
            let [first, second, third, ..] = *hash.bytes();
            let bits = u32::from_be_bytes([0, first, second, third]) >> 4;
            (bits as usize >> 6, 1u64 << (bits & 63))
        };
        let mut may_be = vec![0u64; 1 << 14];
        for hash in wanted {
            let (word, bit) = start(hash);
            may_be[word] |= bit;
        }
        let mut numbers: BTreeMap<Hash, Vec<usize>> = BTreeMap::new();
        wanted.iter().enumerate().for_each(|(at, &hash)| numbers.entry(hash).or_default().push(at));
        for (build, hash) in (0..).zip(hashes) {
            let (word, bit) = start(hash);
            if may_be[word] & bit != 0
                && let Some(at) = numbers.get(hash)
            {
                at.iter().for_each(|&at| found[at] = Some(BuildId(build)));
            }
        }
        found
    }
}
