//! The rules that take facts: the machine has what a binary needs, and Spack can move it into the machine's install tree.
//!
//! Labels say which libc a build was made with, and are silent about what its code uses. Facts say which version of glibc's
//! symbols it needs, which may be older, or newer if the label is wrong. Spack 1.2 itself compares labels only, and
//! installs what then does not run.

use std::iter;

use cache_index::facet::Facet;
use cache_index::facts::{Facts, FactsOf, numbers};
use cache_index::index::{BuildId, Index, NO_LIBC};
use cache_query::Setup;
use cache_query::host::is_of_unreliable_libc;

use super::checklist::{Check, IN_BINARY};
use super::machine::Machine;
use super::{Outcome, Rule, RuleStatus};
use crate::relocation::{Moved, Needed, OverNeeded, Relocation, needed};

/// The family of glibc's symbols.
const GLIBC: &str = "GLIBC";

/// The rules that take facts, for one setup.
pub struct FactRules<'a> {
    index: &'a Index,
    setup: &'a Setup,
    facts: &'a FactsOf<'a>,
    /// `None` if the install tree is not known.
    moved: Option<Moved<'a>>,
    machine: Machine<'a>,
    glibc: OverNeeded<Option<Demand>>,
}

/// The highest version of glibc that a build and what it needs demand.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Demand {
    version: String,
    by: BuildId,
}

/// The part of a [`Check`] that a rule decides.
type Found = (RuleStatus, String, Option<String>);

impl<'a> FactRules<'a> {
    /// Returns the rules; that about moving builds only if their destination is known.
    pub fn new(
        index: &'a Index,
        setup: &'a Setup,
        facts: &'a FactsOf<'a>,
        moved: Option<Moved<'a>>,
    ) -> FactRules<'a> {
        let machine = Machine::new(index, setup);
        FactRules { index, setup, facts, moved, machine, glibc: OverNeeded::default() }
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

    fn facts_of(&self, build: BuildId) -> Option<&'a Facts> {
        (self.facts)(self.index.hash(build)?).filter(|facts| !facts.is_partial)
    }

    fn binary(&self, build: BuildId) -> Found {
        let Some(facts) = self.facts_of(build) else { return self.by_label(build) };
        if let Some(level) = self.too_new_level(facts) {
            let target = self.setup.host.target();
            let fact = format!("needs {level}, which {target} does not have");
            return (RuleStatus::Failed, fact, None);
        }
        let Some(Demand { version, by }) = self.demand(build) else {
            return (RuleStatus::Passed, "needs no version of glibc".to_owned(), None);
        };
        let mut fact = format!("needs {GLIBC}_{version}");
        if by != build {
            let package = self.index.text(self.index.row_of(by), Facet::Package);
            fact.push_str(&format!(" for {package}"));
        }
        let label = self.index.values(self.index.row_of(build), Facet::Libc);
        let label = label.first().map(|&code| self.index.dictionary(Facet::Libc).text(code));
        if let Some(label) = label.filter(|label| *label != NO_LIBC) {
            let label = label.split_once('@').map_or(label, |(_, version)| version);
            fact.push_str(&format!("; its label says {label}"));
        }
        let host = &self.setup.host;
        match host.libc().and_then(|libc| libc.split_once('@')) {
            _ if host.platform() != "linux" => (RuleStatus::Passed, fact, None),
            None => {
                let change = Some("say which libc your machine has".to_owned());
                (RuleStatus::Unknown, format!("{fact}; yours is not known"), change)
            }
            Some(("glibc", yours)) => {
                let yours = yours.trim_start_matches('=');
                let fact = format!("{fact}; yours is {yours}");
                if numbers(yours) >= numbers(&version) {
                    (RuleStatus::Passed, fact, None)
                } else if is_of_unreliable_libc(host.os(), yours) && version == "2.35" {
                    let reason = "that of RHEL 9.7 has symbols of 2.35, and that of earlier releases does not";
                    (RuleStatus::Unknown, format!("{fact}, and {reason}"), None)
                } else {
                    let change = Some(format!("a machine with glibc {version} or later"));
                    (RuleStatus::Failed, format!("{fact}: does not run"), change)
                }
            }
            Some((other, _)) => {
                (RuleStatus::Failed, format!("{fact}; yours is {other}: does not run"), None)
            }
        }
    }

    /// Decides by the label, as the rule about the libc does, unless that is known to be unreliable.
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
            "its binary was not looked into, so its labels decide".to_owned(),
            None,
        )
    }

    /// Returns the level of x86-64 that a binary says it needs and the machine does not have.
    fn too_new_level<'f>(&self, facts: &'f Facts) -> Option<&'f str> {
        let levels = facts.objects.iter().flat_map(|object| &object.isa).map(String::as_str);
        levels.into_iter().find(|level| {
            let target = match *level {
                "x86-64-baseline" => "x86_64".to_owned(),
                level => level.replace('-', "_"),
            };
            self.machine.target(&target) == RuleStatus::Failed
        })
    }

    /// Returns the highest version of glibc that a build needs, or something that it is linked with or runs.
    fn demand(&self, build: BuildId) -> Option<Demand> {
        self.glibc.of(self.index, build, |build, below| {
            let facts = self.facts_of(build);
            let own =
                facts.and_then(|facts| facts.requires().get(GLIBC).map(|it| (*it).to_owned()));
            let own = own.map(|version| Demand { version, by: build });
            let lower = needed(self.index, build).filter_map(|needed| match needed {
                Needed::Build(lower) => below(lower).flatten(),
                Needed::Unlisted(..) => None,
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
pub fn relocation_check(moved: &Moved<'_>, build: BuildId) -> Check {
    let found = match moved.of(build) {
        Relocation::Yes { needs_patchelf: false } => {
            (RuleStatus::Passed, "can be moved into your install tree".to_owned(), None)
        }
        Relocation::Yes { needs_patchelf: true } => {
            let fact = "can be moved into your install tree with patchelf, which Spack installs if it may bootstrap";
            (RuleStatus::Passed, fact.to_owned(), None)
        }
        Relocation::Unknown(obstacle) => {
            let change = Some("look into its binary with `cache-explorer inspect`".to_owned());
            (RuleStatus::Unknown, obstacle.to_string(), change)
        }
        Relocation::No(obstacle) => {
            let change =
                Some("a shorter install tree, or a build with a greater padded_length".to_owned());
            (RuleStatus::Failed, obstacle.to_string(), change)
        }
    };
    check(Rule::Relocation, found)
}
