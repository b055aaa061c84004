//! The versions of Spack's database that are read.

/// The oldest version that can be read.
pub(crate) const OLDEST_VERSION: u32 = 5;

/// The newest version that is known. Newer files are read as if they had this version.
pub(crate) const NEWEST_VERSION: u32 = 9;
