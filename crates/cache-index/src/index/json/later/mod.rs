//! The parts of an index that follow its columns and hashes. A first visit shows none of them, so the app reads them with
//! code that is loaded after the first answer (`crates/split`).

pub(super) mod dependencies;
pub(super) mod details;
pub(super) mod earlier;
pub(super) mod recipes;
