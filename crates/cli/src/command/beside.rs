//! The files that `embed` writes next to the page of a site on request: an interface for programs, a page for each package,
//! and feeds and badges for what is watched.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cache_ingest::compression::SizeLimit;
use clap::Args;

use super::watch::{WatchList, note_absent};
use crate::output::{Kind, Output, Shelf, Tree, is_foreign};
use crate::published::{Pointer, PublishedCache, api, pages, watch};
use crate::report::{Failure, Report, print};

#[derive(Args)]
pub(super) struct Beside {
    /// Write an interface for programs too: files of JSON in the folder `api`, with the packages of the cache, all that is
    /// known about their builds, and a badge for each package; and an `llms.txt`, which says to language models where they
    /// are, unless the site has one of its own. Files of packages that are gone are removed.
    #[arg(long)]
    api: bool,

    /// Write a page of HTML for each package too, `package/NAME/index.html`, for search engines and previews of links, and a
    /// `robots.txt` that allows everything, unless the site has one of its own; with --site-url, also a `sitemap.xml`, which
    /// the `robots.txt` names. Pages of packages that are gone are removed.
    #[arg(long)]
    pages: bool,

    /// Write a feed and a badge for each spec or lock file that this file lists, `watch/NAME.xml` and `watch/NAME.json`. The
    /// file is YAML: `watch: {hdf5-2: "hdf5@2:", production: {lock: production/spack.lock}}`. An entry is added to a feed
    /// when something changed since the publication before. The files of entries that are not in the list any more are removed.
    #[arg(long, value_name = "FILE")]
    watch: Option<PathBuf>,
}

/// A kind of files that an option asks for.
struct Part {
    is_wanted: bool,
    option: &'static str,
    /// The files whose names are the same for every cache; the first is always there.
    files: Vec<(&'static str, Kind)>,
    shelves: &'static [Shelf],
    tree: fn(&Arc<PublishedCache>) -> Tree,
    what: &'static str,
}

impl Beside {
    fn parts(&self) -> [Part; 2] {
        [
            Part {
                is_wanted: self.api,
                option: "--api",
                files: api::FILES.to_vec(),
                shelves: &api::SHELVES,
                tree: api::tree,
                what: "leads to the interface for programs",
            },
            Part {
                is_wanted: self.pages,
                option: "--pages",
                files: pages::FILES.to_vec(),
                shelves: &pages::SHELVES,
                tree: pages::tree,
                what: "leads to the pages of packages",
            },
        ]
    }

    /// Returns `true` if the site has pages of packages: they are written now, or stay.
    pub(super) fn has_pages(&self, folder: &Path) -> bool {
        self.pages || folder.join(pages::FILES[0].0).exists()
    }

    /// Reads what is watched.
    pub(super) fn watched(
        &self,
        limit: SizeLimit,
        report: &mut Report,
    ) -> Result<WatchList, Failure> {
        let read = self.watch.as_deref().map(|file| WatchList::read(file, limit, report));
        read.transpose().map(Option::unwrap_or_default)
    }

    /// Returns the names of wanted files that another program has made for the whole site: they stay as they are.
    fn left_alone(&self, folder: &Path) -> Vec<&'static str> {
        let parts = self.parts().into_iter().filter(|part| part.is_wanted);
        let files = parts.flat_map(|part| part.files);
        let shared = files.filter(|(_, kind)| matches!(kind, Kind::Robots | Kind::Llms));
        let foreign = shared.filter(|&(name, kind)| is_foreign(&folder.join(name), kind));
        foreign.map(|(name, _)| name).collect()
    }

    /// Returns the files that may be written: those whose names are known before the cache is read, and those that are
    /// already in the folders that only this command fills. `into` is the option that names the folder of the site.
    pub(super) fn there(&self, folder: &Path, into: &'static str) -> Vec<Output> {
        let output = |path: PathBuf, kind| Output::new(path, kind, into);
        let mut outputs = Vec::new();
        let mut shelves: Vec<&Shelf> = Vec::new();
        let left_alone = self.left_alone(folder);
        for part in self.parts().into_iter().filter(|part| part.is_wanted) {
            let files = part.files.into_iter().filter(|(name, _)| !left_alone.contains(name));
            outputs.extend(files.map(|(name, kind)| output(folder.join(name), kind)));
            shelves.extend(part.shelves);
        }
        shelves.extend(self.watch.iter().flat_map(|_| &watch::SHELVES));
        for shelf in shelves {
            let files = shelf.files(folder).into_iter();
            outputs.extend(files.map(|path| output(path, shelf.kind)));
        }
        outputs
    }

    /// Returns the files. `folder` is the folder of the site, with what was published before.
    pub(super) fn tree(
        &self,
        published: &Arc<PublishedCache>,
        watched: &WatchList,
        folder: &Path,
        report: &mut Report,
    ) -> Result<Tree, Failure> {
        let wanted = self.parts().into_iter().filter(|part| part.is_wanted);
        let tree = wanted.fold(Tree::default(), |tree, part| tree.and((part.tree)(published)));
        let tree = tree.without(&self.left_alone(folder));
        if self.watch.is_none() {
            return Ok(tree);
        }
        let on_nothing = |name: &str, spec: &str| note_absent(name, spec, published, report);
        Ok(tree.and(watch::tree(&watched.list, published, folder, on_nothing)?))
    }

    /// Reports which files were written, could not be, or are out of date now.
    pub(super) fn report(&self, folder: &Path, published: &PublishedCache, report: &mut Report) {
        for Part { is_wanted, option, files, what, .. } in self.parts() {
            let first = folder.join(files[0].0);
            if is_wanted {
                print(format_args!("{}: {what}", first.display()));
            } else if first.exists() {
                let words = format!("stays as it was; {option} would bring it up to date");
                report.note(&format!("{}: {words}", first.display()));
            }
        }
        for name in self.left_alone(folder) {
            let pointer = match name {
                pages::ROBOTS => pages::in_robots(published),
                _ => Some(api::in_llms(published)),
            };
            let file = folder.join(name);
            // A file that cannot be read does not point to anything.
            let text = fs::read_to_string(&file).unwrap_or_default();
            if let Some(Pointer { line, .. }) = pointer.filter(|it| !text.contains(&it.address)) {
                let words = "was not made by cache-explorer, and stays as it is; add this line";
                report.note(&format!("{}: {words}: {line}", file.display()));
            }
        }
        if let Some(file) = &self.watch {
            let shown = folder.join(watch::FOLDER);
            print(format_args!(
                "{}: has a feed and a badge for each entry of {}",
                shown.display(),
                file.display()
            ));
        } else if let Some(first) =
            watch::SHELVES.iter().find_map(|shelf| shelf.files(folder).into_iter().next())
        {
            report.note(&format!(
                "{}: stays as it was; --watch would bring it up to date",
                first.display()
            ));
        }
        let unnamed = published.unnamed().filter(|_| self.api || self.pages);
        for name in unnamed {
            let words = "no file can have this name, so the package has none of its own";
            report.note_of_kind(words, format!("{name}: {words}"));
        }
    }
}
