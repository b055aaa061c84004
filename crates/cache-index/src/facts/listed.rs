//! A file as the lists of an index describe it.

use super::Entry;

/// A file or a link of a build, and what was found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// Its path, kind and size. Of its permissions, the lists only say whether it may be executed.
    pub entry: Entry,
    /// The libraries that it needs, if it is a program or a library, as it names them: `libz.so.1`, or a path on macOS.
    pub needed: Vec<String>,
}
