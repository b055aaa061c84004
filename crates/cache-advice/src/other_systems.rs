//! The builds for other systems or targets than the one that is asked for, some of which may run there.
//!
//! People who name their OS or processor in a search often mean their machine. What Spack calls the OS and the target of a build
//! is what it was made on and for. Its libc decides on which Linux systems it runs, and newer processors run what is made for
//! older ones.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::{Answer, Choice, Question, run};
use spack_spec::Target;

use crate::machine_words::version_of_macos;
use crate::runs_on::platform_of_target;

/// The builds for other systems or targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSystems {
    /// The OS that is asked for; `None` if only a target is.
    pub os: Option<String>,
    /// The target that is asked for: alone, or beside an OS for which nothing is found.
    pub target: Option<String>,
    /// How many builds for other systems match; if a target is stated too, the target may be another as well. With a target
    /// alone, these are builds for the other targets that it runs.
    pub builds: u32,
}

impl OtherSystems {
    /// Finds the builds that match a question apart from its OS, given its answer; if the answer is empty, apart from its target
    /// too. If it only asks for a target, finds the builds for other targets that run there. `None` if the question does not
    /// ask for a single Linux system or target, if a machine is stated, or if there are no such builds.
    pub fn of(index: &Index, question: &Question, answer: &Answer) -> Option<OtherSystems> {
        if question.host.is_some() {
            return None;
        }
        let target = match question.choice(Facet::Target).included() {
            [target] if index.dictionary(Facet::Target).code(target).is_some() => {
                Target::named(target)
            }
            _ => None,
        };
        match (question.choice(Facet::Os).included(), target) {
            ([os], target) if version_of_macos(os).is_none() => {
                OtherSystems::of_os(index, question, answer, os, target)
            }
            ([] | [_], Some(target)) if is_of_processors(target) => {
                OtherSystems::of_target(index, question, target)
            }
            _ => None,
        }
    }

    fn of_os(
        index: &Index,
        question: &Question,
        answer: &Answer,
        os: &str,
        target: Option<Target>,
    ) -> Option<OtherSystems> {
        let mut without = question.clone();
        *without.choice_mut(Facet::Os) = Choice::default();
        let target = target.filter(|_| answer.builds == 0).map(|target| target.name().to_owned());
        if target.is_some() {
            *without.choice_mut(Facet::Target) = Choice::default();
        }
        let linux = index.dictionary(Facet::Platform).code("linux")?;
        let builds =
            run(index, &without).count(Facet::Platform, linux).checked_sub(answer.builds)?;
        (builds > 0).then(|| OtherSystems { os: Some(os.to_owned()), target, builds })
    }

    fn of_target(index: &Index, question: &Question, target: Target) -> Option<OtherSystems> {
        let mut without = question.clone();
        *without.choice_mut(Facet::Target) = Choice::default();
        if let Some(platform) = platform_of_target(target)
            && without.choice(Facet::Platform).included().is_empty()
        {
            without.choice_mut(Facet::Platform).include(platform);
        }
        let all = run(index, &without);
        let targets = index.dictionary(Facet::Target).iter();
        let others = targets.filter(|(_, name)| {
            Target::named(name).is_some_and(|other| other != target && target.runs(other))
        });
        let builds = others.map(|(code, _)| all.count(Facet::Target, code)).sum();
        let target = Some(target.name().to_owned());
        (builds > 0).then_some(OtherSystems { os: None, target, builds })
    }

    /// Returns the machine that may be meant: `ubuntu24.04 · zen3`.
    pub fn machine(&self) -> String {
        let parts: Vec<&str> =
            [&self.os, &self.target].into_iter().flatten().map(String::as_str).collect();
        parts.join(" · ")
    }
}

/// Returns `true` for a target that processors have, as `zen4`, and not a level or a family, as `x86_64_v3`.
fn is_of_processors(target: Target) -> bool {
    target != target.family() && !target.name().starts_with("x86_64_v")
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;

    #[test]
    fn counts_what_may_run_on_the_os_that_is_asked_for() {
        let build = |number, platform: &str, os: &str, target: &str| Build {
            hash: sample::hash(number),
            platform: platform.to_owned(),
            os: os.to_owned(),
            target: target.to_owned(),
            ..sample::one("hdf5", "1.14")
        };
        let builds = vec![
            build(1, "linux", "ubuntu22.04", "x86_64_v3"),
            build(2, "linux", "rhel8", "zen4"),
            build(3, "linux", "ubuntu24.04", "x86_64_v3"),
            build(4, "darwin", "sequoia", "m1"),
        ];
        let index = pack(About::default(), builds).expect("an index");
        let check = |choices: &[(Facet, &str)], expected: Option<(&str, u32)>| {
            let mut question = Question::default();
            for (facet, value) in choices {
                question.choice_mut(*facet).include(*value);
            }
            let found = OtherSystems::of(&index, &question, &run(&index, &question));
            let found = found.map(|found| (found.machine(), found.builds));
            assert_eq!(found, expected.map(|(machine, builds)| (machine.to_owned(), builds)));
        };
        check(&[(Facet::Os, "ubuntu24.04")], Some(("ubuntu24.04", 2)));
        let zen4 = (Facet::Target, "zen4");
        check(&[(Facet::Os, "ubuntu24.04"), zen4], Some(("ubuntu24.04 · zen4", 3)));
        check(&[(Facet::Os, "rhel8"), zen4], None);
        check(&[(Facet::Os, "sequoia")], None);
        check(&[zen4], Some(("zen4", 2)));
        check(&[(Facet::Target, "x86_64_v3")], None);
        check(&[(Facet::Target, "m1")], None);
    }
}
