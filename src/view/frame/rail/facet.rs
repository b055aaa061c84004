//! One facet of the rail: its values with their counts, to include, exclude or show alone.
//!
//! A rail has dozens of values with three controls each, so a facet is one stop for the Tab key: its heading. The arrow
//! keys move inside it (`src/browser/focus.rs`).

use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::number::{counted, grouped};
use cache_index::query::{Change, Choice, Match, search_values, values_in_order};
use leptos::prelude::*;

use crate::explorer::{Explorer, Rest};
use crate::memo::memo;
use crate::view::frame::rail::actions;
use crate::view::parts::cut::Cut;

/// A list with at most this many values is always shown completely.
const SHORT: usize = 10;
/// How many values of a longer list are shown at first.
const FIRST: usize = 8;
/// The height of a value in CSS pixels, as in the styles.
const HEIGHT: usize = 26;
/// How many values of an expanded list are in the page; about seventeen of them are visible. A facet may have fifty
/// thousand.
const WINDOW: usize = 32;
/// How many values the list must be scrolled before others take their place.
const STEP: usize = 4;

/// A row of the list.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Row {
    Value(ValueCode),
    /// A chosen value that this cache does not have, by its index among the chosen ones.
    Unknown(usize),
}

/// One facet.
#[component]
pub(crate) fn FacetList(
    /// The facet.
    facet: Facet,
) -> impl IntoView {
    let explorer = Explorer::here();
    let chosen = memo(move || explorer.with_question(|question| question.choice(facet).clone()));
    let opened = RwSignal::new(None::<bool>);
    let is_open =
        memo(move || opened.get().unwrap_or(facet.opens() || chosen.with(|c| !c.is_empty())));
    let all = RwSignal::new(false);
    let search = RwSignal::new(String::new());
    // The first value of the window.
    let first = RwSignal::new(0);

    let all_values = memo(move || values_in_order(explorer.index, &explorer.baseline(), facet));
    let order = memo(move || {
        let mut order = all_values.get();
        // Where all of the chosen values are asked for, others that leave nothing are no choice.
        chosen.with(|chosen| {
            if chosen.matching() == Match::All {
                let (answer, dictionary) = (explorer.answer(), explorer.index.dictionary(facet));
                order.retain(|&code| {
                    let text = dictionary.text(code);
                    answer.count(facet, code) > 0 || chosen.includes(text) || chosen.excludes(text)
                });
            }
        });
        order
    });
    let is_long = memo(move || order.with(Vec::len) > SHORT);
    let rows = memo(move || {
        let dictionary = explorer.index.dictionary(facet);
        let unknown = chosen.with(|chosen| {
            let values = chosen.included().iter().chain(chosen.excluded());
            values.map(|value| dictionary.code(value)).collect::<Vec<_>>()
        });
        let mut rows: Vec<Row> = unknown
            .iter()
            .enumerate()
            .filter(|(_, code)| code.is_none())
            .map(|(place, _)| Row::Unknown(place))
            .collect();
        order.with(|order| {
            let found = search_values(explorer.index, order, facet, &search.get()).into_iter();
            if all.get() || !is_long.get() {
                rows.extend(found.map(Row::Value));
            } else {
                // Of a long list, the first values that match, and the chosen values, each in its place.
                let answer = explorer.answer();
                let is_chosen = |code: ValueCode| unknown.contains(&Some(code));
                let mut room = FIRST;
                rows.extend(found.filter_map(|code| {
                    let fits = room > 0 && answer.count(facet, code) > 0;
                    room -= usize::from(fits);
                    (fits || is_chosen(code)).then_some(Row::Value(code))
                }));
            }
        });
        rows
    });
    let window = move || {
        rows.with(|rows| rows.iter().copied().skip(first.get()).take(WINDOW).collect::<Vec<_>>())
    };
    let room = |values: usize| format!("{}px", values * HEIGHT);
    let above = move || room(first.get());
    let below = move || room(rows.with(Vec::len).saturating_sub(first.get() + WINDOW));
    let follow = move |event: leptos::ev::Event| {
        let top = event_target::<web_sys::Element>(&event).scroll_top() as usize / HEIGHT;
        let from = top.saturating_sub(STEP) / STEP * STEP;
        if first.get_untracked() != from {
            first.set(from);
        }
    };
    let largest = memo(move || {
        let answer = explorer.answer();
        order.with(|codes| codes.iter().map(|&code| answer.count(facet, code)).max().unwrap_or(0))
    });
    let heading = format!("facet-{}", facet.key());
    let labelled_by = heading.clone();
    let list = format!("values-{}", facet.key());
    let has_more = memo(move || is_long.get());
    let has_rest = memo(move || explorer.rest() == Rest::Here);

    view! {
        <section class="facet" aria-labelledby=labelled_by data-testid=facet.key()>
            <h2>
                <button
                    type="button"
                    aria-expanded=move || is_open.get().to_string()
                    aria-controls=list.clone()
                    on:click=move |_| opened.set(Some(!is_open.get_untracked()))
                >
                    <span id=heading>{facet.label()}</span>
                    " "
                    <span class="muted">
                        {move || {
                            let count = order.with(Vec::len);
                            (!is_open.get()).then(|| counted(count, "value", "values"))
                        }}
                    </span>
                </button>
            </h2>
            <Show when=move || is_open.get()>
                <Show when=move || facet.is_multi_valued()>
                    <Matching facet/>
                </Show>
                <Show when=move || all.get()>
                    <input
                        type="search"
                        class="facet-search"
                        aria-label=format!("Search in {}", facet.label())
                        placeholder="Search in this list"
                        prop:value=move || search.get()
                        on:input=move |event| {
                            first.set(0);
                            search.set(event_target_value(&event));
                        }
                    />
                </Show>
                <ul
                    id=list.clone()
                    class="values"
                    class:all=move || all.get()
                    style=("--above", above)
                    style=("--below", below)
                    on:scroll=follow
                >
                    <For
                        each=window
                        key=|row| *row
                        children=move |row| view! { <Value facet row chosen largest has_rest/> }
                    />
                </ul>
                <Show when=move || has_more.get()>
                    <button
                        type="button"
                        class="plain more"
                        tabindex="-1"
                        on:click=move |_| {
                            first.set(0);
                            search.set(String::new());
                            all.update(|all| *all = !*all);
                        }
                    >
                        {move || match all.get() {
                            true => "Show fewer".to_owned(),
                            false => format!("Show all {}", grouped(order.with(Vec::len))),
                        }}
                    </button>
                </Show>
            </Show>
        </section>
    }
}

