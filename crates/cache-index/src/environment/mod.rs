//! Environments: what a person wants installed, and how much of it a cache has.
//!
//! ```text
//! spack.lock, spack.yaml, a list of specs ──cache-ingest──▶ Environment ─┐
//!                                                      Index ──────────┴─▶ Coverage, Nearest, …
//! ```
//!
//! An [`Environment`] has *nodes*, which are concrete specs, and *roots*, which are what was asked for.
//! A lock file has both; a manifest (`spack.yaml`) and a plain list have roots only.
//!
//! - [`Coverage`]: which nodes are in the cache, by hash. A build that differs only in its recipe is still another
//!   build: Spack would not use it.
//! - [`Blockers`]: which missing nodes others wait for.
//! - [`Nearest`]: the cached builds of the same package that differ least from a missing node.
//! - [`Mirrors`]: the nodes in each mirror, and the smallest set of mirrors that has all of them.
//! - [`Satisfying`]: the builds that satisfy a root's spec. They exist, but only Spack's solver can say whether it would
//!   use them.
//! - [`CarryList`]: the files of a mirror that an environment is installed from.
//! - [`Assessment`]: all of this, computed at once or [step by step](Assessing).
//!
//! What a cache has may be [filtered](crate::query::Question) as everywhere: then the answer is about the builds that
//! pass the filters, such as those of one stack.

mod assessment;
mod blockers;
mod carry;
mod coverage;
mod kept;
mod mirrors;
mod nearest;
mod prune;
mod satisfying;
#[cfg(test)]
mod tests;
mod written;

use crate::build::{Build, Hash};

pub use assessment::{Assessing, Assessment, Share, Unread};
pub use blockers::Blockers;
pub use carry::{CarriedFile, CarryList, carried_hashes, carried_nodes};
pub use coverage::{Counts, Coverage, Status};
pub use kept::Kept;
pub use mirrors::{MirrorShare, Mirrors};
pub use nearest::{Nearest, Nearness};
pub use prune::Prunable;
pub use satisfying::Satisfying;
pub use written::{Written, percent};

/// What a person wants installed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// What was asked for, in the order of the input; a spec may occur several times.
    pub roots: Vec<Root>,
    /// The concrete specs of a lock file, each hash once. Empty for an input that has only specs.
    pub nodes: Vec<Node>,
    /// `true` if the hashes of the nodes can be compared with those in caches. In lock files that Spack wrote before
    /// 0.18 they cannot; only the specs can.
    pub has_cache_hashes: bool,
    /// What could not be decided without running Python or knowing the machine, in words: parts of `spack.yaml` with
    /// `when:`. The specs that they would add are not among the roots.
    pub undecided: Vec<String>,
    /// The packages of which `packages:` requires something in `spack.yaml`, or `all`. Spack's solver applies that; here, a
    /// build that satisfies a spec may not be what is required.
    pub requirements: Vec<String>,
}

impl Environment {
    /// Returns `true` if nothing was asked for, so that no share of it can be in a cache.
    pub fn lists_nothing(&self) -> bool {
        self.roots.is_empty() && self.nodes.is_empty() && self.undecided.is_empty()
    }

    /// Returns a sentence, without a full stop, that says which requirements are not applied; `None` if there are none.
    pub fn says_of_requirements(&self) -> Option<String> {
        let names = self.requirements.join(", ");
        (!names.is_empty()).then(|| {
            format!(
                "The requirements in `packages:` for {names} are not applied, so fewer builds may satisfy the specs"
            )
        })
    }

    /// Returns `true` if there are concrete specs whose hashes can be compared with those of a cache.
    pub fn has_comparable_nodes(&self) -> bool {
        !self.nodes.is_empty() && self.has_cache_hashes
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
    /// Returns `true` if it is built from sources on the person's machine (`develop:` in `spack.yaml`), so that no
    /// cache can have it.
    pub fn is_developed(&self) -> bool {
        self.build.variants.iter().any(|variant| variant.name == "dev_path")
    }
}
