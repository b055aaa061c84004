//! `open`: opening a cache in the browser, with nothing but this command.

use std::path::{Path, PathBuf};

use cache_explorer_site::first_view;
use cache_index::number::counted;
use clap::Args;

use super::index::{Publication, index_of};
use crate::inputs::InputArguments;
use crate::inside::Inside;
use crate::output::{self, Kind, Output, may_write};
use crate::page_html::{self, Presentation};
use crate::report::{Failed, Report, print};

/// The prefix of the names of temporary folders for pages.
const PREFIX: &str = "cache-explorer-";

/// Open a cache in the browser
///
/// Makes one HTML file from the cache's index and the site that is part of this command, and opens it.
/// The file needs no other files: it can be kept, copied and passed on.
#[derive(Args)]
pub(crate) struct Open {
    #[command(flatten)]
    inputs: InputArguments,

    #[command(flatten)]
    publication: Publication,

    /// Where to write the page [default: a new folder among the temporary files].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Only write the page and print its path.
    #[arg(long)]
    no_browser: bool,
}

impl Open {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failed> {
        // Reported before a large cache is read.
        if let Some(path) = &self.output {
            let read = self.inputs.paths().chain(self.publication.paths());
            may_write(&[Output::new(path, Kind::Page, "--output")], read)?;
        }
        let site = Inside::site()?;
        let index = index_of(&self.inputs, &self.publication, report)?;
        let builds = index.builds_with_binary().count();
        let shown_as = Presentation { title: index.about().title(), url: None, feed: None };
        let page = page_html::present(&site.bundle()?, shown_as)?;
        let page = page_html::embed(&page, &index.to_parts_with_facts())?;
        // It is part of the page until the command ends.
        let page =
            page_html::with_first_view(&page, Some(&first_view(Box::leak(Box::new(index)))))?;
        let path = match self.output {
            Some(path) => path,
            None => new_place()?,
        };
        output::write(&path, &page)?;
        if output::is_standard_output(&path) {
            return Ok(());
        }
        print(format_args!("{}: {}", path.display(), counted(builds, "build", "builds")));
        if !self.no_browser {
            show(&path)?;
        }
        Ok(())
    }
}

/// Shows a file or an address in the person's browser.
pub(super) fn show(what: impl AsRef<Path>) -> Result<(), Failed> {
    let what = what.as_ref();
    let why =
        |error| format!("no browser could be opened: {error}; open {} yourself", what.display());
    Ok(open::that_detached(what).map_err(why)?)
}

/// Returns the path of a file in a new folder, which only this user may read, and which outlives the
/// command.
fn new_place() -> Result<PathBuf, Failed> {
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
    Ok(folder.keep().join("explorer.html"))
}
