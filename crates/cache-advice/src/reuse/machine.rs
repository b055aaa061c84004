//! The rules about a single spec and the machine: platform, target, OS and libc.
//!
//! | rule | passes |
//! | --- | --- |
//! | platform | the machine's |
//! | target | the machine's or an ancestor of it; settings can allow the whole family, or only generic targets |
//! | OS, on Linux since Spack 0.22 | any |
//! | OS, elsewhere | the machine's, an older macOS, or what `concretizer:os_compatible` lists |
//! | libc, on Linux since Spack 0.22 | the same libc in the same place, and not newer than the machine's |

use cache_index::index::Index;
use cache_index::settings::Targets;
use cache_query::Setup;
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use spack_spec::{Target, Vendor, Version};

use super::rule::RuleStatus;

/// The releases of macOS, oldest first. Spack assumes that each runs what was built on older ones.
const MACOS: [&str; 7] =
    ["catalina", "bigsur", "monterey", "ventura", "sonoma", "sequoia", "tahoe"];

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
