//! The rules about a single spec and the machine: platform, target, OS and libc.
//!
//! | rule | passes |
//! | --- | --- |
//! | platform | the machine's |
//! | target | the machine's or an ancestor of it; settings can allow the whole family, or only generic targets |
//! | OS, on Linux since Spack 0.22 | any |
//! | OS, on Linux before | the machine's, an older Ubuntu, or Rocky Linux 8 on RHEL 8 |
//! | OS, elsewhere | the machine's, an older macOS, or what `concretizer:os_compatible` lists |
//! | libc, on Linux since Spack 0.22 | the same libc in the same place, and not newer than the machine's |
//!
//! The OSs that Spack took for compatible before 0.22 are those in `os_compatibility.lp` of its last version before that.

use cache_index::index::Index;
use cache_index::settings::Targets;
use cache_query::Setup;
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use spack_spec::{Target, Vendor, Version};

use super::rule::RuleStatus;

/// The releases of macOS, oldest first. Spack assumes that each runs what was built on older ones.
const MACOS: [&str; 7] =
    ["catalina", "bigsur", "monterey", "ventura", "sonoma", "sequoia", "tahoe"];

/// The releases of Ubuntu, oldest first. Before it compared libcs, Spack assumed that each runs what was built on older ones.
const UBUNTU: [&str; 9] = [
    "ubuntu18.04",
    "ubuntu18.10",
    "ubuntu19.04",
    "ubuntu19.10",
    "ubuntu20.04",
    "ubuntu20.10",
    "ubuntu21.04",
    "ubuntu21.10",
    "ubuntu22.04",
];

/// A machine, with its names parsed.
pub(crate) struct Machine<'s> {
    setup: &'s Setup,
    target: Option<Target>,
    /// Name and version of its libc, such as `glibc@2.35`, if it is known.
    pub(crate) libc: Option<&'s str>,
    /// The OSs to which `os_compatible` leads from the machine's, directly or not.
    listed: HashSet<&'s str>,
}

impl<'s> Machine<'s> {
    /// Reads the machine of a setup. If the user did not say which libc it has, it has the libc of its OS, if the cache
    /// [shows](cache_query::host::Host::libc_of_os) which one that is.
    pub(crate) fn new(index: &'s Index, setup: &'s Setup) -> Machine<'s> {
        let host = &setup.host;
        Machine {
            setup,
            target: Target::named(host.target()),
            libc: host.libc().or_else(|| host.libc_of_os(index)),
            listed: listed(host.os(), &setup.settings.os_compatible),
        }
    }

    pub(crate) fn platform(&self, platform: &str) -> RuleStatus {
        (platform == self.setup.host.platform()).into()
    }

    pub(crate) fn target(&self, built_for: &str) -> RuleStatus {
        let Targets { host_compatible, only_generic } = self.setup.settings.targets;
        let Some(needed) = Target::named(built_for) else {
            // Spack knows the name of its own machine.
            let is_own = built_for == self.setup.host.target();
            return if is_own { RuleStatus::Passed } else { RuleStatus::Unknown };
        };
        if only_generic && needed.vendor() != Vendor::Generic {
            return RuleStatus::Failed;
        }
        match self.target {
            None => RuleStatus::Unknown,
            Some(own) if host_compatible => own.runs(needed).into(),
            Some(own) => (own.family() == needed.family()).into(),
        }
    }

    /// Applies the rule about the OS to a build for the machine's own platform.
    pub(crate) fn os(&self, built_on: &str) -> RuleStatus {
        let host = &self.setup.host;
        if self.judges_libc() || built_on == host.os() || self.listed.contains(built_on) {
            return RuleStatus::Passed;
        }
        if host.platform() == "linux" {
            return is_run_by_label(built_on, host.os()).into();
        }
        if host.platform() != "darwin" {
            return RuleStatus::Failed;
        }
        let place = |name: &str| MACOS.iter().position(|release| *release == name);
        match (place(built_on), place(host.os())) {
            (Some(built_on), Some(own)) => (built_on <= own).into(),
            (_, Some(_)) => RuleStatus::Failed,
            // The machine has a newer release than this list.
            (_, None) => RuleStatus::Unknown,
        }
    }

    /// Applies the rule about the libc that a spec is linked with, by its name and version.
    pub(crate) fn libc(&self, linked_with: &str) -> RuleStatus {
        if !self.judges_libc() {
            return RuleStatus::Passed;
        }
        let (Some((own_name, own)), Some((name, version))) =
            (self.libc.and_then(name_and_version), name_and_version(linked_with))
        else {
            return RuleStatus::Unknown;
        };
        (name == own_name && version <= own).into()
    }

    /// Applies the same rule by where the libc is installed. If the cache does not record that, it is
    /// assumed to be where the machine's is.
    pub(crate) fn libc_place(&self, prefix: Option<&str>) -> RuleStatus {
        (!self.judges_libc() || prefix.is_none_or(|prefix| prefix == self.setup.libc_path)).into()
    }

    /// Returns `true` if the libc decides instead of the OS.
    pub(crate) fn judges_libc(&self) -> bool {
        self.setup.host.platform() == "linux" && self.setup.spack.judges_libc()
    }
}

