//! New names that sound like names of packages.

use std::collections::HashSet;

use crate::random::Random;

/// The names of packages so far.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    /// Creates a new name. Prefixes are as common as in Spack, where most packages are Python's.
    pub(crate) fn package(&mut self, random: &mut Random) -> String {
        const PREFIXES: [&str; 10] = ["", "", "", "", "py-", "py-", "py-", "r-", "perl-", "lib"];
        loop {
            let syllables = 2 + random.small(3);
            let name = random.pick(&PREFIXES).to_owned() + &word(random, syllables);
            if self.0.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Creates a word with this number of syllables.
pub(crate) fn word(random: &mut Random, syllables: usize) -> String {
    const SYLLABLES: [&str; 40] = [
        "ba", "ce", "dor", "fen", "gli", "hax", "ion", "jet", "kar", "lum", "mo", "nix", "opa",
        "pel", "qua", "rus", "sto", "tik", "ulm", "vor", "wen", "xyl", "yar", "zem", "bra", "cli",
        "dru", "flo", "gra", "hel", "kno", "lin", "mex", "net", "par", "ras", "sol", "tar", "vis",
        "zip",
    ];
    (0..syllables).map(|_| random.pick(&SYLLABLES)).collect()
}
