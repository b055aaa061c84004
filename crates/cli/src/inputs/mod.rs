//! The inputs of an index: found, told apart, opened, read and united.
//!
//! Three steps. [`find`] walks the folders and tells what each file is; it looks at no more than the
//! start of each. [`read`] reads them one after the other into one collection. Every problem of
//! every input is reported, and only then does a command give up.

#[cfg(feature = "fetch")]
mod fetch;
#[cfg(not(feature = "fetch"))]
#[path = "no_fetch.rs"]
mod fetch;
mod find;
mod folder;
mod location;
mod read;

use std::path::PathBuf;

use cache_index::build::Place;
use cache_ingest::{Collection, graph};
use clap::Args;

use crate::progress::Progress;
use crate::report::{Failed, Report};

pub(crate) use self::find::{Found, Input};
pub(crate) use self::location::Mapping;
pub(crate) use self::read::read_text;

/// What every command that reads inputs takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct Inputs {
    /// Cache pages, databases, mirrors, manifests, or folders of such; or a manifest's or database's
    /// https:// URL. In folders, what starts with a dot is passed over.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,
}

/// The release and the stack of a database or mirror for which none is said.
const UNNAMED: &str = "unnamed";

/// How inputs are to be read.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// The release that databases and mirrors are of; pages and manifests say it themselves.
    #[arg(long, requires = "stack")]
    release: Option<String>,

    /// The stack that databases and mirrors are of; `root` is the union of all.
    #[arg(long, requires = "release")]
    stack: Option<String>,

    /// Take what a manifest has at URLs that start with FROM from TO instead: a folder, or another URL.
    #[arg(long = "map", value_name = "FROM=TO")]
    mappings: Vec<Mapping>,
}

/// All builds of all inputs.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) collection: Collection,
    /// What it was made of, in words: `5 cache pages`.
    pub(crate) source: String,
}

impl Inputs {
    /// Finds out what the inputs are.
    pub(crate) fn find(&self, report: &mut Report) -> Found {
        self.reading.find(&self.inputs, report)
    }

    /// Finds out what the inputs are, for a command that only looks.
    pub(crate) fn find_to_look(&self, report: &mut Report) -> Found {
        self.reading.find_to_look(&self.inputs, report)
    }
}

impl Reading {
    /// Finds out what is at these paths.
    pub(crate) fn find(&self, paths: &[PathBuf], report: &mut Report) -> Found {
        find::find(paths, self.place().as_ref(), &self.mappings, report)
    }

    /// Finds out what is at these paths, for a command that only looks: where a cache is published
    /// makes no difference to it, so nobody has to say.
    pub(crate) fn find_to_look(&self, paths: &[PathBuf], report: &mut Report) -> Found {
        let unnamed = || Place { release: UNNAMED.to_owned(), stack: UNNAMED.to_owned() };
        let place = self.place().unwrap_or_else(unnamed);
        find::find(paths, Some(&place), &self.mappings, report)
    }

    fn place(&self) -> Option<Place> {
        let (release, stack) = (self.release.clone()?, self.stack.clone()?);
        Some(Place { release, stack })
    }
}

/// Reads what was found, or reports everything that is wrong with it.
pub(crate) fn gather(mut found: Found, report: &mut Report) -> Result<Gathered, Failed> {
    let gathered = read_all(&mut found, report);
    if report.has_problems() {
        return Err(Failed::Reported("nothing was written"));
    }
    Ok(gathered)
}

/// Reads all that was found, as far as it can be read.
pub(crate) fn read_all(found: &mut Found, report: &mut Report) -> Gathered {
    let mut fetched = std::mem::take(&mut found.fetched);
    fetched.extend(fetch::fetch_all(&found.urls()));
    let progress = Progress::over(found.bytes);
    let mut collection = Collection::default();
    for input in &found.inputs {
        progress.reading(&input.label());
        read::read(input, &mut fetched, &progress, &mut collection, report);
    }
    progress.finish();
    if let Some(cycle) = graph::find_cycle(&collection) {
        let builds: Vec<String> = cycle.iter().map(ToString::to_string).collect();
        report.conflict(&format!("builds depend on each other in a circle: {}", builds.join(", ")));
    }
    Gathered { collection, source: found.describe() }
}
