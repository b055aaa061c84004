//! The builds that run on a target for which none is made.

use spack_spec::Target;

use super::{Question, run};
use crate::facet::Facet;
use crate::index::{Index, ValueCode};
use crate::search::unused_target;
use crate::sorting;

/// The builds that run on a target for which none is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunsOn {
    /// The target.
    pub target: &'static str,
    /// The targets that it also runs, the most specific first, with how many builds are made for each
    /// of what else the text asks for.
    pub others: Vec<(String, u32)>,
}

impl RunsOn {
    /// Finds what runs on a target, among the builds that a question asks for whatever it chooses of
    /// targets. `None` if Spack does not know the target, or builds are made for it.
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
        // What has more ancestors is nearer.
        sorting::sort_by_key(&mut others, |(text, _)| {
            std::cmp::Reverse(Target::named(text).map_or(0, |other| other.ancestors().count()))
        });
        Some(RunsOn { target: own.name(), others })
    }
}
