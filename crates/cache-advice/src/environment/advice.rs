//! What to build first of an environment, in a sentence.

use std::fmt::Write as _;

use cache_index::number::counted;

use super::AssessmentReport;

/// The number of specs to build first that are named.
const NAMED_FIRST: usize = 3;

impl AssessmentReport<'_> {
    /// Returns what to build first, if anything is missing, and how much of it the cache has outside the filters.
    pub fn advice(&self) -> Option<String> {
        let advice = self.what_to_build_first()?;
        let missing = self.assessment.blockers.ranked().len();
        Some(match self.assessment.counts.left_out {
            0 => advice,
            left_out if left_out == missing => {
                format!("{advice} The cache has all of these, outside your filters.")
            }
            left_out => format!(
                "{advice} The cache has {left_out} of these {missing}, outside your filters."
            ),
        })
    }

    fn what_to_build_first(&self) -> Option<String> {
        let blockers = &self.assessment.blockers;
        let missing = blockers.ranked().len();
        match blockers.blocking().len() {
            _ if missing == 0 => None,
            0 => Some(format!(
                "{missing} to build; {}.",
                if missing == 1 {
                    "nothing else waits for it"
                } else {
                    "none of them waits for another"
                }
            )),
            blocking => {
                let names = blockers.blocking().iter().take(NAMED_FIRST).map(|&node| {
                    let build = &self.environment.nodes[node].build;
                    format!("{}@{}", build.package, build.version)
                });
                let mut names = names.collect::<Vec<_>>().join(", ");
                if blocking > NAMED_FIRST {
                    let _ = write!(names, " and {} more", blocking - NAMED_FIRST);
                }
                let it = if blocking == 1 { "it" } else { "them" };
                let these = match blocking {
                    1 => format!("Build {names} first"),
                    _ => format!("Build these {blocking} first: {names}"),
                };
                let tops = blockers.tops();
                let waits = |node: &&usize| !blockers.waits_for(**node).is_empty();
                Some(match (tops.len(), tops.iter().filter(waits).count()) {
                    (0, _) => format!("{these}."),
                    (1, 1) => format!("{these}. The other missing spec waits only for {it}."),
                    (1, _) => format!("{these}. The other missing spec waits for nothing."),
                    (others, waiting) if others == waiting => {
                        format!("{these}. The other {others} missing specs wait only for {it}.")
                    }
                    (others, waiting) => format!(
                        "{these}. Of the other {others} missing specs, {} only for {it}, and {} for nothing.",
                        counted(waiting, "waits", "wait"),
                        counted(others - waiting, "waits", "wait"),
                    ),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use cache_index::build::{Build, Dependency, Deptypes};
    use cache_index::environment::{Environment, Node};
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::Question;

    use super::*;
    use crate::environment::Assessment;

    #[test]
    fn counts_what_waits_apart_from_what_does_not() {
        let index = pack(About::default(), [sample::one("xz", "5.4.6")]).expect("an index");
        // Each spec depends on one of the others, or on none.
        let check = |below: &[Option<usize>], expected: &str| {
            let node = |(at, below): (usize, &Option<usize>)| {
                let edge = below.map(|below| Dependency {
                    package: format!("p{below}"),
                    hash: sample::hash(below + 1),
                    deptypes: Deptypes::LINK,
                    virtuals: Vec::new(),
                });
                let build = Build {
                    hash: sample::hash(at + 1),
                    dependencies: Some(edge.into_iter().collect()),
                    ..sample::one(&format!("p{at}"), "1.0")
                };
                Node { build, spliced_from: None }
            };
            let nodes = below.iter().enumerate().map(node).collect();
            let environment = Environment { nodes, ..Environment::default() };
            let question = Question::default();
            let assessment = Assessment::new(&index, &environment, &question, index.dialect());
            let report = AssessmentReport {
                index: &index,
                environment: &environment,
                assessment: &assessment,
            };
            assert_eq!(report.advice().as_deref(), Some(expected));
        };
        check(&[None], "1 to build; nothing else waits for it.");
        check(&[None, None], "2 to build; none of them waits for another.");
        let first = "Build p0@1.0 first.";
        check(&[None, Some(0)], &format!("{first} The other missing spec waits only for it."));
        check(
            &[None, Some(0), Some(0)],
            &format!("{first} The other 2 missing specs wait only for it."),
        );
        check(
            &[None, Some(0), None, None],
            &format!(
                "{first} Of the other 3 missing specs, 1 waits only for it, and 2 wait for nothing."
            ),
        );
        check(
            &[None, Some(0), Some(1), Some(1), None],
            "Build these 2 first: p0@1.0, p1@1.0. Of the other 3 missing specs, 2 wait only for them, and 1 waits for nothing.",
        );
    }
}
