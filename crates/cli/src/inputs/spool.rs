//! Inputs that can be read only once: the standard input, pipes, what a shell writes as `<(…)`.
//!
//! They are written to a file that vanishes with the command, because every input is looked at before
//! it is read.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cache_ingest::compression::size_limit;
use tempfile::TempDir;

/// How the folders of such files are called.
const PREFIX: &str = "cache-explorer-input-";

/// How the standard input is called in messages.
const STANDARD_INPUT: &str = "standard input";

/// An input that was written to a file.
#[derive(Debug)]
pub(super) struct Spooled {
    _folder: TempDir,
    path: PathBuf,
}

impl Spooled {
    /// Reads an input to its end, or to the largest size that inputs may have.
    pub(super) fn read(path: &Path) -> io::Result<Spooled> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let name = match is_standard_input(path) {
            true => STANDARD_INPUT.as_ref(),
            false => path.file_name().unwrap_or(path.as_os_str()),
        };
        let copy = folder.path().join(name);
        let mut file = File::create(&copy)?;
        // One more is too much, and is found to be when the copy is read.
        let limit = size_limit().saturating_add(1);
        match is_standard_input(path) {
            true => io::copy(&mut io::stdin().lock().take(limit), &mut file)?,
            false => io::copy(&mut File::open(path)?.take(limit), &mut file)?,
        };
        Ok(Spooled { _folder: folder, path: copy })
    }

    /// Where it was written to.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns whether a path leads to something that is neither a file nor a folder.
pub(super) fn can_be_read_once(path: &Path) -> bool {
    let is_other = |found: fs::Metadata| !found.is_file() && !found.is_dir();
    is_standard_input(path) || fs::metadata(path).is_ok_and(is_other)
}

fn is_standard_input(path: &Path) -> bool {
    path == "-" || path == "/dev/stdin"
}

/// Returns what an input is called in messages.
pub(super) fn shown(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    if folder.to_string_lossy().starts_with(PREFIX)
        && let Some(name) = path.file_name()
    {
        return name.to_string_lossy().into_owned();
    }
    path.display().to_string()
}
