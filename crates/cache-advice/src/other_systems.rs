//! The builds for other Linux systems than the one that is asked for, some of which may run there.
//!
//! People who name their OS in a search often mean their machine. What Spack calls the OS of a build is where it was made;
//! what decides where it runs is its libc.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::{Answer, Choice, Question, run};
use spack_spec::Target;

use crate::machine_words::version_of_macos;

/// The builds for other Linux systems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSystems {
    /// The OS that is asked for.
    pub os: String,
    /// The target that is asked for, if nothing is found.
    pub target: Option<String>,
    /// How many builds for other systems match, or for other targets if that is stated.
    pub builds: u32,
}

impl OtherSystems {
    /// Finds the builds that match a question but for its OS, given its answer: if nothing is found, also but for its target.
    /// `None` if no single Linux system is asked for, a machine is stated, or no such build is there.
    pub fn of(index: &Index, question: &Question, answer: &Answer) -> Option<OtherSystems> {
        let [os] = question.choice(Facet::Os).included() else { return None };
        if question.host.is_some() || version_of_macos(os).is_some() {
            return None;
        }
        let mut without = question.clone();
        *without.choice_mut(Facet::Os) = Choice::default();
        let mut target = None;
        if let [asked] = question.choice(Facet::Target).included()
            && answer.builds == 0
            && Target::named(asked).is_some()
            && index.dictionary(Facet::Target).code(asked).is_some()
        {
            target = Some(asked.clone());
            *without.choice_mut(Facet::Target) = Choice::default();
        }
        let linux = index.dictionary(Facet::Platform).code("linux")?;
        let builds =
            run(index, &without).count(Facet::Platform, linux).checked_sub(answer.builds)?;
        (builds > 0).then(|| OtherSystems { os: os.clone(), target, builds })
    }

    /// Returns the machine that may be meant: `ubuntu24.04 · zen3`.
    pub fn machine(&self) -> String {
        match &self.target {
            Some(target) => format!("{} · {target}", self.os),
            None => self.os.clone(),
        }
    }
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
        check(&[zen4], None);
    }
}
