//! `embed`: putting an index into the pages of a built site.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cache_advice::size_in_words;
use cache_explorer_site::first_view;
use cache_index::index::Index;
use clap::Args;

use super::beside::Beside;
use super::index::{Publication, index_of, web_address};
use crate::feed::{Addresses, feed, headline};
use crate::inputs::InputArguments;
use crate::inside::{self, Inside};
use crate::output::{Kind, Output, hidden, may_write, mode_in, place};
use crate::page_html::{Inline, Presentation, is_part_file};
use crate::published::PublishedCache;
use crate::report::{Failure, Report, print};
use crate::site::Site;

/// Put a cache's index into a built site, so that the site shows this cache
///
/// Takes the same inputs as `index`, or the file that `index` has made. The site's index.html is changed, and its
/// explorer.html and service-worker.js if it has them: either all of them, or none if anything is wrong. Large parts of
/// the index become files beside index.html.
#[derive(Args)]
pub(crate) struct Embed {
    #[command(flatten)]
    inputs: InputArguments,

    #[command(flatten)]
    publication: Publication,

    /// The folder of the built site. If there is no such folder, or nothing in it, a new site is created there from the
    /// one that is part of this command [default: `site`].
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,

    /// The address at which the site will be published, such as `https://example.org/cache/`. Browsers can then search it
    /// from their address bar, and messengers show its icon with links to it.
    #[arg(long, value_name = "URL", value_parser = web_address)]
    site_url: Option<String>,

    /// Write a feed in Atom, with an entry for each publication: what came and went since the one before, which --since
    /// states. The entries of a file that is there already are kept, up to fifty.
    #[arg(long, value_name = "FILE")]
    feed: Option<PathBuf>,

    #[command(flatten)]
    beside: Beside,

    /// Put the whole index into the page itself. Otherwise the parts that its first answer does not need are files
    /// beside it, unless they are small.
    #[arg(long)]
    inline: bool,
}

/// The folder of the site if the user names none.
const NEW: &str = "site";

/// The option that names the folder.
const INTO: &str = "--into";

impl Embed {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failure> {
        let is_named = self.into.is_some();
        let folder = self.into.clone().unwrap_or_else(|| NEW.into());
        // Reported before a large cache is read. The site itself is read, and locked, after that.
        let inside = match is_free(&folder) && (!is_named || Inside::is_there()) {
            true => Some(Inside::site()?),
            // A user who means an existing site may have misspelt its folder.
            false if is_free(&folder) => {
                return Err(format!(
                    "{}: expected a built site: {}",
                    folder.display(),
                    inside::NONE
                )
                .into());
            }
            false => {
                if Inside::is_there() && fs::read_dir(&folder).is_ok() && !Site::is_in(&folder) {
                    let words = "expected the folder of a built site, or an empty one for a new site, found other files";
                    return Err(format!("{}: {words}", folder.display()).into());
                }
                Site::look(&folder)?;
                None
            }
        };
        let in_folder = self.feed.as_deref().and_then(|feed| name_in(feed, &folder));
        let outputs = self.outputs(&folder, inside.as_ref(), in_folder);
        let there = self.beside.there(&folder, INTO);
        let watched = self.beside.watched(self.inputs.reading().size_limit(), report)?;
        let inputs = || {
            let read = self.inputs.paths().chain(self.publication.paths());
            read.chain(watched.files.iter().map(PathBuf::as_path))
        };
        may_write(&[&outputs[..], &there].concat(), inputs())?;
        let index = index_of(&self.inputs, &self.publication, report)?;
        watched.check(index.dialect(), report)?;
        // The index is part of the page until the command ends.
        let index: &'static Index = Box::leak(Box::new(index));
        let site_url = self.site_url.as_deref();
        let addresses = Addresses {
            page: site_url.or(index.about().about_url()),
            is_site: site_url.is_some(),
            name: in_folder,
        };
        let feed = self.feed.as_deref().map(|path| feed(path, index, addresses)).transpose()?;
        let page = match &inside {
            Some(inside) => inside.page()?,
            None => Site::page(&folder)?,
        };
        let in_page = Inline::of(&page)?;
        let published = Arc::new(PublishedCache::new(index, site_url, in_page));
        let tree = self.beside.tree(&published, &watched, &folder, report)?;
        // The files are named after packages, which are known now.
        may_write(&[outputs, tree.outputs(&folder, INTO)].concat(), inputs())?;
        let shown_as =
            Presentation { title: index.about().title(), url: site_url, feed: in_folder };
        let parts = index.to_parts_with_facts();
        let fill = |site: &mut Site| -> Result<(), Failure> {
            site.present(shown_as)?;
            if let (Some(path), Some(feed)) = (&self.feed, &feed) {
                // A new site is made under another name.
                let path = in_folder.map_or_else(|| path.clone(), |name| site.folder().join(name));
                site.add(path, feed.clone());
            }
            site.grow(tree);
            site.embed(&parts, &first_view(index), self.inline)?;
            site.lead_to_packages(self.beside.has_pages(&folder))
        };
        match inside {
            Some(inside) => make(&inside, &folder, fill)?,
            None => {
                let mut site = Site::open(&folder)?;
                fill(&mut site)?;
                site.write()?;
            }
        }
        for page in Site::pages(&folder) {
            print(format_args!("{}: has the index now", page.display()));
        }
        // This is what users look for in a nightly log.
        let size = size_in_words(parts.bytes() as u64);
        // If nothing has changed, the changes are those that an earlier run found.
        let since = index.earlier().and_then(|earlier| earlier.summary().made);
        let since = since.map_or_else(String::new, |made| format!(" since {made}"));
        let headline = headline(index);
        print(format_args!("{}: {headline}{since}; the index has {size}", folder.display()));
        self.beside.report(&folder, &published, report);
        for file in hidden(&folder) {
            let words =
                "some of those who can read its folder cannot read it, such as a web server";
            report.note_of_kind(words, format!("{}: {words}", file.display()));
        }
        Ok(())
    }

