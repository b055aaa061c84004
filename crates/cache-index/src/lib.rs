#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod address;
pub mod build;
pub mod changes;
pub mod compare;
pub mod environment;
pub mod export;
pub mod facet;
pub mod host;
pub mod index;
pub mod likeness;
pub mod mirror;
pub mod number;
mod order;
pub mod query;
pub mod reuse;
#[cfg(test)]
mod sample;
pub mod search;
pub mod sorting;
pub mod written;
