//! Reads what `embed --watch` watches before the cache is read, so that mistakes in the list are reported at once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cache_ingest::compression::SizeLimit;
use cache_ingest::problem::{Finding, Position, Problem, quote};
use cache_ingest::watch::{WatchItem, WatchedWhat, read_watch};
use cache_query::search::{Dialect, Search};

use super::{environment, nothing};
use crate::published::watch::{Watch, WatchTarget};
use crate::published::{PublishedCache, is_file_name};
use crate::report::{Failure, Report};

/// What is watched, and the files that say so.
#[derive(Default)]
pub(super) struct WatchList {
    pub(super) list: Vec<Watch>,
    /// The files that the list was read from.
    pub(super) files: Vec<PathBuf>,
}

impl WatchList {
    /// Reads a file and the environments that it names. If anything is wrong, all problems are reported.
    pub(super) fn read(
        file: &Path,
        limit: SizeLimit,
        report: &mut Report,
    ) -> Result<WatchList, Failure> {
        let label = file.display().to_string();
        let bytes = fs::read(file).map_err(|error| format!("{label}: {error}"))?;
        let mut watched = WatchList { list: Vec::new(), files: vec![file.to_owned()] };
        // Some file systems do not distinguish `R` from `r`.
        let mut taken = BTreeSet::new();
        let read = read_watch(&bytes);
        read.problems.iter().for_each(|problem| report.problem(&label, problem));
        for WatchItem { name, what } in read.value.unwrap_or_default() {
            if !is_file_name(&name) {
                let words =
                    "expected a name that a file can have everywhere: letters, digits, - and _";
                report.problem(&label, &format!("field watch.{name}: {words}"));
            } else if !taken.insert(name.to_ascii_lowercase()) {
                let words = "another entry has this name, apart from small and capital letters";
                report.problem(&label, &format!("field watch.{name}: {words}"));
            }
            let target = match what {
                WatchedWhat::Spec(spec) => spec_of(&label, &name, spec, report),
                WatchedWhat::Lock(path) => {
                    let at = file.parent().unwrap_or(Path::new("")).join(&path);
                    watched.files.push(at.clone());
                    // A path of this machine is useless to readers of the feed.
                    let label = if Path::new(&path).is_absolute() { name.clone() } else { path };
                    environment_of(&at, label, limit, report)
                }
            };
            watched.list.extend(target.map(|target| Watch { name, target }));
        }
        match report.has_problems() {
            true => Err(unwritten()),
            false => Ok(watched),
        }
    }

    /// Reports the specs that cannot be read by the rules of the cache.
    pub(super) fn check(&self, dialect: Dialect, report: &mut Report) -> Result<(), Failure> {
        let Some(file) = self.files.first() else { return Ok(()) };
        let label = file.display().to_string();
        let of_spec = |watch: &Watch| match &watch.target {
            WatchTarget::Spec(spec) => not_a_spec(&watch.name, spec, dialect),
            WatchTarget::Environment { .. } => None,
        };
        let problems: Vec<Problem> = self.list.iter().filter_map(of_spec).collect();
        problems.iter().for_each(|problem| report.problem(&label, problem));
        // The report may also have problems of damaged builds, which were left out.
        if problems.is_empty() { Ok(()) } else { Err(unwritten()) }
    }
}

fn unwritten() -> Failure {
    Failure::Reported("nothing was written".to_owned())
}

/// Returns a spec if it is valid in any dialect: which rules the cache is read by is not known yet.
fn spec_of(label: &str, name: &str, spec: String, report: &mut Report) -> Option<WatchTarget> {
    let problems = [Dialect::V1, Dialect::V0].map(|dialect| not_a_spec(name, &spec, dialect));
    let [Some(problem), Some(_)] = problems else { return Some(WatchTarget::Spec(spec)) };
    report.problem(label, &problem);
    None
}

/// Returns what is wrong with the spec of an entry by the rules of a dialect, if it is not valid.
fn not_a_spec(name: &str, spec: &str, dialect: Dialect) -> Option<Problem> {
    let error = Search::parse(spec, dialect).err()?;
    let finding = Finding::NotASpec { found: quote(spec), message: error.to_string() };
    let at = Position { field: format!("watch.{name}"), ..Position::default() };
    Some(Problem { at, finding })
}

fn environment_of(
    file: &Path,
    shown_as: String,
    limit: SizeLimit,
    report: &mut Report,
) -> Option<WatchTarget> {
    let label = file.display().to_string();
    match environment::read(file, limit) {
        Ok(Ok(environment)) => {
            return Some(WatchTarget::Environment { label: shown_as, environment });
        }
        Ok(Err(problems)) => problems.iter().for_each(|problem| report.problem(&label, problem)),
        Err(error) => report.problem(&label, &error),
    }
    None
}

/// Notes why no build satisfies a spec. The user may be waiting for such a build, or the spec may be a mistake.
pub(super) fn note_absent(name: &str, spec: &str, cache: &PublishedCache, report: &mut Report) {
    for reason in nothing::reasons(cache.index(), spec) {
        report.note(&format!("watch.{name}: {reason}"));
    }
}
