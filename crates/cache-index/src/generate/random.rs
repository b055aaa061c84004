//! Numbers that look random and are always the same.
//!
//! SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): five
//! lines, and nobody's next version changes what they give.

use crate::build::Hash;

/// A sequence of numbers.
pub(super) struct Random(u64);

impl Random {
    /// The sequence of a seed, one of many that have little to do with each other.
    pub(super) fn new(seed: u64, sequence: u64) -> Random {
        let mut start = Random(seed);
        let offset = start.next();
        let mut start = Random(offset ^ sequence.wrapping_mul(0xd605_bbb5_8c8a_bc03));
        Random(start.next())
    }

    /// Any number.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below another, or 0 if there is none.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// A number below another, small ones more often: half of all are in the first quarter.
    pub(super) fn skewed(&mut self, end: usize) -> usize {
        let one = self.below(end as u64);
        let other = self.below(one + 1);
        other as usize
    }

    /// Whether something happens that happens so many times in a hundred.
    pub(super) fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// A DAG hash.
    pub(super) fn hash(&mut self) -> Hash {
        const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
        let mut text = [0; Hash::CHARACTERS];
        for character in &mut text {
            *character = DIGITS[self.below(32) as usize];
        }
        match Hash::from_text(&text) {
            Ok(hash) => hash,
            Err(_) => unreachable!("only digits of base32 were chosen"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_definition() {
        let mut random = Random(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn small_numbers_come_more_often() {
        let mut random = Random::new(1, 1);
        let below_quarter = (0..1000).filter(|_| random.skewed(100) < 25).count();
        assert!((500..700).contains(&below_quarter), "{below_quarter}");
        assert_eq!(random.skewed(0), 0);
        assert_eq!(random.skewed(1), 0);
    }
}
