//! The files of a mirror that an environment is installed from, for a machine without a network.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::number::{counted, grouped};

/// Files of a mirror to copy, with paths relative to its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CarryList {
    /// The files, each once, by path.
    pub files: Vec<CarriedFile>,
    /// What else is needed but could not be determined, in words.
    pub unknown: Vec<String>,
}

/// A file to copy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CarriedFile {
    /// Its path, with `/` as the separator.
    pub path: String,
    /// Its size in bytes, if it is known.
    pub size: Option<u64>,
}

impl CarryList {
    /// Adds the files of another list.
    pub fn merge(&mut self, other: CarryList) {
        self.files.extend(other.files);
        self.files.sort();
        self.files.dedup();
        let unknown = other.unknown.into_iter().filter(|unknown| !self.unknown.contains(unknown));
        self.unknown.extend(unknown.collect::<Vec<_>>());
    }

    /// Returns the total size of the files whose size is known.
    pub fn bytes(&self) -> u64 {
        self.files.iter().filter_map(|file| file.size).sum()
    }

    /// Returns one path per line, for `rsync --files-from`, which ignores the comments.
    pub fn text(&self) -> String {
        let files = counted(self.files.len(), "file", "files");
        let unknown = self.files.iter().filter(|file| file.size.is_none()).count();
        let mut text = format!("# {files}, {} bytes", grouped(self.bytes() as usize));
        if unknown > 0 {
            let _ = write!(text, " without {unknown} of unknown size");
        }
        text.push_str("\n# rsync --archive --files-from=THIS_FILE MIRROR/ TARGET/\n");
        for unknown in &self.unknown {
            let _ = writeln!(text, "# not listed: {}", unknown.replace(['\n', '\r'], " "));
        }
        for file in &self.files {
            let _ = writeln!(text, "{}", file.path);
        }
        text
    }

    /// Returns one object: `{"files": [{"path", "size"}], "bytes", "unknown": [sentences]}`.
    pub fn json(&self) -> Value {
        let file = |file: &CarriedFile| json!({"path": file.path, "size": file.size});
        let files: Vec<Value> = self.files.iter().map(file).collect();
        json!({"files": files, "bytes": self.bytes(), "unknown": self.unknown})
    }
}
