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
//! A build is reused together with everything that it is linked with, runs or tests with, and each of those builds
//! must pass the same rules. There are two exceptions: the libc and `gcc-runtime`, which Spack selects
//! anew. Dependencies that were needed only to build do not count.
//!
//! All of this is decided by labels: what the index says. Where binaries were looked into, [`FactRules`] adds what they
//! need, and where they can be moved to. What Spack then fetches from the mirrors of its user is up to these:
//! [`MirrorRule`].
//!
//! If the data does not say enough (cache pages, for example, list no dependencies), the answer is
//! neither yes nor no.

mod below;
mod checklist;
mod fact_rules;
mod machine;
mod mirror_rule;
mod providers;
mod rule;
mod specs;
#[cfg(test)]
mod tests;
mod verdicts;
mod written;

pub use checklist::{Blocker, Check, Checklist};
pub use fact_rules::{FactRules, relocation_check};
pub use mirror_rule::{MirrorRule, UserMirror};
pub use rule::{Outcome, Rule, RuleStatus};
pub use verdicts::Verdicts;
pub use written::line;
