//! `changes`: what came, went and stayed between two snapshots of a cache.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use cache_advice::causes::{Causes, CausesInWords, Occasion};
use cache_advice::changes::{Changes, MOVED, OVERWRITTEN, Side};
use cache_index::number::grouped;
use cache_ingest::visible;
use clap::{ArgGroup, Args};

use super::index::load_snapshot;
use crate::inputs::ReadingArguments;
use crate::report::{Failure, Report};
use crate::terminal::{self, Lines};

/// Show what changed between two snapshots of a cache
///
/// Builds are compared by hash. A build that was rebuilt because only its recipe or a dependency changed therefore
/// counts as gone and come, and the last column says so. A build that stays in the cache, but in other releases or stacks, is
/// named by these.
#[derive(Args)]
#[command(group = ArgGroup::new("form"))]
pub(crate) struct ChangesCommand {
    /// The older snapshot: an index made by `index`, or anything that `index` takes.
    old: PathBuf,

    /// The newer snapshot.
    new: PathBuf,

    #[command(flatten)]
    reading: ReadingArguments,

    /// Show which differences brought new builds, and how many each explains, in place of the list of packages. With
    /// --json, the object has them too.
    #[arg(long)]
    causes: bool,

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
    pub(crate) fn run(self, report: &mut Report) -> Result<ExitCode, Failure> {
        self.reading.sign_in_to_both([&self.old, &self.new])?;
        let old = load_snapshot(std::slice::from_ref(&self.old), &self.reading, report)?;
        let new = load_snapshot(std::slice::from_ref(&self.new), &self.reading, report)?;
        let (old, new) = (Side::all(&old), Side::all(&new));
        let changes = Changes::between(&old, &new);
        let causes = self.causes.then(|| Causes::between_sides(&old, &new));
        let occasion = Occasion::Came { builds: changes.came.len() };
        let causes = causes.as_ref().map(|causes| CausesInWords { causes, occasion });
        let mut out = io::stdout().lock();
        if self.json {
            let mut object = changes.json();
            if let (Some(causes), Some(object)) = (causes, object.as_object_mut()) {
                object.extend(causes.json());
            }
            writeln!(out, "{object}")?;
        } else if let Some(causes) = causes {
            let (headline, in_full) = match self.markdown {
                true => (format!("{}.\n\n", changes.headline()), causes.markdown()),
                false => (format!("{}\n", changes.headline()), causes.text()),
            };
            write!(out, "{}", Lines(headline + &in_full))?;
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
    if !changes.overwritten.is_empty() {
        writeln!(out, "{OVERWRITTEN}:")?;
    }
    for one in &changes.overwritten {
        writeln!(out, "  {}", visible(&one.to_string()))?;
    }
    if !changes.moved.is_empty() {
        writeln!(out, "{MOVED}:")?;
    }
    for one in &changes.moved {
        writeln!(out, "  {}", visible(&one.to_string()))?;
    }
    let changed: Vec<[String; 4]> = changes
        .packages
        .iter()
        .map(|change| {
            let versions = match change.before == change.after {
                true => change.after.join(", "),
                false => format!("{} → {}", listed(&change.before), listed(&change.after)),
            };
            let [came, went, stayed] = [change.came, change.went, change.stayed].map(grouped);
            let builds = format!("+{came} -{went} ={stayed}");
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

#[cfg(test)]
mod tests {
    use cache_advice::changes::PackageChange;
    use cache_query::Class;

    use super::*;

    #[test]
    fn groups_the_digits_of_its_numbers() {
        let hdf5 = PackageChange {
            package: "hdf5".to_owned(),
            before: vec!["1.14.5".to_owned()],
            after: vec!["1.14.5".to_owned()],
            came: 1_200,
            went: 34_000,
            stayed: 56,
            class: Class::DependenciesOnly,
            pairs: Vec::new(),
            went_alone: Vec::new(),
            came_alone: Vec::new(),
        };
        let mut table = Vec::new();
        let changes = Changes { packages: vec![hdf5], ..Changes::default() };
        write_table(&mut table, &changes).expect("memory does not fail");
        let table = String::from_utf8(table).expect("UTF-8");
        assert!(table.contains(" +1,200 -34,000 =56 "), "{table}");
        assert!(changes.markdown().contains(" | 1,200 | 34,000 | 56 | "), "{}", changes.markdown());
    }
}
