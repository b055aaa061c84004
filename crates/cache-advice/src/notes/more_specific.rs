//! Builds that are all for more specific targets than the one at which a requested range of targets begins.
//!
//! A search for `aarch64` finds the builds for all targets of that family. Each runs only on machines that run its own
//! target, so if no build is for the family itself, the builds are only half of the answer.

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::number::counted;
use cache_index::sorting;
use cache_query::search::{Property, meanings};
use cache_query::{Answer, Question};
use spack_spec::Target;

use crate::text::wording::listed;

/// How many targets a sentence names.
const MOST_NAMED: usize = 3;

/// The targets that builds are for, if none is for the target at which the requested range begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoreSpecific {
    /// The target at the lower end of the range.
    pub asked: &'static str,
    /// The targets of the matching builds, each with its number of builds, the most builds first.
    pub found: Vec<(String, u32)>,
}

impl MoreSpecific {
    /// Compares what a question asks for with its answer. `None` if it asks for no range of targets that begins with a
    /// target (`target=aarch64:`), also chooses targets, finds nothing, or finds builds for that target itself.
    pub fn of(index: &Index, question: &Question, answer: &Answer) -> Option<MoreSpecific> {
        if !question.choice(Facet::Target).is_empty() || answer.builds == 0 {
            return None;
        }
        let asked = meanings(index, &question.text)
            .into_iter()
            .filter(|meaning| meaning.property == Property::Target)
            .find_map(|meaning| Target::named(meaning.value().strip_suffix(':')?))?;
        let count =
            |(code, text): (ValueCode, &str)| (text.to_owned(), answer.count(Facet::Target, code));
        let found = index.dictionary(Facet::Target).iter().map(count);
        let mut found: Vec<(String, u32)> = found.filter(|(_, builds)| *builds > 0).collect();
        if found.is_empty() || found.iter().any(|(name, _)| name == asked.name()) {
            return None;
        }
        sorting::sort_by_key(&mut found, |(_, builds)| std::cmp::Reverse(*builds));
        Some(MoreSpecific { asked: asked.name(), found })
    }

    /// Returns this as a sentence without a full stop: `None is for plain aarch64: these are for neoverse_v2`.
    pub fn sentence(&self) -> String {
        let is_family = Target::named(self.asked).is_some_and(|own| own.family() == own);
        let asked = match is_family {
            true => format!("plain {}", self.asked),
            false => format!("{} itself", self.asked),
        };
        let these = match self.found.iter().map(|(_, builds)| builds).sum() {
            1u32 => "this one is for",
            _ => "these are for",
        };
        let named = self.found.len().min(MOST_NAMED);
        let mut names: Vec<String> =
            self.found[..named].iter().map(|(name, _)| name.clone()).collect();
        if self.found.len() > named {
            names.push(counted(self.found.len() - named, "other", "others"));
        }
        format!("None is for {asked}: {these} {}", listed(&names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::{address, run};

    fn cache(targets: &[&str]) -> Index {
        let of = |(number, target): (usize, &&str)| Build {
            hash: sample::hash(number),
            target: (*target).to_owned(),
            ..sample::one("gromacs", "2024.4")
        };
        let builds: Vec<Build> = targets.iter().enumerate().map(of).collect();
        pack(About::default(), builds).expect("an index")
    }

    #[track_caller]
    fn check(targets: &[&str], asked: &str, expected: Option<&str>) {
        let index = cache(targets);
        let question = address::decode(asked).0.question;
        let found = MoreSpecific::of(&index, &question, &run(&index, &question));
        assert_eq!(found.map(|found| found.sentence()).as_deref(), expected, "{asked}");
    }

    #[test]
    fn says_that_no_build_is_for_the_family_itself() {
        let graces: &[&str] = &["neoverse_v2", "neoverse_v2", "neoverse_v1", "zen3"];
        check(
            graces,
            "q=target=aarch64:",
            Some("None is for plain aarch64: these are for neoverse_v2 and neoverse_v1"),
        );
        check(
            &["neoverse_v2", "zen3"],
            "q=target=aarch64:",
            Some("None is for plain aarch64: this one is for neoverse_v2"),
        );
        check(
            &["zen5", "x86_64"],
            "q=target=zen4:",
            Some("None is for zen4 itself: this one is for zen5"),
        );
        check(
            &["zen", "zen2", "zen3", "zen4", "zen5", "zen5"],
            "q=target=x86_64:",
            Some("None is for plain x86_64: these are for zen5, zen, zen2 and 2 others"),
        );
    }

    #[test]
    fn says_nothing_where_some_build_is_or_the_target_was_chosen() {
        check(&["neoverse_v2", "aarch64"], "q=target=aarch64:", None);
        check(&["zen3"], "q=target=aarch64:", None);
        check(&["neoverse_v2"], "q=target=aarch64:&target=neoverse_v2", None);
        check(&["neoverse_v2"], "q=target=:neoverse_v2", None);
        check(&["neoverse_v2"], "", None);
    }
}
