//! The chosen files as a tree of folders.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

/// A file that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Its index among the chosen files.
    pub number: usize,
    /// Its length in bytes.
    pub length: u64,
}

/// A file, or a folder with its entries by name.
#[derive(Debug)]
pub(super) enum Node {
    File(File),
    Folder(BTreeMap<OsString, Node>),
}

impl Default for Node {
    fn default() -> Node {
        Node::Folder(BTreeMap::new())
    }
}

impl Node {
    /// Adds a file at a path, unless the path or a part of it already exists as something else.
    pub(super) fn add(&mut self, path: &Path, file: File) {
        let mut node = self;
        for name in path.iter() {
            let Node::Folder(entries) = node else { return };
            node = entries.entry(name.to_owned()).or_default();
        }
        if matches!(node, Node::Folder(entries) if entries.is_empty()) {
            *node = Node::File(file);
        }
    }

    /// Returns what is at a path.
    pub(super) fn get(&self, path: &Path) -> Option<&Node> {
        path.iter().try_fold(self, |node, name| match node {
            _ if name == "." => Some(node),
            Node::Folder(entries) => entries.get(name),
            Node::File(_) => None,
        })
    }
}
