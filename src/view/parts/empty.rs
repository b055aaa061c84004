//! Shown if nothing matches: which filter is the cause, and how to remove it.

use cache_index::number::counted;
use cache_index::query::{Cause, Change, Question, WayOut, ways_out};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::verdict::word;

/// Names the filters without which builds would match, and offers to remove them.
#[component]
pub(crate) fn Empty() -> impl IntoView {
    let explorer = Explorer::here();
    let ways_out = memo(move || ways_out(explorer.index, &explorer.query().question));
    let offers = move || {
        let offers = ways_out.get();
        offers
            .into_iter()
            .map(|WayOut { cause, builds }| {
                let words = explorer.with_question(|question| words(question, cause));
                let builds = counted(builds as usize, "build", "builds");
                view! {
                    <li>
                        <button
                            type="button"
                            class="button"
                            on:click=move |_| explorer.go(cause.removal())
                        >
                            "Remove " <bdi>{words}</bdi>
                        </button>
                        <span class="muted">{builds}</span>
                    </li>
                }
            })
            .collect_view()
    };
    view! {
        <section class="empty" data-testid="empty">
            <h2>"No build matches"</h2>
            {move || match ways_out.with(Vec::is_empty) {
                true => "No single filter is the cause: only together do they exclude every build.",
                false => "Remove one filter:",
            }}
            <ul>{offers}</ul>
            <button type="button" class="button" on:click=move |_| explorer.go(Change::ClearAll)>
                "Clear all filters"
            </button>
        </section>
    }
}

/// Describes a filter.
fn words(question: &Question, cause: Cause) -> String {
    match cause {
        Cause::Text => format!("search {}", question.text.trim()),
        Cause::Runs => {
            let verdicts: Vec<&str> =
                question.asked_runs().iter().map(|runs| word(*runs)).collect();
            format!("runs here {}", verdicts.join(", "))
        }
        Cause::Facet(facet) => {
            let choice = question.choice(facet);
            let included = choice.included().iter().cloned();
            let excluded = choice.excluded().iter().map(|value| format!("not {value}"));
            let values: Vec<String> = included.chain(excluded).collect();
            format!("{} {}", facet.label(), values.join(", "))
        }
    }
}
