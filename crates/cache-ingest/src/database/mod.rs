//! Spack's database files: what every build cache carries as `index.json`.
//!
//! ```text
//! {"database": {"version": "8", "installs": {
//!     "ehunw7xdiu5rkttade3wkgkirgcxtlwc": {"spec": {…}, "ref_count": 0, "in_buildcache": true}, …
//! }}}
//! ```
//!
//! Versions 5 to 9 are read. 7 (Spack 0.20 to 0.23) and 8 (Spack 1.x) are known from real files, 9
//! from Spack's own description of it; of 5 and 6 is read what they share with 7. An older version
//! is refused by its number. A newer one is read as far as its records have the shape of these, with
//! a note.
//!
//! Three steps, so that a large file can be read on several threads without being held in memory:
//! [`scan`] cuts it into [`Batch`]es of records, [`Batch::read`] reads one, and an [`Assembly`] puts
//! what they say together again. [`read_database`] does all three. A record that cannot be used is
//! left out and reported; the others are there.
//!
//! Surprises:
//!
//! - a record with `in_buildcache: false` (an external compiler, the libc, a dependency that was not
//!   pushed) has no binary: it gets no place, and stays known because others depend on it;
//! - up to version 7 the compiler is a field of the spec, from version 8 on it is a dependency, whose
//!   version stands in another record; so compilers are resolved when all records are read;
//! - version 8 may hold specs that an older Spack wrote, with the compiler in an annotation;
//! - a spec says which virtual packages it provides from format 6 on, and leaves the field out if it
//!   provides none.

mod compiler;
mod record;
mod records;
mod scan;
#[cfg(test)]
mod tests;

use std::io;

pub(super) use self::compiler::{Compilers, compiler_node};
pub(crate) use self::record::read_spec;
pub use self::records::{Assembly, Records};
pub use self::scan::{Batch, Outline, scan};
use super::digest::Stated;
use super::read::Read;
use cache_index::build::{Build, Place};

/// What a database file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// Version of the format.
    pub version: u32,
    /// In the order of the file, each hash once.
    pub builds: Vec<Build>,
}

/// The oldest version that is read.
pub const OLDEST_VERSION: u32 = 5;

/// The newest version that is known. Newer ones are read as if they were of this one.
pub const NEWEST_VERSION: u32 = 9;

/// From this version on the compiler is a dependency.
const COMPILERS_ARE_DEPENDENCIES: u32 = 8;

/// Reads a database file, compressed or not. The file does not say which mirror it describes:
/// `place` does, and every build with a binary is put there.
pub fn read_database(input: impl io::Read, place: &Place) -> Read<Database> {
    read_stated_database(input, place, None)
}

/// Reads a database file of which it is stated beforehand what its bytes are.
pub fn read_stated_database(
    mut input: impl io::Read,
    place: &Place,
    stated: Option<&Stated>,
) -> Read<Database> {
    let mut assembly = Assembly::default();
    let mut builds = Vec::new();
    let outline = scan(&mut input, stated, &mut |batch| {
        builds.extend(assembly.take(batch.read(place)));
    });
    let compilers = Compilers::among(builds.iter());
    for build in &mut builds {
        if let Some(compiler) = compilers.of(build) {
            build.compiler = Some(compiler.clone());
        }
    }
    assembly.finish(outline).map(|version| Database { version, builds })
}
