//! The verdict on a build for the user's machine: an icon, a word and the reason.

use cache_advice::fit::Fit;
use cache_advice::reuse::{Blocker, RuleStatus};
use cache_index::facet::Facet;
use cache_index::index::BuildId;
use cache_index::number::{counted, grouped};
use cache_query::host::Runs;
use cache_query::{Change, apply};
use leptos::prelude::*;
use maud::{Markup, html};

use site::browser::history;
use site::explorer::Explorer;
use site::view::parts::icon::Icon;

use crate::browser::facts;
use crate::data::fits::{self, OfReason};

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

/// Returns which of the user's settings the verdicts do not consider: a sentence for each, without a full stop.
pub(crate) fn notes(explorer: Explorer) -> Vec<String> {
    let Some(setup) = explorer.with_question(|question| question.setup()) else {
        return Vec::new();
    };
    let tree = setup.settings.install_tree.as_ref().filter(|_| !facts::are_there());
    let tree = tree.map(|_| {
        "the install tree is not considered, because this cache does not say what is in its binaries"
            .to_owned()
    });
    setup.settings.notes().into_iter().chain(tree).collect()
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

/// Draws the verdict on a build, as [`write()`] writes it.
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

/// Draws an icon, words and an explanation.
pub(crate) fn draw_words(runs: Runs, words: &str, reason: &str) -> AnyView {
    let inner = html! { (icon(runs).write()) b { (words) ": " } bdi { (reason) } };
    view! { <span class=class(runs) title=reason.to_owned() inner_html=inner.into_string()></span> }
        .into_any()
}

/// How many of the things that keep builds from being reused are named.
const MOST_BLOCKERS: usize = 3;
/// How many of the packages whose builds do not work for one reason are listed.
const MOST_PACKAGES: usize = 20;

/// Writes how many builds there are by verdict and reason, with their packages, including builds that are filtered out by
/// their verdict. Without the dependencies, the numbers would be wrong.
pub(crate) fn counts(explorer: Explorer) -> Markup {
    let Some(counts) = fits::counts(explorer) else { return html! { p.muted { "Loading…" } } };
    html! {
        ul.values {
            @for of_reason in counts.by_reason {
                li {
                    @if of_reason.fit.works == Runs::Yes {
                        div.tally { (tally(&of_reason)) }
                    } @else {
                        details {
                            summary.tally { (tally(&of_reason)) }
                            (packages(explorer, &of_reason))
                        }
                    }
                }
                @if fits::is_blocked(of_reason.fit, of_reason.rule) { (blockers(explorer, &counts.by_blocker)) }
            }
        }
        p.muted {
            "By the first step that fails: a build must run before Spack’s other rules count. "
            code { "why --summary" } " counts in Spack’s order."
        }
    }
}

fn tally(of_reason: &OfReason) -> Markup {
    let OfReason { fit, rule, count, .. } = of_reason;
    html! {
        span class=(class(fit.works)) { (fit.word()) @if let Some(rule) = rule { ": " (rule) } }
        " "
        span.count { (grouped(*count)) }
    }
}

/// Writes the packages of builds that do not work for one reason. Each is a link to its builds with this verdict, which have
/// the complete reason.
fn packages(explorer: Explorer, of_reason: &OfReason) -> Markup {
    let OfReason { fit, packages, .. } = of_reason;
    let address = |package: &str| {
        explorer.with_query(|query| {
            let mut query = query.clone();
            query.question.runs = vec![fit.works];
            history::address(&apply(&query, Change::OpenPackage(package.to_owned())))
        })
    };
    let others = packages.len().saturating_sub(MOST_PACKAGES);
    html! {
        ul {
            @for &(package, count) in packages.iter().take(MOST_PACKAGES) {
                @let name = explorer.index.dictionary(Facet::Package).text(package);
                li.tally.part {
                    a href=(address(name)) { bdi { (name) } }
                    span.count { (grouped(count)) }
                }
            }
            @if others > 0 { li.part.muted { "and " (counted(others, "more package", "more packages")) } }
        }
    }
}

/// Writes the dependencies that keep the most builds from being reused, each with a link to its page.
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
            li.tally.part {
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
            li.tally.part { span { "needs something else" } span.count { (grouped(others)) } }
        }
    }
}
