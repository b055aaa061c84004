//! The verdict on a build for the user's machine: an icon, a word and the reason.

use cache_advice::fit::Fit;
use cache_advice::reuse::{Blocker, RuleStatus};
use cache_index::index::BuildId;
use cache_index::number::grouped;
use cache_query::Change;
use cache_query::host::Runs;
use leptos::prelude::*;
use maud::{Markup, html};

use site::explorer::Explorer;
use site::view::parts::icon::Icon;

use crate::data::fits;

/// Returns the class that colours a verdict.
pub(crate) fn class(runs: Runs) -> &'static str {
    match runs {
        Runs::Yes => "runs yes",
        Runs::No => "runs no",
        Runs::Unknown => "runs unknown",
    }
}

/// Returns the verdict of an answer that may not be known.
pub(crate) fn runs(answer: Option<bool>) -> Runs {
    match answer {
        Some(true) => Runs::Yes,
        Some(false) => Runs::No,
        None => Runs::Unknown,
    }
}

/// Returns the verdict of a rule.
pub(crate) fn of_rule(status: RuleStatus) -> Runs {
    match status {
        RuleStatus::Passed => Runs::Yes,
        RuleStatus::Failed => Runs::No,
        RuleStatus::Unknown => Runs::Unknown,
    }
}

/// Returns the icon of a verdict.
pub(crate) fn icon(runs: Runs) -> Icon {
    match runs {
        Runs::Yes => Icon::Done,
        Runs::No => Icon::Cross,
        Runs::Unknown => Icon::Question,
    }
}

/// Returns what the verdicts leave out of the settings that a user stated, a sentence for each without a full stop.
pub(crate) fn notes(explorer: Explorer) -> Vec<String> {
    let stated = explorer.with_question(|question| question.setup());
    stated.map_or(Vec::new(), |setup| setup.settings.notes())
}

/// Writes the verdict on a build; nothing without a machine. The word alone is enough; colour and icon only help.
pub(crate) fn write(explorer: Explorer, build: BuildId) -> Markup {
    html! {
        @match fits::of(explorer, build) {
            Some((fit, reason)) => {
                span class=(class(fit.works)) title=(reason) { (with_reason(fit, &reason)) }
            }
            None if fits::are_awaited(explorer) => { span.muted { "…" } }
            None => {}
        }
    }
}

/// Draws the same.
pub(crate) fn draw(explorer: Explorer, build: BuildId) -> AnyView {
    view! { <span inner_html=move || write(explorer, build).into_string()></span> }.into_any()
}

fn with_reason(fit: Fit, reason: &str) -> Markup {
    html! {
        (icon(fit.works).write())
        b { (fit.word()) @if !reason.is_empty() { ": " } }
        bdi { (reason) }
    }
}

/// Writes an icon, words and an explanation.
pub(crate) fn draw_words(runs: Runs, words: &str, reason: &str) -> AnyView {
    let inner = html! { (icon(runs).write()) b { (words) ": " } bdi { (reason) } };
    view! { <span class=class(runs) title=reason.to_owned() inner_html=inner.into_string()></span> }
        .into_any()
}

/// How many of the things that keep builds from being reused are named.
const MOST_BLOCKERS: usize = 3;

/// Writes how many builds there are by verdict and reason, whichever of them are shown. Without the dependencies, they would be
/// others.
pub(crate) fn counts(explorer: Explorer) -> Markup {
    let Some(counts) = fits::counts(explorer) else { return html! { p.muted { "Loading…" } } };
    html! {
        ul.values {
            @for (fit, rule, count) in counts.by_reason {
                li.tally {
                    span class=(class(fit.works)) { (fit.word()) @if let Some(rule) = rule { ": " (rule) } }
                    span.count { (grouped(count)) }
                }
                @if fits::is_blocked(fit, rule) { (blockers(explorer, &counts.by_blocker)) }
            }
        }
    }
}

/// Writes what keeps most builds from being reused that need it, with its own page.
fn blockers(explorer: Explorer, by_blocker: &[(String, Blocker<'static>, usize)]) -> Markup {
    let address = |blocker: Blocker<'static>| match blocker {
        Blocker::Build(build) => {
            Some(explorer.address_after(Change::OpenBuild(explorer.index.hash(build)?)))
        }
        Blocker::Missing(_) => None,
    };
    let others: usize = by_blocker.iter().skip(MOST_BLOCKERS).map(|(.., count)| count).sum();
    html! {
        @for (name, blocker, count) in by_blocker.iter().take(MOST_BLOCKERS) {
            li.tally.blocker {
                span {
                    "needs "
                    @match address(*blocker) {
                        Some(address) => a href=(address) { bdi { (name) } },
                        None => bdi { (name) },
                    }
                }
                span.count { (grouped(*count)) }
            }
        }
        @if others > 0 {
            li.tally.blocker { span { "needs something else" } span.count { (grouped(others)) } }
        }
    }
}
