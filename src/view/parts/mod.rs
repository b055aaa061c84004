//! What pages are made of. A part gets what it shows as properties, and does not know which page it is on.

pub mod age;
pub mod columns;
pub mod copy;
pub mod cut;
pub mod export;
pub mod headline;
pub mod icon;
pub mod query_link;
pub(crate) mod sheet;
pub mod tabs;
