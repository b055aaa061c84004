//! The number of builds that work on the user's machine, and the reasons why the others do not.

use cache_advice::fit::Fit;
use cache_advice::reuse::Rule;
use cache_index::number::grouped;
use leptos::prelude::*;
use maud::{Markup, html};

use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;

use crate::data::fits;
use crate::parts::verdict::class;

/// Draws the counts by reason while a machine is chosen, which are worked out while they are open.
pub(crate) fn draw() -> AnyView {
    let explorer = Explorer::here();
    let is_open = RwSignal::new(false);
    let write = move || {
        html! {
            @if explorer.host().is_some() {
                section.facet data-testid="why-not" {
                    h2.plain-heading {
                        button.plain type="button" aria-expanded=(is_open.get()) data-do=(Action::Unfold) {
                            "Why not?"
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
        }
    };
    list("why-not", "", NodeRef::new(), write, act)
}

/// Writes the counts. Without the dependencies, they would be others.
fn counts(explorer: Explorer) -> Markup {
    match fits::counts(explorer) {
        Some(counts) => html! {
            ul.values { @for (fit, rule, count) in counts { (line(fit, rule, count)) } }
        },
        None => html! { p.muted { "Loading…" } },
    }
}

fn line(fit: Fit, rule: Option<Rule>, count: usize) -> Markup {
    html! {
        li.tally {
            span.cut {
                span class=(class(fit.works)) { (fit.word()) @if let Some(rule) = rule { ": " (rule) } }
            }
            span.count { (grouped(count)) }
        }
    }
}
