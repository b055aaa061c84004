//! The two files of the data of cache.spack.io, which are found one by one.

use super::input::{Input, PackageDataFiles};
use super::location::Location;
use super::machine::{FolderEntryKind, Machine};
use crate::package_data::{PACKAGES, SPECS};
use crate::report::Report;
use crate::{Finding, InputKind};

/// The files that were found so far.
#[derive(Debug, Default)]
pub(super) struct Halves {
    packages: Vec<Location>,
    specs: Vec<Location>,
}

impl Halves {
    /// Adds a file of one of these kinds.
    pub(super) fn add(&mut self, kind: InputKind, location: Location) {
        let half =
            if kind == InputKind::PackageData { &mut self.packages } else { &mut self.specs };
        if !half.contains(&location) {
            half.push(location);
        }
    }

    /// Returns `true` if no file was found.
    pub(super) fn is_empty(&self) -> bool {
        self.packages.is_empty() && self.specs.is_empty()
    }

    /// Joins each file with the one that belongs to it: in the same folder, the only one, or the one with the usual name
    /// beside it. Reports those without the other.
    #[inline(never)] // The reader in the page loads it later, see `crates/split`.
    pub(super) fn join(self, machine: &impl Machine, report: &mut Report) -> Vec<Input> {
        let Halves { packages: all_packages, specs: mut all_specs } = self;
        let is_one = all_packages.len() == 1 && all_specs.len() == 1;
        let mut inputs = Vec::new();
        let mut join = |packages: Option<Location>, specs: Option<Location>, half: &Location| match (
            packages, specs,
        ) {
            (Some(packages), Some(specs)) => {
                inputs.push(Input::PackageData(PackageDataFiles { packages, specs }));
            }
            _ => report.problem(&half.label(machine), &Finding::HalfOfPackageData),
        };
        for packages in all_packages {
            let at = all_specs.iter().position(|specs| is_one || packages.is_beside(specs));
            let specs = match at {
                Some(at) => Some(all_specs.remove(at)),
                None => beside(machine, &packages, SPECS),
            };
            join(Some(packages.clone()), specs, &packages);
        }
        for specs in all_specs {
            join(beside(machine, &specs, PACKAGES), Some(specs.clone()), &specs);
        }
        inputs
    }
}

/// Returns the location of a file beside another one; `None` if it is not there. At a URL, that shows when it is fetched.
fn beside(machine: &impl Machine, location: &Location, name: &str) -> Option<Location> {
    let beside = location.beside(name);
    let is_there = match &beside {
        Location::Path(path) => machine.entry_kind(path) == FolderEntryKind::File,
        Location::Url(_) => true,
    };
    is_there.then_some(beside)
}
