//! Reading what Spack writes into plain [`Build`](cache_index::build::Build) values.
//!
//! One module per input format, each a function from text to builds or to a list of [`Problem`]s;
//! [`Collection`] then unites the builds of many inputs by hash. Nothing here opens a file, follows
//! a path or asks the network: the caller does, and names each input with a label of its own.
//!
//! Readers are strict and total. Strict: what is not understood is a problem, nothing is skipped or
//! guessed, and a field that no known writer writes is named. Total: no input makes them panic, and
//! they go on after a problem, so that a person sees every problem of a file at once.

#![deny(missing_docs)]

pub mod collection;
pub mod compression;
pub mod database;
pub mod digest;
pub mod environment;
pub mod graph;
pub mod kind;
pub mod manifest;
pub mod mirror;
pub mod page;
pub mod problem;

mod agreement;
mod fields;
mod notation;
mod value;
mod visible;
mod yaml_depth;

pub use collection::{Collection, Conflict};
pub use compression::decompress;
pub use database::{Database, read_database};
pub use environment::read_environment;
pub use kind::{Kind, kind};
pub use manifest::{Source, read_manifest};
pub use mirror::{Files, Mirror, MirrorProblem, read_mirror};
pub use page::{Page, read_page};
pub use problem::{Finding, Position, Problem, Record};
