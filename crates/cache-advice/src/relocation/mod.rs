//! Can Spack move a build into another install tree, and if not, why?
//!
//! The files of a build contain the paths of its own prefix and of the prefixes of its dependencies. When Spack
//! installs it elsewhere, it replaces them:
//!
//! | where a path is | what Spack does | when that fails |
//! | --- | --- | --- |
//! | texts, symbolic links | writes the new path | never |
//! | run paths and interpreters | writes the new path in place, or with patchelf if it is longer | there is no patchelf |
//! | anywhere else in a program or library | writes the new path in place, after slashes if it is shorter | it is longer; or it is nearly as long, and a string ends right after it |
//!
//! The last row needs care because linkers let strings share their ends: if `/opt/spack` is at the end of a string,
//! another string may begin in the middle of it. So Spack keeps the last seven bytes of a string as they were, unless
//! there is room to leave the end of the old string in place.
//!
//! Everything is compared prefix by prefix, because the layout below the root differs between versions of Spack.
//! A build can only be moved if all that it is linked with or runs can be, too. And no root can be so long that `bin/sbang`
//! in it does not fit into the first line of a script, whatever the build is; padding does not count for that.
//!
//! The rules are those of Spack 1.2; they have been the same since 0.20.

mod destination;
mod moved;
mod needed;
mod rule;
#[cfg(test)]
mod tests;

pub use self::destination::Destination;
pub use self::moved::Relocations;
pub(crate) use self::needed::{AnswersBelow, NeededSpec, needed};
pub use self::rule::{Obstacle, Relocation, relocate, relocate_by_room};
