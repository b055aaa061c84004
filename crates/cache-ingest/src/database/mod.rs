//! Spack's database files: the `index.json` of every build cache.
//!
//! ```text
//! {"database": {"version": "8", "installs": {
//!     "ehunw7xdiu5rkttade3wkgkirgcxtlwc": {"spec": {…}, "ref_count": 0, "in_buildcache": true}, …
//! }}}
//! ```
//!
//! Versions 5 to 9 are read. Versions 5 (Spack 0.14 to 0.16), 7 (0.20 to 0.23) and 8 (1.x) are known from real files, 6
//! (0.17 to 0.19) from a file that Spack's classes made from a real lock file, and 9 from Spack's own description of
//! it. An older version is rejected by its number. A newer one is read, with a note, as far as its records have the
//! same shape.
//!
//! Reading has three steps, so that a large file can be read on several threads without being held in memory: [`scan()`]
//! splits it into [`Batch`]es of records, [`Records::read`] reads one, and [`Records::finish`] puts all in order.
//! [`read_database`] does all three. A record that cannot be used is left out and reported; the others are returned.
//!
//! Surprises:
//!
//! - a record with `in_buildcache: false` (an external compiler, the libc, a dependency that was not pushed) has no
//!   binary: it gets no place, but is kept because others depend on it;
//! - in version 5, a spec is [under its name](record), and may lack its hash and `in_buildcache`;
//! - up to version 7 the compiler is a field of the spec, from version 8 on it is a dependency, whose version is in
//!   another record; so compilers are resolved when all records have been read;
//! - version 8 may contain specs that an older Spack wrote, with the compiler in an annotation;
//! - from format 6 on, a spec says which virtual packages it provides, and omits the field if it provides none.

mod known_fields;
mod record;
mod records;
mod scan;
mod skip;
#[cfg(test)]
mod tests;
mod walk;

use std::io;

pub(super) use self::record::{CompilerLinks, Compilers, compiler_node};
pub(crate) use self::record::{read_dependency, read_spec, unnamed};
pub(crate) use self::records::Builds;
pub use self::records::Records;
pub use self::scan::{Batch, Outline, scan};
pub(crate) use self::skip::{Skipper, Stop};
use super::compression::SizeLimit;
use super::digest::Fingerprint;
use super::read::Read;
use cache_index::build::{Build, Place};

/// The contents of a database file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// The version of the format.
    pub version: u32,
    /// The builds, in the order of the file and without duplicate hashes.
    pub builds: Vec<Build>,
}

/// From this version on, the compiler is a dependency.
const COMPILERS_ARE_DEPENDENCIES: u32 = 8;

/// Reads a database file, compressed or not. The file does not say which mirror it describes: every build with a binary
/// is put in `place`.
pub fn read_database(input: impl io::Read, place: &Place) -> Read<Database> {
    read_stated_database(input, place, None)
}

/// Reads a database file whose digest is stated in advance.
pub fn read_stated_database(
    mut input: impl io::Read,
    place: &Place,
    stated: Option<&Fingerprint>,
) -> Read<Database> {
    let records = Records::default();
    let outline = scan(&mut input, SizeLimit::default(), stated, &mut |batch| {
        records.read(&batch, place);
    });
    let (read, found) = records.finish(outline);
    let mut builds: Vec<Build> =
        found.order.iter().map(|it| found.packers[it.thread].build(it.build)).collect();
    let compilers = Compilers::among(builds.iter());
    for build in &mut builds {
        if let Some(compiler) = compilers.of(build) {
            build.compiler = Some(compiler.clone());
        }
    }
    read.map(|version| Database { version, builds })
}
