//! The subcommands, one per file.

mod beside;
pub(crate) mod bundle;
pub(crate) mod changes;
pub(crate) mod check;
mod check_facts;
pub(crate) mod embed;
pub(crate) mod environment;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod index;
pub(crate) mod inspect;
pub(crate) mod mcp;
mod nothing;
pub(crate) mod open;
pub(crate) mod outdated;
pub(crate) mod prune_preview;
pub(crate) mod seal;
pub(crate) mod search;
mod search_files;
mod search_places;
pub(crate) mod serve;
pub(crate) mod stats;
mod watch;
pub(crate) mod why;
