//! A mirror's files in a folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;

use cache_ingest::Files;
use walkdir::WalkDir;

use crate::progress::Progress;

/// A folder, with what is read from it counted.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) root: PathBuf,
    pub(crate) progress: Progress,
}

impl Files for Folder {
    fn open(&self, path: &str) -> io::Result<Option<Box<dyn Read + '_>>> {
        let path = self.root.join(path);
        // Opening a pipe would wait for a writer.
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other(format!("{} is not a file", path.display())));
        }
        match File::open(path) {
            Ok(file) => Ok(Some(Box::new(self.progress.count(file)))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let folder = self.root.join(folder);
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let mut paths = Vec::new();
        for entry in WalkDir::new(&folder).follow_links(true).sort_by_file_name() {
            let entry = entry?;
            if !entry.file_type().is_file() {
                continue;
            }
            let Ok(path) = entry.path().strip_prefix(&self.root) else { continue };
            let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
            paths.push(names.join("/"));
        }
        Ok(paths)
    }
}
