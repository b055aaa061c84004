//! The command as a person or a script calls it.
//!
//! - `desk`: a folder to call it in, and pages to give it.
//! - `commands`: each verb. `caches`: databases, mirrors and manifests, from disk and fetched.
//! - `damage`: what is wrong with them, told exactly, and nothing written.

mod caches;
mod commands;
mod damage;
mod desk;