/// Returns `true` if Spack before 0.22 took another distribution of Linux to run what was built on one.
fn is_run_by_label(built_on: &str, own: &str) -> bool {
    let place = |name: &str| UBUNTU.iter().position(|release| *release == name);
    match (place(built_on), place(own)) {
        (Some(built_on), Some(own)) => built_on <= own,
        // Not the other way round, and no other rebuild of RHEL.
        _ => (built_on, own) == ("rocky8", "rhel8"),
    }
}

/// Returns the OSs that the lists of compatible OSs name for an OS, directly or through other OSs.
fn listed<'s>(os: &'s str, lists: &'s [(String, Vec<String>)]) -> HashSet<&'s str> {
    let mut by_os: HashMap<&str, Vec<&[String]>> = HashMap::new();
    lists.iter().for_each(|(os, others)| by_os.entry(os).or_default().push(others));
    let mut listed = HashSet::new();
    let mut open = vec![os];
    while let Some(os) = open.pop() {
        let others = by_os.get(os).into_iter().flatten().copied().flatten();
        open.extend(others.map(String::as_str).filter(|other| listed.insert(*other)));
    }
    listed
}

fn name_and_version(text: &str) -> Option<(String, Version)> {
    let (name, version) = text.split_once('@')?;
    Some((name.to_owned(), version.trim_start_matches('=').parse().ok()?))
}

#[cfg(test)]
mod tests {
    use cache_index::sample::small_index;

    use super::*;

    #[test]
    fn knows_which_distributions_spack_took_for_compatible_before_it_compared_libcs() {
        let index = small_index();
        let check = |spack: &str, own: &str, built_on: &str, expected: RuleStatus| {
            let host = format!("linux.{own}.zen4").parse().expect("a host");
            let setup = Setup { spack: spack.parse().expect("a version"), ..Setup::on(host) };
            let status = Machine::new(&index, &setup).os(built_on);
            assert_eq!(status, expected, "{built_on} on {own}, Spack {spack}");
        };
        use RuleStatus::{Failed, Passed};
        check("0.21", "ubuntu22.04", "ubuntu18.04", Passed);
        check("0.21", "ubuntu18.04", "ubuntu22.04", Failed);
        check("0.21", "ubuntu24.04", "ubuntu22.04", Failed);
        check("0.21", "ubuntu24.04", "ubuntu24.04", Passed);
        check("0.21", "rhel8", "rocky8", Passed);
        check("0.21", "rocky8", "rhel8", Failed);
        check("0.21", "almalinux8", "rhel8", Failed);
        check("0.22", "almalinux8", "rhel8", Passed);
    }
}
