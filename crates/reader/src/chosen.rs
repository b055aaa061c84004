//! The page as a machine: the files that a user has chosen, one thread, and no network.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cache_ingest::inputs::{FolderEntry, FolderEntryKind, Machine};
use cache_ingest::mirror::Amount;

use crate::tree::{File, Node};

/// The number of bytes that are requested first: enough to recognize the file.
const FIRST: u64 = 16 << 10;

/// The number of bytes of each further request.
const CHUNK: u64 = 1 << 20;

/// The source of the bytes of the files.
pub trait Bytes: Send + Sync {
    /// Returns the bytes of a file in a range, which lies within it.
    fn read(&self, file: usize, from: u64, to: u64) -> io::Result<Vec<u8>>;

    /// Reports progress, at least after each megabyte.
    fn progress(&self, progress: &Progress<'_>);
}

/// The progress of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'p> {
    /// The number of bytes that have been read.
    pub bytes: u64,
    /// The number of bytes to read, as far as it is known in advance.
    pub all: u64,
    /// The number of records that have been read.
    pub records: u64,
    /// The input that is being read, if it has just been started.
    pub input: Option<&'p str>,
    /// The number of binaries, if these are being looked into: then all other fields are about them.
    pub binaries: Option<u64>,
}

/// The files that a user has chosen.
#[derive(Debug)]
pub struct ChosenFiles<B> {
    tree: Node,
    read: Arc<CountingSource<B>>,
}

/// The source of the bytes, with counters of what has been read.
#[derive(Debug)]
struct CountingSource<B> {
    bytes: B,
    has_begun: AtomicBool,
    count: AtomicU64,
    all: AtomicU64,
    records: AtomicU64,
    /// 0 before binaries are looked into.
    binaries: AtomicU64,
}

impl<B: Bytes> ChosenFiles<B> {
    /// Creates the files with these paths and lengths.
    pub fn new<'f>(files: impl IntoIterator<Item = (&'f str, u64)>, bytes: B) -> ChosenFiles<B> {
        let mut tree = Node::default();
        for (number, (path, length)) in files.into_iter().enumerate() {
            tree.add(Path::new(path), File { number, length });
        }
        let has_begun = AtomicBool::new(false);
        let [count, all, records, binaries] = [0; 4].map(AtomicU64::new);
        ChosenFiles {
            tree,
            read: Arc::new(CountingSource { bytes, has_begun, count, all, records, binaries }),
        }
    }

    /// Restarts the counters before these binaries are read.
    pub(crate) fn begin_inside(&self, amount: Amount) {
        let CountingSource { count, all, records, binaries, .. } = &*self.read;
        let set = |counter: &AtomicU64, value| counter.store(value, Ordering::Relaxed);
        set(count, 0);
        set(records, 0);
        set(all, amount.bytes);
        set(binaries, amount.binaries as u64);
        self.read.report(None);
    }

    /// Counts a binary.
    pub(crate) fn end_of_binary(&self) {
        self.have_read(1);
        self.read.report(None);
    }

    /// Returns the names of the files and folders that were chosen.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        let entries = match &self.tree {
            Node::Folder(entries) => Some(entries),
            Node::File(_) => None,
        };
        entries.into_iter().flat_map(|entries| entries.keys()).map(Path::new)
    }

    fn file(&self, path: &Path) -> Option<File> {
        match self.tree.get(path)? {
            Node::File(file) => Some(*file),
            Node::Folder(_) => None,
        }
    }
}

impl<B: Bytes> CountingSource<B> {
    fn report(&self, input: Option<&str>) {
        let get = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let [bytes, all, records] = [&self.count, &self.all, &self.records].map(get);
        let binaries = Some(get(&self.binaries)).filter(|&number| number > 0);
        self.bytes.progress(&Progress { bytes, all, records, input, binaries });
    }
}

impl<B: Bytes> Machine for ChosenFiles<B> {
    type File = Open<B>;

    fn use_of_settings(&self) -> &'static str {
        "put them into My machine, which says what Spack would reuse there"
    }

    fn entry_kind(&self, path: &Path) -> FolderEntryKind {
        match self.tree.get(path) {
            Some(Node::File(_)) => FolderEntryKind::File,
            Some(Node::Folder(_)) => FolderEntryKind::Folder,
            None => FolderEntryKind::Nothing,
        }
    }

    fn length(&self, path: &Path) -> u64 {
        self.file(path).map_or(0, |file| file.length)
    }

    fn open(&self, path: &Path) -> io::Result<Open<B>> {
        let file = self.file(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Open { file, read: self.read.clone(), at: 0, chunk: Vec::new(), taken: 0 })
    }

    fn walk(&self, folder: &Path, visit: &mut dyn FnMut(io::Result<FolderEntry>) -> bool) {
        if let Some(node) = self.tree.get(folder) {
            walk(node, folder, 0, visit);
        }
    }

    fn fetch(&self, _urls: &[String], _guarded: &BTreeSet<String>) {}

    fn open_url(&self, _url: &str) -> io::Result<Open<B>> {
        Err(io::Error::other(
            "it is on another machine, which this page does not contact; the command can fetch it",
        ))
    }

    fn begin(&self, bytes: u64) {
        self.read.has_begun.store(true, Ordering::Relaxed);
        self.read.all.store(bytes, Ordering::Relaxed);
    }

    fn reading(&self, input: &str) {
        self.read.report(Some(input));
    }

    fn have_read(&self, records: usize) {
        self.read.records.fetch_add(records as u64, Ordering::Relaxed);
    }

    fn end(&self) {
        self.read.report(None);
    }
}

fn walk(
    node: &Node,
    path: &Path,
    depth: usize,
    visit: &mut dyn FnMut(io::Result<FolderEntry>) -> bool,
) {
    let kind = match node {
        Node::File(_) => FolderEntryKind::File,
        Node::Folder(_) => FolderEntryKind::Folder,
    };
    if visit(Ok(FolderEntry { path: path.to_owned(), depth, kind }))
        && let Node::Folder(entries) = node
    {
        for (name, node) in entries {
            walk(node, &path.join(name), depth + 1, visit);
        }
    }
}

/// A file that is being read, from its start to its end.
#[derive(Debug)]
pub struct Open<B> {
    file: File,
    read: Arc<CountingSource<B>>,
    at: u64,
    chunk: Vec<u8>,
    taken: usize,
}

impl<B: Bytes> Read for Open<B> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.chunk.len() {
            let length = if self.at == 0 { FIRST } else { CHUNK };
            let to = (self.at + length).min(self.file.length);
            if self.at == to || buffer.is_empty() {
                return Ok(0);
            }
            self.chunk = self.read.bytes.read(self.file.number, self.at, to)?;
            if self.chunk.len() as u64 != to - self.at {
                return Err(io::Error::other("it has changed since it was chosen"));
            }
            (self.at, self.taken) = (to, 0);
            if self.read.has_begun.load(Ordering::Relaxed) {
                self.read.count.fetch_add(self.chunk.len() as u64, Ordering::Relaxed);
                self.read.report(None);
            }
        }
        let rest = &self.chunk[self.taken..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }
}
