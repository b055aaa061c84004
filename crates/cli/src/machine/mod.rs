//! The machine that the command runs on: its files, what it has fetched, and its threads.

#[cfg(feature = "fetch")]
mod addresses;
#[cfg(feature = "fetch")]
mod authorities;
#[cfg(feature = "fetch")]
mod buckets;
#[cfg(feature = "fetch")]
mod credentials;
#[cfg(feature = "fetch")]
mod failure;
#[cfg(feature = "fetch")]
mod fetch;
#[cfg(not(feature = "fetch"))]
#[path = "no_fetch.rs"]
mod fetch;
#[cfg(feature = "fetch")]
mod range;
#[cfg(feature = "fetch")]
mod receive;
#[cfg(feature = "fetch")]
mod registry;
mod spool;
#[cfg(feature = "fetch")]
mod web;

use std::collections::BTreeSet;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(feature = "fetch")]
use cache_index::index::BucketServer;
use cache_ingest::compression::SizeLimit;
use cache_ingest::inputs::{FolderEntry, FolderEntryKind, Machine};
#[cfg(feature = "fetch")]
use cache_ingest::oci::{Address, Registry};
use walkdir::WalkDir;

#[cfg(feature = "fetch")]
pub(crate) use self::buckets::Buckets;
#[cfg(feature = "fetch")]
pub(crate) use self::credentials::{Secret, SignIn};
#[cfg(feature = "fetch")]
use self::fetch::list;
use self::fetch::{FetchSettings, FetchedFiles, fetch_all, open_fetched};
#[cfg(feature = "fetch")]
pub(crate) use self::registry::Remote;
pub(crate) use self::spool::is_standard_input;
use self::spool::{SpooledInput, can_be_read_only_once, shown};
#[cfg(feature = "fetch")]
pub(crate) use self::web::Web;
use crate::parallel::in_order;
use crate::progress::{Counted, Progress};

/// The files of this machine, and what was fetched to it; counts what is read from them.
#[derive(Debug)]
pub(crate) struct Disk {
    size_limit: SizeLimit,
    /// `true` if manifests and registries on public hosts may lead to this machine or a private network.
    allow_local: bool,
    /// The user who signs in to registries.
    #[cfg(feature = "fetch")]
    sign_in: SignIn,
    /// How buckets are reached.
    #[cfg(feature = "fetch")]
    buckets: Buckets,
    /// Inputs that can only be read once, copied to files.
    spooled: Vec<SpooledInput>,
    progress: Mutex<Progress>,
    fetched: Mutex<FetchedFiles>,
}

impl Disk {
    pub(crate) fn new(size_limit: SizeLimit, allow_local: bool) -> Disk {
        Disk {
            size_limit,
            allow_local,
            #[cfg(feature = "fetch")]
            sign_in: SignIn::default(),
            #[cfg(feature = "fetch")]
            buckets: Buckets::default(),
            spooled: Vec::new(),
            progress: Mutex::default(),
            fetched: Mutex::default(),
        }
    }

    /// Signs in to registries as this user from now on.
    #[cfg(feature = "fetch")]
    pub(crate) fn sign_in(&mut self, sign_in: SignIn) {
        self.sign_in = sign_in;
    }

    /// Uses these settings for buckets from now on.
    #[cfg(feature = "fetch")]
    pub(crate) fn reach(&mut self, buckets: Buckets) {
        self.buckets = buckets;
    }

    /// Returns a mirror on a web server or in a bucket, whose files can be read as streams.
    #[cfg(feature = "fetch")]
    pub(crate) fn web(&self, url: &str) -> Result<Web<'_>, String> {
        Web::new(url, &self.buckets)
    }

    /// Returns a repository of a registry, whose blobs can be read as streams.
    #[cfg(feature = "fetch")]
    pub(crate) fn remote(&self, address: &Address) -> io::Result<Remote<'_>> {
        let Disk { sign_in, allow_local, size_limit, .. } = self;
        let remote = Remote::new(address.clone(), sign_in, *allow_local, *size_limit);
        remote.map_err(io::Error::other)
    }

    /// Copies an input that can only be read once to a file, and replaces its path by that of the copy.
    pub(crate) fn spool(&mut self, path: &mut PathBuf) -> io::Result<()> {
        if can_be_read_only_once(path) {
            let copy = SpooledInput::read(path, self.size_limit)?;
            *path = copy.path().to_owned();
            self.spooled.push(copy);
        }
        Ok(())
    }

    /// Returns `true` if a path is that of such a copy.
    pub(crate) fn is_copy(&self, path: &Path) -> bool {
        self.spooled.iter().any(|copy| copy.path() == path)
    }
}

