//! The builds that run on a target that no build is made for.

use spack_spec::Target;

use super::{Question, run};
use crate::facet::Facet;
use crate::index::{Index, ValueCode};
use crate::search::unused_target;
use crate::sorting;

/// The builds that run on a target that no build is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunsOn {
    /// The target.
    pub target: &'static str,
    /// The other targets that it runs, most specific first, each with its number of matching builds.
    pub others: Vec<(String, u32)>,
}

impl RunsOn {
    /// Finds the builds that run on a target, among those that match a question, regardless of its choice
    /// of targets. `None` if Spack does not know the target, or if builds are made for it.
    pub fn of(index: &Index, question: &Question, target: &str) -> Option<RunsOn> {
        let dictionary = index.dictionary(Facet::Target);
        let own = unused_target(index, target)?;
        let answer = run(index, question);
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
        Some(RunsOn { target: own.name(), others })
    }
}
