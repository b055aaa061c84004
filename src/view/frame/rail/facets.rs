//! The facets: their values with counts, to include, exclude or show alone.
//!
//! A rail has dozens of values with three controls each, so a facet is one stop for the Tab key: its heading. The arrow
//! keys move inside it (`src/browser/focus.rs`). All of them are one [list].

use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::number::{counted, grouped};
use cache_query::{
    Answer, Change, Choice, Match, Question, facets_to_filter, search_values, values_in_order,
};
use leptos::prelude::*;
use maud::{Markup, html};
use web_sys::{Element, Event};

use crate::explorer::Explorer;
use crate::html::action::Action;
use crate::html::list::list;
use crate::memo::memo;
use crate::view::frame::rail::value::Value;
use crate::view::parts::cut::cut;

/// A list with at most this many values is always shown completely.
const SHORT: usize = 10;
/// How many values of a longer list are shown at first.
const FIRST: usize = 8;
/// The height of a value in CSS pixels, as in the styles.
const HEIGHT: usize = 26;
/// How many values of an expanded list are in the page; about seventeen of them are visible. A facet may have fifty
/// thousand.
const WINDOW: usize = 32;
/// By how many values the list must be scrolled before others take their place.
const STEP: usize = 4;

/// What a user has done with the list of a facet.
#[derive(Clone, Debug, Default)]
struct List {
    /// Opened or closed; if neither, the facet decides.
    is_open: Option<bool>,
    /// All values are shown, not only the first.
    all: bool,
    /// The text that is searched for among all values.
    search: String,
    /// The first value of the window.
    first: usize,
}

impl List {
    /// Returns `true` if the values of a facet are shown.
    fn is_open(&self, facet: Facet, chosen: &Choice) -> bool {
        self.is_open.unwrap_or(facet.opens() || !chosen.is_empty())
    }
}

/// The facets in which builds differ.
#[component]
pub(crate) fn Facets() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let lists = RwSignal::new(Facet::ALL.map(|_| List::default()));
    let change = move |facet: Facet, change: &dyn Fn(&mut List)| {
        lists.update(|lists| change(&mut lists[facet.at()]));
    };
    let shown = memo(move || {
        let baseline = explorer.baseline();
        let facets = explorer.with_question(|asked| facets_to_filter(index, asked, &baseline));
        let values = |facet| (facet, values_in_order(index, &baseline, facet));
        facets.into_iter().map(values).collect::<Vec<_>>()
    });
    let write = move || {
        let answer = explorer.answer();
        // The buttons of a value appear under the mouse or the focus. They are a third of the elements here, and nobody sees
        // them in the first answer.
        let has_buttons = explorer.has_rest();
        let facet = |(facet, values): &(Facet, Vec<ValueCode>)| {
            lists.with(|lists| {
                explorer.with_question(|question| {
                    let (chosen, list) = (question.choice(*facet), &lists[facet.at()]);
                    FacetList {
                        facet: *facet,
                        index,
                        answer: &answer,
                        chosen,
                        list,
                        values,
                        has_buttons,
                    }
                    .write()
                })
            })
        };
        shown.with(|shown| html! { @for one in shown { (facet(one)) } })
    };

    let act = move |action, event: &Event| match action {
        Action::UnfoldFacet(facet) => change(facet, &|list| {
            let choice = |question: &Question| list.is_open(facet, question.choice(facet));
            list.is_open = Some(!untrack(|| explorer.with_question(choice)));
        }),
        Action::ShowAll(facet) => change(facet, &|list| {
            *list = List { is_open: list.is_open, all: !list.all, ..List::default() };
        }),
        Action::Search(facet) => {
            let search = event_target_value(event);
            change(facet, &|list| {
                *list = List { search: search.clone(), first: 0, ..list.clone() }
            });
        }
        Action::Scroll(facet) => {
            let top = event_target::<Element>(event).scroll_top() as usize / HEIGHT;
            let first = top.saturating_sub(STEP) / STEP * STEP;
            if lists.with_untracked(|lists| lists[facet.at()].first != first) {
                change(facet, &|list| list.first = first);
            }
        }
        Action::Match(facet, matching) => explorer.go(Change::Match(facet, matching)),
        Action::Toggle(facet, value) => explorer.go(Change::Toggle(facet, value)),
        Action::Only(facet, value) => explorer.go(Change::Only(facet, value)),
        Action::Exclude(facet, value) => explorer.go(Change::ToggleExcluded(facet, value)),
        _ => {}
    };
    list("facets", "", NodeRef::new(), write, act)
}

