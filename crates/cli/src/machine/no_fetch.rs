//! Replaces fetching if the command is built without it.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use cache_ingest::compression::SizeLimit;

/// Why no file was fetched, by URL.
pub(crate) type FetchedFiles = HashMap<String, FetchError>;

/// How files would be fetched.
#[expect(dead_code, reason = "only fetching reads them")]
pub(crate) struct FetchSettings<'f> {
    pub(crate) guarded: &'f BTreeSet<String>,
    pub(crate) limit: SizeLimit,
}

/// The only possible result of fetching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FetchError;

/// Fetches nothing.
pub(crate) fn fetch_all(urls: &[String], _: &FetchSettings<'_>, fetched: &Mutex<FetchedFiles>) {
    // Only a panic poisons a lock, and it is safe to continue then.
    let mut fetched = fetched.lock().unwrap_or_else(PoisonError::into_inner);
    fetched.extend(urls.iter().map(|url| (url.clone(), FetchError)));
}

/// Opens nothing.
pub(crate) fn open_fetched(url: &str, fetched: &FetchedFiles) -> io::Result<Box<dyn Read + Send>> {
    let error = fetched.get(url).map(FetchError::to_io);
    Err(error.unwrap_or_else(|| io::Error::other("was not fetched")))
}

impl FetchError {
    /// Returns this error as an I/O error.
    fn to_io(&self) -> io::Error {
        io::Error::other(self.clone())
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this command was built without the feature \"fetch\", so it opens no connection")
    }
}

impl std::error::Error for FetchError {}
