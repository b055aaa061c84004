//! The rules that take facts: the machine has what a binary needs, and Spack can move it into the machine's install tree.
//!
//! Labels say which libc a build was made with, and are silent about what its code uses. Facts say which version of glibc's
//! symbols it needs, which may be older, or newer if the label is wrong. Spack 1.2 itself compares labels only, and
//! installs what then does not run.

use std::iter;

use cache_index::facet::Facet;
use cache_index::facts::{Demands, numbers};
use cache_index::index::{BuildId, Index};
use cache_query::Setup;
use cache_query::host::{Runs, is_of_unreliable_libc};

use super::checklist::{Check, IN_BINARY};
use super::{Outcome, Rule, RuleStatus};
use crate::binaries::{Binaries, Provision};
use crate::relocation::{AnswersBelow, NeededSpec, Relocation, Relocations, needed};

/// The rules that take facts, for one setup.
pub struct FactRules<'a> {
    index: &'a Index,
    setup: &'a Setup,
    binaries: Binaries<'a>,
    /// `None` if the install tree is not known.
    moved: Option<Relocations<'a>>,
    provision: Provision<'a>,
    glibc: AnswersBelow<Option<NeededGlibc>>,
}

/// The highest version of glibc that a build and what it needs demand.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NeededGlibc {
    version: String,
    by: BuildId,
}

/// The part of a [`Check`] that a rule decides.
type Found = (RuleStatus, String, Option<String>);

impl<'a> FactRules<'a> {
    /// Returns the rules; the one about moving builds only if their destination is known.
    pub fn new(
        index: &'a Index,
        setup: &'a Setup,
        binaries: Binaries<'a>,
        moved: Option<Relocations<'a>>,
    ) -> FactRules<'a> {
        let provision = Provision::new(index, &setup.host);
        FactRules { index, setup, binaries, moved, provision, glibc: AnswersBelow::default() }
    }

    /// Applies the rules to a build.
    pub fn checks(&self, build: BuildId) -> Vec<Check> {
        let own = check(Rule::Binary, self.binary(build));
        let moved = self.moved.as_ref().map(|moved| relocation_check(moved, build));
        iter::once(own).chain(moved).collect()
    }

    /// Returns the outcome of a build under these rules.
    pub fn outcome(&self, build: BuildId) -> Outcome {
        let checks = self.checks(build);
        let outcomes = checks.iter().map(|check| Outcome::of(check.rule, check.status));
        outcomes.min().unwrap_or(Outcome::ELIGIBLE)
    }

    fn binary(&self, build: BuildId) -> Found {
        let Some(own) = self.binaries.demands(self.index, build) else {
            return self.by_label(build);
        };
        let needed = self.needed_glibc(build);
        let by = needed.as_ref().map(|needed| needed.by).filter(|by| *by != build);
        let package = by.map(|by| self.index.text(self.index.row_of(by), Facet::Package));
        let glibc = needed.map(|needed| needed.version);
        let demands = Demands { glibc, ..own.into_owned() };
        let row = self.index.row_of(build);
        let Some(verdict) = self.provision.judge(self.index, row, &demands, package) else {
            let fact = "what its binary demands does not decide, so its labels do";
            return (RuleStatus::Passed, fact.to_owned(), None);
        };
        match (verdict.runs, &demands.glibc) {
            (Runs::Yes, _) => (RuleStatus::Passed, verdict.reason, None),
            (Runs::Unknown, _) => {
                let change = self.setup.host.libc().is_none();
                let change = change.then(|| "say which libc your machine has".to_owned());
                (RuleStatus::Unknown, verdict.reason, change)
            }
            (Runs::No, Some(version)) if self.provision.too_new_level(&demands).is_none() => {
                let change = format!(
                    "a machine with glibc {version} or newer; Spack itself compares labels only"
                );
                (RuleStatus::Failed, verdict.reason, Some(change))
            }
            (Runs::No, _) => (RuleStatus::Failed, verdict.reason, None),
        }
    }

    /// Decides by the label, as the rule about the libc does, unless the label is known to be unreliable.
    fn by_label(&self, build: BuildId) -> Found {
        let row = self.index.row_of(build);
        let label = self.index.text(row, Facet::Libc);
        let host = &self.setup.host;
        let label = label.split_once('@').map_or("", |(_, version)| version);
        let is_like_host = is_of_unreliable_libc(host.os(), label);
        let is_just_enough = host.libc().is_some_and(|libc| libc.ends_with(&format!("@{label}")));
        if is_of_unreliable_libc(self.index.text(row, Facet::Os), label)
            && is_just_enough
            && !is_like_host
        {
            let fact = "its label says 2.34, but that of RHEL 9.7 has symbols of 2.35, which yours does not have";
            let change = Some("look into its binary with `cache-explorer inspect`".to_owned());
            return (RuleStatus::Unknown, fact.to_owned(), change);
        }
        (
            RuleStatus::Passed,
            "its binary was not looked into, or could not be read, so its labels decide".to_owned(),
            None,
        )
    }

    /// Returns the highest version of glibc that is needed by a build, or by anything that it is linked with or runs.
    fn needed_glibc(&self, build: BuildId) -> Option<NeededGlibc> {
        self.glibc.of(self.index, build, |build, below| {
            let own = self.binaries.demands(self.index, build);
            let own = own.and_then(|demands| demands.into_owned().glibc);
            let own = own.map(|version| NeededGlibc { version, by: build });
            let lower = needed(self.index, build).filter_map(|needed| match needed {
                NeededSpec::Build(lower) => below(lower).flatten(),
                NeededSpec::Unlisted(..) => None,
            });
            // The build's own comes first among equal versions.
            own.into_iter().chain(lower).reduce(|most, next| {
                match numbers(&next.version) > numbers(&most.version) {
                    true => next,
                    false => most,
                }
            })
        })
    }
}

fn check(rule: Rule, (status, fact, change): Found) -> Check {
    let change = change.filter(|_| status != RuleStatus::Passed);
    Check { rule, status, fact, source: IN_BINARY, change }
}

/// Applies the rule about the machine's install tree to a build.
pub fn relocation_check(moved: &Relocations<'_>, build: BuildId) -> Check {
    let found = match moved.of(build) {
        Relocation::Yes { needs_patchelf: false } => {
            (RuleStatus::Passed, "can be moved into your install tree".to_owned(), None)
        }
        Relocation::Yes { needs_patchelf: true } => {
            let fact = "can be moved into your install tree with patchelf, which Spack installs if it may bootstrap";
            (RuleStatus::Passed, fact.to_owned(), None)
        }
        Relocation::Unknown(obstacle) => {
            let change = Some(obstacle.would_show().to_owned());
            (RuleStatus::Unknown, obstacle.to_string(), change)
        }
        Relocation::No(obstacle) => {
            (RuleStatus::Failed, obstacle.to_string(), Some(obstacle.would_allow()))
        }
    };
    check(Rule::Relocation, found)
}
