//! The facet for the person's machine: how many builds run on it, do not run, or may run.

use cache_query::Change;
use cache_query::host::Runs;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::frame::rail::tick::tick;
use crate::view::parts::verdict::{class, word};

/// The facet, shown only while a machine is chosen.
#[component]
pub(crate) fn RunsHere() -> impl IntoView {
    let explorer = Explorer::here();
    let is_there = memo(move || explorer.host().is_some());
    view! {
        <Show when=move || is_there.get()>
            <section class="facet" aria-labelledby="facet-runs" data-testid="runs">
                <h2 id="facet-runs" class="plain-heading">"Runs here"</h2>
                <ul class="values">{Runs::ALL.map(|runs| draw(explorer, runs)).collect_view()}</ul>
            </section>
        </Show>
    }
}

fn draw(explorer: Explorer, runs: Runs) -> AnyView {
    let count = memo(move || explorer.answer().runs(runs));
    let is_asked = memo(move || explorer.with_question(|question| question.runs.contains(&runs)));
    let label = view! { <span class=class(runs)>{word(runs)}</span> }.into_any();
    let toggle = move || explorer.go(Change::ToggleRuns(runs));
    tick(runs == Runs::Yes, word(runs).to_owned(), label, is_asked, count, toggle)
}
