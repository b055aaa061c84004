//! Facts: what was found in a binary, as opposed to what the index says of the build.
//!
//! An index is made of labels, such as the target and the libc, which were written down when a package was built. Facts
//! are read out of the tarball itself, once for each tarball, by `cache-explorer inspect`. They answer what labels
//! cannot: which files a build has, which libraries and symbols it needs, and into which folders it can be moved.
//!
//! Paths are relative to the prefix of the build. Bytes that are not UTF-8 are written as `\xe9`.

mod asked;
mod demands;
mod file;
mod lines;
mod listed;
mod room;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use self::asked::FileTerm;
pub use self::demands::Demands;
pub(crate) use self::file::from_its_end;
pub use self::file::{Entry, EntryKind, FileKind, Mode};
pub use self::lines::{KnownFacts, Line, LineError};
pub use self::listed::ListedFile;
pub use self::room::Room;
use crate::build::Hash;

/// What was found in one binary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// The size of the tarball in bytes.
    pub size: u64,
    /// The sum of the sizes of its files.
    pub unpacked: u64,
    /// The folder that the build was installed in when it was pushed.
    pub prefix: String,
    /// The files, folders and links below the prefix, in the order of the tarball.
    pub files: Vec<Entry>,
    /// The programs, libraries and object files among them.
    pub objects: Vec<Object>,
    /// What Spack wrote about moving the build.
    pub relocation: Relocation,
    /// `true` if only the beginning of the tarball was read, which shows the prefix and nothing else.
    #[serde(skip_serializing_if = "is_false")]
    pub is_partial: bool,
}

/// The facts of builds, by hash.
pub type FactsOf<'f> = dyn Fn(Hash) -> Option<&'f Facts> + 'f;

/// A program, a library or an object file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Object {
    /// Its path.
    pub path: String,
    /// The format, `elf` or `mach-o`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub format: String,
    /// The machine that its code is for, as compilers call it: `x86_64`, `aarch64`; several for a universal binary.
    pub machine: String,
    /// The name by which others need it; on macOS, its install name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soname: Option<String>,
    /// The libraries that it needs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needed: Vec<String>,
    /// Where it looks for them, separated by `:`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rpath: Option<String>,
    /// The highest version that it needs of each family of symbols: `GLIBC`, `GLIBCXX`. On macOS, `macOS`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub requires: BTreeMap<String, String>,
    /// The levels of x86-64 that a note in it says it needs. Most have no such note, which proves nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub isa: Vec<String>,
    /// The paths in it that Spack replaces in place when it moves the build: all but the run paths and the interpreter,
    /// which may grow.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub strings: BTreeSet<PathUse>,
    /// The program that loads it, such as `/lib64/ld-linux-x86-64.so.2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpreter: Option<String>,
    /// `true` if not all of it was examined, so that [`strings`](Object::strings) may be incomplete.
    #[serde(skip_serializing_if = "is_false")]
    pub is_unclear: bool,
}

/// An occurrence, in an object file, of one of the paths that are replaced when the build is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PathUse {
    /// The build with this prefix; `None` for the root of the install tree.
    #[serde(rename = "of", default, skip_serializing_if = "Option::is_none")]
    pub build: Option<Hash>,
    /// How many bytes follow the path before the string ends, if they are fewer than [`SAFE_SUFFIX`].
    #[serde(rename = "end", default, skip_serializing_if = "Option::is_none")]
    pub suffix: Option<u8>,
}

/// Linkers let strings share their ends. Spack replaces a path within a longer string freely only if at least this many
/// bytes at the end of the string stay as they are.
pub const SAFE_SUFFIX: u8 = 7;

/// What Spack wrote about moving a build, in its `binary_distribution`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Relocation {
    /// The root of the install tree that the build was in, with its padding.
    pub root: String,
    /// The path of `sbang` there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sbang: Option<String>,
    /// The prefixes of the build and of what it needs.
    pub prefixes: BTreeMap<Hash, String>,
    /// The programs and libraries in which Spack looks for prefixes.
    pub binaries: Vec<String>,
    /// The text files that contain one of the prefixes.
    pub text: Vec<String>,
    /// The symbolic links that point into one of the prefixes.
    pub links: Vec<String>,
}

impl Facts {
    /// Returns the highest version that any object of the build needs of each family of symbols.
    pub fn requires(&self) -> BTreeMap<&str, &str> {
        let mut all: BTreeMap<&str, &str> = BTreeMap::new();
        for (family, version) in self.objects.iter().flat_map(|object| &object.requires) {
            let known = all.entry(family).or_insert(version);
            if numbers(version) > numbers(known) {
                *known = version;
            }
        }
        all
    }
}

/// Returns the numbers in the version of a family of symbols, which compare as the versions do.
pub fn numbers(version: &str) -> Vec<u64> {
    version.split('.').map(|part| part.parse().unwrap_or_default()).collect()
}

fn is_false(value: &bool) -> bool {
    !value
}
