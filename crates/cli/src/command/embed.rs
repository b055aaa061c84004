//! `embed`: putting an index into the pages of a built site.

use std::path::PathBuf;

use cache_index::index;
use clap::Args;

use super::index::{Publication, only_index, packed};
use crate::inputs::{Inputs, gather};
use crate::report::{Failed, Report, tell};
use crate::site::Site;

/// Put a cache's index into a built site, so that the site shows this cache
///
/// Takes the same inputs as `index`, or the file that `index` has made. The site's index.html is changed, and its
/// explorer.html and service-worker.js if it has them: either all of them, or none if anything is wrong. Large parts of
/// the index become files beside index.html.
#[derive(Args)]
pub(crate) struct Embed {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    publication: Publication,

    /// The folder of the built site.
    #[arg(long, value_name = "FOLDER")]
    into: PathBuf,

    /// Put the whole index into the page itself. Otherwise the parts that its first answer does not need are files
    /// beside it, unless they are small.
    #[arg(long)]
    inline: bool,
}

impl Embed {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failed> {
        // Reported before a large cache is read. The site itself is read, and locked, after that.
        Site::look(&self.into)?;
        let index = self.index(report)?.to_parts();
        let mut site = Site::open(&self.into)?;
        site.embed(&index, self.inline)?;
        let pages = site.pages();
        site.write()?;
        for page in pages {
            tell(format_args!("{}: has the index now", page.display()));
        }
        Ok(())
    }

    /// Returns the index, from whatever was given.
    fn index(&self, report: &mut Report) -> Result<index::Index, Failed> {
        let found = self.inputs.find(report);
        if let Some(index) = only_index(&found, report) {
            return index;
        }
        let gathered = gather(found, self.publication.leave_out_damaged, report)?;
        Ok(packed(gathered, self.publication.clone())?.0)
    }
}
