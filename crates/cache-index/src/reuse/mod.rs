//! Would Spack consider a build for reuse on a given machine with given settings, and if not, why?
//!
//! ```text
//! Setup: host, libc, Spack, settings ─┐
//!                            Index ───┴─▶ Verdicts (all builds) ─▶ counts by rule
//!                                    └──▶ Checklist (one build, in words)
//! ```
//!
//! The [rules](Rule) come in two groups: first those by which Spack selects specs for its solver, then
//! those that the solver itself enforces. An eligible build is one that Spack considers. Whether Spack
//! then chooses it depends on the rest of the request, and only the solver can say.
//!
//! A build is reused together with everything that it is linked with or runs, and each of those builds
//! must pass the same rules. There are two exceptions: the libc and `gcc-runtime`, which Spack selects
//! anew. Dependencies that were needed only to build do not count.
//!
//! If the data does not say enough (cache pages, for example, list no dependencies), the answer is
//! neither yes nor no.

mod below;
mod checklist;
mod machine;
mod preference;
mod rule;
mod settings;
mod spack;
mod specs;
#[cfg(test)]
mod tests;
mod verdicts;
mod written;

pub use checklist::{Check, Checklist};
pub use preference::Preference;
pub(crate) use preference::push_once;
pub use rule::{Outcome, Rule, Status};
pub use settings::{External, Reuse, Settings, Source, Targets};
pub use spack::{NotASpackVersion, SpackVersion};
pub use verdicts::Verdicts;
pub use written::line;

use crate::host::Host;

/// What a person has: a machine, a Spack and its settings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The machine, with its libc if that is known.
    pub host: Host,
    /// Where the libc is installed.
    pub libc_path: String,
    /// The version of Spack.
    pub spack: SpackVersion,
    /// The settings that affect reuse.
    pub settings: Settings,
}

impl Setup {
    /// The path of the libc on almost every machine.
    pub const LIBC_PATH: &str = "/usr";

    /// Returns the setup of a machine with the current version of Spack and its default settings.
    pub fn on(host: Host) -> Setup {
        Setup {
            host,
            libc_path: Setup::LIBC_PATH.to_owned(),
            spack: SpackVersion::default(),
            settings: Settings::default(),
        }
    }
}