/// The switch between any and all of the chosen values.
#[component]
fn Matching(
    /// The facet.
    facet: Facet,
) -> impl IntoView {
    let explorer = Explorer::here();
    let matching =
        memo(move || explorer.with_question(|question| question.choice(facet).matching()));
    let choice = move |this: Match, word: &'static str| {
        view! {
            <button
                type="button"
                tabindex="-1"
                aria-pressed=move || (matching.get() == this).to_string()
                on:click=move |_| explorer.go(Change::Match(facet, this))
            >
                {word}
            </button>
        }
    };
    view! {
        <div class="matching" role="group" aria-label=format!("Match {}", facet.label())>
            {choice(Match::Any, "any of")}
            {choice(Match::All, "all of")}
        </div>
    }
}

#[component]
fn Value(
    /// The facet.
    facet: Facet,
    /// The value.
    row: Row,
    /// The choice in the facet.
    chosen: Memo<Choice>,
    /// The largest count in the facet, which fills its bar.
    largest: Memo<u32>,
    /// `true` once the rest of the app has arrived, which draws the buttons.
    has_rest: Memo<bool>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let value = match row {
        Row::Value(code) => explorer.index.dictionary(facet).text(code).to_owned(),
        Row::Unknown(place) => chosen.with_untracked(|choice| {
            let mut values = choice.included().iter().chain(choice.excluded());
            values.nth(place).cloned().unwrap_or_default()
        }),
    };
    // A single memo for everything that changes: a page has about seventy values, and each is updated by every answer.
    let state = {
        let value = value.clone();
        memo(move || {
            let count = match row {
                Row::Value(code) => explorer.answer().count(facet, code),
                Row::Unknown(_) => 0,
            };
            chosen.with(|choice| (count, choice.includes(&value), choice.excludes(&value)))
        })
    };
    let class = move || match state.get() {
        (0, true, _) => "value none included",
        (0, _, true) => "value none excluded",
        (0, ..) => "value none",
        (_, true, _) => "value included",
        (_, _, true) => "value excluded",
        _ => "value",
    };
    // The styles compute the fraction.
    let share = move || format!("{} / {}", state.get().0, largest.get().max(1));
    let label = value.clone();
    let toggle = {
        let value = value.clone();
        move || explorer.go(Change::Toggle(facet, value.clone()))
    };
    let actions = {
        let value = value.clone();
        move || has_rest.get().then(|| actions::draw_later(facet, value.clone(), state))
    };
    view! {
        <li
            class=class
            style=("--share", share)
        >
            <label>
                <input
                    type="checkbox"
                    tabindex="-1"
                    aria-label=label
                    prop:checked=move || state.get().1
                    on:change=move |_| toggle()
                />
                <Cut text=value/>
                <span class="count">{move || grouped(state.get().0 as usize)}</span>
            </label>
            {actions}
        </li>
    }
}
