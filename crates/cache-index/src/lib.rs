#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod build;
pub mod environment;
pub mod facet;
pub mod facts;
pub mod file_names;
pub mod index;
pub mod message;
pub mod mirror;
pub mod number;
pub mod order;
pub mod recipes;
#[cfg(any(test, feature = "sample"))]
#[doc(hidden)]
pub mod sample;
pub mod settings;
pub mod sorting;
pub mod spack;
