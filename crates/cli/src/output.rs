//! Writing files whole or not at all.
//!
//! A file is written beside its final place and then renamed, so that a reader, a crash or a full
//! disk never finds half of it. Several files are all written before the first is renamed.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that could not be written.
#[derive(Debug)]
pub(crate) struct WriteError {
    path: PathBuf,
    error: io::Error,
}

/// Writes all of the files or, as far as the system allows, none.
pub(crate) fn write_all(files: &[(PathBuf, String)]) -> Result<(), WriteError> {
    let mut written = Vec::new();
    for (path, text) in files {
        written.push((path, write_beside(path, text).map_err(failed(path))?));
    }
    for (path, file) in written {
        file.persist(path).map_err(|refused| failed(path)(refused.error))?;
    }
    Ok(())
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
    let file = write_beside(path, text).map_err(failed(path))?;
    file.persist(path).map_err(|refused| failed(path)(refused.error))?;
    Ok(())
}

fn write_beside(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = readable_by_all().tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
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
    use std::fs;

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
}
