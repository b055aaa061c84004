//! `seal`: finishing a built site for publication.

use std::path::PathBuf;

use clap::Args;

use crate::output::may_write;
use crate::report::{Failure, Report, print};
use crate::site::Site;

/// Finish a built site: let its page load only its own files, and keep these for offline use
///
/// Adds a content security policy to the page, and starts the site's service worker, which gets the list of the page's
/// files with their digests. `embed` updates the list itself.
#[derive(Args)]
pub(crate) struct Seal {
    /// The folder of the built site.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Seal {
    pub(crate) fn run(self, _report: &mut Report) -> Result<(), Failure> {
        Site::look(&self.folder)?;
        may_write(&Site::outputs(&self.folder, "the argument FOLDER", false), [])?;
        let mut site = Site::open(&self.folder)?;
        site.seal()?;
        site.write()?;
        print(format_args!("{}: sealed", self.folder.display()));
        Ok(())
    }
}