/// What a facet shows.
struct FacetList<'a> {
    facet: Facet,
    index: &'static Index,
    answer: &'a Answer,
    /// The choice in the facet.
    chosen: &'a Choice,
    list: &'a List,
    /// All values that any build has, in order.
    values: &'a [ValueCode],
    /// Values have buttons.
    has_buttons: bool,
}

impl FacetList<'_> {
    /// Writes the facet.
    fn write(&self) -> Markup {
        let FacetList { facet, list, chosen, .. } = *self;
        let key = facet.key();
        let heading = format!("facet-{key}");
        let id = format!("values-{key}");
        let values = self.choices();
        let is_open = list.is_open(facet, chosen);
        html! {
            section.facet aria-labelledby=(heading) data-testid=(key) data-key=(key) {
                h2 {
                    button type="button" data-do=(Action::UnfoldFacet(facet)) aria-expanded=(is_open) aria-controls=(id) {
                        span id=(heading) { (facet.label()) }
                        " "
                        span.muted {
                            @if !is_open { (counted(values.len(), "value", "values")) }
                        }
                    }
                }
                @if is_open {
                    @if facet.is_multi_valued() { (self.matching()) }
                    @if list.all {
                        input.facet-search
                            type="search"
                            data-do=(Action::Search(facet))
                            aria-label=(format!("Search in {}", facet.label()))
                            placeholder="Search in this list";
                    }
                    (self.rows(&id, &values))
                    @if values.len() > SHORT {
                        button.plain.more type="button" tabindex="-1" data-do=(Action::ShowAll(facet)) {
                            @if list.all { "Show fewer" } @else { "Show all " (grouped(values.len())) }
                        }
                    }
                }
            }
        }
    }

    /// Writes the switch between any and all of the chosen values.
    fn matching(&self) -> Markup {
        let choice = |matching: Match, words: &str| {
            html! {
                button
                    type="button"
                    tabindex="-1"
                    data-do=(Action::Match(self.facet, matching))
                    aria-pressed=(self.chosen.matching() == matching)
                    { (words) }
            }
        };
        html! {
            div.matching role="group" aria-label=(format!("Match {}", self.facet.label())) {
                (choice(Match::Any, "any of"))
                (choice(Match::All, "all of"))
            }
        }
    }

    /// Writes the values; only those near the visible ones are in the page.
    fn rows(&self, id: &str, values: &[ValueCode]) -> Markup {
        let List { all, first, .. } = *self.list;
        let rows = self.listed(values);
        let largest = values.iter().map(|&code| self.count(code)).max().unwrap_or(0).max(1);
        let below = rows.len().saturating_sub(first + WINDOW);
        let style = format!("--above:{}px;--below:{}px", first * HEIGHT, below * HEIGHT);
        html! {
            ul.values.all[all] id=(id) data-do=[all.then_some(Action::Scroll(self.facet))] data-style=[all.then_some(style)] {
                @for row in rows.into_iter().skip(first).take(WINDOW) {
                    (self.row(row, largest))
                }
            }
        }
    }

    /// Writes a value.
    fn row(&self, row: Row<'_>, largest: u32) -> Markup {
        let (value, count) = match row {
            Row::Value(code) => (self.index.dictionary(self.facet).text(code), self.count(code)),
            Row::Unknown(value) => (value, 0),
        };
        let excluded = self.chosen.excludes(value);
        let button = |action: Action, words: &str, label: String, pressed: Option<bool>| {
            html! {
                button
                    type="button"
                    tabindex="-1"
                    data-do=(action)
                    aria-label=(label)
                    aria-pressed=[pressed]
                    { (words) }
            }
        };
        let buttons = html! {
            @if self.has_buttons {
                @let (only, not) = (value.to_owned(), value.to_owned());
                span.value-actions {
                    (button(Action::Only(self.facet, only), "only", format!("Only {value}"), None))
                    (button(Action::Exclude(self.facet, not), "not", format!("Not {value}"), Some(excluded)))
                }
            }
        };
        let value = Value {
            name: value,
            label: match (self.facet, value) {
                (Facet::Stack, Place::WHOLE_RELEASE) => {
                    html! { bdi.cut title="The whole release: everything in its other stacks" { (value) } }
                }
                _ => cut(value),
            },
            count,
            included: self.chosen.includes(value),
            excluded,
            largest: Some(largest),
            action: Action::Toggle(self.facet, value.to_owned()),
            is_stop: false,
            buttons,
        };
        value.write()
    }

    fn count(&self, code: ValueCode) -> u32 {
        self.answer.count(self.facet, code)
    }

    /// Returns the values that can be chosen.
    fn choices(&self) -> Vec<ValueCode> {
        let mut values = self.values.to_vec();
        // If a build must have all of the chosen values, values that would leave no build are not offered.
        if self.chosen.matching() == Match::All {
            let dictionary = self.index.dictionary(self.facet);
            values.retain(|&code| {
                let text = dictionary.text(code);
                self.count(code) > 0 || self.chosen.includes(text) || self.chosen.excludes(text)
            });
        }
        values
    }

    /// Returns the values that are listed: chosen values that this cache does not have, and all others that match the
    /// search. Of a long list, these are only the first ones, and the chosen values, each where it belongs.
    fn listed(&self, values: &[ValueCode]) -> Vec<Row<'_>> {
        let dictionary = self.index.dictionary(self.facet);
        let (included, excluded) = (self.chosen.included(), self.chosen.excluded());
        let only_excluded = excluded.iter().filter(|value| !self.chosen.includes(value));
        let chosen = included.iter().chain(only_excluded);
        let chosen: Vec<_> = chosen.map(|value| (value, dictionary.code(value))).collect();
        let unknown = chosen.iter().filter(|(_, code)| code.is_none());
        let mut rows: Vec<Row> = unknown.map(|(value, _)| Row::Unknown(value)).collect();
        let found = search_values(self.index, values, self.facet, &self.list.search).into_iter();
        if self.list.all || values.len() <= SHORT {
            rows.extend(found.map(Row::Value));
        } else {
            let is_chosen = |code| chosen.iter().any(|(_, chosen)| *chosen == Some(code));
            let mut room = FIRST;
            rows.extend(found.filter_map(|code| {
                let fits = room > 0 && self.count(code) > 0;
                room -= usize::from(fits);
                (fits || is_chosen(code)).then_some(Row::Value(code))
            }));
        }
        rows
    }
}

