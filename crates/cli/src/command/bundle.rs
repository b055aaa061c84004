//! `bundle`: a built site as one file.

use std::path::{Path, PathBuf};

use cache_index::number::counted;
use clap::Args;

use crate::inside::Inside;
use crate::output::{self, Kind, Output, may_write};
use crate::page_html;
use crate::report::{Failure, Report, print};
use crate::site::{read_file, read_text};

/// Make one HTML file of a built site, which works from disk and needs no other files
#[derive(Args)]
pub(crate) struct Bundle {
    /// The folder of the built site [default: the site that is part of this command].
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,

    /// Where to write the file [default: explorer.html, in that folder if one is given].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Bundle {
    pub(crate) fn run(self, _report: &mut Report) -> Result<(), Failure> {
        let Bundle { from, output } = self;
        let folder = from.as_deref().unwrap_or(Path::new(""));
        let output = output.unwrap_or_else(|| folder.join("explorer.html"));
        may_write(&[Output::new(&output, Kind::Page, "--output")], [])?;
        let bundled = match &from {
            Some(folder) => bundle(folder)?,
            None => Inside::site()?.bundle()?,
        };
        output::write(&output, &bundled)?;
        if !output::is_standard_output(&output) {
            print(format_args!(
                "{}: {}",
                output.display(),
                counted(bundled.len(), "byte", "bytes")
            ));
        }
        Ok(())
    }
}

fn bundle(folder: &Path) -> Result<String, Failure> {
    let page = folder.join("index.html");
    let in_page = |error: &dyn std::fmt::Display| format!("{}: {error}", page.display());
    let html = read_text(&page).map_err(|error| in_page(&error))?;
    let read = |name: &str| read_file(&folder.join(name));
    Ok(page_html::bundle(&html, &read).map_err(|error| in_page(&error))?)
}
