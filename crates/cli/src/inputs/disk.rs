//! The machine that the command runs on: its files, what it has fetched, and its threads.

use std::collections::BTreeSet;
use std::fs::{self, File, FileType};
use std::io::{self, Seek};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cache_ingest::inputs::{Entry, Machine, What};
#[cfg(feature = "fetch")]
use cache_ingest::oci::{Address, Registry};
use walkdir::WalkDir;

#[cfg(feature = "fetch")]
use super::credentials::SignIn;
use super::fetch::{Fetched, fetch_all};
#[cfg(feature = "fetch")]
use super::registry::Remote;
use super::spool::shown;
use crate::parallel::in_order;
use crate::progress::{Counted, Progress};

/// The files of this machine; counts what is read from them.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    /// The person who signs in to registries.
    #[cfg(feature = "fetch")]
    sign_in: SignIn,
    /// Registries on public hosts may lead to this machine or a private network.
    #[cfg(feature = "fetch")]
    allow_local: bool,
    progress: Mutex<Progress>,
    fetched: Mutex<Fetched>,
}

#[cfg(feature = "fetch")]
impl Disk {
    /// Returns the disk, with the person who signs in to registries.
    pub(super) fn asking_as(sign_in: SignIn, allow_local: bool) -> Disk {
        Disk { sign_in, allow_local, ..Disk::default() }
    }
}

#[cfg(feature = "fetch")]
impl Disk {
    /// Returns a repository of a registry whose blobs can be read as they come.
    pub(crate) fn remote(&self, address: &Address) -> Result<Remote<'_>, String> {
        let remote = Remote::new(address.clone(), &self.sign_in, self.allow_local);
        remote.map_err(|failure| failure.to_string())
    }
}

impl Machine for Disk {
    type File = Counted<File>;

    fn what(&self, path: &Path) -> What {
        fs::metadata(path).map_or(What::Nothing, |found| what(found.file_type()))
    }

    fn length(&self, path: &Path) -> u64 {
        path.metadata().map_or(0, |metadata| metadata.len())
    }

    fn open(&self, path: &Path) -> io::Result<Counted<File>> {
        // Opening a pipe would wait for a writer.
        if self.what(path) == What::Other {
            return Err(io::Error::other(format!("{} is not a file", path.display())));
        }
        Ok(lock(&self.progress).count(File::open(path)?))
    }

    fn walk(&self, folder: &Path, visit: &mut dyn FnMut(io::Result<Entry>) -> bool) {
        let mut walk = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
        while let Some(entry) = walk.next() {
            match entry {
                Ok(entry) => {
                    let (depth, what) = (entry.depth(), what(entry.file_type()));
                    let goes_in = visit(Ok(Entry { path: entry.into_path(), depth, what }));
                    if !goes_in && what == What::Folder {
                        walk.skip_current_dir();
                    }
                }
                Err(error) => drop(visit(Err(error.into()))),
            }
        }
    }

    fn shown(&self, path: &Path) -> String {
        shown(path)
    }

    fn fetch(&self, urls: &[String], guarded: &BTreeSet<String>) {
        let is_new = |url: &&String| !lock(&self.fetched).contains_key(*url);
        let urls: Vec<String> = urls.iter().filter(is_new).cloned().collect();
        fetch_all(&urls, guarded, &self.fetched);
    }

    fn open_url(&self, url: &str) -> Result<Counted<File>, String> {
        match lock(&self.fetched).get_mut(url) {
            Some(Ok(file)) => {
                let file = file.rewind().and_then(|()| file.try_clone());
                let unreadable = |error: io::Error| format!("could not be read: {error}");
                Ok(lock(&self.progress).count(file.map_err(unreadable)?))
            }
            Some(Err(error)) => Err(error.to_string()),
            None => Err("was not fetched".to_owned()),
        }
    }

    #[cfg(feature = "fetch")]
    fn registry(&self, address: &Address) -> Result<Box<dyn Registry + Sync + '_>, String> {
        Ok(Box::new(self.remote(address)?))
    }

    fn begin(&self, bytes: u64) {
        *lock(&self.progress) = Progress::over(bytes);
    }

    fn reading(&self, input: &str) {
        lock(&self.progress).reading(input);
    }

    fn have_read(&self, _records: usize) {}

    fn end(&self) {
        lock(&self.progress).finish();
    }

    fn in_order<T: Send, U: Send, R: Send>(
        &self,
        source: impl FnOnce(&mut dyn FnMut(T)) -> R + Send,
        work: impl Fn(T) -> U + Sync,
        sink: impl FnMut(U),
    ) -> R {
        in_order(source, work, sink)
    }
}

fn what(kind: FileType) -> What {
    match (kind.is_file(), kind.is_dir()) {
        (true, _) => What::File,
        (_, true) => What::Folder,
        _ => What::Other,
    }
}

/// Only a panic poisons a lock, and it is safe to continue then.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
