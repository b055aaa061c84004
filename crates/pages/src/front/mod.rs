//! The parts of the front page besides the list of packages.

mod about;
pub(crate) mod examples;
pub(crate) mod help;
mod outdated;
mod stacks;
mod use_it;

pub(crate) use self::about::About;
pub(crate) use self::outdated::OutdatedPackages;
pub(crate) use self::stacks::StackTable;
pub(crate) use self::use_it::UseIt;
