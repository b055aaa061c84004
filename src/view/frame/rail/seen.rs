//! Which builds are new.
//!
//! A publication has a time, and a build that of the publication in which it first appeared. A person asks for builds that
//! are new since a day, which is the form that a link can keep; what is offered are the last publication, the last week
//! and the last month.

use cache_index::number::grouped;
use cache_index::query::Change;
use leptos::prelude::*;

use crate::browser::published::days_before;
use crate::explorer::Explorer;
use crate::memo::memo;

/// How many days a choice goes back from the last publication, and what it is called.
const CHOICES: [(u32, &str); 3] =
    [(0, "in the last publication"), (7, "in the last 7 days"), (30, "in the last 30 days")];

/// Draws the choices with their numbers of builds; nothing in a cache without publications. All of this is in the rest of
/// the app.
#[inline(never)]
pub(crate) fn draw_later() -> AnyView {
    let explorer = Explorer::here();
    // Choosing one of them does not draw them again.
    let lines = memo(move || {
        explorer.arrived();
        let mut lines = choices(explorer);
        let asked = explorer.with_question(|question| question.since.clone());
        let is_offered = |since: &String| lines.iter().any(|(offered, _)| offered == since);
        let other = asked.filter(|since| !is_offered(since));
        lines.extend(other.map(|since| (since.clone(), format!("since {since}"))));
        lines
    });
    let seen = move || {
        let lines = lines.get();
        (!lines.is_empty()).then(|| {
            view! {
                <section class="facet" aria-labelledby="facet-seen" data-testid="seen">
                    <h2 id="facet-seen" class="plain-heading">"New"</h2>
                    <ul class="values">
                        {lines.into_iter().enumerate().map(|(at, line)| draw(explorer, at, line)).collect_view()}
                    </ul>
                </section>
            }
        })
    };
    seen.into_any()
}

/// Returns what is offered: days, each with its label. A choice that finds what a shorter one finds is left out.
fn choices(explorer: Explorer) -> Vec<(String, String)> {
    let publications = explorer.index.publications();
    let Some(newest) = publications.first() else { return Vec::new() };
    let mut choices: Vec<(String, String)> = Vec::new();
    let mut found = 0;
    for (days, label) in CHOICES {
        let since = match days {
            0 => Some((*newest).to_owned()),
            days => days_before(newest, days),
        };
        let Some(since) = since else { continue };
        let finds = publications.iter().filter(|made| **made >= since.as_str()).count();
        if finds > found {
            found = finds;
            choices.push((since, label.to_owned()));
        }
    }
    choices
}

fn draw(explorer: Explorer, at: usize, (since, label): (String, String)) -> AnyView {
    let asked = since.clone();
    let is_asked = memo(move || {
        explorer.with_question(|question| question.since.as_deref() == Some(asked.as_str()))
    });
    let counted = since.clone();
    let count = memo(move || {
        explorer.arrived();
        explorer.builds_since(&counted)
    });
    let toggle = move |_| {
        let since = (!is_asked.get_untracked()).then(|| since.clone());
        explorer.go(Change::Since(since));
    };
    let name = label.clone();
    view! {
        <li
            class="value"
            class:included=move || is_asked.get()
            class:none=move || count.get() == 0
        >
            <label>
                <input
                    type="checkbox"
                    aria-label=name
                    // The arrow keys reach the others.
                    tabindex=if at == 0 { 0 } else { -1 }
                    prop:checked=move || is_asked.get()
                    on:change=toggle
                />
                <span class="cut">{label}</span>
                <span class="count">{move || grouped(count.get() as usize)}</span>
            </label>
        </li>
    }
    .into_any()
}
