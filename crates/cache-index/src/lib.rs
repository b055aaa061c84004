//! The index of a Spack build cache: what is in it, how it is stored, and how it is asked.
//!
//! ```text
//! text ──ingest──▶ builds ──pack──▶ index ⇄ JSON
//!                                     │
//!       address ⇄ query ────run───────┴──▶ answer
//! ```
//!
//! Everything here is plain data and pure functions: no files, no clock, no network, no DOM.

pub mod address;
pub mod build;
pub mod compare;
pub mod environment;
pub mod export;
pub mod facet;
pub mod host;
pub mod index;
pub mod mirror;
mod order;
pub mod query;
#[cfg(test)]
mod sample;
pub mod search;
pub mod sorting;
pub mod written;
