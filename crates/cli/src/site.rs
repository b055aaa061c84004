//! A built site: the files in its folder that change together.
//!
//! | file | contents |
//! | --- | --- |
//! | `index.html` | the page, which every site has |
//! | `index-….json` | parts of the index that the page fetches after its first answer, or when somebody asks for them (optional) |
//! | `explorer.html` | the site as one file (optional) |
//! | `opensearch.xml` | lets browsers search the site from their address bar (optional) |
//! | a feed | lists the publications; it may lie elsewhere (optional) |
//! | `api/`, `llms.txt`, `package/`, `sitemap.xml`, `robots.txt`, `watch/` | the [small files](crate::published) of a publication (optional) |
//! | `service-worker.js` | keeps the page's files for offline use, and has their digests (optional) |
//!
//! A changed page is a new build, so every change to the page also updates the service worker.
//!
//! The page is written last. A visitor who gets the new page gets the new version of everything else. A visitor who gets the
//! old page has all that it needs: the single file needs nothing else, and a service worker that names a different page than
//! the current one is not installed, so that the browser keeps the one it has.

use std::path::{Path, PathBuf};
use std::{fs, io};

use cache_index::index::Parts;

use crate::output::{self, Kind, Lock, Output, Tree, WriteError};
use crate::page_html::{
    self, LoadedFile, LoaderAttributes, OPEN_SEARCH, PageError, PartFile, Presentation,
    length_of_shards,
};
use crate::report::Failure;
use crate::service_worker::{self, Build};

const PAGE: &str = "index.html";
const SINGLE: &str = "explorer.html";
const WORKER: &str = "service-worker.js";

/// The lists of files are left out of the single file if they are longer than this many bytes: a file of that size still
/// opens at once.
const MOST_IN_SINGLE: usize = 16 << 20;

/// The texts of a site.
pub(crate) struct Site {
    folder: PathBuf,
    lock: Lock,
    page: String,
    /// The files of the parts of a new index.
    parts: Vec<PartFile>,
    single: Option<String>,
    search: Option<String>,
    worker: Option<String>,
    /// Files that belong to this publication, but that the page does not need.
    others: Vec<(PathBuf, String)>,
    /// Files in folders of their own.
    tree: Tree,
}

impl Site {
    /// Fails if a folder does not contain the page of a site.
    pub(crate) fn look(folder: &Path) -> Result<(), Failure> {
        let page = folder.join(PAGE);
        match fs::metadata(&page) {
            Ok(_) => Ok(()),
            Err(error) => Err(not_a_site(&page, &error)),
        }
    }

    /// Reads the page of a site in a folder.
    pub(crate) fn page(folder: &Path) -> Result<String, Failure> {
        let page = folder.join(PAGE);
        read_text(&page).map_err(|error| not_a_site(&page, &error))
    }

    /// Returns the files that are written when the site in a folder is changed, and the paths where no other output may be
    /// written. `option` is the option that names the folder.
    pub(crate) fn outputs(folder: &Path, option: &'static str, has_search: bool) -> Vec<Output> {
        let search = if has_search { Kind::Search } else { Kind::Other };
        let kinds = [
            (PAGE, Kind::SitePage),
            (SINGLE, Kind::SitePage),
            (WORKER, Kind::Worker),
            (OPEN_SEARCH, search),
        ];
        kinds.map(|(name, kind)| Output::new(folder.join(name), kind, option)).into()
    }

    /// Returns `true` if a file with this name changes whenever the site does.
    pub(crate) fn writes(name: &str) -> bool {
        [PAGE, SINGLE, WORKER, OPEN_SEARCH].contains(&name)
    }

    /// Returns `true` if a folder has a page.
    pub(crate) fn is_in(folder: &Path) -> bool {
        folder.join(PAGE).exists()
    }

    /// Reads the texts of a site, and keeps other commands from changing them until the returned value is dropped.
    pub(crate) fn open(folder: &Path) -> Result<Site, Failure> {
        Site::look(folder)?;
        let lock = Lock::of(folder).map_err(|error| WriteError::of_lock(folder, error))?;
        Ok(Site {
            folder: folder.to_owned(),
            lock,
            parts: Vec::new(),
            page: Site::page(folder)?,
            single: read_if_there(&folder.join(SINGLE))?,
            search: None,
            worker: read_if_there(&folder.join(WORKER))?,
            others: Vec::new(),
            tree: Tree::default(),
        })
    }

