#![doc = include_str!("../README.md")]

pub mod version;

pub use version::{Version, VersionConstraint, VersionError, VersionRange};
