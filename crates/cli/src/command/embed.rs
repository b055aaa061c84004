//! `embed`: an index goes into the pages of a built site.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::{fs, io};

use cache_index::index;
use clap::Args;

use super::index::{Publication, packed};
use crate::inputs::{Input, Inputs, gather, read_text};
use crate::output;
use crate::page_html;
use crate::progress::Progress;
use crate::report::{Failed, Report, tell};

/// Put a cache's index into a built site, so that the site is about this cache
///
/// Takes what `index` takes, or the one file that `index` has made. The site's index.html is
/// changed, and its explorer.html if it has one; both, or none if anything is wrong.
#[derive(Args)]
pub(crate) struct Embed {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    publication: Publication,

    /// The folder of the built site.
    #[arg(long, value_name = "FOLDER")]
    into: PathBuf,
}

/// The page of a site, which it always has.
const PAGE: &str = "index.html";

/// The same in one file, which it may have.
const SINGLE: &str = "explorer.html";

impl Embed {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failed> {
        let pages = read_pages(&self.into)?;
        let parts = self.index(report)?.to_parts();
        let mut files = Vec::new();
        for (path, html) in pages {
            let page = page_html::embed(&html, &parts)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            files.push((path, page));
        }
        output::write_all(&files)?;
        for (path, _) in files {
            tell(format_args!("{}: has the index now", path.display()));
        }
        Ok(())
    }

    /// The index, from whatever was given.
    fn index(&self, report: &mut Report) -> Result<index::Index, Failed> {
        let found = self.inputs.find(report);
        if let [Input::Index(path)] = &found.inputs[..]
            && !report.has_problems()
        {
            let in_file = |problem: String| format!("{}: {problem}", path.display());
            let json =
                read_text(File::open(path), &Progress::over(found.bytes)).map_err(in_file)?;
            // As the page will load it, so that what the page would refuse is refused here.
            let index = index::Index::from_json(&json);
            return Ok(index.map_err(|error| in_file(error.to_string()))?);
        }
        let gathered = gather(found, report)?;
        Ok(packed(gathered, self.publication.clone())?.0)
    }
}

/// The site's pages with their paths.
fn read_pages(folder: &Path) -> Result<Vec<(PathBuf, String)>, Failed> {
    let mut pages = Vec::new();
    for (name, always) in [(PAGE, true), (SINGLE, false)] {
        let path = folder.join(name);
        match fs::read_to_string(&path) {
            Ok(html) => pages.push((path, html)),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !always => {}
            Err(error) => {
                let path = path.display();
                return Err(format!("{path}: expected the page of a built site: {error}").into());
            }
        }
    }
    Ok(pages)
}
