//! From many inputs to one index: finding, recognizing, reading and merging them.
//!
//! [`Inputs::find`] walks the folders and recognizes each file by its first bytes. [`Inputs::gather`] reads the files
//! into one collection, which [`GatheredBuilds::pack`] converts to an index. Every problem of every input goes into a
//! [`Report`]. Only then does the run fail, or continue without damaged records if that is allowed.
//!
//! Paths are only names here. A [`Machine`] knows where the files are: for the command, on a disk; for the page, among
//! the files that a user chose. Both make the same index from the same files.

mod asked;
#[cfg(feature = "command")]
mod carried;
mod find;
mod input;
#[cfg(feature = "binary")]
mod local;
mod location;
mod machine;
mod naming;
mod read;
#[cfg(feature = "command")]
mod recipes;
mod remote;

use std::collections::BTreeSet;
use std::io;
use std::mem;
use std::path::Path;
use std::str::FromStr;

use cache_index::build::Hash;
use cache_index::environment::CarryList;
use cache_index::index::{About, Index, LeftOut, PackError};
use cache_index::number::counted;
use cache_index::sorting;
use thiserror::Error;

#[cfg(feature = "command")]
pub use self::carried::IndexExtras;
use self::find::FoundInputs;
pub use self::input::{
    DatabaseFile, IndexFile, Input, MirrorFolder, NameAndUrl, NameSource, PackageDataFiles,
    Repository,
};
#[cfg(feature = "binary")]
pub use self::local::{LocalMirror, binaries_in_registry};
pub use self::location::{Location, LocationError, Mapping, shown_url};
pub use self::machine::{Folder, FolderEntry, FolderEntryKind, Machine};
pub use self::naming::{MirrorNames, Source};
use self::read::Intake;
pub use self::read::index_file::IndexError;
use self::read::index_file::load_index;
#[cfg(feature = "command")]
pub use self::recipes::find_recipes;
use crate::graph::{BrokenDependency, Graph};
use crate::mirror::Amount;
use crate::report::Report;
pub use crate::wanted_build::WantedBuild;
use crate::{Collection, mirror};

/// What the user specified for inputs that do not state it themselves.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The release of databases and mirrors.
    pub release: Option<String>,
    /// The stack of databases and mirrors.
    pub stack: Option<String>,
    /// The only view of mirrors to read.
    pub view: Option<String>,
    /// Replacements for URLs in manifests.
    pub mappings: Vec<Mapping>,
}

/// The inputs that were found on a machine.
#[derive(Debug)]
pub struct Inputs<M> {
    /// The machine that they are on.
    pub machine: M,
    /// The inputs, in the order in which they were found.
    pub list: Vec<Input>,
    /// Their total size, as far as they are on this machine.
    bytes: u64,
    /// URLs listed in a manifest on a public host, which must not point to this machine or a private network.
    guarded: BTreeSet<String>,
}

/// The error for inputs without a single build.
pub const EMPTY: &str = "there is no build with a binary in the inputs, so nothing was written; \
                         --allow-empty publishes an empty cache";

/// The maximum percentage of builds that may be damaged and left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DamageLimit(f64);

impl DamageLimit {
    /// Any number may be damaged.
    pub const NONE: DamageLimit = DamageLimit(100.0);
}

/// All builds of all inputs.
#[derive(Debug)]
pub struct GatheredBuilds {
    /// The builds.
    pub collection: Collection,
    /// A description of the inputs: `5 cache pages`.
    pub source: String,
    /// Where the binaries are, as far as that is known.
    pub mirrors: MirrorNames,
    /// Why builds were left out, and how many for each reason.
    pub left_out: Vec<LeftOut>,
    /// The binaries of those inputs that are folders.
    pub present: Amount,
    /// What indexes say besides their builds.
    #[cfg(feature = "command")]
    pub carried: IndexExtras,
}

