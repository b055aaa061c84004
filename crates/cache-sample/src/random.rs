//! Pseudorandom numbers in a sequence that never changes.
//!
//! This is SplitMix64 in a dozen lines rather than a crate: figures are compared between versions of this project, and
//! crates either may change their sequences (`rand`'s `SmallRng`, `fastrand`) or are larger than the rest of this crate
//! (`rand_chacha`).

/// A sequence of numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts the sequence for a part of a cache. It does not depend on how much was drawn for other parts.
    pub fn new(seed: u64, part: u64) -> Random {
        let mut random = Random(seed);
        Random(random.bits() ^ Random(part).bits())
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Returns a number below a limit, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.bits()) * limit as u128) >> 64) as usize
    }

    /// Returns a number below a limit, mostly a small one: half of them are in the lowest eighth.
    pub fn small(&mut self, limit: usize) -> usize {
        self.below(limit).min(self.below(limit)).min(self.below(limit)).min(self.below(limit))
    }

    /// Returns `true` with this probability in percent.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the items.
    ///
    /// # Panics
    ///
    /// If there are no items.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            things.swap(end, self.below(end + 1));
        }
    }
}
