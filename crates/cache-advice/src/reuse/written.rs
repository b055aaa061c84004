//! Outcomes and checklists as JSON and as text.

use cache_index::build::{Build, Hash};
use cache_query::Setup;
use serde_json::{Value, json};

use super::{Checklist, Outcome, Rule};

/// Returns a line of JSON, without a line end: `{"hash": …, "eligible": true, false or null, "rule": …}`.
pub fn line(hash: Hash, outcome: Outcome) -> String {
    let eligible = outcome.is_eligible().map_or("null".to_owned(), |is| is.to_string());
    let rule = outcome.rule().map_or("null".to_owned(), |rule| format!("\"{rule}\""));
    format!(r#"{{"hash": "{hash}", "eligible": {eligible}, "rule": {rule}}}"#)
}

impl Checklist {
    /// Returns the checklist of a build as an object: `{"hash", "spec", "eligible", "rule", "reason",
    /// "host", "libc_path", "spack", "checks": [{"rule", "status", "fact", "source", "change"}]}`.
    pub fn json(&self, build: &Build, setup: &Setup) -> Value {
        let checks = self.checks.iter().map(|check| {
            json!({
                "rule": check.rule.key(),
                "status": check.status.key(),
                "fact": check.fact,
                "source": check.source,
                "change": check.change,
            })
        });
        json!({
            "hash": build.hash.to_string(),
            "spec": build.long_spec(),
            "eligible": self.outcome.is_eligible(),
            "rule": self.outcome.rule().map(Rule::key),
            "reason": self.decides().map(|check| &check.fact),
            "host": setup.host.to_string(),
            "libc_path": setup.libc_path,
            "spack": setup.spack.to_string(),
            "checks": checks.collect::<Vec<_>>(),
        })
    }
}
