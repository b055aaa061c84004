//! `open`: opening a cache in the browser, with nothing but this command.

use std::path::{Path, PathBuf};

use cache_explorer_site::first_view;
use cache_index::environment::EnvironmentTexts;
use cache_index::number::counted;
use clap::Args;

use super::environment;
use super::index::{Publication, index_of};
use crate::inputs::InputArguments;
use crate::inside::Inside;
use crate::output::{self, Kind, Output, may_write};
use crate::page_html::{self, Presentation};
use crate::report::{Failure, Report, print};

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

    /// A spack.lock or spack.yaml, or anything else that `environment` takes. The page then begins with what the cache has of
    /// it, and has it in itself.
    #[arg(long, value_name = "FILE")]
    environment: Option<PathBuf>,

    /// Where to write the page [default: a new folder among the temporary files].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Only write the page and print its path.
    #[arg(long)]
    no_browser: bool,
}

impl Open {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failure> {
        // Errors about the output are reported before a large cache is read.
        if let Some(path) = &self.output {
            let read = self.inputs.paths().chain(self.publication.paths());
            let read = read.chain(self.environment.as_deref());
            may_write(&[Output::new(path, Kind::Page, "--output")], read)?;
        }
        let site = Inside::site()?;
        let environment = self.environment.as_deref().map(|file| self.kept(file, report));
        let environment = environment.transpose()?;
        let index = index_of(&self.inputs, &self.publication, report)?;
        let builds = index.builds_with_binary().count();
        let shown_as = Presentation { title: index.about().title(), url: None, feed: None };
        let page = page_html::present(&site.bundle()?, shown_as)?;
        let page = page_html::embed(&page, &index.to_parts_with_facts())?;
        let page = match &environment {
            // The page begins with the environment instead.
            Some((name, kept)) => {
                page_html::starting_with(&page_html::with_first_view(&page, None)?, name, kept)?
            }
            // The index is part of the page until the command ends.
            None => {
                page_html::with_first_view(&page, Some(&first_view(Box::leak(Box::new(index)))))?
            }
        };
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

    /// Reads an environment, and returns its name and its texts.
    fn kept(
        &self,
        file: &Path,
        report: &mut Report,
    ) -> Result<(String, EnvironmentTexts), Failure> {
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        let label = file.display().to_string();
        match environment::read(file, self.inputs.reading().size_limit()) {
            Ok(Ok(environment)) => Ok((name, EnvironmentTexts::new(&environment)?)),
            Ok(Err(problems)) => {
                problems.iter().for_each(|problem| report.problem(&label, problem));
                Err(Failure::Reported("nothing was written".to_owned()))
            }
            Err(error) => Err(format!("{label}: {error}").into()),
        }
    }
}

/// Opens a file or an address in the user's browser.
pub(super) fn show(what: impl AsRef<Path>) -> Result<(), Failure> {
    let what = what.as_ref();
    let why =
        |error| format!("no browser could be opened: {error}; open {} yourself", what.display());
    Ok(open::that_detached(what).map_err(why)?)
}

/// Returns the path of a file in a new folder that only this user may read, and that outlives the command.
fn new_place() -> Result<PathBuf, Failure> {
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
    Ok(folder.keep().join("explorer.html"))
}
