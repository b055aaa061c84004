//! All rules about one build, in words: what was found, where that is recorded, and what would change it.

mod dependencies;
mod machine;
mod origin;
mod settings;

use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, Index, RowId};
use cache_query::Setup;

use super::below::is_needed;
use super::machine::Machine;
use super::rule::{Outcome, Rule, RuleStatus};
use super::specs::SettingsSpecs;
use super::verdicts::Verdicts;

/// The result of one rule for a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The rule.
    pub rule: Rule,
    /// The status of the build under it.
    pub status: RuleStatus,
    /// What was found, as a sentence without a full stop.
    pub fact: String,
    /// Where that is recorded.
    pub source: &'static str,
    /// What would make the build pass; `None` if it passes, or nothing would.
    pub change: Option<String>,
}

/// The results of all rules for one build, in Spack's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checklist {
    /// The outcome that follows from them.
    pub outcome: Outcome,
    /// One for each rule.
    pub checks: Vec<Check>,
}

/// How deep dependencies are followed to the build that cannot be reused. Only a damaged file is deeper.
const DEEPEST: usize = 1_000;

const IN_INDEX: &str = "the cache's index";
const IN_SPEC: &str = "the build's spec";
const IN_SETTINGS: &str = "your concretizer settings";
const IN_BOTH: &str = "the build's spec, and your machine";

pub(super) const IN_BINARY: &str = "the build's binary";
pub(super) const IN_MIRRORS: &str = "your mirrors";

/// What helps if a cache page does not say enough: the database that Spack itself reads does.
const FROM_INDEX: &str = "look at the cache's index instead of its pages";

impl Checklist {
    /// Applies all rules to one build. `verdicts` must be those of the same setup.
    ///
    /// Until the dependencies have been loaded, the rules that need them are unknown.
    pub fn new(index: &Index, setup: &Setup, verdicts: &Verdicts, build: BuildId) -> Checklist {
        let specs = SettingsSpecs::default();
        let judge = Judge::new(index, setup, verdicts, build, &specs);
        let checks = Rule::OF_LABELS.iter().map(|&rule| judge.check(rule)).collect();
        Checklist { outcome: Outcome::ELIGIBLE, checks }.with(Vec::new())
    }

    /// Returns the checklist with the results of further rules.
    pub fn with(mut self, further: Vec<Check>) -> Checklist {
        self.checks.extend(further);
        let outcomes = self.checks.iter().map(|check| Outcome::of(check.rule, check.status));
        self.outcome = outcomes.min().unwrap_or(Outcome::ELIGIBLE);
        self
    }

    /// Returns the reason for the outcome of one build, for lists: it takes no longer if the cache is larger. `None` for
    /// an eligible build.
    pub fn reason(
        index: &Index,
        setup: &Setup,
        verdicts: &Verdicts,
        build: BuildId,
    ) -> Option<String> {
        let rule = verdicts.of(index, build).rule()?;
        Some(format!("{rule}: {}", short_fact(index, setup, verdicts, build)?))
    }

    /// Returns the check that decides; `None` for an eligible build.
    pub fn decides(&self) -> Option<&Check> {
        let rule = self.outcome.rule()?;
        self.checks.iter().find(|check| check.rule == rule)
    }

    /// Returns the changes that together would make the build pass every rule with the same status as the one that
    /// decides; none if one of these rules cannot be passed.
    pub fn changes(&self) -> Vec<String> {
        let status = self.decides().map(|check| check.status);
        let like_it = self.checks.iter().filter(|check| Some(check.status) == status);
        let all: Option<Vec<&str>> = like_it.map(|check| check.change.as_deref()).collect();
        let all = all.unwrap_or_default();
        // A change for the build itself may help its dependencies too:
        // `a machine that runs zen4; or a cache in which …`.
        let is_covered = |change: &str| {
            all.iter()
                .any(|&other| change.strip_prefix(other).is_some_and(|rest| rest.starts_with("; ")))
        };
        let mut changes: Vec<String> = Vec::new();
        for &change in all.iter().filter(|change| !is_covered(change)) {
            // A change is not repeated in the middle of another one either:
            // `an external …, and a machine that runs zen4 or a cache …`.
            let also =
                all.iter().find_map(|other| change.find(&format!(", and {other} or a cache")));
            let change = &change[..also.unwrap_or(change.len())];
            if !changes.iter().any(|known| known == change) {
                changes.push(change.to_owned());
            }
        }
        changes
    }

