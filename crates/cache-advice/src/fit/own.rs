//! Decides if a build runs, leaving its dependencies aside: by what its binary demands where that is known, or else by its
//! labels.

use std::collections::HashMap;
use std::sync::Arc;

use cache_index::facet::Facet;
use cache_index::index::{BuildId, FactsByBuild, Index, RowId};
use cache_query::host::{Host, LabelVerdicts, Verdict};

use crate::binaries::Provision;

/// The verdicts on all builds alone, for one machine.
#[derive(Clone, Debug)]
pub(super) struct OwnVerdicts {
    labels: LabelVerdicts,
    /// What is known of binaries, and the verdicts by it.
    binaries: Option<(Arc<FactsByBuild>, HashMap<Key, Verdict>)>,
}

/// What a verdict by a binary depends on: the configuration of its build, and what it demands.
type Key = (u32, u32);

impl OwnVerdicts {
    pub(super) fn new(
        index: &Index,
        host: &Host,
        binaries: Option<&Arc<FactsByBuild>>,
    ) -> OwnVerdicts {
        let labels = LabelVerdicts::new(index, host);
        let binaries = binaries.map(|binaries| {
            let provision = Provision::new(index, host);
            let mut verdicts: HashMap<Key, Option<Verdict>> = HashMap::new();
            for (build, &row) in (0..).map(BuildId).zip(index.row_by_build()) {
                let Some(key) = key(index, binaries, build) else { continue };
                verdicts.entry(key).or_insert_with(|| {
                    let row = RowId(row);
                    let demands = binaries.demands(build)?;
                    let verdict = provision.judge(index, row, demands, None)?;
                    Some(host.judge_target(index.text(row, Facet::Target)).and(verdict))
                });
            }
            let decided = verdicts.into_iter().filter_map(|(key, it)| Some((key, it?)));
            (Arc::clone(binaries), decided.collect())
        });
        OwnVerdicts { labels, binaries }
    }

    /// Returns the verdict on a build.
    pub(super) fn of(&self, index: &Index, build: BuildId) -> &Verdict {
        self.by_binary(index, build).unwrap_or_else(|| self.labels.of(index, index.row_of(build)))
    }

    /// Returns the verdict on a build if its binary decides it.
    pub(super) fn by_binary(&self, index: &Index, build: BuildId) -> Option<&Verdict> {
        let (binaries, verdicts) = self.binaries.as_ref()?;
        verdicts.get(&key(index, binaries, build)?)
    }
}

fn key(index: &Index, binaries: &FactsByBuild, build: BuildId) -> Option<Key> {
    let row = index.row_of(build);
    Some((index.columns().configuration[row.at()], binaries.demands_code(build)?))
}
