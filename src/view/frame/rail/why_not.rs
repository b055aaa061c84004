//! How many builds of the answer Spack would consider for reuse on the user's machine, and how many each of its rules
//! shuts out.

use cache_advice::reuse::Outcome;
use cache_index::number::grouped;
use leptos::prelude::*;
use maud::{Markup, html};

use crate::explorer::Explorer;
use crate::html::action::Action;
use crate::html::list::list;
use crate::view::parts::verdict::{class, runs};

/// Draws the counts by rule while a machine is chosen, which are worked out while they are open. All of this is in the rest
/// of the app.
#[inline(never)]
pub(crate) fn draw_later() -> AnyView {
    let explorer = Explorer::here();
    let is_open = RwSignal::new(false);
    let write = move || {
        html! {
            @if explorer.host().is_some() {
                section.facet data-testid="why-not" {
                    h2.plain-heading {
                        button.plain type="button" aria-expanded=(is_open.get()) data-do=(Action::Unfold) {
                            "Would Spack reuse them?"
                        }
                    }
                    @if is_open.get() { (counts(explorer)) }
                }
            }
        }
    };
    let act = move |action, _: &_| {
        if action == Action::Unfold {
            is_open.update(|is_open| *is_open = !*is_open);
            explorer.want_dependencies();
        }
    };
    list("why-not", "", NodeRef::new(), write, act)
}

/// Writes the counts. Without the dependencies, they would be others.
fn counts(explorer: Explorer) -> Markup {
    match explorer.reuse_counts() {
        Some(counts) if explorer.knows_outcomes() => html! {
            ul.values { @for (outcome, count) in counts { (line(outcome, count)) } }
        },
        Some(_) => html! { p.muted { "Loading…" } },
        None => html! {},
    }
}

fn line(outcome: Outcome, count: usize) -> Markup {
    let word = outcome.word();
    html! {
        li.tally {
            span.cut {
                span class=(class(runs(outcome.is_eligible()))) {
                    (word)
                    @if let Some(rule) = outcome.rule() { ": " (rule) }
                }
            }
            span.count { (grouped(count)) }
        }
    }
}
