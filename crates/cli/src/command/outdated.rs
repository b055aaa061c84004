//! `outdated`: the packages of a cache that Spack has newer releases of.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use cache_advice::recipes::{OutdatedPackage, OutdatedReport};
use cache_index::number::counted;
use cache_ingest::visible;
use clap::Args;

use super::index::load;
use crate::inputs::ReadingArguments;
use crate::mirrors::MirrorFiles;
use crate::recipes::RecipeArguments;
use crate::report::{Failure, Report};
use crate::terminal::{Lines, write_table};

/// Show which packages of a cache Spack has newer releases of
///
/// Compares the newest release of each cached package with the newest one in its recipe that is not deprecated. Branches
/// and commits are not releases. Also lists the cached versions that are deprecated.
#[derive(Args)]
pub(crate) struct OutdatedCommand {
    /// The cache: an index made by `index`, or anything that `index` takes.
    #[arg(required_unless_present = "mirrors", value_name = "CACHE")]
    from: Vec<PathBuf>,

    #[command(flatten)]
    mirrors: MirrorFiles,

    #[command(flatten)]
    recipes: RecipeArguments,

    #[command(flatten)]
    reading: ReadingArguments,

    /// Print a JSON object.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,

    /// Print Markdown, as for an issue.
    #[arg(long)]
    markdown: bool,
}

impl OutdatedCommand {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failure> {
        let mut index = load(&self.from, &self.mirrors.read(report), &self.reading, report)?;
        self.recipes.describe(&mut index, &self.reading, report)?;
        let outdated = OutdatedReport::of(&index, |_| true)?.ok_or(
            "there are no recipes to compare with: name them with --recipes, or an index that was made with it",
        )?;
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            writeln!(out, "{}", outdated.json())?;
        } else if self.markdown {
            write!(out, "{}", Lines(outdated.markdown()))?;
        } else {
            write_lists(&mut out, &outdated)?;
        }
        out.flush()?;
        Ok(())
    }
}

fn write_lists(out: &mut impl Write, outdated: &OutdatedReport) -> io::Result<()> {
    writeln!(out, "{}", outdated.headline())?;
    let rows = outdated.packages.iter().map(|one| {
        let OutdatedPackage { package, newest, behind, .. } = one;
        let cached = one.cached_in_words().to_owned();
        [format!("  {package}"), cached, newest.clone(), behind.to_string()]
    });
    if !outdated.packages.is_empty() {
        let header =
            ["  package", "in the cache", "in Spack", "releases behind"].map(str::to_owned);
        write_table(out, std::iter::once(header).chain(rows))?;
    }
    for one in &outdated.deprecated {
        let builds = counted(one.builds, "build", "builds");
        let spec = visible(&format!("{}@{}", one.package, one.version));
        writeln!(out, "deprecated: {spec}, {builds}")?;
    }
    Ok(())
}