    /// Returns the answer in one line: `not eligible: target: built for zen4; …`.
    pub fn headline(&self) -> String {
        match self.decides() {
            None => format!("{}: all rules pass", self.outcome.word()),
            Some(check) => format!("{}: {}: {}", self.outcome.word(), check.rule, check.fact),
        }
    }
}

/// Returns what decides about one build in a few words, in time that does not depend on the size of the cache; `None` for an
/// eligible build.
fn short_fact(index: &Index, setup: &Setup, verdicts: &Verdicts, build: BuildId) -> Option<String> {
    let outcome = verdicts.of(index, build);
    let rule = outcome.rule()?;
    let specs = SettingsSpecs::default();
    let judge = || Judge::new(index, setup, verdicts, build, &specs);
    let fact = match (rule, outcome.fails()) {
        (Rule::External, true) => {
            let place = origin::place_of(index.origin(index.row_of(build)));
            let place = place.map_or(String::new(), |place| format!(" {place}"));
            let package = index.text(index.row_of(build), Facet::Package);
            // Spack's own settings declare some externals for each Mac.
            let declared = setup.settings.externals_on(setup.host.platform()).into_iter();
            let mut declared = declared.filter(|own| own.spec.split('@').next() == Some(package));
            match declared.find_map(|own| own.prefix) {
                Some(other) => {
                    format!(
                        "an external{place}; your settings or Spack's defaults have it at {other}"
                    )
                }
                None => format!("an external{place} that is not in your settings"),
            }
        }
        (Rule::Include, true) => "satisfies no spec that include lists".to_owned(),
        (Rule::Exclude, true) => "satisfies a spec that exclude lists".to_owned(),
        (Rule::Runtime, true) => judge().lacks_runtime(),
        (Rule::Runtime, false) => judge().not_listed().2,
        (Rule::Roots, fails) if !settings::lacks_roots(setup) => {
            settings::contains_asked(setup, fails)
        }
        (Rule::Dependencies, true) => cause_below(index, setup, verdicts, build)
            .unwrap_or_else(|| "needs a build that cannot be reused".to_owned()),
        (Rule::External | Rule::Include | Rule::Exclude, false) => {
            "the cache does not say enough".to_owned()
        }
        (Rule::Dependencies, false) if settings::lacks_roots(setup) => {
            "only dependencies are reused, and what you ask for is not known".to_owned()
        }
        (Rule::Dependencies, false) if index.lists_dependencies(index.row_of(build)) => {
            "needs a build that the cache says too little about".to_owned()
        }
        _ => judge().check(rule).fact,
    };
    Some(fact)
}

/// What a build needs that cannot be reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blocker<'i> {
    /// A build, for a reason of its own.
    Build(BuildId),
    /// A package whose build the cache does not have.
    Missing(&'i str),
}