/// A row of the list.
#[derive(Clone, Copy)]
enum Row<'a> {
    Value(ValueCode),
    /// A chosen value that this cache does not have.
    Unknown(&'a str),
}

#[cfg(test)]
mod tests {
    use cache_query::address;
    use cache_query::run;

    use super::*;

    /// Writes a facet of the built-in cache.
    fn write(facet: Facet, query: &str, list: List) -> String {
        let index = Index::from_json(include_str!(concat!(env!("OUT_DIR"), "/index.json")));
        let index: &'static Index = Box::leak(Box::new(index.expect("an index")));
        let question = address::decode(query).0.question;
        let answer = run(index, &question);
        let values = values_in_order(index, &run(index, &address::decode("").0.question), facet);
        let chosen = question.choice(facet);
        let written = FacetList {
            facet,
            index,
            answer: &answer,
            chosen,
            list: &list,
            values: &values,
            has_buttons: false,
        };
        written.write().into_string()
    }

    /// Returns the values that are listed.
    fn listed(html: &str) -> Vec<&str> {
        let after = |text| html.split(text).skip(1);
        after("<li class=\"value")
            .filter_map(|row| row.split("data-key=\"").nth(1)?.split('"').next())
            .collect()
    }

    #[test]
    fn lists_chosen_values_that_the_cache_does_not_have_once_and_first() {
        let html = write(Facet::Stack, "stack=<b>&not.stack=<b>", List::default());
        let found = listed(&html);
        assert_eq!(found[0], "&lt;b&gt;", "{html}");
        assert_eq!(found.iter().filter(|value| value.contains("&lt;")).count(), 1, "{html}");
        assert!(!html.contains("<b>"), "{html}");
    }

    #[test]
    fn marks_what_is_chosen_and_what_leaves_nothing() {
        let html = write(Facet::Stack, "stack=e4s&not.stack=root&os=none", List::default());
        for (value, class) in [
            ("e4s", "value none included"),
            ("root", "value none excluded"),
            ("e4s-neoverse_v1", "value none"),
        ] {
            let row =
                format!("<li class=\"{class}\" data-style=\"--share:0/1\" data-key=\"{value}\">");
            assert!(html.contains(&row), "{row} is not in {html}");
        }
        assert_eq!(html.matches(" checked").count(), 1, "{html}");
    }

    #[test]
    fn lists_what_is_searched_for() {
        let list = List { all: true, search: "E4S".to_owned(), ..List::default() };
        let html = write(Facet::Stack, "", list);
        assert!(listed(&html).iter().all(|value| value.contains("e4s")), "{html}");
        assert_eq!(listed(&html).len(), 2, "{html}");
    }
}
