//! The numbers of the index, with a type for each space they belong to.
//!
//! Within this module columns are plain `u32`; outside, a number always has one of these types.

/// The number of a value in its facet's dictionary. Dictionaries are in display order, so of two
/// codes of one facet the smaller one is shown first: the newest version, the oldest
/// microarchitecture of a family, the first name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueCode(pub u32);

/// The number of a row, which represents all builds that agree in every facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub u32);

/// The number of a build in the order of the index: by package, version, configuration, variants,
/// places, hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BuildId(pub u32);

impl ValueCode {
    /// Returns it as a position.
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

impl RowId {
    /// Returns it as a position.
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

impl BuildId {
    /// Returns it as a position.
    pub fn at(self) -> usize {
        self.0 as usize
    }
}
