//! The builds for other systems or targets than the requested one. Some of them may run there.
//!
//! People who name their OS or processor in a search often mean their machine. The OS and the target of a build, as
//! Spack records them, say where it was made and for which processors. Its libc decides on which Linux systems it runs,
//! and newer processors run what is made for older ones.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::host::libc_of_os;
use cache_query::{Answer, Choice, Question, run};
use spack_spec::{Target, Version};

use crate::machine_words::{DescribedMachine, version_of_macos};
use crate::notes::runs_on::platform_of_target;

/// The builds for other systems or targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSystems {
    /// The OS that is asked for; `None` if only a target is.
    pub os: Option<String>,
    /// The target that is asked for: alone, or together with an OS for which nothing is found.
    pub target: Option<String>,
    /// How many builds for other systems match; if a target is stated too, also those for other targets. With a target
    /// alone, these are builds for the other targets that it runs.
    pub builds: u32,
    /// How many of them need a newer libc than the OS has, which is named.
    pub too_new: Option<(u32, String)>,
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
        let all = run(index, &without);
        let builds = all.count(Facet::Platform, linux).checked_sub(answer.builds)?;
        let libc = libc_of(index, os);
        let too_new = libc.map(|libc| {
            let libcs = index.dictionary(Facet::Libc).iter();
            let newer = libcs.filter(|(_, needed)| is_newer(needed, &libc));
            let builds: u32 = newer.map(|(code, _)| all.count(Facet::Libc, code)).sum();
            (builds, libc)
        });
        let too_new = too_new.filter(|(too_new, _)| (1..=builds).contains(too_new));
        (builds > 0).then(|| OtherSystems { os: Some(os.to_owned()), target, builds, too_new })
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
        (builds > 0).then_some(OtherSystems { os: None, target, builds, too_new: None })
    }

    /// Returns the machine that may be meant: `ubuntu24.04 · zen3`.
    pub fn machine(&self) -> String {
        let parts: Vec<&str> =
            [&self.os, &self.target].into_iter().flatten().map(String::as_str).collect();
        parts.join(" · ")
    }
}

/// Returns the libc of a Linux system, `glibc@2.35`: what its builds here need, or else what it ships.
fn libc_of(index: &Index, os: &str) -> Option<String> {
    let known = libc_of_os(index, "linux", os).map(str::to_owned);
    known.or_else(|| DescribedMachine::read(os).libc.value().map(str::to_owned))
}

/// Returns `true` for a libc of the same name as another one, and newer.
fn is_newer(one: &str, other: &str) -> bool {
    let parts = |libc: &str| -> Option<(String, Version)> {
        let (name, version) = libc.split_once('@')?;
        Some((name.to_owned(), version.parse().ok()?))
    };
    match (parts(one), parts(other)) {
        (Some((name, version)), Some((other, than))) => name == other && version > than,
        _ => false,
    }
}

/// Returns `true` for a target that processors have, such as `zen4`, but not for a level or a family, such as
/// `x86_64_v3`.
fn is_of_processors(target: Target) -> bool {
    target != target.family() && !target.name().starts_with("x86_64_v")
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Build, Dependency, Deptypes};
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
        let glibc = Build {
            package: "glibc".to_owned(),
            version: "2.39".to_owned(),
            external: true,
            places: Default::default(),
            ..build(5, "linux", "ubuntu24.04", "x86_64_v3")
        };
        let on_libc = Dependency {
            package: "glibc".to_owned(),
            hash: glibc.hash,
            deptypes: Deptypes::from_bits(2).expect("bits below 16"),
            virtuals: vec!["libc".to_owned()],
        };
        let builds = vec![
            build(1, "linux", "ubuntu22.04", "x86_64_v3"),
            build(2, "linux", "rhel8", "zen4"),
            Build {
                dependencies: Some(vec![on_libc]),
                ..build(3, "linux", "ubuntu24.04", "x86_64_v3")
            },
            build(4, "darwin", "sequoia", "m1"),
            glibc,
        ];
        let index = pack(About::default(), builds).expect("an index");
        let check = |choices: &[(Facet, &str)], expected: Option<(&str, u32)>| {
            let mut question = Question::default();
            for (facet, value) in choices {
                question.choice_mut(*facet).include(*value);
            }
            let found = OtherSystems::of(&index, &question, &run(&index, &question));
            let too_new = found.as_ref().and_then(|found| found.too_new.clone());
            let found = found.map(|found| (found.machine(), found.builds));
            assert_eq!(found, expected.map(|(machine, builds)| (machine.to_owned(), builds)));
            too_new
        };
        assert_eq!(check(&[(Facet::Os, "ubuntu24.04")], Some(("ubuntu24.04", 2))), None);
        let too_new = check(&[(Facet::Os, "ubuntu20.04")], Some(("ubuntu20.04", 3)));
        assert_eq!(too_new, Some((1, "glibc@2.31".to_owned())));
        let zen4 = (Facet::Target, "zen4");
        check(&[(Facet::Os, "ubuntu24.04"), zen4], Some(("ubuntu24.04 · zen4", 3)));
        check(&[(Facet::Os, "rhel8"), zen4], None);
        check(&[(Facet::Os, "sequoia")], None);
        check(&[zen4], Some(("zen4", 2)));
        check(&[(Facet::Target, "x86_64_v3")], None);
        check(&[(Facet::Target, "m1")], None);
    }
}
