//! What pages are made of. A part gets what it shows as properties, and does not know which page it is on.

pub(crate) mod absent;
pub(crate) mod age;
pub(crate) mod beyond;
pub(crate) mod columns;
pub(crate) mod copy;
pub(crate) mod cut;
pub(crate) mod empty;
pub(crate) mod export;
pub(crate) mod gaps;
pub(crate) mod headline;
pub(crate) mod heat;
pub(crate) mod icon;
pub(crate) mod looking;
pub(crate) mod runs_on;
pub(crate) mod sentence;
pub(crate) mod spec;
pub(crate) mod tabs;
pub(crate) mod to;
pub(crate) mod verdict;
