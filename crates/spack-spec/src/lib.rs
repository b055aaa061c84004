#![doc = include_str!("../README.md")]

mod dialect;
pub mod target;
pub mod version;

pub use dialect::Dialect;
pub use target::{Target, TargetConstraint};
pub use version::{Version, VersionConstraint, VersionError, VersionRange};
