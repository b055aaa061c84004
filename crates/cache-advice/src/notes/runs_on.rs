//! The builds that run on a target that no build is made for.

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::sorting;
use cache_query::search::unused_target;
use cache_query::{Question, run};
use spack_spec::Target;

use crate::machine_words::version_of_macos;

/// The builds that run on a target that no build is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunsOn {
    /// The target.
    pub target: &'static str,
    /// The only Linux system that builds were asked for, if there is one.
    pub os: Option<String>,
    /// The platform of the machines that have it, if all of them have the same one, and the question does not choose a
    /// platform.
    pub platform: Option<&'static str>,
    /// The other targets that it runs, most specific first, each with its number of matching builds for that platform.
    pub others: Vec<(String, u32)>,
}

/// Returns the platform of all machines with a target: Apple alone makes `m1` and those after it, and only Linux runs on the other
/// processors of that family. `None` for a target that machines with several platforms have.
pub(crate) fn platform_of_target(target: Target) -> Option<&'static str> {
    let is_of_apple = matches!(target.name(), "m1" | "m2" | "m3" | "m4");
    let is_arm = target.family().name() == "aarch64" && target != target.family();
    // `armv8.4a` is a version of the architecture, which Apple's processors have, too.
    let is_version = target.name().starts_with("armv");
    match (is_of_apple, is_arm && !is_version) {
        (true, _) => Some("darwin"),
        (_, true) => Some("linux"),
        _ => None,
    }
}

impl RunsOn {
    /// Finds the builds that run on a target, among those that match a question, regardless of its choice
    /// of targets. `None` if Spack does not know the target, or if builds are made for it.
    pub fn of(index: &Index, question: &Question, target: &str) -> Option<RunsOn> {
        let dictionary = index.dictionary(Facet::Target);
        let own = unused_target(index, target)?;
        let choice = question.choice(Facet::Platform);
        let platform = platform_of_target(own).filter(|_| choice.included().is_empty());
        let mut question = question.clone();
        if let Some(platform) = platform {
            question.choice_mut(Facet::Platform).include(platform);
        }
        let answer = run(index, &question);
        let runs = |text: &str| Target::named(text).is_some_and(|other| own.runs(other));
        let others = dictionary.iter().filter(|(_, text)| runs(text));
        let count =
            |(code, text): (ValueCode, &str)| (text.to_owned(), answer.count(Facet::Target, code));
        let mut others: Vec<(String, u32)> =
            others.map(count).filter(|(_, count)| *count > 0).collect();
        // A target with more ancestors is more specific.
        sorting::sort_by_key(&mut others, |(text, _)| {
            std::cmp::Reverse(Target::named(text).map_or(0, |other| other.ancestors().count()))
        });
        let os = match question.choice(Facet::Os).included() {
            [os] if version_of_macos(os).is_none() => Some(os.clone()),
            _ => None,
        };
        Some(RunsOn { target: own.name(), os, platform, others })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::sample::small_index;

    #[test]
    fn shows_what_runs_on_a_target_without_builds() {
        let index = small_index();
        let check = |text: &str, target: &str, expected: &[(&str, u32)]| {
            let found =
                RunsOn::of(&index, &Question::of_text(text), target).expect("a known target");
            let others: Vec<(&str, u32)> =
                found.others.iter().map(|(name, count)| (name.as_str(), *count)).collect();
            assert_eq!(others, expected, "{text} {target}");
        };
        check("hdf5", "zen3", &[("x86_64_v3", 2)]);
        assert_eq!(
            RunsOn::of(&index, &Question::default(), "m2").map(|on| on.platform),
            Some(Some("darwin"))
        );
        let graviton = RunsOn::of(&index, &Question::default(), "neoverse_v1");
        assert_eq!(graviton.map(|on| on.platform), Some(Some("linux")));
        check("", "zen3", &[("x86_64_v3", 4)]);
        check("hdf5", "x86_64", &[]);
        check("hdf5", "neoverse_v1", &[]);
        assert_eq!(RunsOn::of(&index, &Question::default(), "x86_64_v3"), None);
        assert_eq!(RunsOn::of(&index, &Question::default(), "zenn3"), None);
    }
}