    /// Returns everything that is written, and the files of the site that stay as they are.
    fn outputs(
        &self,
        folder: &Path,
        inside: Option<&Inside>,
        feed_in_folder: Option<&str>,
    ) -> Vec<Output> {
        let mut outputs = Site::outputs(folder, INTO, self.site_url.is_some());
        let of_site = |name: &str| Output::new(folder.join(name), Kind::Other, INTO);
        let names = inside.into_iter().flat_map(|inside| inside.files().keys());
        outputs.extend(names.filter(|name| !Site::writes(name)).map(|name| of_site(name)));
        outputs.extend(feed_in_folder.filter(|name| is_part_file(name)).map(of_site));
        outputs.extend(self.feed.as_ref().map(|feed| Output::new(feed, Kind::Feed, "--feed")));
        outputs
    }
}

/// Returns `true` if a new site can be made in a folder: it does not exist, or is empty.
fn is_free(folder: &Path) -> bool {
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Returns the name of a file, if the file is directly in a folder.
fn name_in<'p>(file: &'p Path, folder: &Path) -> Option<&'p str> {
    let is_there = place(file).parent().is_some_and(|parent| parent == place(folder));
    file.file_name()?.to_str().filter(|_| is_there)
}

/// Makes a complete site that shows a cache, in a new or empty folder, or nothing at all.
fn make(
    inside: &Inside,
    folder: &Path,
    fill: impl FnOnce(&mut Site) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let is_there = folder.exists();
    let beside = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    let around = if is_there { folder } else { beside.unwrap_or(Path::new(".")) };
    let whole = tempfile::Builder::new().prefix(".site-").tempdir_in(around)?;
    // A temporary folder is private, but everyone who can read the folder around a site can read the site too.
    fs::set_permissions(whole.path(), mode_in(around, &fs::metadata(whole.path())?)?)?;
    let put = |name: &str, bytes: &[u8]| -> io::Result<()> {
        let mut file = File::create_new(whole.path().join(name))?;
        file.set_permissions(mode_in(whole.path(), &file.metadata()?)?)?;
        file.write_all(bytes)
    };
    for (name, bytes) in inside.files() {
        put(name, bytes)?;
    }
    put("explorer.html", inside.bundle()?.as_bytes())?;
    let mut site = Site::open(whole.path())?;
    site.seal()?;
    fill(&mut site)?;
    site.write()?;
    if is_there {
        // The folder itself stays: it may be the current one, or another disk.
        return move_into(folder, whole.path());
    }
    fs::rename(whole.path(), folder)?;
    // The folder has another name now, so it is not removed.
    drop(whole.keep());
    Ok(())
}

/// Moves the files of a site into a folder, the page last.
fn move_into(folder: &Path, from: &Path) -> Result<(), Failure> {
    let entries = fs::read_dir(from)?.map(|entry| entry.map(|entry| entry.file_name()));
    let mut names = entries.collect::<io::Result<Vec<_>>>()?;
    names.sort_by_key(|name| name == "index.html");
    for name in names {
        fs::rename(from.join(&name), folder.join(&name))?;
    }
    Ok(())
}