    /// Lets the page load only its own files, and start the service worker.
    pub(crate) fn seal(&mut self) -> Result<(), Failure> {
        let worker = self.worker.as_ref().map(|_| WORKER);
        let later = self.later().map_err(|error| self.at(PAGE, &error))?;
        let later = (!later.is_empty()).then(|| page_html::build_name(&later));
        let named = LoaderAttributes { worker, later: later.as_deref(), changes: None };
        self.page = page_html::seal(&self.page, named).map_err(|error| self.at(PAGE, &error))?;
        Ok(())
    }

    /// Puts an index and its first view into the page, and into the single file. Unless `inline`, the large parts of the
    /// page's index become files next to the page.
    pub(crate) fn embed(&mut self, index: &Parts, view: &str, inline: bool) -> Result<(), Failure> {
        let embedded = match inline {
            true => page_html::embed(&self.page, index).map(|page| (page, Vec::new())),
            false => page_html::embed_beside(&self.page, index),
        };
        let first = |page: &str| page_html::with_first_view(page, Some(view));
        let embedded = embedded.and_then(|(page, parts)| Ok((first(&page)?, parts)));
        (self.page, self.parts) = embedded.map_err(|error| self.at(PAGE, &error))?;
        if let Some(single) = &self.single {
            let facts = index.facts.as_deref();
            let are_many = facts.is_some_and(|facts| length_of_shards(facts) > MOST_IN_SINGLE);
            let without = are_many.then(|| Parts { facts: None, ..index.clone() });
            let single = page_html::embed(single, without.as_ref().unwrap_or(index))
                .and_then(|single| first(&single));
            self.single = Some(single.map_err(|error| self.at(SINGLE, &error))?);
        }
        Ok(())
    }

    /// Adds a link from the page to the pages of packages. The single file gets none: it may be on its own.
    pub(crate) fn lead_to_packages(&mut self, has_packages: bool) -> Result<(), Failure> {
        let page = page_html::with_packages(&self.page, has_packages);
        self.page = page.map_err(|error| self.at(PAGE, &error))?;
        Ok(())
    }

    /// Puts the title and the address of the site into its pages.
    pub(crate) fn present(&mut self, shown_as: Presentation<'_>) -> Result<(), Failure> {
        let present = |name, page: &str| {
            page_html::present(page, shown_as).map_err(|error| self.at(name, &error))
        };
        let page = present(PAGE, &self.page)?;
        let single = self.single.as_ref().map(|single| present(SINGLE, single)).transpose()?;
        (self.page, self.single) = (page, single);
        self.search = shown_as.url.map(|url| page_html::open_search(shown_as.title, url));
        Ok(())
    }

    /// Returns the folder of the site.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a file that is written together with the others.
    pub(crate) fn add(&mut self, path: PathBuf, text: String) {
        self.others.push((path, text));
    }

    /// Adds files in folders of their own, which are written together with the others.
    pub(crate) fn grow(&mut self, tree: Tree) {
        self.tree = tree;
    }

    /// Returns the paths of the pages of a site.
    pub(crate) fn pages(folder: &Path) -> Vec<PathBuf> {
        let pages = [PAGE, SINGLE].map(|name| folder.join(name));
        pages.into_iter().filter(|page| page.exists()).collect()
    }

    /// Writes all files, or none.
    pub(crate) fn write(self) -> Result<(), Failure> {
        let worker = match &self.worker {
            Some(worker) => {
                let build = self.build().map_err(|error| self.at(PAGE, &error))?;
                Some(
                    service_worker::write(worker, &build)
                        .map_err(|error| self.at(WORKER, &error))?,
                )
            }
            None => None,
        };
        let named = self.named().map_err(|error| self.at(PAGE, &error))?;
        let parts = self.parts.into_iter().map(|part| (part.name, Some(part.text)));
        let texts = [
            (SINGLE, self.single),
            (OPEN_SEARCH, self.search),
            (WORKER, worker),
            (PAGE, Some(self.page)),
        ];
        let texts = texts.into_iter().map(|(name, text)| (name.to_owned(), text));
        let in_folder =
            |(name, text): (String, Option<String>)| Some((self.folder.join(name), text?));
        let files = self.others.into_iter().chain(parts.chain(texts).filter_map(in_folder));
        let files: Vec<_> = files.collect();
        output::write_site(&self.folder, &files, &self.tree, &self.lock)?;
        remove_old_parts(&self.folder, &named);
        Ok(())
    }

