//! Writing files whole or not at all.
//!
//! A file is written beside its final place and then renamed, so that a reader, a crash or a full
//! disk never finds half of it. Several files are all written before the first is renamed, and those
//! that were renamed are taken back if one cannot be.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that could not be written.
#[derive(Debug)]
pub(crate) struct WriteError {
    path: PathBuf,
    error: io::Error,
}

/// Writes all of the files or none.
pub(crate) fn write_all(files: &[(PathBuf, String)]) -> Result<(), WriteError> {
    let mut prepared = Vec::new();
    for (path, text) in files {
        prepared.push(Replacement::prepare(path, text.as_bytes()).map_err(failed(path))?);
    }
    replace(prepared)
}

/// Puts all files in their places, or takes back those that were.
fn replace(prepared: Vec<Replacement<'_>>) -> Result<(), WriteError> {
    let mut replaced = Vec::new();
    for Replacement { path, new, old } in prepared {
        if let Err(refused) = new.persist(path) {
            replaced.into_iter().rev().for_each(take_back);
            return Err(failed(path)(refused.error));
        }
        replaced.push((path, old));
    }
    Ok(())
}

/// A file that is ready to be put in its place.
struct Replacement<'p> {
    path: &'p Path,
    new: NamedTempFile,
    /// What was there, if anything was: made ready beforehand, so that a full disk is met before
    /// anything is changed.
    old: Option<NamedTempFile>,
}

impl<'p> Replacement<'p> {
    fn prepare(path: &'p Path, bytes: &[u8]) -> io::Result<Replacement<'p>> {
        let new = write_beside(path, bytes)?;
        let old = match fs::read(path) {
            Ok(bytes) => Some(write_beside(path, &bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Ok(Replacement { path, new, old })
    }
}

/// Puts back what a file was. Nothing more can be done where even this is refused.
fn take_back((path, old): (&Path, Option<NamedTempFile>)) {
    let _ = match old {
        Some(old) => old.persist(path).map(drop).map_err(|refused| refused.error),
        None => fs::remove_file(path),
    };
}

/// Writes one file whole, or to the standard output for the path `-`.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), WriteError> {
    if path.as_os_str() == "-" {
        return match io::stdout().lock().write_all(text.as_bytes()) {
            // Its reader has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            outcome => outcome.map_err(failed(path)),
        };
    }
    let file = write_beside(path, text.as_bytes()).map_err(failed(path))?;
    file.persist(path).map_err(|refused| failed(path)(refused.error))?;
    Ok(())
}

fn write_beside(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = readable_by_all().tempfile_in(folder)?;
    file.write_all(bytes)?;
    let on_disk: &File = file.as_file();
    on_disk.sync_all()?;
    Ok(file)
}

/// Temporary files are private as a rule; what is published is as readable as any new file.
fn readable_by_all<'a>() -> tempfile::Builder<'a, 'a> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_path_buf();
    |error| WriteError { path, error }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: could not be written: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for WriteError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("index.json");
        write(&path, "one").expect("written");
        write(&path, "two").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "two");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn one_file_that_cannot_be_written_keeps_all_as_they_were() {
        let folder = tempfile::tempdir().expect("a folder");
        let good = folder.path().join("good");
        write(&good, "old").expect("written");
        let bad = folder.path().join("missing/bad");
        let files = [(good.clone(), "new".to_string()), (bad.clone(), "new".to_string())];
        let error = write_all(&files).expect_err("no such folder");
        assert!(error.to_string().starts_with(&format!("{}: could not", bad.display())));
        assert_eq!(fs::read_to_string(&good).expect("a file"), "old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn files_that_were_replaced_are_taken_back_if_one_cannot_be() {
        let folder = tempfile::tempdir().expect("a folder");
        let [old, fresh, late] = ["old", "fresh", "late"].map(|name| folder.path().join(name));
        write(&old, "old").expect("written");
        let files = [&old, &fresh, &late].map(|path| (path.clone(), "new".to_string()));
        // A folder comes into the way of the last only after it was made ready.
        let mut prepared: Vec<_> = Vec::new();
        for (path, text) in &files {
            prepared.push(Replacement::prepare(path, text.as_bytes()).expect("written"));
        }
        fs::create_dir(&late).expect("a folder");
        let error = replace(prepared).expect_err("a folder is in the way");
        assert!(error.to_string().starts_with(&format!("{}: could not", late.display())));
        assert_eq!(fs::read_to_string(&old).expect("a file"), "old");
        assert!(!fresh.exists());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }
}
