//! From many inputs to one index: finding, recognizing, reading and merging them.
//!
//! There are two steps. [`find`] walks the folders and recognizes each file by its first bytes. [`gather`] reads the
//! files into one collection, which [`packed`] converts to an index. Every problem of every input goes into a
//! [`Report`], and only after that does the whole fail, or continue without damaged records if that is allowed.
//!
//! Paths are only names here. A [`Machine`] knows where the files are: for the command, on a disk; for the page, among
//! the files that a person chose. Both make the same index from the same files.

mod find;
mod found;
mod location;
mod machine;
mod naming;
mod packed;
mod read;
mod remote;

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use cache_index::build::Hash;
use cache_index::environment::CarryList;
use cache_index::index::{About, Index, LeftOut, PackError};

pub use self::find::find;
pub use self::found::{Found, IndexFile, Input, ListedDatabase, MirrorFolder, Repository};
pub use self::location::{Location, LocationError, Mapping};
pub use self::machine::{Entry, Folder, Machine, What};
pub use self::naming::{Known, Mirrors, Naming, Source};
pub use self::packed::load_index;
use self::read::Intake;
pub use self::read::read_text;
use crate::graph::{Graph, UnknownDependency};
use crate::report::Report;
use crate::{Collection, mirror};

/// What the user specified about inputs that do not say it themselves.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The release of databases and mirrors.
    pub release: Option<String>,
    /// The stack of databases and mirrors.
    pub stack: Option<String>,
    /// The only view of mirrors to read.
    pub view: Option<String>,
    /// Replacements for URLs in manifests.
    pub mappings: Vec<Mapping>,
}

/// The error for inputs without a single build.
pub const EMPTY: &str = "there is no build with a binary in the inputs, so nothing was written; \
                         --allow-empty publishes an empty cache";

/// The maximum percentage of builds that may be damaged and left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit(f64);

impl Limit {
    /// Any number may be damaged.
    pub const NONE: Limit = Limit(100.0);
}

/// All builds of all inputs.
#[derive(Debug)]
pub struct Gathered {
    /// The builds.
    pub collection: Collection,
    /// A description of the inputs: `5 cache pages`.
    pub source: String,
    /// Where the binaries are, as far as that is known.
    pub mirrors: Mirrors,
    /// Why builds were left out, and how many for each reason.
    pub left_out: Vec<LeftOut>,
}

/// The reason why the inputs were not used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Undone {
    /// There are errors.
    Errors,
    /// Builds are damaged, and may not be left out.
    Damaged,
    /// More builds are damaged than may be left out: a part of all builds, and the limit, both in percent.
    TooManyDamaged(f64, f64),
    /// Every build is damaged.
    NoneLeft,
}

impl fmt::Display for Undone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing was written")?;
        match self {
            Undone::Errors => Ok(()),
            Undone::Damaged => {
                f.write_str(" (--leave-out-damaged goes on without what is damaged)")
            }
            Undone::TooManyDamaged(part, limit) => {
                write!(f, ": that is {part:.2}%, more than {limit}%")
            }
            Undone::NoneLeft => f.write_str(": no build is left"),
        }
    }
}

/// Reads the inputs, or reports everything that is wrong with them. Damaged builds are left out if that is allowed and
/// their number is within the limit.
pub fn gather(
    machine: &impl Machine,
    found: &Found,
    leave_out: Option<Limit>,
    report: &mut Report,
) -> Result<Gathered, Undone> {
    let mut gathered = read_all(machine, found, report);
    if report.has_errors() {
        return Err(Undone::Errors);
    }
    if !report.has_problems() {
        return Ok(gathered);
    }
    let Some(Limit(limit)) = leave_out else {
        return Err(Undone::Damaged);
    };
    let damaged = report.damaged_records();
    gathered.collection.leave_out(report.damaged_hashes().collect::<Vec<_>>());
    let all = gathered.collection.len() + damaged;
    let part = damaged as f64 * 100.0 / all as f64;
    if part > limit {
        return Err(Undone::TooManyDamaged(part, limit));
    }
    if gathered.collection.is_empty() {
        return Err(Undone::NoneLeft);
    }
    gathered.left_out.extend(report.leave_out());
    Ok(gathered)
}

/// Lists the files of the only mirror among the inputs that the builds with these hashes are installed from; `None` if
/// the inputs are something else than one folder of a mirror.
///
/// # Errors
///
/// If the mirror cannot be read.
pub fn carried(
    machine: &impl Machine,
    found: &Found,
    hashes: &BTreeSet<Hash>,
) -> Option<io::Result<CarryList>> {
    let [Input::Mirror(MirrorFolder { path, .. })] = &found.inputs[..] else { return None };
    Some(mirror::carried(&Folder { machine, root: path }, hashes))
}

/// Reads all inputs, as far as possible.
pub fn read_all(machine: &impl Machine, found: &Found, report: &mut Report) -> Gathered {
    machine.fetch(&found.urls(), &found.guarded);
    machine.begin(found.bytes);
    let mut intake = Intake::new(machine, report);
    let (pages, others): (Vec<&Input>, Vec<&Input>) =
        found.inputs.iter().partition(|input| matches!(input, Input::Page(_)));
    let pages: Vec<&Path> = pages.iter().filter_map(|input| input.page()).collect();
    if !pages.is_empty() {
        intake.read_pages(&pages);
    }
    for input in others {
        intake.read(input);
    }
    machine.end();
    let Intake { mut collection, mirrors, left_out, .. } = intake;
    for conflict in collection.resolve_compilers() {
        report.conflict(&conflict);
    }
    let graph = Graph::of(&collection);
    report_misnamed(&graph, report);
    report_cycles(&graph, report);
    drop(graph);
    Gathered { collection, source: found.describe(), mirrors, left_out }
}

/// Returns the index of the gathered builds, and their number. `mirror_url` is for mirrors whose URL the inputs do not
/// contain.
pub fn packed(
    gathered: Gathered,
    mirror_url: Option<String>,
    made: String,
) -> Result<(Index, usize), PackError> {
    let Gathered { collection, source, mirrors, left_out } = gathered;
    let count = collection.binaries();
    let (mirror_url, mirrors) = mirrors.known(mirror_url, &collection);
    let (made, source) = (Some(made), Some(source));
    let about = About { made, source, mirror_url, mirrors, left_out, ..About::default() };
    Ok((collection.pack(about)?, count))
}

/// Reports dependencies whose name is not that of the build with their hash.
fn report_misnamed(graph: &Graph<'_>, report: &mut Report) {
    let kind = "a dependency has another name than the build with its hash";
    for (UnknownDependency { dependent, dependency }, listed) in graph.misnamed_dependencies() {
        let message = format!(
            "{}/{} depends on {}/{}, but the build with that hash is {listed}",
            dependent.0, dependent.1, dependency.0, dependency.1
        );
        report.damaged_builds(kind, message, &[dependent.1]);
    }
}

/// Reports builds that depend on each other.
fn report_cycles(graph: &Graph<'_>, report: &mut Report) {
    /// How many builds of a cycle are named.
    const NAMED: usize = 8;
    let Some(cycle) = graph.find_cycle() else { return };
    let kind = "builds depend on each other in a cycle";
    let mut names: Vec<String> = cycle.iter().take(NAMED).map(ToString::to_string).collect();
    if cycle.len() > NAMED {
        names.push("…".to_owned());
    }
    let message = format!("{kind}: {}", names.join(", "));
    report.damaged_builds(kind, message, &graph.in_cycles());
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
