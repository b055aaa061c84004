//! The numbers of the index, each saying which space it lives in.
//!
//! Inside this module columns are plain `u32`; across its boundary a number is one of these.

/// Number of a value in its facet's dictionary. Dictionaries are in display order, so of two codes
/// of one facet the smaller is shown first: newest version, oldest microarchitecture of a family,
/// first name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueCode(pub u32);

/// Number of a row: all builds that agree in every facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub u32);

/// Number of a build in the order of the index: by package, version, configuration, variants,
/// places, hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BuildId(pub u32);

impl ValueCode {
    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }
}

impl RowId {
    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }
}

impl BuildId {
    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }
}
