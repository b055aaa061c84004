//! `changes`: what came, went and stayed between two snapshots of a cache.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use cache_index::changes::{Changes, Side};
use clap::{ArgGroup, Args};

use super::index::load_snapshot;
use crate::inputs::Reading;
use crate::report::{Failed, Report};
use crate::terminal::{self, Lines};

/// Show what changed between two snapshots of a cache
///
/// Builds are compared by hash. A build that was rebuilt because only its recipe or a dependency changed therefore
/// counts as gone and come, and the last column says so.
#[derive(Args)]
#[command(group = ArgGroup::new("form"))]
pub(crate) struct ChangesCommand {
    /// The older snapshot: an index made by `index`, or anything that `index` takes.
    old: PathBuf,

    /// The newer snapshot.
    new: PathBuf,

    #[command(flatten)]
    reading: Reading,

    /// Print a JSON object.
    #[arg(long, group = "form")]
    json: bool,

    /// Print Markdown, as for release notes.
    #[arg(long, group = "form")]
    markdown: bool,

    /// Exit with 1 if anything changed and 0 if not, as `git diff --exit-code` does; exit with 2 if that cannot be
    /// decided.
    #[arg(long)]
    exit_code: bool,
}

impl ChangesCommand {
    pub(crate) fn run(self, report: &mut Report) -> Result<ExitCode, Failed> {
        let old = load_snapshot(std::slice::from_ref(&self.old), &self.reading, report)?;
        let new = load_snapshot(std::slice::from_ref(&self.new), &self.reading, report)?;
        let changes = Changes::between(&Side::all(&old), &Side::all(&new));
        let mut out = io::stdout().lock();
        if self.json {
            writeln!(out, "{}", changes.json())?;
        } else if self.markdown {
            write!(out, "{}", Lines(changes.markdown()))?;
        } else {
            write_table(&mut out, &changes)?;
        }
        out.flush()?;
        Ok(match self.exit_code && !changes.is_empty() {
            true => ExitCode::from(1),
            false => ExitCode::SUCCESS,
        })
    }
}

fn write_table(out: &mut impl Write, changes: &Changes) -> io::Result<()> {
    writeln!(out, "{}", changes.headline())?;
    let changed: Vec<[String; 4]> = changes
        .packages
        .iter()
        .map(|change| {
            let versions = match change.before == change.after {
                true => change.after.join(", "),
                false => format!("{} → {}", listed(&change.before), listed(&change.after)),
            };
            let builds = format!("+{} -{} ={}", change.came, change.went, change.stayed);
            [change.package.clone(), versions, builds, change.class.to_string()]
        })
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    // The signs of the third column: builds that came, went and stayed.
    let header = ["package", "versions", "+came -went =stayed", "change"].map(str::to_owned);
    let rows = std::iter::once(header).chain(changed);
    terminal::write_table(
        out,
        rows.map(|[package, versions, builds, class]| {
            [format!("  {package}"), versions, builds, class]
        }),
    )
}

fn listed(versions: &[String]) -> String {
    if versions.is_empty() { "none".to_owned() } else { versions.join(", ") }
}
