//! The pages, one module each. A page answers a [`View`](cache_index::query::View).

pub(crate) mod build;
pub(crate) mod compare;
pub(crate) mod package;
pub(crate) mod packages;

pub(crate) use build::{Build, MalformedHash};
pub(crate) use compare::Compare;
pub(crate) use package::Package;
pub(crate) use packages::Front;
