//! The output of `make dist`: the folder of static files, the single file, and the command.
//!
//! A test that changes the release uses a copy. The original is only read.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use url::Url;

/// The site in one file.
const SINGLE_FILE: &str = "explorer.html";

/// The release under test.
pub struct Release;

impl Release {
    /// Returns the folder `dist/`.
    pub fn folder() -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist");
        made(&folder.join("index.html"));
        folder
    }

    /// Returns the path of the site in one file.
    pub fn single_file() -> PathBuf {
        let file = Self::folder().join(SINGLE_FILE);
        made(&file);
        file
    }

    /// Returns the path of the command `cache-explorer`.
    pub fn command() -> PathBuf {
        let command = target().join("release/cache-explorer");
        made(&command);
        command
    }

    /// Returns the path of the Python wheel, if one was made.
    pub fn wheel() -> Option<PathBuf> {
        let files = fs::read_dir(target().join("wheels")).ok()?.flatten().map(|file| file.path());
        files.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "whl"))
    }

    /// Copies the folder except the site in one file, which is as large as all others together, to change and publish it.
    /// Dropping the returned value deletes the copy.
    ///
    /// The copies are an hour old: hosts state times in seconds, so a file that changes within the second in which it was
    /// copied would look unchanged.
    pub fn copy() -> TempDir {
        let before = SystemTime::now() - Duration::from_secs(3_600);
        let copy = TempDir::new().expect("a temporary folder can be made");
        for entry in fs::read_dir(Self::folder()).expect("dist/ can be read") {
            let entry = entry.expect("dist/ can be read");
            // Trunk leaves `.stage` behind when a build fails.
            if entry.file_name() == ".stage" || entry.file_name() == SINGLE_FILE {
                continue;
            }
            let path = copy.path().join(entry.file_name());
            fs::copy(entry.path(), &path).expect("dist/ holds only files");
            let file = fs::File::options().write(true).open(&path);
            let dated = file.and_then(|file| file.set_modified(before));
            dated.expect("the copy can be dated");
        }
        copy
    }

    /// Copies the folder with the site in one file.
    pub fn copy_with_single_file() -> TempDir {
        let copy = Self::copy();
        let copied = fs::copy(Self::single_file(), copy.path().join(SINGLE_FILE));
        copied.expect("the file can be copied");
        copy
    }
}

/// Returns Cargo's target folder, wherever it is configured to be: programs of tests and benchmarks are compiled into
/// `<target>/<profile>/deps/`.
pub(crate) fn target() -> PathBuf {
    let program = env::current_exe().expect("this program has a path");
    let profile = program.ancestors().skip_while(|folder| !folder.ends_with("deps")).nth(1);
    let target = profile.and_then(Path::parent);
    target.unwrap_or(Path::new("target")).to_path_buf()
}

/// Returns the address of a file on this machine, as a browser writes it.
pub fn file_url(path: &Path) -> String {
    let path = path.canonicalize().expect("the file is there");
    Url::from_file_path(path).expect("its path begins at the root").into()
}

#[track_caller]
fn made(path: &Path) {
    assert!(path.exists(), "{} is not there: run `make dist` first", path.display());
}
