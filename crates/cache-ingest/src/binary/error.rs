//! What makes a binary unusable.

use std::fmt;
use std::io;

use cache_index::number::grouped;

use crate::problem::{Finding, quote};

/// The reason why a binary is unusable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BinaryError {
    /// It differs from its stated length or digest.
    NotAsStated(Finding),
    /// There is no such file.
    Absent,
    /// It cannot be read, or decompressed.
    Unreadable {
        /// The error.
        message: String,
    },
    /// It is not a tarball.
    NotATarball,
    /// It ends in the middle of a file.
    CutOff,
    /// A header of the tarball is damaged.
    BadHeader {
        /// Its position in the decompressed tarball, in bytes.
        at: u64,
    },
    /// An entry is something that Spack never packs: a device, a pipe, a sparse file.
    UnexpectedEntry {
        /// Its path.
        path: String,
    },
    /// A path leads out of the folder into which it is unpacked.
    PathLeadsOut {
        /// The path.
        path: String,
    },
    /// A file is outside the prefix.
    OutsidePrefix {
        /// Its path.
        path: String,
        /// The prefix.
        prefix: String,
    },
    /// There are more files than any build has.
    TooManyEntries {
        /// The limit.
        limit: usize,
    },
    /// The paths of the files are longer than those of any build.
    TooManyPaths {
        /// The limit in bytes.
        limit: usize,
    },
    /// An extension of a header is longer than any path.
    HeaderTooLong {
        /// The limit in bytes.
        limit: u64,
    },
    /// It has no `.spack/binary_distribution`, so Spack does not install it.
    NoBuildInfo,
    /// The `binary_distribution` cannot be understood.
    BadBuildInfo {
        /// What is wrong with it.
        message: String,
    },
}

impl fmt::Display for BinaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BinaryError::NotAsStated(finding) => finding.fmt(f),
            BinaryError::Absent => {
                f.write_str("the binary could not be read: there is no such file")
            }
            BinaryError::Unreadable { message } => {
                write!(f, "the binary could not be read: {message}")
            }
            BinaryError::NotATarball => f.write_str("expected a tarball, found something else"),
            BinaryError::CutOff => f.write_str("the tarball is cut off"),
            BinaryError::BadHeader { at } => {
                write!(f, "the tarball is damaged: expected a header at byte {at}")
            }
            BinaryError::UnexpectedEntry { path } => write!(
                f,
                "expected files, folders and links in the tarball, found something else: {}",
                quote(path)
            ),
            BinaryError::PathLeadsOut { path } => {
                write!(f, "a path in the tarball leads out of it: {}", quote(path))
            }
            BinaryError::OutsidePrefix { path, prefix } => write!(
                f,
                "a file in the tarball is outside of its prefix {}: {}",
                quote(prefix),
                quote(path)
            ),
            BinaryError::TooManyEntries { limit } => {
                write!(f, "the tarball has more than {} entries", grouped(*limit))
            }
            BinaryError::TooManyPaths { limit } => {
                write!(f, "the paths in the tarball take more than {} bytes", grouped(*limit))
            }
            BinaryError::HeaderTooLong { limit } => {
                write!(f, "the tarball has a header of more than {limit} bytes")
            }
            BinaryError::NoBuildInfo => f.write_str(
                "the tarball has no .spack/binary_distribution, so Spack does not install it",
            ),
            BinaryError::BadBuildInfo { message } => {
                write!(f, ".spack/binary_distribution cannot be understood: {message}")
            }
        }
    }
}

impl std::error::Error for BinaryError {}

impl From<io::Error> for BinaryError {
    fn from(error: io::Error) -> BinaryError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => BinaryError::CutOff,
            _ => BinaryError::Unreadable { message: error.to_string() },
        }
    }
}
