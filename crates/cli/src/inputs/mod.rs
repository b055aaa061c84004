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
mod spool;

use std::path::PathBuf;

use cache_index::build::Place;
use cache_ingest::compression::limit_size;
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
    /// https:// URL; or `-` for the standard input. In folders, what starts with a dot is passed over.
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

    /// How long an input may be, decompressed: 500kB, 4GB, a number of bytes.
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = size)]
    max_size: u64,

    /// Let a manifest on a public host name what is on this machine or in a private network.
    #[arg(long)]
    allow_local: bool,
}

/// Reads a size as people write it.
fn size(text: &str) -> Result<u64, &'static str> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let factor = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1_000,
        "M" | "MB" => 1_000_000,
        "G" | "GB" => 1_000_000_000,
        "T" | "TB" => 1_000_000_000_000,
        _ => return Err("expected a size, such as 4GB"),
    };
    let number: u64 = digits.parse().map_err(|_| "expected a size, such as 4GB")?;
    number.checked_mul(factor).ok_or("expected a smaller size")
}

/// All builds of all inputs.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) collection: Collection,
    /// What it was made of, in words: `5 cache pages`.
    pub(crate) source: String,
    /// Whether all of it describes the public cache, so that its binaries are known to lie there.
    pub(crate) is_public: bool,
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
        self.find_at(paths, self.place().as_ref(), report)
    }

    /// Finds out what is at these paths, for a command that only looks: where a cache is published
    /// makes no difference to it, so nobody has to say.
    pub(crate) fn find_to_look(&self, paths: &[PathBuf], report: &mut Report) -> Found {
        let unnamed = || Place { release: UNNAMED.to_owned(), stack: UNNAMED.to_owned() };
        let place = self.place().unwrap_or_else(unnamed);
        self.find_at(paths, Some(&place), report)
    }

    fn find_at(&self, paths: &[PathBuf], place: Option<&Place>, report: &mut Report) -> Found {
        limit_size(self.max_size);
        let mut found = find::find(paths, place, &self.mappings, report);
        if self.allow_local {
            found.guarded.clear();
        }
        found
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
    fetched.extend(fetch::fetch_all(&found.urls(), &found.guarded));
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
    Gathered { collection, source: found.describe(), is_public: !found.has_private }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        #[track_caller]
        fn check(text: &str, expected: Option<u64>) {
            assert_eq!(size(text).ok(), expected);
        }
        check("0", Some(0));
        check("500kB", Some(500_000));
        check("4GB", Some(4_000_000_000));
        check("2T", Some(2_000_000_000_000));
        for text in ["", "GB", "-1", "4 GB", "1.5GB", "4GiB", "99999999999T"] {
            check(text, None);
        }
    }
}
