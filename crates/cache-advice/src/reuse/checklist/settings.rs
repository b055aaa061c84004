//! The rules in the user's settings: whether anything is reused, and what is included, excluded or
//! requested.

use cache_index::facet::Facet;
use cache_index::settings::Reuse;
use cache_query::Setup;
use spack_spec::Spec;

use super::{FROM_INDEX, Found, IN_SETTINGS, Judge, found};
use crate::reuse::rule::{Rule, RuleStatus};

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
        let sources = self.specs.sources(self.index, self.setup);
        // It is enough if one source takes a build. If none does, the lists of the one that decides are described.
        let outcomes = sources.iter().map(|lists| lists.outcome(self.build)).enumerate();
        let Some((at, outcome)) = outcomes.rev().max_by_key(|(_, outcome)| *outcome) else {
            let fact = format!("{rule} lists nothing");
            return found(RuleStatus::Passed, IN_SETTINGS, fact, "");
        };
        let source = &self.setup.settings.caches[at];
        let (status, listed) = match rule {
            Rule::Include => (sources[at].include(self.build), &source.include),
            _ => (sources[at].exclude(self.build), &source.exclude),
        };
        let list = match sources.len() {
            1 => rule.to_string(),
            count => format!("{rule} of buildcache source {} of {count}", at + 1),
        };
        let others = match outcome.is_eligible() {
            _ if sources.len() == 1 => "",
            Some(true) => "",
            Some(false) => "; no other source takes it",
            None => "; no other source is known to take it",
        };
        let is_empty = listed.is_empty();
        let listed = listed.join(", ");
        let (fact, change) = match (rule, status) {
            _ if is_empty => (format!("{list} lists nothing"), String::new()),
            (Rule::Include, RuleStatus::Passed) => {
                (format!("satisfies a spec that {list} lists: {listed}"), String::new())
            }
            (Rule::Include, RuleStatus::Failed) => {
                let package = self.text(Facet::Package);
                (
                    format!("satisfies no spec that {list} lists: {listed}{others}"),
                    format!("list {package} in {list}"),
                )
            }
            (_, RuleStatus::Passed) => {
                (format!("satisfies no spec that {list} lists: {listed}"), String::new())
            }
            (_, RuleStatus::Failed) => (
                format!("satisfies a spec that {list} lists: {listed}{others}"),
                format!(
                    "remove {} from {list}",
                    sources[at].excluded_by(self.build).collect::<Vec<_>>().join(", ")
                ),
            ),
            (_, RuleStatus::Unknown) => (
                format!("{list} lists {listed}: the cache does not say enough{others}"),
                FROM_INDEX.to_owned(),
            ),
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
        let mut named = "none of what you ask for";
        for (spec, found) in self.specs.asked(self.index, self.setup, self.build) {
            if found < status {
                (status, named) = (found, spec);
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

/// Says that a build contains what is asked for, or that it may, without looking for it in the cache: of several specs, it is
/// not known which.
pub(super) fn contains_asked(setup: &Setup, is_certain: bool) -> String {
    let asked = match setup.settings.asked.as_slice() {
        [one] => Spec::parse(one, setup.spack.dialect()).ok().map(|spec| spec.to_string()),
        _ => None,
    };
    match (asked, is_certain) {
        (Some(one), true) => format!("contains {one}, which you ask for"),
        (Some(one), false) => format!("may contain {one}; the cache does not say enough"),
        (None, true) => "contains something that you ask for".to_owned(),
        (None, false) => {
            "may contain something that you ask for; the cache does not say enough".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use cache_index::index::{About, BuildId, pack};
    use cache_index::sample;

    use super::*;
    use crate::reuse::{Checklist, Verdicts};

    #[test]
    fn gives_a_reason_without_looking_for_what_is_asked_for() {
        let index = pack(About::default(), [sample::one("zlib", "1.3")]).expect("an index");
        let check = |asked: &[&str], expected: &str| {
            let mut setup = Setup::on("linux.ubuntu24.04.zen4.glibc@2.39".parse().expect("a host"));
            setup.settings.reuse = Reuse::Dependencies;
            setup.settings.asked = asked.iter().map(|&spec| spec.to_owned()).collect();
            let verdicts = Verdicts::new(&index, &setup);
            let reason = Checklist::reason(&index, &setup, &verdicts, BuildId(0));
            assert_eq!(reason.as_deref(), Some(expected));
        };
        check(&["zlib"], "roots: contains zlib, which you ask for");
        // Only a checklist says which of several specs it is.
        check(&["hdf5", "zlib"], "roots: contains something that you ask for");
    }
}
