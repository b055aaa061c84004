//! Environments as plain data: what a user wants installed.
//!
//! An [`Environment`] has *nodes*, which are concrete specs, and *roots*, which are what was asked for. A lock file has
//! both; a manifest (`spack.yaml`) and a plain list have roots only. `cache-ingest` reads them, [`EnvironmentTexts`] is
//! their text form on a user's device, and [`CarryList`] lists the files of a mirror that an environment is installed from.

mod carry;
mod kept;

pub use self::carry::{CarriedFile, CarryList};
pub use self::kept::EnvironmentTexts;

use crate::build::{Build, Hash};

/// The newest version of lock files that is known here (Spack 1.3).
pub const NEWEST_LOCK: u64 = 8;

/// What a user wants installed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// What was asked for, in the order of the input; a spec may occur several times.
    pub roots: Vec<Root>,
    /// The concrete specs of a lock file, each hash once. Empty for an input that has only specs.
    pub nodes: Vec<Node>,
    /// What could not be decided without running Python or knowing the machine, in words: parts of `spack.yaml` with
    /// `when:`. The specs that they would add are not among the roots.
    pub undecided: Vec<String>,
    /// The packages with requirements under `packages:` in `spack.yaml` or a file that it includes, or `all`. Spack's
    /// solver applies them, but they are not applied here: a build that satisfies a spec may not meet them.
    pub requirements: Vec<String>,
    /// `true` if `concretizer:` of `spack.yaml` or a file that it includes restricts what Spack reuses, or configures
    /// splicing. This is not applied here: Spack may build or splice a spec that the cache has.
    pub restricts_reuse: bool,
    /// The packages that are built from sources on the user's machine (`develop:` in `spack.yaml`), so that no cache can
    /// have them.
    pub developed: Vec<String>,
    /// The files that `spack.yaml` includes and that were not read, as it names them.
    pub unread: Vec<String>,
    /// The version of the lock file, if it is newer than [`NEWEST_LOCK`].
    pub newer_lock: Option<u64>,
}

impl Environment {
    /// Returns `true` if nothing was asked for, in which case no share of it can be in a cache.
    pub fn lists_nothing(&self) -> bool {
        self.roots.is_empty() && self.nodes.is_empty() && self.undecided.is_empty()
    }

    /// Returns `true` if it has concrete specs, whose hashes can be looked up in a cache.
    pub fn is_concrete(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Returns sentences, without a full stop, about what an answer does not take into account.
    pub fn notes(&self) -> Vec<String> {
        let about = |names: &[String], say: fn(String) -> String| {
            (!names.is_empty()).then(|| say(names.join(", ")))
        };
        let newer_lock = self.newer_lock.map(|version| {
            format!(
                "The lock file is of version {version}, newer than {NEWEST_LOCK}, which is the newest known here; it was read \
                 as one of that version"
            )
        });
        let notes = [
            newer_lock,
            about(&self.requirements, |names| {
                format!(
                    "The requirements in `packages:` for {names} are not applied, so fewer builds may satisfy the specs"
                )
            }),
            self.restricts_reuse.then(|| {
                "What `concretizer:` says about reuse or splicing is not applied, so Spack may build or splice what the cache \
                 has; settings about reuse are stated with the machine"
                    .to_owned()
            }),
            about(&self.unread, |names| {
                format!("Included, but not read: {names}; there may be requirements in it")
            }),
            about(&self.developed, |names| {
                format!(
                    "Developed here: {names}; neither that nor what needs it to run comes from the cache"
                )
            }),
        ];
        notes.into_iter().flatten().collect()
    }
}

/// One of the specs that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Its text as Spack writes it, such as `hdf5@1.14.5+mpi ^mpich`.
    pub spec: String,
    /// The group of specs that it is in, if the input has groups.
    pub group: Option<String>,
    /// The node that Spack concretized it to; `None` if the input has no concrete specs.
    pub hash: Option<Hash>,
}

/// A concrete spec of an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The spec. It has no places, because an environment is not a cache.
    pub build: Build,
    /// For a spliced spec, the build whose binary it is installed from. No cache has the spec's own hash.
    pub spliced_from: Option<Hash>,
}

impl Node {
    /// Returns `true` if it is built from sources on the user's machine (`develop:` in `spack.yaml`), so that no
    /// cache can have it.
    pub fn is_developed(&self) -> bool {
        self.build.variants.iter().any(|variant| variant.name == "dev_path")
    }
}
