//! Dependency types: why a package needs a dependency.

use std::fmt;

/// A set of dependency types, which Spack calls deptypes: `build`, `link`, `run` and `test`.
///
/// A set is one byte, because a database has millions of dependencies. Sets are ordered by their bits.
///
/// ```
/// use spack_spec::Deptypes;
///
/// let deptypes = Deptypes::BUILD.union(Deptypes::LINK);
/// assert_eq!(deptypes.to_string(), "build,link");
/// assert!(deptypes.contains(Deptypes::LINK) && !deptypes.contains(Deptypes::RUN));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deptypes(u8);

impl Deptypes {
    /// Needed to build the package.
    pub const BUILD: Deptypes = Deptypes(1);
    /// Linked into the package.
    pub const LINK: Deptypes = Deptypes(2);
    /// Needed to run the package.
    pub const RUN: Deptypes = Deptypes(4);
    /// Needed to test the package.
    pub const TEST: Deptypes = Deptypes(8);

    /// The names in the order in which Spack writes them, which is the order of the bits, lowest first.
    pub const NAMES: [&str; 4] = ["build", "link", "run", "test"];

    /// Returns the set with just the type of this name; `None` for any other text.
    ///
    /// ```
    /// use spack_spec::Deptypes;
    ///
    /// assert_eq!(Deptypes::named("link"), Some(Deptypes::LINK));
    /// assert_eq!(Deptypes::named("install"), None);
    /// ```
    pub fn named(name: &str) -> Option<Deptypes> {
        let bit = Deptypes::NAMES.iter().position(|known| *known == name)?;
        Some(Deptypes(1 << bit))
    }

    /// Iterates over the names of the types in the set, in the order of [`NAMES`](Deptypes::NAMES).
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let is_in = move |bit: &usize| self.0 & 1 << bit != 0;
        (0..Deptypes::NAMES.len()).filter(is_in).map(|bit| Deptypes::NAMES[bit])
    }

    /// Returns the set as a number below 16; [`from_bits`](Deptypes::from_bits) is the inverse.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the set with these bits; `None` if the number is 16 or more.
    ///
    /// ```
    /// use spack_spec::Deptypes;
    ///
    /// assert_eq!(Deptypes::from_bits(5), Some(Deptypes::BUILD.union(Deptypes::RUN)));
    /// assert_eq!(Deptypes::from_bits(16), None);
    /// ```
    pub const fn from_bits(bits: u8) -> Option<Deptypes> {
        if bits < 1 << Deptypes::NAMES.len() { Some(Deptypes(bits)) } else { None }
    }

    /// Returns the types that are in either set.
    #[must_use]
    pub const fn union(self, other: Deptypes) -> Deptypes {
        Deptypes(self.0 | other.0)
    }

    /// Returns `true` if the sets have a type in common.
    pub const fn intersects(self, other: Deptypes) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns `true` if this set has all types of the other.
    pub const fn contains(self, other: Deptypes) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns `true` if the set has no types.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Deptypes {
    /// Writes the set as Spack does: `build,link`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join(","))
    }
}

impl fmt::Debug for Deptypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_through_bits_and_names() {
        for bits in 0..16 {
            let deptypes = Deptypes::from_bits(bits).expect("bits below 16");
            let named = deptypes.names().filter_map(Deptypes::named);
            assert_eq!(named.fold(Deptypes::default(), Deptypes::union), deptypes);
            assert_eq!(deptypes.bits(), bits);
        }
        assert_eq!(Deptypes::default().to_string(), "");
    }
}
