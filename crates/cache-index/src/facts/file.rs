//! The files of a build, and what each is for.

use std::fmt;
use std::num::ParseIntError;

use serde::{Deserialize, Serialize};

/// A file, a folder or a link of a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its path.
    pub path: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: EntryKind,
    /// The size of a file in bytes; 0 for anything else.
    #[serde(default)]
    pub size: u64,
    /// The permissions.
    pub mode: Mode,
    /// The target of a link; for a hard link, another file of the build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// The permissions of a file, written in octal digits: `755`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Mode(pub u16);

impl From<Mode> for String {
    fn from(mode: Mode) -> String {
        mode.to_string()
    }
}

impl TryFrom<String> for Mode {
    type Error = ParseIntError;

    fn try_from(text: String) -> Result<Mode, ParseIntError> {
        u16::from_str_radix(&text, 8).map(Mode)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:o}", self.0)
    }
}

/// The kind of an entry in a tarball.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// A file.
    File,
    /// A folder.
    Dir,
    /// A symbolic link.
    Symlink,
    /// Another name for an earlier file.
    Hardlink,
}

/// What a file is for, judged by its name and folder. The kinds that people look for first come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// A program that people call.
    Program,
    /// A library.
    Library,
    /// A header of C, C++ or Fortran.
    Header,
    /// A module of Python.
    PythonModule,
    /// What pkg-config reads.
    PkgConfig,
    /// What CMake reads.
    CMake,
    /// A page of a manual.
    Manual,
    /// What Spack wrote about the build.
    Spack,
    /// Anything else.
    Other,
}

/// Reverses the order of the names in a path; applied twice, returns the path itself.
pub(crate) fn from_its_end(path: &str) -> String {
    path.rsplit('/').collect::<Vec<_>>().join("/")
}

impl Entry {
    /// Returns `true` if Spack wrote it about the build.
    pub fn is_of_spack(&self) -> bool {
        self.path == ".spack" || self.path.starts_with(".spack/")
    }

    /// Returns what the file is for.
    pub fn file_kind(&self) -> FileKind {
        let path = self.path.as_str();
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        let is_within = |part: &str| path.split('/').rev().skip(1).any(|folder| folder == part);
        let is_program = matches!(folder, "bin" | "sbin") && self.mode.0 & 0o100 != 0;
        if self.is_of_spack() {
            FileKind::Spack
        } else if is_program {
            FileKind::Program
        } else if is_within("site-packages") && ends(&[".py", ".so"]) {
            FileKind::PythonModule
        } else if ends(&[".so", ".a", ".dylib"]) || name.contains(".so.") {
            FileKind::Library
        } else if ends(&[".h", ".hh", ".hpp", ".hxx", ".cuh", ".mod"]) || is_within("include") {
            FileKind::Header
        } else if ends(&[".py"]) {
            FileKind::PythonModule
        } else if ends(&[".pc"]) {
            FileKind::PkgConfig
        } else if ends(&[".cmake"]) {
            FileKind::CMake
        } else if is_within("man") {
            FileKind::Manual
        } else {
            FileKind::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_files_are_for_by_their_names() {
        #[track_caller]
        fn check(path: &str, mode: &str, expected: FileKind) {
            let (path, mode) = (path.to_owned(), mode.to_owned().try_into().expect("a mode"));
            let entry = Entry { path, kind: EntryKind::File, size: 0, mode, target: None };
            assert_eq!(entry.file_kind(), expected, "{}", entry.path);
        }
        check("bin/h5dump", "755", FileKind::Program);
        check("bin/README", "644", FileKind::Other);
        check("lib/libhdf5.so.310.2.0", "755", FileKind::Library);
        check("lib/libz.a", "644", FileKind::Library);
        check("include/c++/12/vector", "644", FileKind::Header);
        check("lib/python3.11/site-packages/mpi4py/MPI.so", "755", FileKind::PythonModule);
        check("lib/python3.11/os.py", "644", FileKind::PythonModule);
        check("lib/pkgconfig/zlib.pc", "644", FileKind::PkgConfig);
        check("lib/cmake/fmt/fmt-config.cmake", "644", FileKind::CMake);
        check("share/man/man1/xz.1", "644", FileKind::Manual);
        check(".spack/spec.json", "644", FileKind::Spack);
        check("share/doc/LICENSE", "644", FileKind::Other);
    }
}