impl Machine for Disk {
    type File = Counted<Box<dyn Read + Send>>;

    fn size_limit(&self) -> SizeLimit {
        self.size_limit
    }

    fn entry_kind(&self, path: &Path) -> FolderEntryKind {
        fs::metadata(path).map_or(FolderEntryKind::Nothing, |found| kind_of(found.file_type()))
    }

    fn length(&self, path: &Path) -> u64 {
        path.metadata().map_or(0, |metadata| metadata.len())
    }

    fn open(&self, path: &Path) -> io::Result<Self::File> {
        // Opening a pipe would wait for a writer.
        if self.entry_kind(path) == FolderEntryKind::Other {
            return Err(io::Error::other(format!("{} is not a file", path.display())));
        }
        let file: Box<dyn Read + Send> = Box::new(File::open(path)?);
        Ok(lock(&self.progress).count(file))
    }

    fn walk(&self, folder: &Path, visit: &mut dyn FnMut(io::Result<FolderEntry>) -> bool) {
        let mut walk = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
        while let Some(entry) = walk.next() {
            match entry {
                Ok(entry) => {
                    let (depth, kind) = (entry.depth(), kind_of(entry.file_type()));
                    let goes_in = visit(Ok(FolderEntry { path: entry.into_path(), depth, kind }));
                    if !goes_in && kind == FolderEntryKind::Folder {
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
        let nothing = BTreeSet::new();
        let guarded = if self.allow_local { &nothing } else { guarded };
        let fetching = FetchSettings {
            guarded,
            limit: self.size_limit,
            #[cfg(feature = "fetch")]
            buckets: &self.buckets,
        };
        fetch_all(&urls, &fetching, &self.fetched);
    }

    #[cfg(feature = "fetch")]
    fn list_url(&self, url: &str) -> Option<Vec<String>> {
        Some(list(url, &self.buckets, self.size_limit, &self.fetched)?.files)
    }

    #[cfg(feature = "fetch")]
    fn list_whole(&self, url: &str) -> Option<Vec<String>> {
        let listed = list(url, &self.buckets, self.size_limit, &self.fetched)?;
        listed.is_complete.then_some(listed.files)
    }

    #[cfg(feature = "fetch")]
    fn has_files(&self, url: &str, paths: &[String]) -> Vec<Option<bool>> {
        let Ok(web) = self.web(url) else { return vec![None; paths.len()] };
        // The first byte is enough; then the connection is closed.
        let has = |path: &String| web.stream(path, Some(1)).ok().map(|found| found.is_some());
        let mut known = Vec::with_capacity(paths.len());
        in_order(|each| paths.iter().for_each(each), has, |is_there| known.push(is_there));
        known
    }

    #[cfg(feature = "fetch")]
    fn bucket(&self, url: &str) -> Option<BucketServer> {
        self.buckets.server_of(url)
    }

    fn open_url(&self, url: &str) -> io::Result<Self::File> {
        let file = open_fetched(url, &lock(&self.fetched))?;
        Ok(lock(&self.progress).count(file))
    }

    #[cfg(feature = "fetch")]
    fn registry(&self, address: &Address) -> io::Result<Box<dyn Registry + Sync + '_>> {
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

fn kind_of(kind: FileType) -> FolderEntryKind {
    match (kind.is_file(), kind.is_dir()) {
        (true, _) => FolderEntryKind::File,
        (_, true) => FolderEntryKind::Folder,
        _ => FolderEntryKind::Other,
    }
}

/// Locks a mutex. Only a panic poisons a lock, and it is safe to continue then.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
