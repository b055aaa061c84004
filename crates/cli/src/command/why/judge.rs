//! The judgement of `why` for a program that asks again and again about one cache.

use std::cmp::Reverse;
use std::ops::Range;

use cache_advice::Binaries;
use cache_advice::reuse::{FactRules, Verdicts};
use cache_index::index::Index;
use serde_json::Value;

use super::{Examination, MachineArguments, NamedBuilds, missing};
use crate::mirrors::MirrorInputs;
use crate::report::{Failure, Report};

/// Returns the checklists of the builds that a text, a hash or a spec, refers to, eligible ones first, and the number of
/// these builds. `part` says which of them to return. Notes in `report` how many are eligible.
pub(in crate::command) fn judge(
    index: &Index,
    machine: &MachineArguments,
    text: &str,
    part: impl Fn(usize) -> Range<usize>,
    report: &mut Report,
) -> Result<(Vec<Value>, usize), Failure> {
    let gpus = machine.gpus(report)?;
    let Some(settings) = machine.settings(&mut MirrorInputs::default(), report)? else {
        return Ok((Vec::new(), 0));
    };
    let setup = machine.setup(settings, index, report)?;
    let verdicts = Verdicts::new(index, &setup);
    let in_index = index.facts_by_build()?;
    let asked = Examination {
        index,
        setup: &setup,
        verdicts: &verdicts,
        gpus: &gpus,
        mirrors: None,
        rules: in_index
            .as_ref()
            .map(|by_build| FactRules::new(index, &setup, Binaries::InIndex(by_build), None)),
        json: true,
    };
    match asked.find(text, report)? {
        NamedBuilds::NoSuchHash(hash) => Ok((vec![missing(hash)], 1)),
        NamedBuilds::Builds(mut builds, is_certain) => {
            match builds.as_slice() {
                [] => report.note(&asked.why_nothing(text, is_certain)),
                [_] => {}
                all => report.note(&asked.counts(all.iter().copied())),
            }
            // In the same order as for people.
            builds.sort_by_cached_key(|&build| Reverse(asked.outcome(build)));
            let shown = builds[part(builds.len())].iter();
            let objects = shown.filter_map(|&build| asked.object(build, builds.len() == 1));
            Ok((objects.collect(), builds.len()))
        }
    }
}
