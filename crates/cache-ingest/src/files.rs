//! The files of a folder, a mirror or an image layout, wherever they are.

use std::io;
use std::ops::AddAssign;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Files below a root: of a mirror, or of an image layout. Paths are relative to the root, with `/` as the separator.
pub trait Files {
    /// Opens a file; `None` if there is no file with this path.
    fn open(&self, path: &str) -> io::Result<Option<Box<dyn io::Read + '_>>>;

    /// Returns the paths of all files in a folder and its subfolders, sorted; empty if there is no such folder.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;

    /// Returns whether there is a file with this path.
    fn has(&self, path: &str) -> io::Result<bool> {
        Ok(self.open(path)?.is_some())
    }

    /// Returns the length of a file in bytes, if it is known without reading the file.
    fn length(&self, path: &str) -> Option<u64> {
        let _ = path;
        None
    }
}

/// Returns a path as it is written in an address: folders may have any names, such as a view called `2026 #1`.
pub fn address_of(path: &str) -> String {
    /// Everything but letters, digits and `/-._~`.
    const ENCODED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(path, ENCODED).collect()
}

/// The number of some binaries, and their total size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// The number of binaries.
    pub binaries: usize,
    /// Their lengths together, in bytes.
    pub bytes: u64,
}

impl Amount {
    /// Adds a binary with this length.
    pub(crate) fn add(&mut self, bytes: u64) {
        *self += Amount { binaries: 1, bytes };
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        self.binaries += other.binaries;
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::address_of;

    #[test]
    fn writes_names_of_folders_as_parts_of_addresses() {
        let plain = "v3/manifests/index/rel/2026.1_a~b-c";
        assert_eq!(address_of(plain), plain);
        assert_eq!(address_of("with space/50%?#"), "with%20space/50%25%3F%23");
        assert_eq!(address_of("été+"), "%C3%A9t%C3%A9%2B");
    }
}
