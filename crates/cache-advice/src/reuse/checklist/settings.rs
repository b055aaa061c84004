//! The rules in the user's settings: whether anything is reused, and what is included, excluded or
//! requested.

use cache_index::facet::Facet;
use cache_index::settings::Reuse;
use cache_query::Setup;

use super::{FROM_INDEX, Found, IN_SETTINGS, Judge, found};
use crate::reuse::rule::{Outcome, Rule, RuleStatus};
use crate::reuse::specs;

impl Judge<'_> {
    pub(super) fn reuse(&self) -> Found {
        let settings = &self.setup.settings;
        let takes_none = settings.caches.is_empty();
        let (status, fact, change) = match settings.reuse {
            Reuse::Nothing => {
                (RuleStatus::Failed, "reuse: false takes nothing from caches", "reuse: true")
            }
            _ if takes_none => (
                RuleStatus::Failed,
                "from lists no source of type buildcache",
                "a source of type buildcache in from",
            ),
            Reuse::Everything => (RuleStatus::Passed, "builds of caches may be reused", ""),
            Reuse::Dependencies => {
                (RuleStatus::Passed, "dependencies may be reused from caches", "")
            }
        };
        found(status, IN_SETTINGS, fact.to_owned(), change)
    }

    pub(super) fn lists(&self, rule: Rule) -> Found {
        let settings = &self.setup.settings;

        let status = specs::outcomes_of_lists(self.index, self.setup)
            .map_or(RuleStatus::Passed, |outcomes| status_under(outcomes[self.build.at()], rule));
        let lists: Vec<&str> = settings
            .caches
            .iter()
            .flat_map(|source| match rule {
                Rule::Include => &source.include,
                _ => &source.exclude,
            })
            .map(String::as_str)
            .collect();
        let listed = lists.join(", ");
        let (fact, change) = match (rule, status) {
            _ if lists.is_empty() => (format!("{rule} lists nothing"), String::new()),
            (Rule::Include, RuleStatus::Passed) => {
                (format!("satisfies a spec that include lists: {listed}"), String::new())
            }
            (Rule::Include, RuleStatus::Failed) => {
                let package = self.text(Facet::Package);
                (
                    format!("satisfies no spec that include lists: {listed}"),
                    format!("list {package} in include"),
                )
            }
            (_, RuleStatus::Passed) => {
                (format!("satisfies no spec that exclude lists: {listed}"), String::new())
            }
            (_, RuleStatus::Failed) => (
                format!("satisfies a spec that exclude lists: {listed}"),
                "remove that spec from exclude".to_owned(),
            ),
            (_, RuleStatus::Unknown) => {
                (format!("{listed}: the cache does not say enough"), FROM_INDEX.to_owned())
            }
        };
        found(status, IN_SETTINGS, fact, &change)
    }

    pub(super) fn roots(&self) -> Found {
        let settings = &self.setup.settings;
        if settings.reuse != Reuse::Dependencies {
            return found(
                RuleStatus::Passed,
                IN_SETTINGS,
                "what you ask for may be reused".to_owned(),
                "",
            );
        }
        if lacks_roots(self.setup) {
            let fact = "only dependencies are reused, and what you ask for is not known";
            return found(
                RuleStatus::Unknown,
                IN_SETTINGS,
                fact.to_owned(),
                "say what you ask for",
            );
        }
        let mut status = RuleStatus::Passed;
        let mut named = "none of what you ask for".to_owned();
        for spec in specs::read(&settings.asked, self.setup.spack) {
            let found = specs::is_free_of(self.index, &spec, self.build);
            if found < status {
                (status, named) = (found, spec.to_string());
            }
        }
        let fact = match status {
            RuleStatus::Passed => format!("contains {named}"),
            RuleStatus::Failed => format!("contains {named}, which you ask for"),
            RuleStatus::Unknown => format!("may contain {named}; the cache does not say enough"),
        };
        found(status, IN_SETTINGS, fact, "reuse: true")
    }
}

/// Returns `true` if only dependencies of some specs are reused, and these specs are not known.
pub(super) fn lacks_roots(setup: &Setup) -> bool {
    let settings = &setup.settings;
    settings.reuse == Reuse::Dependencies && settings.asked.is_empty()
}

/// Returns the status of one of `include` and `exclude`, given the outcome under both.
fn status_under(outcome: Outcome, rule: Rule) -> RuleStatus {
    match outcome.rule() {
        Some(decides) if decides == rule => match outcome.is_eligible() {
            Some(_) => RuleStatus::Failed,
            None => RuleStatus::Unknown,
        },
        _ => RuleStatus::Passed,
    }
}
