//! The inputs of an index: found, told apart, opened, read and united.
//!
//! Two steps. [`find`] walks the folders and tells what each file is; it looks at no more than the
//! start of each. [`read`] reads them into one collection. Every problem of every input is reported,
//! and only then does a command give up, or go on without what is damaged if it may.

#[cfg(feature = "fetch")]
mod fetch;
#[cfg(not(feature = "fetch"))]
#[path = "no_fetch.rs"]
mod fetch;
mod find;
mod folder;
mod location;
mod parallel;
mod read;
mod spool;

use std::path::{Path, PathBuf};

use std::str::FromStr;

use cache_ingest::compression::limit_size;
use cache_ingest::{Collection, graph};
use clap::Args;

use crate::progress::Progress;
use crate::report::{Failed, Report};

pub(crate) use self::find::{Found, Input};
pub(crate) use self::location::Mapping;
use self::read::Intake;
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

/// How inputs are to be read.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// The release that databases and mirrors are of; pages and manifests say it themselves.
    #[arg(long)]
    release: Option<String>,

    /// The stack that databases and mirrors are of; `root` is the union of all. Without it, each of
    /// several mirrors in a folder is a stack of its own, named by its path.
    #[arg(long)]
    stack: Option<String>,

    /// Read only this view of mirrors [default: the whole, and each view as a stack].
    #[arg(long, value_name = "NAME")]
    view: Option<String>,

    /// Make notes errors: for those who develop Spack, and want to know what is not understood here.
    #[arg(long)]
    strict: bool,

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

/// How many of the builds may be damaged and left out, in parts of a hundred.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limit(f64);

impl Limit {
    /// However many are damaged.
    pub(crate) const NONE: Limit = Limit(100.0);
}

/// All builds of all inputs.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) collection: Collection,
    /// What it was made of, in words: `5 cache pages`.
    pub(crate) source: String,
    /// Whether all of it describes the public cache, so that its binaries are known to lie there.
    pub(crate) is_public: bool,
    /// Why builds were left out, and how many for each reason.
    pub(crate) left_out: Vec<(String, usize)>,
}

impl Inputs {
    /// Finds out what the inputs are.
    pub(crate) fn find(&self, report: &mut Report) -> Found {
        self.reading.find(&self.inputs, report)
    }
}

impl Reading {
    /// Finds out what is at these paths.
    pub(crate) fn find(&self, paths: &[PathBuf], report: &mut Report) -> Found {
        if self.strict {
            report.be_strict();
        }
        limit_size(self.max_size);
        let mut found = find::find(paths, self, report);
        if self.allow_local {
            found.guarded.clear();
        }
        found
    }
}

/// Reads what was found, or reports everything that is wrong with it. Damaged builds are left out
/// if they may be, and are no more than that.
pub(crate) fn gather(
    mut found: Found,
    leave_out: Option<Limit>,
    report: &mut Report,
) -> Result<Gathered, Failed> {
    const UNDONE: &str = "nothing was written";
    let mut gathered = read_all(&mut found, report);
    if report.has_errors() {
        return Err(Failed::Reported(UNDONE.to_owned()));
    }
    if !report.has_problems() {
        return Ok(gathered);
    }
    let Some(Limit(limit)) = leave_out else {
        let words = format!("{UNDONE} (--leave-out-damaged goes on without what is damaged)");
        return Err(Failed::Reported(words));
    };
    let damaged = report.damaged_records();
    gathered.collection.leave_out(report.damaged_hashes().collect::<Vec<_>>());
    let all = gathered.collection.len() + damaged;
    let part = damaged as f64 * 100.0 / all as f64;
    if part > limit {
        let words = format!("{UNDONE}: that is {part:.2}%, more than {limit}%");
        return Err(Failed::Reported(words));
    }
    if gathered.collection.is_empty() {
        return Err(Failed::Reported(format!("{UNDONE}: no build is left")));
    }
    gathered.left_out = report.leave_out();
    Ok(gathered)
}

/// Reads all that was found, as far as it can be read.
pub(crate) fn read_all(found: &mut Found, report: &mut Report) -> Gathered {
    let mut fetched = std::mem::take(&mut found.fetched);
    fetched.extend(fetch::fetch_all(&found.urls(), &found.guarded));
    let progress = Progress::over(found.bytes);
    let mut intake = Intake { collection: Collection::default(), progress, report };
    let (pages, others): (Vec<&Input>, Vec<&Input>) =
        found.inputs.iter().partition(|input| matches!(input, Input::Page(_)));
    let pages: Vec<&Path> = pages.iter().filter_map(|input| input.page()).collect();
    intake.read_pages(&pages);
    for input in others {
        intake.read(input, &mut fetched);
    }
    intake.progress.finish();
    let mut collection = intake.collection;
    for conflict in collection.resolve_compilers() {
        report.conflict(&conflict);
    }
    report_cycles(&collection, report);
    let is_public = !found.has_private;
    Gathered { collection, source: found.describe(), is_public, left_out: Vec::new() }
}

/// Reports builds that depend on each other.
fn report_cycles(collection: &Collection, report: &mut Report) {
    /// How many builds of a circle are named.
    const NAMED: usize = 8;
    let Some(cycle) = graph::find_cycle(collection) else { return };
    let kind = "builds depend on each other in a circle";
    let mut names: Vec<String> = cycle.iter().take(NAMED).map(ToString::to_string).collect();
    if cycle.len() > NAMED {
        names.push("…".to_owned());
    }
    let message = format!("{kind}: {}", names.join(", "));
    report.damaged_builds(kind, message, &graph::in_cycles(collection));
}

impl FromStr for Limit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Limit, Self::Err> {
        let number = text.strip_suffix('%').and_then(|number| number.trim().parse().ok());
        match number {
            Some(number) if (0.0..=100.0).contains(&number) => Ok(Limit(number)),
            _ => Err("expected a part of all builds, such as 1%"),
        }
    }
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
