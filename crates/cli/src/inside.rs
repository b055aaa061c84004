//! The site that is part of the command, so that the binary alone is enough.
//!
//! `build.rs` includes the site as Trunk made it; it is sealed and bundled only when it is written.

use std::collections::BTreeMap;
use std::io::{self, Read};

use cache_explorer_site::first_view;
use cache_index::index::Index;
use flate2::read::GzDecoder;
use tar::Archive;

use crate::page_html::{self, LoadedFile, LoaderAttributes, PageError, Presentation};
use crate::report::Failure;

const ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/site.tar.gz"));

/// The error of a command without a site.
pub(crate) const NONE: &str = "this command was built without a site inside; `make dist` builds both, \
                    and cache-explorer of a release has one";

/// The files of a site, in memory.
#[derive(Debug)]
pub(crate) struct Inside(BTreeMap<String, Vec<u8>>);

impl Inside {
    /// Returns `true` if this command has a site.
    pub(crate) fn is_there() -> bool {
        !ARCHIVE.is_empty()
    }

    /// Returns the site, or an error that says how to get a command with one.
    pub(crate) fn site() -> Result<Inside, Failure> {
        if !Inside::is_there() {
            return Err(NONE.into());
        }
        Ok(Inside(unpack(ARCHIVE)?))
    }

    #[cfg(test)]
    pub(crate) fn of(files: BTreeMap<String, Vec<u8>>) -> Inside {
        Inside(files)
    }

    /// Returns all files by name.
    pub(crate) fn files(&self) -> &BTreeMap<String, Vec<u8>> {
        &self.0
    }

    /// Returns the site as one file.
    pub(crate) fn bundle(&self) -> Result<String, Failure> {
        let read = |name: &str| {
            let file = self.0.get(name.strip_prefix("./").unwrap_or(name));
            file.cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
        };
        Ok(page_html::bundle(&self.page()?, &read)?)
    }

    /// Returns the page of a site that this command serves, with an index in it and, if it `has_view`, its first view. The
    /// page listens at `changes` for a newer one.
    pub(crate) fn served(
        &self,
        index: &Index,
        changes: &str,
        has_view: bool,
    ) -> Result<String, Failure> {
        let later = page_html::build_name(&self.later());
        let named = LoaderAttributes { worker: None, later: Some(&later), changes: Some(changes) };
        let shown_as = Presentation { title: index.about().title(), url: None, feed: None };
        let page = page_html::present(&page_html::seal(&self.page()?, named)?, shown_as)?;
        let parts = index.to_parts_with_facts();
        let page = page_html::embed(&page, &parts)?;
        if !has_view {
            return Ok(page);
        }
        // What the view is drawn from stays in memory for as long as the command runs, so it is only the columns: 24 bytes
        // for each row.
        let columns = Index::from_json(&parts.columns).map_err(|error| error.to_string())?;
        if let Some(recipes) = &parts.recipes {
            columns.set_recipes(recipes).map_err(|error| error.to_string())?;
        }
        let view = first_view(Box::leak(Box::new(columns)));
        Ok(page_html::with_first_view(&page, Some(&view))?)
    }

    /// Returns the names of the files that the page may request.
    pub(crate) fn asked_for(&self) -> Result<Vec<String>, Failure> {
        let loaded =
            page_html::loaded(&self.page()?)?.into_iter().map(|LoadedFile { name, .. }| name);
        Ok(loaded.chain(self.later().into_iter().map(|(name, _)| name)).collect())
    }

    /// Returns the files that the page fetches on demand, if it has them.
    fn later(&self) -> Vec<(String, Vec<u8>)> {
        let read = |name: &str| self.0.get(name).cloned().ok_or(());
        page_html::later_files(&read).unwrap_or_default()
    }

    /// Returns the page of the site.
    pub(crate) fn page(&self) -> Result<String, Failure> {
        let page = self.0.get("index.html").ok_or(PageError::NoLoader)?;
        Ok(String::from_utf8_lossy(page).into_owned())
    }
}

fn unpack(archive: &[u8]) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for file in Archive::new(GzDecoder::new(archive)).entries()? {
        let mut file = file?;
        let name = file.path()?.to_string_lossy().into_owned();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        files.insert(name, bytes);
    }
    Ok(files)
}
