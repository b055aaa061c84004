//! Nothing matches: which filter is the cause, and how to remove it.

use cache_index::facet::Facet;
use cache_index::query::{Change, apply, run};
use cache_index::search::Typed;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::number::counted;
use crate::view::parts::verdict::word;

/// Names the filters without which builds would match, and offers to remove them.
#[component]
pub(crate) fn Empty() -> impl IntoView {
    let explorer = Explorer::here();
    let ways_out = memo(move || ways_out(explorer));
    let offers = move || {
        let offers = ways_out.get();
        offers
            .into_iter()
            .map(|(words, builds, change)| {
                let builds = counted(builds as usize, "build", "builds");
                view! {
                    <li>
                        <button
                            type="button"
                            class="button"
                            on:click=move |_| explorer.go(change.clone())
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

/// For each filter that alone leaves nothing: its words, how many builds there are without it, and
/// the change that drops it.
fn ways_out(explorer: Explorer) -> Vec<(String, u32, Change)> {
    let query = explorer.query();
    let mut drops = Vec::new();
    let text = query.question.text.trim();
    if !text.is_empty() {
        drops.push((format!("search {text}"), Change::Type(Typed::words(""))));
    }
    if !query.question.asked_runs().is_empty() {
        let words: Vec<&str> = query.question.asked_runs().iter().map(|runs| word(*runs)).collect();
        drops.push((format!("runs here {}", words.join(", ")), Change::ClearRuns));
    }
    for facet in Facet::ALL {
        let choice = query.question.choice(facet);
        if choice.is_empty() {
            continue;
        }
        let included = choice.included().iter().cloned();
        let excluded = choice.excluded().iter().map(|value| format!("not {value}"));
        let values: Vec<String> = included.chain(excluded).collect();
        let words = format!("{} {}", facet.label(), values.join(", "));
        drops.push((words, Change::ClearFacet(facet)));
    }
    drops
        .into_iter()
        .map(|(words, change)| {
            let builds = run(explorer.index, &apply(&query, change.clone()).question).builds;
            (words, builds, change)
        })
        .filter(|(_, builds, _)| *builds > 0)
        .collect()
}
