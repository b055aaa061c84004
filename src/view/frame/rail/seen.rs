//! Which builds are new.
//!
//! A publication has a time, and a build that of the publication in which it first appeared. A person asks for builds that
//! are new since a day, which is the form that a link can keep; what is offered are the last publication, and the days a
//! week and a month before it. They are named by their dates: the last week of a cache may be long ago.

use cache_index::index::Index;
use cache_query::Change;
use leptos::prelude::*;

use crate::browser::published::days_before;
use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::frame::rail::tick::tick;

/// How many days the choices go back from the last publication.
const DAYS: [u32; 2] = [7, 30];

/// Draws the choices with their numbers of builds; nothing in a cache without publications. All of this is in the rest of
/// the app.
#[inline(never)]
pub(crate) fn draw_later() -> AnyView {
    let explorer = Explorer::here();
    // Choosing one of them does not draw them again.
    let lines = memo(move || {
        let Some(index) = explorer.details() else { return Vec::new() };
        let mut lines = choices(index);
        let asked = explorer.with_question(|question| question.since.clone());
        let is_offered = |since: &String| lines.iter().any(|(offered, _)| offered == since);
        let other = asked.filter(|since| !is_offered(since));
        lines.extend(other.map(|since| (since.clone(), since_day(&since))));
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
fn choices(index: &Index) -> Vec<(String, String)> {
    let publications = index.publications();
    let Some(newest) = publications.first() else { return Vec::new() };
    let mut choices = vec![((*newest).to_owned(), "in the last publication".to_owned())];
    let mut found = 1;
    for since in DAYS.into_iter().filter_map(|days| days_before(newest, days)) {
        let finds = publications.iter().filter(|made| **made >= since.as_str()).count();
        if finds > found {
            found = finds;
            choices.push((since.clone(), since_day(&since)));
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
    let count = memo(move || explorer.builds_since(&counted));
    let toggle = move || {
        let since = (!is_asked.get_untracked()).then(|| since.clone());
        explorer.go(Change::Since(since));
    };
    tick(at == 0, label.clone(), label.into_any(), is_asked, count, toggle)
}

fn since_day(since: &str) -> String {
    format!("since {since}")
}
