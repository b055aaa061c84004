//! What `make dist` made: the folder of static files, the single file, and the command.
//!
//! A test that changes the release takes a copy. The original is only ever read.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The release that the tests are about.
pub(crate) struct Release;

impl Release {
    /// The folder `dist/`.
    pub(crate) fn folder() -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist");
        made(&folder.join("index.html"));
        folder
    }

    /// The site in one file.
    pub(crate) fn single_file() -> PathBuf {
        let file = Self::folder().join("explorer.html");
        made(&file);
        file.canonicalize().expect("the file has a path")
    }

    /// The command `cache-explorer`.
    pub(crate) fn command() -> PathBuf {
        let command = target().join("release/cache-explorer");
        made(&command);
        command
    }

    /// A copy of the folder, to change and publish. It is gone when dropped.
    pub(crate) fn copy() -> TempDir {
        let copy = TempDir::new().expect("a temporary folder can be made");
        for entry in fs::read_dir(Self::folder()).expect("dist/ can be read") {
            let entry = entry.expect("dist/ can be read");
            if entry.file_name() == ".stage" {
                continue; // What Trunk leaves when a build fails.
            }
            fs::copy(entry.path(), copy.path().join(entry.file_name()))
                .expect("dist/ holds only files");
        }
        copy
    }
}

/// The folder that Cargo builds into, wherever the environment or a configuration has put it.
pub(super) fn target() -> PathBuf {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    temporary.parent().expect("Cargo's temporary folder is inside its target folder").to_path_buf()
}

#[track_caller]
fn made(path: &Path) {
    assert!(path.exists(), "{} is not there: run `make dist` first", path.display());
}
