//! What finding and reading inputs needs from the machine: files by name, and threads.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cache_index::index::BucketServer;

use crate::compression::SizeLimit;
use crate::mirror::Files;
use crate::oci::{Address, Registry};

/// The files and threads that reading uses: a disk and several threads for the command, the files that a user chose
/// and one thread for the page.
pub trait Machine: Sync {
    /// An open file.
    type File: Read + Send;

    /// Returns the maximum decompressed size of an input.
    fn size_limit(&self) -> SizeLimit {
        SizeLimit::default()
    }

    /// Returns the kind of what is at a path.
    fn entry_kind(&self, path: &Path) -> FolderEntryKind;

    /// Returns the length of a file in bytes; 0 if it is unknown.
    fn length(&self, path: &Path) -> u64;

    /// Opens a file.
    fn open(&self, path: &Path) -> io::Result<Self::File>;

    /// Visits a folder and everything in it, each folder before its contents, in the order of names. `visit` returns
    /// `true` to enter a folder.
    fn walk(&self, folder: &Path, visit: &mut dyn FnMut(io::Result<FolderEntry>) -> bool);

    /// Returns what to do with settings of Spack, which are not inputs.
    fn use_of_settings(&self) -> &'static str {
        "give them to `why` with --config, and a mirrors.yaml to any command with --mirrors"
    }

    /// Returns the name of an input in messages.
    fn shown(&self, path: &Path) -> String {
        path.display().to_string()
    }

    /// Fetches these URLs, so that [`open_url`](Machine::open_url) can open them; guarded ones only from public
    /// addresses.
    fn fetch(&self, urls: &[String], guarded: &BTreeSet<String>);

    /// Opens a file that was fetched, at its start.
    ///
    /// # Errors
    ///
    /// The reason why it was not fetched, as a complete message.
    fn open_url(&self, url: &str) -> io::Result<Self::File>;

    /// Lists the files below a URL that ends with a slash, relative to it; `None` if its server does not list them.
    fn list_url(&self, _url: &str) -> Option<Vec<String>> {
        None
    }

    /// Lists the files below a URL that ends with a slash, relative to it; `None` unless its server lists all of them.
    fn list_whole(&self, _url: &str) -> Option<Vec<String>> {
        None
    }

    /// Returns for each of these files below the URL of a mirror whether it is there; `None` if that is not known.
    fn has_files(&self, _url: &str, paths: &[String]) -> Vec<Option<bool>> {
        vec![None; paths.len()]
    }

    /// Returns how this machine reaches a bucket, if that takes more than the URL.
    fn bucket(&self, _url: &str) -> Option<BucketServer> {
        None
    }

    /// Returns a repository of a registry, without asking it anything yet.
    fn registry(&self, _address: &Address) -> io::Result<Box<dyn Registry + Sync + '_>> {
        Err(io::Error::other(
            "registries cannot be asked from here; a copy of the repository in OCI's image layout can be read",
        ))
    }

    /// Called before this many bytes are read.
    fn begin(&self, bytes: u64);

    /// Called before an input is read.
    fn reading(&self, input: &str);

    /// Called after this many more records of databases have been read.
    fn have_read(&self, records: usize);

    /// Called when everything has been read.
    fn end(&self);

    /// Takes pieces of work from a source, does them, on several threads if possible, and passes on the results in
    /// order.
    fn in_order<T: Send, U: Send, R: Send>(
        &self,
        source: impl FnOnce(&mut dyn FnMut(T)) -> R + Send,
        work: impl Fn(T) -> U + Sync,
        mut sink: impl FnMut(U),
    ) -> R {
        source(&mut |piece| sink(work(piece)))
    }
}

/// The kind of what is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderEntryKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A pipe, a socket or a device.
    Other,
    /// Nothing.
    Nothing,
}

/// A file or folder found on a walk.
#[derive(Clone, Debug)]
pub struct FolderEntry {
    /// Its path.
    pub path: PathBuf,
    /// Its depth below the folder where the walk started, which is 0 itself.
    pub depth: usize,
    /// Its kind.
    pub kind: FolderEntryKind,
}

/// A folder that may be a mirror.
#[derive(Debug)]
pub struct Folder<'m, M> {
    /// The machine that it is on.
    pub machine: &'m M,
    /// Its path.
    pub root: &'m Path,
}

impl<M: Machine> Files for Folder<'_, M> {
    fn open(&self, path: &str) -> io::Result<Option<Box<dyn Read + '_>>> {
        match self.machine.open(&self.root.join(path)) {
            Ok(file) => Ok(Some(Box::new(file))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let folder = self.root.join(folder);
        let mut paths = Vec::new();
        let mut failed = None;
        if self.machine.entry_kind(&folder) == FolderEntryKind::Folder {
            self.machine.walk(&folder, &mut |entry| {
                match entry {
                    Ok(FolderEntry { path, kind: FolderEntryKind::File, .. }) => {
                        let names = path.strip_prefix(self.root).unwrap_or(&path).iter();
                        let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
                        paths.push(names.join("/"));
                    }
                    Ok(_) => {}
                    Err(error) => failed = failed.take().or(Some(error)),
                }
                failed.is_none()
            });
        }
        failed.map_or(Ok(paths), Err)
    }

    fn length(&self, path: &str) -> Option<u64> {
        Some(self.machine.length(&self.root.join(path)))
    }
}
