//! Which filters to remove if nothing matches.

use super::{Change, Presentation, Query, Question, apply, run};
use crate::facet::Facet;
use crate::index::Index;
use crate::search::Typed;

/// A filter whose removal would leave matching builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayOut {
    /// The filter.
    pub cause: Cause,
    /// How many builds match without the filter.
    pub builds: u32,
}

/// One filter of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The search text.
    Text,
    /// The chosen verdicts.
    Runs,
    /// The choice in a facet.
    Facet(Facet),
}

impl Cause {
    /// Returns the change that removes the filter.
    pub fn removal(self) -> Change {
        match self {
            Cause::Text => Change::Type(Typed::words("")),
            Cause::Runs => Change::ClearRuns,
            Cause::Facet(facet) => Change::ClearFacet(facet),
        }
    }
}

/// Returns each filter without which something would match.
pub fn ways_out(index: &Index, question: &Question) -> Vec<WayOut> {
    let text = (!question.text.trim().is_empty()).then_some(Cause::Text);
    let runs = (!question.asked_runs().is_empty()).then_some(Cause::Runs);
    let chosen = Facet::ALL.into_iter().filter(|facet| !question.choice(*facet).is_empty());
    let causes = text.into_iter().chain(runs).chain(chosen.map(Cause::Facet));
    let query = Query { question: question.clone(), presentation: Presentation::default() };
    let without = |cause: Cause| run(index, &apply(&query, cause.removal()).question).builds;
    let ways = causes.map(|cause| WayOut { cause, builds: without(cause) });
    ways.filter(|way| way.builds > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Build;
    use crate::index::{About, pack};
    use crate::{address, sample};

    #[test]
    fn names_the_filters_that_alone_leave_nothing() {
        let zlib = Build { hash: sample::hash(1), ..sample::one("zlib", "1.3") };
        let index = pack(About::default(), [sample::one("hdf5", "1.14"), zlib]).expect("an index");
        let check = |query: &str, expected: &[(Cause, u32)]| {
            let ways = ways_out(&index, &address::decode(query).0.question);
            let ways: Vec<_> = ways.into_iter().map(|way| (way.cause, way.builds)).collect();
            assert_eq!(ways, expected, "{query}");
        };
        let os = Cause::Facet(Facet::Os);
        check("os=rhel8", &[(os, 2)]);
        check("q=hdf5&os=rhel8", &[(os, 1)]);
        check("q=hdf5&version=1.3", &[(Cause::Text, 1), (Cause::Facet(Facet::Version), 1)]);
        check("q=nothing&os=rhel8", &[]);
        check("host=darwin.sequoia.m1&runs=yes&package=zlib", &[(Cause::Runs, 1)]);
    }
}
