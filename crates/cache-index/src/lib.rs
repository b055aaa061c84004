//! The index of a Spack build cache: what is in it, how it is stored, and how it is asked.

pub mod build;
#[cfg(feature = "ingest")]
pub mod ingest;
