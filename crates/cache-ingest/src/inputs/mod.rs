//! Many inputs into one index: found by name, told apart, read and united.
//!
//! Two steps. [`find`] walks the folders and tells what each file is; it looks at no more than the
//! start of each. [`gather`] reads them into one collection, which [`packed`] makes an index of. Every
//! problem of every input goes into a [`Report`], and only then is the whole given up, or goes on
//! without what is damaged if it may.
//!
//! Here paths are names and nothing else. Where the files are is for a [`Machine`] to know: the command
//! has a disk, the page what a person has chosen. Both make the same index of the same files.

mod find;
mod location;
mod machine;
mod read;

use std::path::Path;
use std::str::FromStr;

use cache_index::index::{About, Index, LeftOut, PUBLIC_MIRROR_URL, PackError, pack};

pub use self::find::{Found, Input, ListedDatabase, MirrorFolder, find};
pub use self::location::{Location, LocationError, Mapping};
pub use self::machine::{Entry, Machine, What};
use self::read::Intake;
pub use self::read::read_text;
use crate::report::Report;
use crate::{Collection, graph};

/// What is said of inputs that do not say it themselves.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The release that databases and mirrors are of.
    pub release: Option<String>,
    /// The stack that databases and mirrors are of.
    pub stack: Option<String>,
    /// The only view of mirrors that is read.
    pub view: Option<String>,
    /// What to take instead of what a manifest names.
    pub mappings: Vec<Mapping>,
}

/// How many of the builds may be damaged and left out, in parts of a hundred.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit(f64);

impl Limit {
    /// However many are damaged.
    pub const NONE: Limit = Limit(100.0);
}

/// All builds of all inputs.
#[derive(Debug)]
pub struct Gathered {
    /// The builds.
    pub collection: Collection,
    /// What it was made of, in words: `5 cache pages`.
    pub source: String,
    /// Whether all of it describes the public cache, so that its binaries are known to lie there.
    pub is_public: bool,
    /// Why builds were left out, and how many for each reason.
    pub left_out: Vec<(String, usize)>,
}

/// Reads what was found, or reports everything that is wrong with it. Damaged builds are left out
/// if they may be, and are no more than that. The error says what was left undone.
pub fn gather(
    machine: &impl Machine,
    found: &Found,
    leave_out: Option<Limit>,
    report: &mut Report,
) -> Result<Gathered, String> {
    const UNDONE: &str = "nothing was written";
    let mut gathered = read_all(machine, found, report);
    if report.has_errors() {
        return Err(UNDONE.to_owned());
    }
    if !report.has_problems() {
        return Ok(gathered);
    }
    let Some(Limit(limit)) = leave_out else {
        return Err(format!("{UNDONE} (--leave-out-damaged goes on without what is damaged)"));
    };
    let damaged = report.damaged_records();
    gathered.collection.leave_out(report.damaged_hashes().collect::<Vec<_>>());
    let all = gathered.collection.len() + damaged;
    let part = damaged as f64 * 100.0 / all as f64;
    if part > limit {
        return Err(format!("{UNDONE}: that is {part:.2}%, more than {limit}%"));
    }
    if gathered.collection.is_empty() {
        return Err(format!("{UNDONE}: no build is left"));
    }
    gathered.left_out = report.leave_out();
    Ok(gathered)
}

/// Reads all that was found, as far as it can be read.
pub fn read_all(machine: &impl Machine, found: &Found, report: &mut Report) -> Gathered {
    machine.fetch(&found.urls(), &found.guarded);
    machine.begin(found.bytes);
    let mut intake = Intake { machine, collection: Collection::default(), report };
    let (pages, others): (Vec<&Input>, Vec<&Input>) =
        found.inputs.iter().partition(|input| matches!(input, Input::Page(_)));
    let pages: Vec<&Path> = pages.iter().filter_map(|input| input.page()).collect();
    intake.read_pages(&pages);
    for input in others {
        intake.read(input);
    }
    machine.end();
    let mut collection = intake.collection;
    for conflict in collection.resolve_compilers() {
        report.conflict(&conflict);
    }
    report_cycles(&collection, report);
    let is_public = !found.has_private;
    Gathered { collection, source: found.describe(), is_public, left_out: Vec::new() }
}

/// Returns the index of what was gathered, and how many builds it has. Without a URL, mirrors of the
/// public cache are where it is known to be.
pub fn packed(
    gathered: Gathered,
    mirror_url: Option<String>,
    made: String,
) -> Result<(Index, usize), PackError> {
    let Gathered { collection, source, is_public, left_out } = gathered;
    let count = collection.builds().filter(|build| build.has_binary()).count();
    let public = || is_public.then(|| PUBLIC_MIRROR_URL.to_owned());
    let mirror_url = mirror_url.or_else(public);
    let left_out = left_out.into_iter();
    let left_out = left_out.map(|(why, builds)| LeftOut { why, builds: builds as u64 }).collect();
    let about = About { made: Some(made), source: Some(source), mirror_url, left_out };
    Ok((pack(about, collection.into_builds())?, count))
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
