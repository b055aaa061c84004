//! Would Spack consider a build for reuse on a given machine with given settings, and if not, why.
//!
//! ```text
//! Setup: host, libc, Spack, settings ─┐
//!                            Index ───┴─▶ Verdicts (all builds) ─▶ counts by rule
//!                                    └──▶ Checklist (one build, in words)
//! ```
//!
//! The [rules](Rule) are those by which Spack selects specs for its solver, followed by those by which
//! the solver cannot take one. An eligible build is one that Spack considers. Whether it then chooses
//! it depends on what else is asked for, and is for its solver to say.
//!
//! Reuse is whole: taking a build means taking the builds of everything that it is linked with or runs,
//! each under the same rules. There are two exceptions: the libc and `gcc-runtime`, which Spack picks
//! anew. What a build needed only while it was built plays no part.
//!
//! Where the data does not say, as cache pages do not list dependencies, the answer is neither yes nor
//! no.

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
    /// The machine, with its libc if the person said which it has.
    pub host: Host,
    /// Where the libc is installed.
    pub libc_path: String,
    /// The version of Spack.
    pub spack: SpackVersion,
    /// The settings about reuse.
    pub settings: Settings,
}

impl Setup {
    /// Where the libc is on nearly every machine.
    pub const LIBC_PATH: &str = "/usr";

    /// Today's Spack on a machine, with the settings that it has by default.
    pub fn on(host: Host) -> Setup {
        Setup {
            host,
            libc_path: Setup::LIBC_PATH.to_owned(),
            spack: SpackVersion::default(),
            settings: Settings::default(),
        }
    }
}
