//! The facet for the person's machine: how many builds run on it, do not run, or may run.

use cache_index::host::Runs;
use cache_index::number::grouped;
use cache_index::query::Change;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
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
                <ul class="values">{Runs::ALL.map(|runs| view! { <Value runs/> }).collect_view()}</ul>
            </section>
        </Show>
    }
}

#[component]
fn Value(
    /// The verdict.
    runs: Runs,
) -> impl IntoView {
    let explorer = Explorer::here();
    let count = memo(move || explorer.answer().runs(runs));
    let is_asked = memo(move || explorer.with_question(|question| question.runs.contains(&runs)));
    view! {
        <li
            class="value"
            class:included=move || is_asked.get()
            class:none=move || count.get() == 0
        >
            <label>
                <input
                    type="checkbox"
                    aria-label=word(runs)
                    // The arrow keys reach the others.
                    tabindex=if runs == Runs::Yes { 0 } else { -1 }
                    prop:checked=move || is_asked.get()
                    on:change=move |_| explorer.go(Change::ToggleRuns(runs))
                />
                <span class="cut"><span class=class(runs)>{word(runs)}</span></span>
                <span class="count">{move || grouped(count.get() as usize)}</span>
            </label>
        </li>
    }
}
