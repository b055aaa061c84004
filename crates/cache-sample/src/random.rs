//! Numbers that look random and are the same ones for ever.
//!
//! SplitMix64, a dozen lines, rather than a crate: figures are compared between versions of this
//! project, and crates keep the right to change their sequences (`rand`'s `SmallRng`, `fastrand`) or
//! bring more than all the rest of this one (`rand_chacha`).

/// A sequence of numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a part of a cache: parts do not depend on how much was drawn for others.
    pub fn new(seed: u64, part: u64) -> Random {
        let mut random = Random(seed);
        Random(random.bits() ^ Random(part).bits())
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below a limit, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.bits()) * limit as u128) >> 64) as usize
    }

    /// A number below a limit, rather a small one: half of them lie in its lowest eighth.
    pub fn small(&mut self, limit: usize) -> usize {
        self.below(limit).min(self.below(limit)).min(self.below(limit)).min(self.below(limit))
    }

    /// True so many times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Puts things into another order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            things.swap(end, self.below(end + 1));
        }
    }
}
