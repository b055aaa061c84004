//! The data of cache.spack.io: its two files, which are found one by one, and taking the builds that they describe.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Intake;
use crate::compression::decompress;
use crate::inputs::input::{Input, PackageDataFiles};
use crate::inputs::location::Location;
use crate::inputs::machine::{FolderEntryKind, Machine};
use crate::package_data::{PACKAGES, SPECS, read_packages, read_specs};
use crate::report::Report;
use crate::{Finding, InputKind};

/// The files that were found so far.
#[derive(Debug, Default)]
pub(in crate::inputs) struct Halves {
    packages: Half,
    specs: Half,
}

/// The files of one kind, each once, in the order in which they were found.
#[derive(Debug, Default)]
struct Half {
    files: Vec<Location>,
    met: BTreeSet<Location>,
}

impl Halves {
    /// Adds a file of one of these kinds.
    pub(in crate::inputs) fn add(&mut self, kind: InputKind, location: Location) {
        let half =
            if kind == InputKind::PackageData { &mut self.packages } else { &mut self.specs };
        if half.met.insert(location.clone()) {
            half.files.push(location);
        }
    }

    /// Returns `true` if no file was found.
    pub(in crate::inputs) fn is_empty(&self) -> bool {
        self.packages.files.is_empty() && self.specs.files.is_empty()
    }

    /// Pairs each file with the one that belongs to it: in the same folder, the only one, or the one with the usual
    /// name next to it. Reports files without the other.
    #[inline(never)] // The reader in the page loads it later, see `crates/split`.
    pub(in crate::inputs) fn join(self, machine: &impl Machine, report: &mut Report) -> Vec<Input> {
        let (pairs, others) = pairs(self.packages.files, self.specs.files);
        let mut inputs = Vec::new();
        let mut join = |packages: Option<Location>, specs: Option<Location>, half: &Location| match (
            packages, specs,
        ) {
            (Some(packages), Some(specs)) => {
                inputs.push(Input::PackageData(PackageDataFiles { packages, specs }));
            }
            _ => report.problem(&half.label(machine), &Finding::HalfOfPackageData),
        };
        for (packages, specs) in pairs {
            let specs = specs.or_else(|| beside(machine, &packages, SPECS));
            join(Some(packages.clone()), specs, &packages);
        }
        for specs in others {
            join(beside(machine, &specs, PACKAGES), Some(specs.clone()), &specs);
        }
        inputs
    }
}

/// Pairs each file of packages with the first unpaired file of specs in its folder, and also returns the files of specs
/// that are left. If there is only one file of each kind, they belong to each other wherever they are.
fn pairs(
    all_packages: Vec<Location>,
    all_specs: Vec<Location>,
) -> (Vec<(Location, Option<Location>)>, Vec<Location>) {
    let is_one = all_packages.len() == 1 && all_specs.len() == 1;
    let folder = |file: &Location| (!is_one).then(|| file.beside(""));
    let mut in_folder: BTreeMap<Option<Location>, VecDeque<usize>> = BTreeMap::new();
    for (at, specs) in all_specs.iter().enumerate() {
        in_folder.entry(folder(specs)).or_default().push_back(at);
    }
    let mut left: Vec<Option<Location>> = all_specs.into_iter().map(Some).collect();
    let mut pair = |packages: Location| {
        let at = in_folder.get_mut(&folder(&packages)).and_then(VecDeque::pop_front);
        let specs = at.and_then(|at| left[at].take());
        (packages, specs)
    };
    let pairs = all_packages.into_iter().map(&mut pair).collect();
    (pairs, left.into_iter().flatten().collect())
}

/// Returns the location of a file next to another one; `None` if there is none. At a URL, that only shows when it is
/// fetched.
fn beside(machine: &impl Machine, location: &Location, name: &str) -> Option<Location> {
    let beside = location.beside(name);
    let is_there = match &beside {
        Location::Path(path) => machine.entry_kind(path) == FolderEntryKind::File,
        Location::Url(_) => true,
    };
    is_there.then_some(beside)
}

/// Reads the data of cache.spack.io, which describes the public cache.
#[inline(never)] // The reader in the page loads it later, see `crates/split`.
pub(super) fn read_package_data<M: Machine>(
    intake: &mut Intake<'_, M>,
    label: &str,
    files: &PackageDataFiles,
) {
    intake.mirrors.has_public = true;
    let limit = intake.machine.size_limit();
    let open = |location: &Location| decompress(location.open(intake.machine)?, limit);
    let (mut packages, mut specs) = match (open(&files.packages), open(&files.specs)) {
        (Ok(packages), Ok(specs)) => (packages, specs),
        (Err(error), _) => {
            return intake.report.problem(&files.packages.label(intake.machine), &error);
        }
        (_, Err(error)) => return intake.report.problem(label, &error),
    };
    let names = read_packages(&mut packages);
    let label_of_packages = files.packages.label(intake.machine);
    let Some(names) = intake.report_all(&label_of_packages, names) else { return };
    let input = intake.collection.begin(label);
    let mut conflicts = Vec::new();
    let mut count = 0;
    let read = read_specs(&mut specs, &names, &mut |build| {
        conflicts.extend(intake.collection.extend(input, [build]));
        count += 1;
    });
    intake.machine.have_read(count);
    conflicts.iter().for_each(|conflict| intake.report.conflict(conflict));
    intake.report_all(label, read);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Location {
        Location::Url(format!("https://example.org/{path}"))
    }

    #[test]
    fn joins_the_files_of_a_folder() {
        #[track_caller]
        fn check(packages: &[&str], specs: &[&str], expected: &[&str], others: &[&str]) {
            let urls = |paths: &[&str]| paths.iter().map(|path| url(path)).collect::<Vec<_>>();
            let (pairs, left) = pairs(urls(packages), urls(specs));
            let found: Vec<_> = pairs.iter().map(|(_, specs)| specs.clone()).collect();
            let wanted = |path: &&str| (!path.is_empty()).then(|| url(path));
            assert_eq!(found, expected.iter().map(wanted).collect::<Vec<_>>());
            assert_eq!(left, urls(others));
        }
        check(&["a/p"], &["b/s"], &["b/s"], &[]);
        check(&["a/p", "b/p"], &["b/s", "a/s"], &["a/s", "b/s"], &[]);
        check(&["a/p", "b/p"], &["b/s"], &["", "b/s"], &[]);
        check(&["a/p"], &["b/s", "a/s", "a/t"], &["a/s"], &["b/s", "a/t"]);
        check(&["a/p", "a/q"], &["a/s", "a/t"], &["a/s", "a/t"], &[]);
    }

    #[test]
    fn joins_the_files_of_fifty_thousand_folders_in_a_moment() {
        let files = |name: &str| (0..50_000).map(|at| url(&format!("{at}/{name}"))).collect();
        let (packages, mut specs): (Vec<_>, Vec<_>) = (files("p"), files("s"));
        specs.reverse();
        let (pairs, others) = pairs(packages, specs);
        assert!(others.is_empty());
        for (packages, specs) in pairs {
            assert_eq!(specs.map(|specs| specs.beside("")), Some(packages.beside("")));
        }
    }

    #[test]
    fn keeps_each_file_once() {
        let mut halves = Halves::default();
        for name in ["p", "p", "q", "p"] {
            halves.add(InputKind::PackageData, url(name));
        }
        assert_eq!(halves.packages.files, [url("p"), url("q")]);
    }
}
