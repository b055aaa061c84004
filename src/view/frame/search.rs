//! The search box: accepts specs and words, offers completions, and says how it reads them.
//!
//! While a user types, the box shows the text as typed, and whatever facets can express is chosen in the rail
//! immediately. The text stays until something else changes the query; then the box shows what only a text can express.
//! This is a combobox according to the ARIA pattern: the focus stays in the field, arrows move through the options, Enter
//! or Tab accepts one, Esc closes the list.

use std::ops::Range;

use cache_index::facet::Facet;
use cache_index::number::grouped;
use cache_query::search::{Completion, Completions, Problem, Search as Read, virtual_package};
use cache_query::{Change, Question};
use leptos::html::Input;
use leptos::prelude::*;
use leptos::web_sys::HtmlElement;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::icon::Icon;

/// The search box.
#[component]
pub(crate) fn Search() -> impl IntoView {
    let explorer = Explorer::here();
    let field = NodeRef::<Input>::new();
    let has_focus = RwSignal::new(false);
    let offers = RwSignal::new(None::<Completions>);
    let picked = RwSignal::new(None::<usize>);
    let scrolled = RwSignal::new(0);
    // `true` if the user asked for a build by its hash before the hashes were there.
    let waits = RwSignal::new(false);

    let completions = move |text: &str| {
        let cursor = field.get_untracked().and_then(|field| field.selection_start().ok().flatten());
        let cursor = bytes_before(text, cursor.unwrap_or(u32::MAX));
        explorer.complete(text, cursor)
    };
    let offer = move |completions: Completions| {
        picked.set(None);
        offers.set(Some(completions).filter(|offered| !offered.options.is_empty()));
    };
    let type_text = move |text: String| {
        if text.contains(['^', '%']) {
            explorer.want_dependencies();
        }
        let completions = completions(&text);
        explorer.type_text(&text, &completions);
        offer(completions);
    };
    let take = move |option: Completion| {
        let Some(Completions { replaces, .. }) = offers.get_untracked() else { return };
        let mut text = untrack(|| explorer.search_text());
        let end = replaces.start + option.text.len();
        text.replace_range(replaces, &option.text);
        if let Some(field) = field.get_untracked() {
            field.set_value(&text);
            let cursor = units_before(&text, end);
            let _ = field.set_selection_range(cursor, cursor);
            let _ = field.focus();
        }
        type_text(text);
        // After a complete word, there is nothing more to offer until the user types on.
        if option.builds.is_some() {
            offers.set(None);
        }
    };
    let submit = move || {
        offers.set(None);
        let index = explorer.index;
        let text = untrack(|| explorer.search_text());
        if untrack(|| explorer.typing()).is_some_and(|typing| typing.read < text.len()) {
            explorer.search_for(&text);
        }
        if let Some(prefix) = Read::read(index, &text).hash_prefix() {
            explorer.end_typing();
            let found = index.find_prefix(prefix, 2);
            if let [build] = found[..]
                && let Some(hash) = index.hash(build)
            {
                explorer.go(Change::OpenBuild(hash));
            }
            waits.set(untrack(|| explorer.hashes().is_none()));
            return;
        }
        // The only package with `mpi` in its name need not provide `mpi`.
        let provided = |question: &Question| virtual_package(index, &question.text).is_some();
        let answer = explorer.answer();
        let mut packages = answer.matching_packages();
        if let (Some(package), None) = (packages.next(), packages.next())
            && !untrack(|| explorer.with_question(provided))
        {
            let name = index.dictionary(Facet::Package).text(package).to_owned();
            explorer.open_typed(name);
        }
        explorer.end_typing();
    };
    Effect::new(move || {
        if explorer.hashes().is_some() && waits.get() {
            waits.set(false);
            // Unless something else was typed meanwhile.
            if untrack(|| {
                Read::read(explorer.index, &explorer.search_text()).hash_prefix().is_some()
            }) {
                submit();
            }
        }
    });
    let press = move |event: leptos::ev::KeyboardEvent| {
        let count = offers.with_untracked(|o| o.as_ref().map_or(0, |o| o.options.len()));
        match event.key().as_str() {
            "ArrowDown" if count == 0 => offer(completions(&untrack(|| explorer.search_text()))),
            "ArrowDown" => picked.update(|at| *at = Some(at.map_or(0, |at| (at + 1) % count))),
            "ArrowUp" if count > 0 => {
                picked.update(|at| *at = Some(at.map_or(count - 1, |at| (at + count - 1) % count)));
            }
            "Escape" if count > 0 => offers.set(None),
            // Browsers would clear the text, and with it a filter.
            "Escape" => drop(event_target::<HtmlElement>(&event).blur()),
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
    // The ranges of the text that have problems. Comparing the problems themselves needs the code that finds them, which a
    // first visit does without.
    let read = memo(move || {
        let text = explorer.search_text();
        let wrong: Vec<Range<usize>> = match text.is_empty() {
            true => Vec::new(),
            false => find_problems(explorer, &text).into_iter().map(|found| found.span).collect(),
        };
        (text, wrong)
    });
    let is_open = move || has_focus.get() && offers.with(Option::is_some);
    let marks = move || {
        let (text, wrong) = read.get();
        let mut parts = Vec::new();
        let mut at = 0;
        for span in wrong {
            if span.start < at {
                continue;
            }
            parts.push((false, text[at..span.start].to_owned()));
            parts.push((true, text[span.clone()].to_owned()));
            at = span.end;
        }
        parts.push((false, text[at..].to_owned()));
        let draw = |(is_wrong, text)| view! { <span class:wrong=is_wrong>{text}</span> };
        parts.into_iter().map(draw).collect_view()
    };
    let option = move |(at, option): (usize, Completion)| {
        let shown = option.shown.clone();
        let builds = option.builds.map(|builds| format!(" · {}", grouped(builds as usize)));
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
                <span><bdi>{shown}</bdi><span class="muted">{builds}</span></span>
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
                aria-describedby="search-notes search-problems"
                placeholder="hdf5@1.14: +mpi  ·  part of a name  ·  /hash"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                prop:value=move || explorer.search_text()
                on:input=move |event| type_text(event_target_value(&event))
                on:keydown=press
                on:scroll=move |_| {
                    scrolled.set(field.get_untracked().map_or(0, |field| field.scroll_left()));
                }
                on:focus=move |_| has_focus.set(true)
                on:blur=move |_| {
                    has_focus.set(false);
                    offers.set(None);
                    explorer.end_typing();
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

/// Finds what was not understood in a text, except at its end while that is still being typed. Before the hashes are there,
/// it is not known which words are the beginning of a hash, so nothing is found.
pub fn find_problems(explorer: Explorer, text: &str) -> Vec<Problem> {
    if explorer.hashes().is_none() {
        return Vec::new();
    }
    let read = explorer.typing().map_or(text.len(), |typing| typing.read);
    if text.is_empty() {
        return Vec::new();
    }
    let mut problems = Read::read(explorer.index, text).problems;
    problems.retain(|problem| problem.span.end <= read);
    problems
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
