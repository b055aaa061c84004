//! `embed --watch`: what is watched is read before the cache is, so that a mistake in it is reported at once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cache_ingest::compression::SizeLimit;
use cache_ingest::problem::{Finding, Position, Problem, quote};
use cache_ingest::watch::{Watched, WatchedWhat, read_watch};
use cache_query::search::{Dialect, Search};

use super::{environment, nothing};
use crate::published::watch::{Target, Watch};
use crate::published::{Published, is_file_name};
use crate::report::{Failed, Report};

/// What is watched, and where that is written.
#[derive(Default)]
pub(super) struct WatchList {
    pub(super) list: Vec<Watch>,
    /// The files that it was read from.
    pub(super) files: Vec<PathBuf>,
}

impl WatchList {
    /// Reads a file and the environments that it names. If anything is wrong, all of it is reported.
    pub(super) fn read(
        file: &Path,
        limit: SizeLimit,
        report: &mut Report,
    ) -> Result<WatchList, Failed> {
        let label = file.display().to_string();
        let bytes = fs::read(file).map_err(|error| format!("{label}: {error}"))?;
        let mut watched = WatchList { list: Vec::new(), files: vec![file.to_owned()] };
        // Some file systems do not distinguish `R` from `r`.
        let mut taken = BTreeSet::new();
        let read = read_watch(&bytes);
        read.problems.iter().for_each(|problem| report.problem(&label, problem));
        for Watched { name, what } in read.value.unwrap_or_default() {
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
                    environment_of(&at, path, limit, report)
                }
            };
            watched.list.extend(target.map(|target| Watch { name, target }));
        }
        match report.has_problems() {
            true => Err(Failed::Reported("nothing was written".to_owned())),
            false => Ok(watched),
        }
    }
}

/// Returns a spec, if any Spack understands it: by whose rules the cache is read is not known yet.
fn spec_of(label: &str, name: &str, spec: String, report: &mut Report) -> Option<Target> {
    let errors = [Dialect::V1, Dialect::V0].map(|dialect| Search::parse(&spec, dialect).err());
    let [Some(error), Some(_)] = errors else { return Some(Target::Spec(spec)) };
    let finding = Finding::NotASpec { found: quote(&spec), message: error.to_string() };
    let at = Position { field: format!("watch.{name}"), ..Position::default() };
    report.problem(label, &Problem { at, finding });
    None
}

fn environment_of(
    file: &Path,
    path: String,
    limit: SizeLimit,
    report: &mut Report,
) -> Option<Target> {
    let label = file.display().to_string();
    match environment::read(file, limit) {
        Ok(Ok(environment)) => return Some(Target::Environment { label: path, environment }),
        Ok(Err(problems)) => problems.iter().for_each(|problem| report.problem(&label, problem)),
        Err(error) => report.problem(&label, &error),
    }
    None
}

/// Notes why no build satisfies a spec. That may be what is waited for, or a mistake.
pub(super) fn note_absent(name: &str, spec: &str, cache: &Published, report: &mut Report) {
    for reason in nothing::reasons(cache.index(), spec) {
        report.note(&format!("watch.{name}: {reason}"));
    }
}
