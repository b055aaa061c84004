//! The column of the table of builds that says whether Spack would consider them for reuse on the person's machine.

use cache_advice::reuse::Outcome;
use cache_index::index::BuildId;
use cache_index::number::grouped;
use cache_index::sorting;
use maud::{Markup, html};

use crate::explorer::Explorer;
use crate::view::parts::verdict::{class, icon, runs};

/// Moves builds that Spack would consider to the start and the others to the end, once that is known.
pub(super) fn eligible_first(explorer: Explorer, list: &mut Vec<BuildId>) {
    if explorer.host().is_some() && explorer.knows_outcomes() {
        sorting::sort_by_key(list, |build| {
            runs(explorer.outcome(*build).and_then(Outcome::is_eligible))
        });
    }
}

/// Writes the verdict on a build, or on several that share a line of the table: an icon and a word, with the reason on
/// demand. `None` without a machine.
pub(super) fn write(explorer: Explorer, builds: &[BuildId]) -> Option<Markup> {
    let outcomes: Vec<Outcome> =
        builds.iter().filter_map(|&build| explorer.outcome(build)).collect();
    let (&first, &build) = (outcomes.first()?, builds.first()?);
    let is_final = |outcome: &Outcome| outcome.is_eligible() == Some(false);
    if !explorer.knows_outcomes() && !outcomes.iter().all(is_final) {
        return Some(html! { span.muted { "…" } });
    }
    let eligible = outcomes.iter().filter(|outcome| outcome.is_eligible() == Some(true)).count();
    let (verdict, word, reason) = if outcomes.iter().all(|outcome| *outcome == first) {
        (first.is_eligible(), first.word().to_owned(), explorer.reason(build).unwrap_or_default())
    } else if eligible > 0 {
        let word = format!("{} of {} eligible", grouped(eligible), grouped(outcomes.len()));
        (None, word, "expand the line to see which".to_owned())
    } else {
        let cannot_tell = outcomes.iter().find(|outcome| outcome.is_eligible().is_none());
        let outcome = *cannot_tell.unwrap_or(&first);
        let reason = "not for the same reason; expand the line to see each".to_owned();
        (outcome.is_eligible(), outcome.word().to_owned(), reason)
    };
    let verdict = runs(verdict);
    Some(html! {
        span class={ (class(verdict)) " brief" } {
            (icon(verdict).write())
            b { (word) }
            @if !reason.is_empty() { bdi.reason { (reason) } }
        }
    })
}
