//! A mirror on another machine, known only by the URL that `spack mirror add` takes.
//!
//! Few web servers list their folders, but buckets do. If a server does, all views are found; otherwise only files with
//! known names are: the database, and that of the view that the user asked for. The manifests of builds, which have the
//! sizes and signatures, are not read: there may be a hundred thousand.

use std::collections::BTreeSet;
use std::io;
use std::slice;

use super::machine::Machine;
use crate::mirror::{Files, INDEX_NAME, INDEXES, address_of};

/// The files below a URL.
#[derive(Debug)]
pub(super) struct Remote<'r, M> {
    pub(super) machine: &'r M,
    pub(super) url: &'r str,
    /// The view whose database is wanted.
    pub(super) view: Option<&'r str>,
}

impl<M> Remote<'_, M> {
    /// Returns the URL of a file.
    pub(super) fn url_of(&self, path: &str) -> String {
        let url = self.url.trim_end_matches('/');
        match url.starts_with("s3://") {
            // The code that signs the request encodes the path.
            true => format!("{url}/{path}"),
            false => format!("{url}/{}", address_of(path)),
        }
    }
}

impl<M: Machine> Files for Remote<'_, M> {
    fn open(&self, path: &str) -> io::Result<Option<Box<dyn io::Read + '_>>> {
        let url = self.url_of(path);
        if self.machine.open_url(&url).is_err() {
            self.machine.fetch(slice::from_ref(&url), &BTreeSet::new());
        }
        // A file that cannot be fetched counts as absent. If all are absent, that is reported.
        Ok(self.machine.open_url(&url).ok().map(|file| Box::new(file) as _))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        if folder != INDEXES.trim_end_matches('/') {
            return Ok(Vec::new());
        }
        if let Some(listed) = self.machine.list_url(&self.url_of(INDEXES)) {
            return Ok(listed.into_iter().map(|path| format!("{INDEXES}{path}")).collect());
        }
        let of_view = self.view.map_or(String::new(), |view| format!("{view}/"));
        let index = format!("{INDEXES}{of_view}{INDEX_NAME}");
        Ok(self.open(&index)?.map(|_| index).into_iter().collect())
    }
}
