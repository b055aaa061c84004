//! What `make dist` made: the folder of static files, the single file, and the command.
//!
//! A test that changes the release takes a copy. The original is only ever read.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use url::Url;

/// The release that the tests are about.
pub struct Release;

impl Release {
    /// The folder `dist/`.
    pub fn folder() -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist");
        made(&folder.join("index.html"));
        folder
    }

    /// The site in one file.
    pub fn single_file() -> PathBuf {
        let file = Self::folder().join("explorer.html");
        made(&file);
        file
    }

    /// The command `cache-explorer`.
    pub fn command() -> PathBuf {
        let command = target().join("release/cache-explorer");
        made(&command);
        command
    }

    /// A copy of the folder, to change and publish. It is gone when dropped.
    pub fn copy() -> TempDir {
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

/// The folder that Cargo builds into, wherever the environment or a configuration has put it: the one with Cargo's mark
/// in it that this program is in.
pub(crate) fn target() -> PathBuf {
    let program = env::current_exe().expect("this program has a path");
    let folder = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    folder.expect("this program is in Cargo's folder").to_path_buf()
}

/// The address of a file on this machine, as a browser writes it.
pub fn file_url(path: &Path) -> String {
    let path = path.canonicalize().expect("the file is there");
    Url::from_file_path(path).expect("its path begins at the root").into()
}

#[track_caller]
fn made(path: &Path) {
    assert!(path.exists(), "{} is not there: run `make dist` first", path.display());
}