    /// Returns the names of the files next to the page that contain parts of the index.
    fn named(&self) -> Result<Vec<String>, PageError> {
        page_html::named_files(&self.page, &|name| match self
            .parts
            .iter()
            .find(|part| part.name == name)
        {
            Some(part) => Ok(part.text.clone()),
            None => read_text(&self.folder.join(name)).map_err(|error| PageError::MissingFile {
                name: name.to_owned(),
                message: error.to_string(),
            }),
        })
    }

    /// Returns the build that consists of the page and all files that it names.
    fn build(&self) -> Result<Build, PageError> {
        let mut build = Build::of_page(&self.page);
        for LoadedFile { name, .. } in page_html::loaded(&self.page)? {
            match self.parts.iter().find(|part| part.name == name) {
                Some(part) => build.add(name, part.text.as_bytes()),
                None => {
                    let bytes = read_named(&self.folder, &name)?;
                    build.add(name, &bytes);
                }
            }
        }
        for (name, bytes) in self.later()? {
            build.add_later(name, &bytes);
        }
        Ok(build)
    }

    /// Returns the files that the page fetches on demand, by name, if it has any.
    fn later(&self) -> Result<Vec<(String, Vec<u8>)>, PageError> {
        later(&self.page, &self.folder)
    }

    fn at(&self, name: &str, error: &dyn std::fmt::Display) -> Failure {
        format!("{}: {error}", self.folder.join(name).display()).into()
    }
}

/// A file of a site.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) when: When,
    pub(crate) bytes: Vec<u8>,
}

/// When a file of a site is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// The page cannot answer without it.
    BeforeTheAnswer,
    /// At every visit, after the answer.
    AfterIt,
    /// When a user uses the feature that needs it.
    OnDemand,
}

/// Reads the page of a site and the files that it names.
pub(crate) fn files(folder: &Path) -> Result<Vec<File>, Failure> {
    let page = folder.join(PAGE);
    let html = read_text(&page).map_err(|error| not_a_site(&page, &error))?;
    let in_page = |error: PageError| -> Failure { format!("{}: {error}", page.display()).into() };
    let mut files = vec![File {
        name: PAGE.to_owned(),
        when: When::BeforeTheAnswer,
        bytes: html.clone().into_bytes(),
    }];
    for LoadedFile { name, is_urgent } in page_html::loaded(&html).map_err(in_page)? {
        let bytes = read_named(folder, &name).map_err(in_page)?;
        let when = if is_urgent { When::BeforeTheAnswer } else { When::AfterIt };
        files.push(File { name, when, bytes });
    }
    for (name, bytes) in later(&html, folder).map_err(in_page)? {
        files.push(File { name, when: When::OnDemand, bytes });
    }
    Ok(files)
}

/// Returns the files that a page fetches on demand, by name, if it has any.
fn later(page: &str, folder: &Path) -> Result<Vec<(String, Vec<u8>)>, PageError> {
    match page_html::has_later(page) {
        true => page_html::later_files(&|name| read_named(folder, name)),
        false => Ok(Vec::new()),
    }
}

/// Removes the parts of earlier indexes. It does no harm if one cannot be removed.
fn remove_old_parts(folder: &Path, named: &[String]) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if let Some(name) = entry.file_name().to_str()
            && page_html::is_part_file(name)
            && !named.iter().any(|kept| kept == name)
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Reads a file of a site, without waiting for a pipe that may be in its place.
pub(crate) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    match fs::metadata(path)?.is_file() {
        true => fs::read(path),
        false => Err(io::Error::other("expected a file, found a folder, a pipe or a device")),
    }
}

/// Reads a text of a site.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(read_file(path)?);
    text.map_err(|_| io::Error::other("expected a text in UTF-8"))
}

/// Reads a file that the page names.
fn read_named(folder: &Path, name: &str) -> Result<Vec<u8>, PageError> {
    read_file(&folder.join(name)).map_err(|error| PageError::MissingFile {
        name: name.to_owned(),
        message: error.to_string(),
    })
}

fn not_a_site(page: &Path, error: &io::Error) -> Failure {
    let page = page.display();
    match error.kind() {
        io::ErrorKind::NotFound => {
            format!("{page}: expected the page of a built site, found no such file").into()
        }
        _ => format!("{page}: expected the page of a built site: {error}").into(),
    }
}

fn read_if_there(path: &Path) -> Result<Option<String>, Failure> {
    match read_text(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: could not be read: {error}", path.display()).into()),
    }
}