/// The reason why the inputs were not used. Its text follows a statement such as `nothing was written`.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum GatherError {
    /// There are errors.
    #[error("")]
    Errors,
    /// The index of a mirror is damaged, which cannot be left out.
    #[error(
        ": an index is read as a whole or not at all; `spack buildcache update-index` writes it anew"
    )]
    DamagedIndex,
    /// Builds are damaged, and may not be left out.
    #[error(" (--leave-out-damaged goes on without what is damaged)")]
    Damaged,
    /// More builds are damaged than may be left out: the share of damaged builds, and the limit, both in percent.
    #[error(": that is {0:.2}%, more than {1}%")]
    TooManyDamaged(f64, f64),
    /// Every build is damaged.
    #[error(": no build is left")]
    NoneLeft,
}

/// The reason why the only input, an index, was not used.
#[derive(Debug, Error)]
#[error("{label}: {reason}")]
pub struct UnusableIndex {
    label: String,
    reason: IndexError,
}

impl<M: Machine> Inputs<M> {
    /// Finds all inputs at the sources, and reports files that are not inputs.
    pub fn find(
        machine: M,
        sources: &[Source],
        options: &ReadOptions,
        report: &mut Report,
    ) -> Inputs<M> {
        let FoundInputs { list, bytes, guarded } = find::find(&machine, sources, options, report);
        Inputs { machine, list, bytes, guarded }
    }

    /// Reads the inputs, or reports everything that is wrong with them. Damaged builds are left out if that is allowed
    /// and their number is within the limit.
    ///
    /// # Errors
    ///
    /// If too much is wrong, which has been reported.
    pub fn gather(
        &self,
        leave_out: Option<DamageLimit>,
        report: &mut Report,
    ) -> Result<GatheredBuilds, GatherError> {
        let gathered = self.read_all(report);
        if report.has_errors() {
            return Err(match report.has_damaged_index() {
                true => GatherError::DamagedIndex,
                false => GatherError::Errors,
            });
        }
        match report.has_problems() {
            true => gathered.without_damaged(leave_out, report),
            false => Ok(gathered),
        }
    }

    /// Reads all inputs, as far as possible.
    pub fn read_all(&self, report: &mut Report) -> GatheredBuilds {
        let machine = &self.machine;
        machine.fetch(&self.urls(), &self.guarded);
        machine.begin(self.bytes);
        let mut intake = Intake::new(machine, report);
        let (pages, others): (Vec<&Input>, Vec<&Input>) =
            self.list.iter().partition(|input| matches!(input, Input::Page(_)));
        let pages: Vec<&Path> = pages.iter().filter_map(|input| input.page()).collect();
        if !pages.is_empty() {
            intake.read_pages(&pages);
        }
        for input in others {
            intake.read(input);
        }
        machine.end();
        #[cfg(feature = "command")]
        let carried = std::mem::take(&mut intake.carried);
        let Intake { mut collection, mirrors, left_out, present, .. } = intake;
        for conflict in collection.resolve_compilers() {
            report.conflict(&conflict);
        }
        let graph = Graph::of(&collection);
        report_misnamed(&graph, report);
        report_cycles(&graph, report);
        drop(graph);
        GatheredBuilds {
            collection,
            source: self.describe(),
            mirrors,
            left_out,
            present,
            #[cfg(feature = "command")]
            carried,
        }
    }

    /// Loads the index if it is the only input, so that its description of itself stays unchanged; `None` if the inputs
    /// have to be gathered.
    pub fn only_index(&self, report: &mut Report) -> Option<Result<Index, UnusableIndex>> {
        let [Input::Index(IndexFile { location, .. })] = &self.list[..] else { return None };
        let machine = &self.machine;
        let unusable = |reason| UnusableIndex { label: location.label(machine), reason };
        if report.has_problems() {
            return None;
        }
        let loaded = load_index(
            machine,
            location,
            #[cfg(feature = "command")]
            report,
        );
        Some(loaded.map_err(unusable))
    }

    /// Lists the files that the builds with these hashes are installed from, if the only input is a mirror in a folder;
    /// `None` for other inputs.
    ///
    /// # Errors
    ///
    /// If the mirror cannot be read.
    pub fn carried(&self, hashes: &BTreeSet<Hash>) -> Option<io::Result<CarryList>> {
        let [Input::Mirror(MirrorFolder { path, .. })] = &self.list[..] else { return None };
        Some(mirror::carried(&Folder { machine: &self.machine, root: path }, hashes))
    }

