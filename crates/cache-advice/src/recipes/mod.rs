//! What recipes say that a cache does not: which of its packages Spack has newer releases of, and what Spack can build
//! from source.
//!
//! A release is a version that is neither a branch nor a commit. It counts as newer than what a cache has if Spack orders it
//! above every release in the cache, and as available if its recipe has it and does not call it deprecated.

mod described;
mod licenses;
mod outdated;
#[cfg(test)]
mod questions;
mod source;
#[cfg(test)]
mod tests;
mod unknown;

pub use described::{DescribedPackage, Descriptions};
pub use licenses::Licenses;
pub use outdated::{CachedDeprecated, OutdatedPackage, OutdatedReport};
pub use source::{FromSource, OtherProviders};
pub use unknown::{has_no_version, unknown_variants};
