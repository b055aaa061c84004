//! Reading what Spack writes into plain [`Build`](cache_index::build::Build) values.
//!
//! Each module reads one input format, with a function from bytes to a [`Read`]: what can be used, a list of
//! [`Problem`]s, and [`Notes`]. [`Collection`] then merges the builds of many inputs by hash. [`inputs`] does
//! all of this for files that are given by name. Nothing here opens a file, uses the network or starts a thread: the
//! caller does, as a [`Machine`](inputs::Machine).
//!
//! Readers are strict, tolerant of additions, and total:
//!
//! - a record that cannot be used, because a field is missing or invalid, is a *problem*: it is left out, and reported
//!   with its position, never guessed;
//! - a field, a kind of file or a version that is merely unknown is a *note*: formats outlive their readers, and the
//!   rest can still be understood;
//! - no input makes a reader panic, and it continues after a problem, so that a user sees every problem of a file at
//!   once.

#![deny(missing_docs)]

#[cfg(feature = "binary")]
pub mod binary;
pub mod collection;
pub mod compression;
pub mod database;
pub mod digest;
pub mod environment;
pub mod foreign;
pub mod graph;
pub mod inputs;
pub mod kind;
pub mod manifest;
pub mod mirror;
pub mod mirror_settings;
pub mod oci;
pub mod page;
pub mod problem;
pub mod read;
#[cfg(feature = "command")]
pub mod recipes;
pub mod report;
pub mod settings;
pub mod site;
pub mod this_machine;
pub mod watch;

mod agreement;
mod builds_by_thread;
mod database_version;
mod fields;
mod files;
mod grammar;
mod notation;
mod package_data;
mod value;
mod visible;
mod wanted_build;
mod yaml_depth;

pub use collection::{Collection, Conflict, InputId};
pub use compression::decompress;
pub use database::{Database, read_database, read_stated_database};
pub use environment::{IncludedFile, is_environment, read_environment, read_environment_with};
pub use kind::{InputKind, kind};
pub use manifest::{ListedDatabase, read_manifest};
pub use mirror::{Files, Mirror, find_databases};
pub use mirror_settings::read_mirrors;
pub use page::{Page, read_page};
pub use problem::{Finding, Notes, Novelty, Position, Problem, Record};
pub use read::Read;
pub use settings::read_settings;
pub use visible::visible;
