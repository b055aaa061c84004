//! Inputs that can only be read once: the standard input, pipes, `<(…)` in a shell.
//!
//! They are copied to temporary files, because every input is inspected before it is read.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cache_ingest::compression::SizeLimit;
use tempfile::TempDir;

/// The prefix of the names of the temporary folders with the copies.
const PREFIX: &str = "cache-explorer-input-";

/// The name of the standard input in messages.
const STANDARD_INPUT: &str = "standard input";

/// An input that was copied to a file.
#[derive(Debug)]
pub(super) struct SpooledInput {
    _folder: TempDir,
    path: PathBuf,
}

impl SpooledInput {
    /// Reads an input to its end, or to the maximum size of inputs.
    pub(super) fn read(path: &Path, SizeLimit(limit): SizeLimit) -> io::Result<SpooledInput> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let name = match is_standard_input(path) {
            true => STANDARD_INPUT.as_ref(),
            false => path.file_name().unwrap_or(path.as_os_str()),
        };
        let copy = folder.path().join(name);
        let mut file = File::create(&copy)?;
        // A copy that is one byte longer than the limit is rejected when it is read.
        let limit = limit.saturating_add(1);
        match is_standard_input(path) {
            true => io::copy(&mut io::stdin().lock().take(limit), &mut file)?,
            false => io::copy(&mut File::open(path)?.take(limit), &mut file)?,
        };
        Ok(SpooledInput { _folder: folder, path: copy })
    }

    /// Returns the path of the copy.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns `true` if a path leads to something other than a file or a folder.
pub(super) fn can_be_read_only_once(path: &Path) -> bool {
    let is_other = |found: fs::Metadata| !found.is_file() && !found.is_dir();
    is_standard_input(path) || fs::metadata(path).is_ok_and(is_other)
}

pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == "-" || path == "/dev/stdin"
}

/// Returns the name of an input in messages.
pub(super) fn shown(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    if folder.to_string_lossy().starts_with(PREFIX)
        && let Some(name) = path.file_name()
    {
        return name.to_string_lossy().into_owned();
    }
    path.display().to_string()
}
