//! Which builds are new.
//!
//! A publication has a time, and a build has that of the publication in which it first appeared. A user asks for builds that
//! are new since a day, which is the form that a link can keep. The choices are the last publication, and the days a week
//! and a month before it. The days are named by their dates: the last week of a cache may be long ago.

use cache_index::index::Index;
use cache_query::Change;
use leptos::prelude::*;
use maud::{Markup, html};

use site::browser::published::days_before;
use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;
use site::memo::memo;
use site::view::frame::rail::value::Value;

/// How many days the choices go back from the last publication.
const DAYS: [u32; 2] = [7, 30];

/// Draws the choices with their numbers of builds; nothing in a cache without publications.
pub(crate) fn draw() -> AnyView {
    let explorer = Explorer::here();
    // Choosing one does not compute the choices again.
    let choices = memo(move || explorer.details().map(choices).unwrap_or_default());
    let write = move || {
        let asked = explorer.with_question(|question| question.since.clone());
        let mut lines = choices.get();
        let is_offered = |since: &String| lines.iter().any(|(offered, _)| offered == since);
        let other = asked.clone().filter(|since| !is_offered(since));
        lines.extend(other.map(|since| (since.clone(), since_day(&since))));
        html! {
            @if !lines.is_empty() {
                section.facet aria-labelledby="facet-seen" data-testid="seen" {
                    h2.plain-heading id="facet-seen" { "New" }
                    ul.values {
                        @for (at, (since, label)) in lines.iter().enumerate() {
                            @let included = asked.as_ref() == Some(since);
                            (value(explorer, at == 0, since, label, included))
                        }
                    }
                }
            }
        }
    };
    let act = move |action, _: &_| {
        if let Action::ToggleSince(since) = action {
            let asked = explorer.with_question(|question| question.since.clone());
            let is_asked = asked.as_ref() == Some(&since);
            explorer.go(Change::Since((!is_asked).then_some(since)));
        }
    };
    list("seen", "", NodeRef::new(), write, act)
}

/// Returns the choices: days, each with its label. A choice that finds the same builds as a shorter one is left out.
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

fn value(explorer: Explorer, is_stop: bool, since: &str, label: &str, included: bool) -> Markup {
    let value = Value {
        name: label,
        label: html! { span.cut { (label) } },
        count: explorer.builds_since(since),
        included,
        excluded: false,
        largest: None,
        action: Action::ToggleSince(since.to_owned()),
        is_stop,
        buttons: html! {},
    };
    value.write()
}

fn since_day(since: &str) -> String {
    format!("since {since}")
}
