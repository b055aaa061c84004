//! How many builds of the answer Spack would consider for reuse on the person's machine, and how many each of its rules
//! shuts out.

use cache_advice::reuse::Outcome;
use cache_index::number::grouped;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::verdict::{class, runs};

/// Draws the counts by rule while a machine is chosen. All of this is in the rest of the app.
#[inline(never)]
pub(crate) fn draw_later() -> AnyView {
    let explorer = Explorer::here();
    let has_machine = memo(move || explorer.host().is_some());
    (move || has_machine.get().then(|| counts_by_rule(explorer))).into_any()
}

/// Draws the counts by rule, which are worked out while they are open.
fn counts_by_rule(explorer: Explorer) -> AnyView {
    let is_open = RwSignal::new(false);
    let toggle = move |_| {
        is_open.update(|is_open| *is_open = !*is_open);
        explorer.want_dependencies();
    };
    let counts = move || {
        let counts = is_open.get().then(|| explorer.reuse_counts()).flatten()?;
        // Without the dependencies, the counts would be others.
        Some(match explorer.knows_outcomes() {
            true => {
                view! { <ul class="values">{counts.into_iter().map(line).collect::<Vec<_>>()}</ul> }
                    .into_any()
            }
            false => view! { <p class="muted">"Loading…"</p> }.into_any(),
        })
    };
    view! {
        <section class="facet" data-testid="why-not">
            <h2 class="plain-heading">
                <button type="button" class="plain" aria-expanded=move || is_open.get().to_string() on:click=toggle>
                    "Would Spack reuse them?"
                </button>
            </h2>
            {counts}
        </section>
    }
    .into_any()
}

fn line((outcome, count): (Outcome, usize)) -> AnyView {
    let class = class(runs(outcome.is_eligible()));
    let text = match outcome.rule() {
        None => outcome.word().to_owned(),
        Some(rule) => format!("{}: {rule}", outcome.word()),
    };
    view! {
        <li class="tally">
            <span class="cut"><span class=class>{text}</span></span>
            <span class="count">{grouped(count)}</span>
        </li>
    }
    .into_any()
}
