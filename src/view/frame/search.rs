//! The search box: accepts specs, offers completions, and explains what it does not understand.
//!
//! While a person types, the box shows the text as typed, and whatever facets can express is chosen in the rail
//! immediately. When the person leaves the box, only the rest remains in it. This is a combobox according to the ARIA
//! pattern: the focus stays in the field, arrows move through the options, Enter or Tab accepts one, Esc closes the
//! list.

use cache_index::query::{Change, Query};
use cache_index::search::{Completion, Completions, Search as Read, complete};
use leptos::html::Input;
use leptos::prelude::*;

use crate::browser;
use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::icon::Icon;

/// The text a person is typing, from the first letter until they leave the box.
#[derive(Clone)]
struct Session {
    /// The query before the first letter.
    from: Query,
    /// The query after the last letter; if it differs, something else has changed it.
    after: Query,
}

/// The search box.
#[component]
pub(crate) fn Search() -> impl IntoView {
    let explorer = Explorer::here();
    let field = NodeRef::<Input>::new();
    let draft = RwSignal::new(untrack(|| explorer.with_question(|question| question.text.clone())));
    let session = StoredValue::new(None::<Session>);
    let has_focus = RwSignal::new(false);
    let offers = RwSignal::new(None::<Completions>);
    let picked = RwSignal::new(None::<usize>);
    let scrolled = RwSignal::new(0);

    // Any other change of the query ends the session, and the box follows.
    Effect::new(move || {
        let query = explorer.query();
        let is_ours = session.with_value(|s| s.as_ref().is_some_and(|s| s.after == query));
        if !is_ours {
            session.set_value(None);
            draft.set(query.question.text);
        }
    });
    let offer = move || {
        let options = field.get_untracked().map(|field| {
            let cursor = field.selection_start().ok().flatten().unwrap_or(u32::MAX);
            let text = draft.get_untracked();
            complete(explorer.index, &text, bytes_before(&text, cursor))
        });
        picked.set(None);
        offers.set(options.filter(|options| !options.options.is_empty()));
    };
    let type_text = move |text: String| {
        let before = explorer.query();
        let from = session.with_value(|s| s.as_ref().map_or(before, |s| s.from.clone()));
        draft.set(text.clone());
        // Set before the query changes, so that the effect above recognizes the change.
        let after = explorer.after_typing(&from, &text);
        session.set_value(Some(Session { from: from.clone(), after }));
        explorer.type_text(&from, &text);
        offer();
    };
    let take = move |option: Completion| {
        let Some(Completions { replaces, .. }) = offers.get_untracked() else { return };
        let mut text = draft.get_untracked();
        let end = replaces.start + option.text.len();
        text.replace_range(replaces, &option.text);
        type_text(text.clone());
        if let Some(field) = field.get_untracked() {
            field.set_value(&text);
            let cursor = units_before(&text, end);
            let _ = field.set_selection_range(cursor, cursor);
            let _ = field.focus();
        }
        // After a complete word there is nothing to offer until the person continues.
        if option.text.ends_with('=') { offer() } else { offers.set(None) }
    };
    let leave = move || {
        offers.set(None);
        session.set_value(None);
        draft.set(explorer.with_question(|question| question.text.clone()));
    };
    let submit = move || {
        let answer = explorer.answer();
        let mut packages = answer.matching_packages();
        if let (Some(package), None) = (packages.next(), packages.next()) {
            let names = explorer.index.dictionary(cache_index::facet::Facet::Package);
            leave();
            explorer.go(Change::OpenPackage(names.text(package).to_owned()));
        } else {
            leave();
        }
    };
    let press = move |event: leptos::ev::KeyboardEvent| {
        let count = offers.with_untracked(|o| o.as_ref().map_or(0, |o| o.options.len()));
        match event.key().as_str() {
            "ArrowDown" if count == 0 => offer(),
            "ArrowDown" => picked.update(|at| *at = Some(at.map_or(0, |at| (at + 1) % count))),
            "ArrowUp" if count > 0 => {
                picked.update(|at| *at = Some(at.map_or(count - 1, |at| (at + count - 1) % count)));
            }
            "Escape" if count > 0 => offers.set(None),
            key @ ("Enter" | "Tab") => match picked.get_untracked() {
                Some(at) if count > 0 => {
                    let options = offers.get_untracked();
                    if let Some(option) = options.and_then(|o| o.options.into_iter().nth(at)) {
                        take(option);
                    }
                }
                _ if key == "Enter" => submit(),
                _ => return,
            },
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let read = memo(move || {
        let text = draft.get();
        let search = Read::read(explorer.index, &text);
        (text, search.problems)
    });
    let is_open = move || has_focus.get() && offers.with(Option::is_some);
    let marks = move || {
        let (text, problems) = read.get();
        let mut parts = Vec::new();
        let mut at = 0;
        for problem in problems {
            if problem.span.start < at {
                continue;
            }
            parts.push((false, text[at..problem.span.start].to_owned()));
            parts.push((true, text[problem.span.clone()].to_owned()));
            at = problem.span.end;
        }
        parts.push((false, text[at..].to_owned()));
        let draw = |(is_wrong, text)| view! { <span class:wrong=is_wrong>{text}</span> };
        parts.into_iter().map(draw).collect_view()
    };
    let option = move |(at, option): (usize, Completion)| {
        let text = option.text.clone();
        let kind = option.kind;
        view! {
            <li
                id=format!("offer-{at}")
                role="option"
                aria-selected=move || (picked.get() == Some(at)).to_string()
                // Before the field loses the focus.
                on:mousedown=move |event| {
                    event.prevent_default();
                    take(option.clone());
                }
            >
                <bdi>{text}</bdi>
                " "
                <span class="muted">{kind}</span>
            </li>
        }
    };
    view! {
        <form class="search" role="search" on:submit=move |event| event.prevent_default()>
            <label for="search" title="Search">
                {Icon::Search.draw()}
                <span class="heard">"Search packages and specs"</span>
            </label>
            <div class="marks" aria-hidden="true">
                <bdi style:left=move || format!("-{}px", scrolled.get())>{marks}</bdi>
            </div>
            <input
                id="search"
                node_ref=field
                type="search"
                role="combobox"
                aria-autocomplete="list"
                aria-expanded=move || is_open().to_string()
                aria-controls="offers"
                aria-activedescendant=move || picked.get().map(|at| format!("offer-{at}"))
                aria-describedby="search-problems"
                placeholder="hdf5@1.14: +mpi  ·  part of a name  ·  /hash"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                prop:value=move || draft.get()
                on:input=move |event| type_text(event_target_value(&event))
                on:keydown=press
                on:scroll=move |_| {
                    scrolled.set(field.get_untracked().map_or(0, |field| field.scroll_left()));
                }
                on:focus=move |_| has_focus.set(true)
                on:blur=move |_| {
                    has_focus.set(false);
                    leave();
                }
            />
            <kbd class="hint" aria-hidden="true">"/"</kbd>
            <ul id="offers" class="offers" role="listbox" aria-label="Completions" hidden=move || !is_open()>
                {move || {
                    let options = offers.get().map(|offers| offers.options).unwrap_or_default();
                    options.into_iter().enumerate().map(option).collect_view()
                }}
            </ul>
        </form>
    }
}

/// What is wrong with the text, below the masthead.
#[component]
pub(crate) fn SearchProblems() -> impl IntoView {
    let explorer = Explorer::here();
    let text = memo(move || explorer.with_question(|question| question.text.clone()));
    let problems = memo(move || Read::read(explorer.index, &text.get()).problems);
    let missing =
        memo(move || explorer.answer().missing().map(cache_index::search::Problem::cannot_search));
    let draw = move |problem: cache_index::search::Problem| {
        let mut with = text.get_untracked();
        let mend = problem.instead.map(|instead| {
            with.replace_range(problem.span, &instead);
            let press = move |_| {
                let from = explorer.query();
                explorer.type_text(&from, &with);
                browser::focus("search");
            };
            view! {
                " "
                <button type="button" class="plain" on:click=press>
                    "Search for " <bdi>{instead}</bdi>
                </button>
            }
        });
        view! { <li><bdi>{problem.message}</bdi>{mend}</li> }
    };
    view! {
        <ul id="search-problems" class="search-problems">
            {move || problems.get().into_iter().map(draw).collect_view()}
            {move || missing.get().map(|reason| view! {
                <li>{reason}</li>
            })}
        </ul>
    }
}

/// Returns how many bytes of a text come before a cursor, which browsers count in UTF-16 units.
fn bytes_before(text: &str, units: u32) -> usize {
    let mut left = units as usize;
    for (at, character) in text.char_indices() {
        if left < character.len_utf16() {
            return at;
        }
        left -= character.len_utf16();
    }
    text.len()
}

/// The inverse of [`bytes_before`].
fn units_before(text: &str, bytes: usize) -> u32 {
    text[..bytes].encode_utf16().count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_cursors_between_bytes_and_units() {
        let text = "aé😀b";
        for (units, bytes) in [(0, 0), (1, 1), (2, 3), (4, 7), (5, 8)] {
            assert_eq!(bytes_before(text, units), bytes);
            assert_eq!(units_before(text, bytes), units);
        }
        assert_eq!(bytes_before(text, 3), 3);
        assert_eq!(bytes_before(text, 99), 8);
    }
}
