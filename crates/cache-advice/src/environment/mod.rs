//! Environments: what a user wants installed, and how much of it a cache has.
//!
//! ```text
//! spack.lock, spack.yaml, a list of specs ──cache-ingest──▶ Environment ─┐
//!                                                      Index ──────────┴─▶ Coverage, Nearest, …
//! ```
//!
//! An [`Environment`](cache_index::environment::Environment) has *nodes*, which are concrete specs, and *roots*, which
//! are the specs that were asked for. A lock file has both; a manifest (`spack.yaml`) and a plain list have roots only.
//!
//! - [`Coverage`]: which nodes are in the cache, by hash. A build that differs only in its recipe is still another
//!   build: Spack would not use it.
//! - [`Generation`](crate::Generation): why the same build may have another hash in a cache. Such builds are found by their content.
//! - [`Blockers`]: which missing nodes others wait for.
//! - [`Nearest`]: the cached builds of the same package that differ least from a missing node.
//! - [`Mirrors`]: the nodes in each mirror, and the smallest set of mirrors that has all of them.
//! - [`SatisfyingBuilds`]: the builds that satisfy a root's spec. They exist, but only Spack's solver can say whether it would
//!   use them.
//! - [`carry_list`]: the files of a mirror that an environment is installed from.
//! - [`Plan`]: the commands that install it.
//! - [`Assessment`]: all of this, computed at once or [step by step](AssessmentSteps).
//!
//! What a cache has may be [filtered](cache_query::Question) as everywhere: then the answer is about the builds that
//! pass the filters, such as those of one stack.

mod advice;
mod assessment;
mod blockers;
mod carry;
mod content;
mod coverage;
mod developed;
mod mirrors;
mod nearest;
mod on_machine;
mod plan;
mod prune;
mod satisfying;
#[cfg(test)]
mod tests;
mod written;

pub use assessment::{Assessment, AssessmentSteps, Closest, Foreign, Share, Substitutes, Unread};
pub use blockers::Blockers;
pub use carry::{carried_hashes, carried_nodes, carry_list};
pub use coverage::{Counts, Coverage, Status};
pub use mirrors::{MirrorShare, Mirrors};
pub(crate) use nearest::differing_variants;
pub use nearest::{Nearest, Nearness};
pub use on_machine::WorkingSpecs;
pub use plan::{Plan, are_of_one_package};
pub use prune::{Prunable, hash_part};
pub use satisfying::SatisfyingBuilds;
pub use written::{AssessmentReport, percent};
