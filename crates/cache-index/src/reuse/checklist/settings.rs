//! The rules that are settings of the person: what is reused at all, included, excluded and asked for.

use spack_spec::Spec;

use super::{Found, IN_SETTINGS, Judge, found};
use crate::reuse::rule::{Outcome, Rule, Status};
use crate::reuse::settings::Reuse;
use crate::reuse::specs;

impl Judge<'_> {
    pub(super) fn reuse(&self) -> Found {
        let settings = &self.setup.settings;
        let takes_none = settings.caches.is_empty();
        let (status, fact, change) = match settings.reuse {
            Reuse::Nothing => {
                (Status::Failed, "reuse: false takes nothing from caches", "reuse: true")
            }
            _ if takes_none => {
                (Status::Failed, "from lists no buildcache", "a source of type buildcache in from")
            }
            Reuse::Everything => (Status::Passed, "builds of caches may be reused", ""),
            Reuse::Dependencies => (Status::Passed, "dependencies may be reused from caches", ""),
        };
        found(status, IN_SETTINGS, fact.to_owned(), change)
    }

    pub(super) fn lists(&self, rule: Rule) -> Found {
        let settings = &self.setup.settings;
        let has_lists = settings.caches.iter().any(|of| match rule {
            Rule::Include => !of.include.is_empty(),
            _ => !of.exclude.is_empty(),
        });
        let status = specs::outcomes_of_lists(self.index, self.setup)
            .map_or(Status::Passed, |outcomes| status_under(outcomes[self.build.at()], rule));
        let lists: Vec<&str> = settings
            .caches
            .iter()
            .flat_map(|of| if rule == Rule::Include { &of.include } else { &of.exclude })
            .map(String::as_str)
            .collect();
        let listed = lists.join(", ");
        let (fact, change) = match (rule, status) {
            _ if !has_lists => (format!("{rule} lists nothing"), String::new()),
            (Rule::Include, Status::Passed) => {
                (format!("include takes it: {listed}"), String::new())
            }
            (Rule::Include, Status::Failed) => {
                (format!("it satisfies none of what include lists: {listed}"), "list it".to_owned())
            }
            (_, Status::Passed) => (format!("exclude leaves it: {listed}"), String::new()),
            (_, Status::Failed) => (
                format!("it satisfies a spec that exclude lists: {listed}"),
                "take that off".to_owned(),
            ),
            (_, Status::Unknown) => (
                format!("{listed}: the cache does not say enough"),
                "look at the cache's index".to_owned(),
            ),
        };
        found(status, IN_SETTINGS, fact, &change)
    }

    pub(super) fn roots(&self) -> Found {
        let settings = &self.setup.settings;
        if settings.reuse != Reuse::Dependencies {
            return found(
                Status::Passed,
                IN_SETTINGS,
                "what you ask for may be reused".to_owned(),
                "",
            );
        }
        if settings.asked.is_empty() {
            let fact = "only dependencies are reused, and what you ask for is not known";
            return found(Status::Unknown, IN_SETTINGS, fact.to_owned(), "say what you ask for");
        }
        let mut status = Status::Passed;
        let mut named = "none of what you ask for".to_owned();
        let asked = settings.asked.iter().zip(specs::read(&settings.asked, self.setup.spack));
        for (text, spec) in asked {
            let of = spec.map_or(Status::Unknown, |spec: Spec| {
                specs::is_free_of(self.index, &spec, self.build)
            });
            if of < status {
                (status, named) = (of, text.clone());
            }
        }
        let fact = match status {
            Status::Passed => format!("it contains {named}"),
            Status::Failed => format!("it contains {named}, which you ask for"),
            Status::Unknown => format!("whether it contains {named} is not known"),
        };
        found(status, IN_SETTINGS, fact, "reuse: true")
    }
}

/// What an outcome under `include` and `exclude` says of one of the two.
fn status_under(outcome: Outcome, rule: Rule) -> Status {
    match outcome.rule() {
        Some(decides) if decides == rule => match outcome.is_eligible() {
            Some(_) => Status::Failed,
            None => Status::Unknown,
        },
        _ => Status::Passed,
    }
}
