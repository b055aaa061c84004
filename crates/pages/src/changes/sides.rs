//! Choosing the two sides.

use cache_advice::changes::{Between, Part};
use cache_index::facet::Facet;
use cache_query::{Change, Tab, apply};
use leptos::prelude::*;

use site::browser::history;
use site::explorer::Explorer;
use site::memo::memo;

/// Two lists of the releases and stacks of the cache, a button that swaps the sides, and one that opens another cache to
/// compare this one with. An opened cache is in the list of its side.
#[component]
pub(super) fn ChooseSides(
    /// The sides as the address states them.
    asked: Memo<String>,
    /// The name of the opened cache, once it has been read.
    #[prop(into)]
    opened: Signal<Option<String>>,
) -> impl IntoView {
    let explorer = Explorer::here();
    // The old side and the new one, each as its text, and `true` if it is an opened cache.
    let sides = memo(move || {
        let between = asked.get().parse::<Between>().ok();
        let parts = between.map(|Between { old, new }| [old, new]);
        let side = |part: Part| match part.opened() {
            Some(_) => (part.to_string(), true),
            None => (part.meant_in(explorer.index).to_string(), false),
        };
        parts.map(|parts| parts.map(side)).unwrap_or_default()
    });
    let text = move |is_new: bool| sides.with(|sides| sides[usize::from(is_new)].0.clone());
    let is_opened = move |is_new: bool| sides.with(|sides| sides[usize::from(is_new)].1);
    let choose = move |is_new: bool, part: String| {
        let other = untrack(|| text(!is_new));
        let (old, new) = if is_new { (other, part) } else { (part, other) };
        explorer.go(Change::OpenChanges(format!("{old}..{new}")));
    };
    let swap = move |_| {
        let [old, new] = [false, true].map(|is_new| untrack(|| text(is_new)));
        explorer.go(Change::OpenChanges(format!("{new}..{old}")));
    };
    // Of two stacks, what the matrix of packages by stack shows.
    let only_one = move || {
        let Between { old, new } = asked.get().parse().ok()?;
        let [old, new] = [old, new].map(|part| part.meant_in(explorer.index).stack);
        let (old, new) = (old?, new?);
        let address = explorer.with_query(|query| {
            let stacks = [old, new].map(|stack| Change::Include(Facet::Stack, stack));
            let changes = [Change::OpenPackages]
                .into_iter()
                .chain(stacks)
                .chain([Change::Tab(Tab::Coverage)]);
            history::address(&changes.fold(query.clone(), |query, change| apply(&query, change)))
        });
        Some(view! { <a href=address>"Packages that only one of them has"</a> })
    };
    let list = move |is_new: bool, label: &'static str| {
        let option = |part: Part| {
            let value = part.to_string();
            // In a cache without releases, only stacks are named.
            let name = value.trim_start_matches('/').to_owned();
            let own = value.clone();
            let is_chosen = move || sides.with(|sides| sides[usize::from(is_new)].0 == own);
            view! { <option value=value prop:selected=is_chosen>{name}</option> }
        };
        let other = move || {
            is_opened(is_new).then(|| {
                let name = opened.get().unwrap_or_else(|| "the opened cache".to_owned());
                view! { <option value=text(is_new) prop:selected=true>{name}</option> }
            })
        };
        let none = move || if is_opened(!is_new) { "this cache" } else { "choose" };
        view! {
            <label class="line">
                {label}
                <select
                    aria-label=label
                    on:change=move |event| choose(is_new, event_target_value(&event))
                >
                    <option value="" prop:selected=move || text(is_new).is_empty()>{none}</option>
                    {other}
                    {Part::all(explorer.index).into_iter().map(option).collect_view()}
                </select>
            </label>
        }
    };
    view! {
        <div class="line sides">
            {list(false, "From")}
            {list(true, "to")}
            <button type="button" class="button" on:click=swap>"Swap"</button>
            <button type="button" class="button" data-open="comparison">"Compare with another snapshot…"</button>
            {only_one}
        </div>
    }
}