    /// Returns the URLs of inputs on other machines, without duplicates.
    fn urls(&self) -> Vec<String> {
        let mut urls: Vec<String> = self
            .list
            .iter()
            .flat_map(|input| match input {
                Input::Database(DatabaseFile { location, .. })
                | Input::Index(IndexFile { location, .. }) => vec![location],
                Input::PackageData(PackageDataFiles { packages, specs }) => vec![packages, specs],
                _ => Vec::new(),
            })
            .filter_map(|location| match location {
                Location::Url(url) => Some(url.clone()),
                Location::Path(_) => None,
            })
            .collect();
        sorting::sort_and_dedup(&mut urls);
        urls
    }

    /// Describes the inputs: `5 cache pages and 1 mirror`.
    fn describe(&self) -> String {
        let count = |is: fn(&Input) -> bool| self.list.iter().filter(|input| is(input)).count();
        let parts: Vec<String> = [
            (count(|input| matches!(input, Input::Page(_))), "cache page", "cache pages"),
            (count(|input| matches!(input, Input::Database(_))), "database", "databases"),
            (count(|input| matches!(input, Input::Mirror(..))), "mirror", "mirrors"),
            (count(|input| matches!(input, Input::Repository(..))), "repository", "repositories"),
            (count(|input| matches!(input, Input::Index(_))), "index", "indexes"),
            (
                count(|input| matches!(input, Input::PackageData(_))),
                "set of package data",
                "sets of package data",
            ),
        ]
        .into_iter()
        .filter(|&(number, _, _)| number > 0)
        .map(|(number, one, many)| counted(number, one, many))
        .collect();
        parts.join(" and ")
    }
}

impl GatheredBuilds {
    /// Leaves out the builds that are damaged, if that is allowed and their number is within the limit.
    fn without_damaged(
        mut self,
        leave_out: Option<DamageLimit>,
        report: &mut Report,
    ) -> Result<GatheredBuilds, GatherError> {
        let Some(DamageLimit(limit)) = leave_out else {
            return Err(GatherError::Damaged);
        };
        let damaged = report.damaged_records();
        self.collection.leave_out(report.damaged_hashes().collect::<Vec<_>>());
        // Neither externals nor what builds only depend on can be damaged.
        let all = self.collection.binaries() + damaged;
        let part = damaged as f64 * 100.0 / all as f64;
        if part > limit {
            return Err(GatherError::TooManyDamaged(part, limit));
        }
        if self.collection.is_empty() {
            return Err(GatherError::NoneLeft);
        }
        self.left_out.extend(report.leave_out());
        Ok(self)
    }

    /// Returns the index of the gathered builds, and their number. `mirror_url` is for mirrors whose URL the inputs do
    /// not contain.
    ///
    /// # Errors
    ///
    /// If there are more builds than an index can have.
    pub fn pack(
        self,
        mirror_url: Option<String>,
        made: String,
    ) -> Result<(Index, usize), PackError> {
        let GatheredBuilds { collection, source, mut mirrors, left_out, .. } = self;
        let count = collection.binaries();
        let buckets = mem::take(&mut mirrors.buckets).into_iter().collect();
        let (mirror_url, mirrors) = mirrors.known(mirror_url, &collection);
        let (made, source) = (Some(made), Some(source));
        let about =
            About { made, source, mirror_url, mirrors, buckets, left_out, ..About::default() };
        #[cfg(feature = "command")]
        {
            let mut index = collection.pack(about)?;
            self.carried.say_in(&mut index);
            Ok((index, count))
        }
        #[cfg(not(feature = "command"))]
        Ok((collection.pack(about)?, count))
    }
}

/// Reports dependencies whose name is not that of the build with their hash.
fn report_misnamed(graph: &Graph<'_>, report: &mut Report) {
    let kind = "a dependency has another name than the build with its hash";
    for (BrokenDependency { dependent, dependency }, listed) in graph.misnamed_dependencies() {
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

impl FromStr for DamageLimit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<DamageLimit, Self::Err> {
        let number = text.strip_suffix('%').and_then(|number| number.trim().parse().ok());
        match number {
            Some(number) if (0.0..=100.0).contains(&number) => Ok(DamageLimit(number)),
            _ => Err("expected a part of all builds, such as 1%"),
        }
    }
}
