//! The hashes of the builds so far, by package and machine, so that later builds can depend on them.

use std::collections::HashMap;

use cache_index::build::Hash;

use crate::random::Random;
use crate::world::STACKS;

/// The alphabet of Spack's hashes.
const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// All hashes so far.
#[derive(Debug, Default)]
pub(crate) struct Hashes(HashMap<(usize, &'static str, &'static str), Vec<Hash>>);

impl Hashes {
    /// Creates a new hash for a build of a package in a stack.
    pub(crate) fn add(&mut self, package: usize, stack: usize, random: &mut Random) -> Hash {
        let mut bits = 0;
        let text: [u8; Hash::CHARACTERS] = std::array::from_fn(|place| {
            if place % 12 == 0 {
                bits = random.bits();
            }
            let digit = bits & 31;
            bits >>= 5;
            BASE32[digit as usize]
        });
        let hash = Hash::from_text(&text).expect("32 characters of base32");
        self.0.entry(key(package, stack)).or_default().push(hash);
        hash
    }

    /// Returns the hash of a build of a package that a build in a stack and release can depend on: nine times out of
    /// ten, the one that all builds there depend on.
    pub(crate) fn like(
        &self,
        package: usize,
        stack: usize,
        release: usize,
        random: &mut Random,
    ) -> Option<Hash> {
        let hashes = self.0.get(&key(package, stack))?;
        let usual = (stack * 12 + release).wrapping_mul(0x9e37_79b9) % hashes.len();
        Some(if random.chance(90) { hashes[usual] } else { random.pick(hashes) })
    }
}

/// Returns what a dependency must have in common with its dependent, apart from the package: the machine.
fn key(package: usize, stack: usize) -> (usize, &'static str, &'static str) {
    let machine = STACKS[stack].machine;
    (package, machine.os, machine.target)
}