impl<'i> Blocker<'i> {
    /// Returns the first thing below a build that keeps it from being reused, in time that does not depend on the size of the
    /// cache; `None` if nothing below it does.
    pub fn below(index: &'i Index, verdicts: &Verdicts, build: BuildId) -> Option<Blocker<'i>> {
        let edges = index.edges()?;
        let mut above = build;
        for _ in 0..DEEPEST {
            let (links, _) = edges.numbers(above.at());
            let direct = index.dependencies(above).into_iter().flatten().zip(links);
            let mut needed = direct.filter(|(_, link)| is_needed(index, edges, **link));
            let lower = needed.find_map(|(edge, _)| match edge.target {
                EdgeTarget::Unknown { package, .. } => Some(Err(package)),
                EdgeTarget::Build(lower) => verdicts.of(index, lower).fails().then_some(Ok(lower)),
            });
            let lower = match lower? {
                Err(package) => return Some(Blocker::Missing(package)),
                Ok(lower) => lower,
            };
            let goes_on = verdicts.of(index, lower).rule() == Some(Rule::Dependencies);
            if !(goes_on && index.lists_dependencies(index.row_of(lower))) {
                return Some(Blocker::Build(lower));
            }
            above = lower;
        }
        None
    }

    /// Returns its name, and the version of a build.
    pub fn name(self, index: &Index) -> String {
        match self {
            Blocker::Missing(package) => package.to_owned(),
            Blocker::Build(build) => {
                let text = |facet| index.text(index.row_of(build), facet);
                format!("{}@{}", text(Facet::Package), text(Facet::Version))
            }
        }
    }
}

/// Returns the first thing below a build that cannot be reused, and why.
fn cause_below(
    index: &Index,
    setup: &Setup,
    verdicts: &Verdicts,
    build: BuildId,
) -> Option<String> {
    let blocker = Blocker::below(index, verdicts, build)?;
    let name = blocker.name(index);
    Some(match blocker {
        Blocker::Missing(_) => format!("needs {name}, which the cache does not have"),
        Blocker::Build(lower) => {
            format!("needs {name}: {}", short_fact(index, setup, verdicts, lower)?)
        }
    })
}

struct Judge<'a> {
    index: &'a Index,
    setup: &'a Setup,
    verdicts: &'a Verdicts,
    build: BuildId,
    row: RowId,
    machine: Machine<'a>,
    /// The same for all builds that a checklist looks at: they are worked out for the whole cache.
    specs: &'a SettingsSpecs,
}

impl<'a> Judge<'a> {
    fn new(
        index: &'a Index,
        setup: &'a Setup,
        verdicts: &'a Verdicts,
        build: BuildId,
        specs: &'a SettingsSpecs,
    ) -> Judge<'a> {
        let (row, machine) = (index.row_of(build), Machine::new(index, setup));
        Judge { index, setup, verdicts, build, row, machine, specs }
    }

    fn check(&self, rule: Rule) -> Check {
        let (status, source, fact, change) = match rule {
            Rule::Offered => self.offered(),
            Rule::Format => self.format(),
            Rule::Reuse => self.reuse(),
            Rule::DevPath => self.dev_path(),
            Rule::CompilerWrapper => self.compiler_wrapper(),
            Rule::External => self.external(),
            Rule::Runtime => self.runtime(),
            Rule::Include | Rule::Exclude => self.lists(rule),
            Rule::Roots => self.roots(),
            Rule::Platform => self.platform(),
            Rule::Target => self.target(),
            Rule::Os => self.os(),
            Rule::Libc => self.libc(),
            Rule::Package => self.package(),
            Rule::Dependencies => self.dependencies(),
            // See `FactRules`.
            Rule::Binary | Rule::Relocation => {
                (RuleStatus::Unknown, IN_BINARY, "its binary was not looked into".to_owned(), None)
            }
            // See `MirrorRule`.
            Rule::Mirror => {
                (RuleStatus::Unknown, IN_MIRRORS, "your mirrors are not known".to_owned(), None)
            }
        };
        let change = change.filter(|_| status != RuleStatus::Passed);
        Check { rule, status, fact, source, change }
    }

    fn text(&self, facet: Facet) -> &str {
        self.index.text(self.row, facet)
    }

    fn not_listed(&self) -> Found {
        let fact = match self.index.lists_dependencies(self.row) {
            true => "its dependencies are not loaded",
            false => "this cache page does not list dependencies",
        };
        found(RuleStatus::Unknown, IN_INDEX, fact.to_owned(), FROM_INDEX)
    }
}

type Found = (RuleStatus, &'static str, String, Option<String>);

fn found(status: RuleStatus, source: &'static str, fact: String, change: &str) -> Found {
    (status, source, fact, Some(change.to_owned()).filter(|change| !change.is_empty()))
}
