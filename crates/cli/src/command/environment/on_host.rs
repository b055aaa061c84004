//! `environment --host`: which of the cached specs that an environment needs to run work on a machine.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use cache_advice::environment::{AssessmentReport, WorkingSpecs};
use cache_advice::fit::Fits;
use cache_index::index::{BuildId, Index};
use cache_query::Question;
use serde_json::{Value, json};

use crate::command::why::{MachineArguments, shipped_libc};
use crate::mirrors::MirrorInputs;
use crate::report::{Failure, Report};

/// The maximum number of reasons that are listed for builds that do not work.
const REASONS: usize = 10;

/// The verdicts on the builds of a cache for one machine.
pub(super) struct OnHost {
    fits: Fits,
    question: Question,
}

impl OnHost {
    /// Judges all builds for a machine in Spack's terms or in words, with today's Spack and its defaults; returns `None` if
    /// a part of the machine could not be read, which has been reported.
    pub(super) fn new(
        host: &str,
        index: &Index,
        report: &mut Report,
    ) -> Result<Option<OnHost>, Failure> {
        let machine = MachineArguments::of_option(host);
        let gpus = machine.gpus(report)?;
        let Some(settings) = machine.settings(&mut MirrorInputs::default(), report)? else {
            return Ok(None);
        };
        let setup = machine.setup(settings, index, report)?;
        if let Some(libc) = shipped_libc(&setup, index) {
            let (os, host) = (setup.host.os(), &setup.host);
            report.note(&format!("the libc is not known; {os} ships {libc}: --host {host}.{libc}"));
        }
        let fits = Fits::new(index, setup, gpus, index.facts_by_build()?.map(Arc::new));
        let mut question = Question::default();
        fits.on_machine().hand_in(&mut question);
        Ok(Some(OnHost { fits, question }))
    }

    /// Returns how much of what is in the cache works, and the reasons why specs of a lock file do not.
    pub(super) fn lines(&self, written: AssessmentReport<'_>) -> Vec<String> {
        let AssessmentReport { index, environment, assessment } = written;
        let said = written.on_machine(&self.question, &self.fits.setup().host.arch());
        let mut lines: Vec<String> = said.into_iter().collect();
        let specs = assessment.on_machine(environment, &self.question);
        let mut by_reason: BTreeMap<String, usize> = BTreeMap::new();
        for &build in &specs.not_working {
            *by_reason.entry(self.reason(index, build)).or_default() += 1;
        }
        let mut by_reason: Vec<(String, usize)> = by_reason.into_iter().collect();
        by_reason.sort_by_key(|(_, count)| Reverse(*count));
        let more = by_reason.len().saturating_sub(REASONS);
        let named = by_reason.into_iter().take(REASONS);
        lines.extend(named.map(|(reason, count)| format!("  {count:5}  {reason}")));
        lines.extend((more > 0).then(|| format!("  and for {more} other reasons")));
        lines
    }

    /// Returns the same as a field of the object about an environment.
    pub(super) fn json(&self, written: AssessmentReport<'_>) -> Value {
        let AssessmentReport { index, environment, assessment } = written;
        let WorkingSpecs { all, working, not_working } =
            assessment.on_machine(environment, &self.question);
        let not: Vec<Value> = not_working
            .iter()
            .map(|&build| {
                let hash = index.hash(build).map(|hash| hash.to_string());
                json!({"hash": hash, "reason": self.reason(index, build)})
            })
            .collect();
        let unknown = all - working - not.len();
        let host = self.fits.setup().host.to_string();
        json!({"host": host, "cached_to_run": all, "work": working, "unknown": unknown, "do_not_work": not})
    }

    fn reason(&self, index: &Index, build: BuildId) -> String {
        format!("{}: {}", self.fits.of(build).word(), self.fits.reason(index, build))
    }
}
