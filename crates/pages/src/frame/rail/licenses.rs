//! The licences of packages, as their recipes name them. Recipes are read when the list is opened, so users who do not open
//! it pay nothing.

use cache_advice::recipes::Licenses;
use cache_index::number::grouped;
use cache_query::{Change, PartFilter};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::data::recipes;
use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;
use site::memo::memo;
use site::view::frame::rail::value::Value;

/// How many licences are shown at first, besides those that are chosen.
const SHORT: usize = 8;

/// Draws the licences with their numbers of builds; nothing if the cache was published without recipes.
pub(crate) fn draw() -> AnyView {
    let explorer = Explorer::here();
    let unfolded = RwSignal::new(None);
    let all = RwSignal::new(false);
    let chosen = memo(move || explorer.with_question(|question| names(&question.part_filters)));
    let is_open = memo(move || unfolded.get().unwrap_or(!chosen.read().is_empty()));
    let licenses = memo(move || is_open.get().then(|| recipes::licenses(explorer)).flatten());
    let write = move || {
        html! {
            @if explorer.has_recipes() {
                section.facet aria-labelledby="facet-license" data-testid="license" {
                    h2 {
                        button type="button" data-do=(Action::Unfold) aria-expanded=(is_open.get()) aria-controls="values-license" {
                            span id="facet-license" { "Licence" }
                        }
                    }
                    @if is_open.get() {
                        @match &*licenses.read() {
                            None => p.muted { "Loading…" },
                            Some(Err(problem)) => p.muted { "The recipes cannot be read: " (problem) },
                            Some(Ok(licenses)) => (values(explorer, licenses, &chosen.read(), all.get())),
                        }
                    }
                }
            }
        }
    };
    let act = move |action, _: &_| match action {
        Action::Unfold => unfolded.set(Some(!is_open.get_untracked())),
        Action::Expand => all.update(|all| *all = !*all),
        Action::TogglePart(filter) => explorer.go(Change::TogglePart(filter)),
        _ => {}
    };
    list("licenses", "", NodeRef::new(), write, act)
}

/// Returns the licences that are chosen.
fn names(filters: &[PartFilter]) -> Vec<String> {
    let name = |filter: &PartFilter| match filter {
        PartFilter::License(name) => Some(name.clone()),
        PartFilter::File(_) | PartFilter::Signed(_) => None,
    };
    filters.iter().filter_map(name).collect()
}

/// Writes the licences: those with the most builds first, as if none were chosen.
fn values(explorer: Explorer, licenses: &Licenses, chosen: &[String], all: bool) -> Markup {
    let answer = explorer.answer_but_for_licenses();
    let mut values: Vec<(&str, u32)> = licenses
        .iter()
        .map(|(name, packages)| (name, packages.iter().map(|&one| answer.matching(one)).sum()))
        .collect();
    for name in chosen {
        if licenses.packages(name).is_empty() {
            values.push((name, 0));
        }
    }
    let is_chosen = |name: &str| chosen.iter().any(|one| one == name);
    values.retain(|(name, count)| *count > 0 || is_chosen(name));
    values.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
    let is_shown = |at: usize, name: &str| all || at < SHORT || is_chosen(name);
    let shown: Vec<&(&str, u32)> = values
        .iter()
        .enumerate()
        .filter(|(at, (name, _))| is_shown(*at, name))
        .map(|(_, value)| value)
        .collect();
    html! {
        @if values.is_empty() { p.muted { "No recipe of these packages names a licence." } }
        ul.values id="values-license" {
            @for (at, (name, count)) in shown.iter().enumerate() {
                (value(at == 0, name, *count, is_chosen(name)))
            }
        }
        @if values.len() > SHORT {
            button.plain.more type="button" data-do=(Action::Expand) {
                @if all { "Show fewer" } @else { "Show all " (grouped(values.len())) }
            }
        }
    }
}

fn value(is_stop: bool, name: &str, count: u32, included: bool) -> Markup {
    let value = Value {
        name,
        label: html! { span.cut { bdi { (name) } } },
        count,
        included,
        excluded: false,
        largest: None,
        action: Action::TogglePart(PartFilter::License(name.to_owned())),
        is_stop,
        buttons: html! {},
    };
    value.write()
}
