//! Choosing the two sides.

use cache_advice::changes::Part;
use cache_index::facet::Facet;
use cache_query::{AskedChanges, AskedSide, Change, Tab, apply};
use leptos::prelude::*;

use site::browser::history;
use site::explorer::Explorer;
use site::memo::memo;

/// Two lists of the releases and stacks of the cache, a button that swaps the sides, and one that opens another cache to
/// compare this one with. An opened cache is in the list of its side.
#[component]
pub(super) fn ChooseSides(
    /// What the address asks for.
    asked: Memo<AskedChanges>,
    /// The name of the opened cache, once it has been read.
    #[prop(into)]
    opened: Signal<Option<String>>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let part = |name: &str| Part::from(name).meant_in(explorer.index);
    // The old side and the new one, with names as the lists have them.
    let sides = memo(move || {
        let AskedChanges::Between { old, new } = asked.get() else { return Default::default() };
        [old, new].map(|side| match side {
            AskedSide::Named(name) => AskedSide::Named(part(&name).to_string()),
            AskedSide::Unchosen | AskedSide::Opened(_) => side,
        })
    });
    let side = move |is_new: bool| sides.with(|sides| sides[usize::from(is_new)].clone());
    let is_opened = move |is_new: bool| matches!(side(is_new), AskedSide::Opened(_));
    let choose = move |is_new: bool, side: AskedSide| {
        let [mut old, mut new] = untrack(|| sides.get());
        *(if is_new { &mut new } else { &mut old }) = side;
        explorer.go(Change::OpenChanges(AskedChanges::Between { old, new }));
    };
    let swap = move |_| {
        let [old, new] = untrack(|| sides.get());
        explorer.go(Change::OpenChanges(AskedChanges::Between { old: new, new: old }));
    };
    // For two stacks of a release, links to the packages that only one of them has. Filters cannot pair stacks with
    // releases.
    let only_one = move || {
        let [AskedSide::Named(old), AskedSide::Named(new)] = sides.get() else { return None };
        let (old, new) = (part(&old), part(&new));
        if old.release != new.release || old.stack == new.stack {
            return None;
        }
        let release = Some(old.release).filter(|release| !release.is_empty());
        let stacks = [old.stack?, new.stack?];
        let address = explorer.with_query(|query| {
            let release = release.map(|release| Change::Include(Facet::Release, release));
            let stacks = stacks.map(|stack| Change::Include(Facet::Stack, stack));
            let changes = [Change::OpenPackages]
                .into_iter()
                .chain(release)
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
            let own = AskedSide::Named(value.clone());
            let is_chosen = move || side(is_new) == own;
            view! { <option value=value prop:selected=is_chosen>{name}</option> }
        };
        let other = move || {
            is_opened(is_new).then(|| {
                let name = opened.get().unwrap_or_else(|| "the opened cache".to_owned());
                view! { <option value=side(is_new).to_string() prop:selected=true>{name}</option> }
            })
        };
        let none = move || if is_opened(!is_new) { "this cache" } else { "choose" };
        view! {
            <label class="line">
                {label}
                <select
                    aria-label=label
                    on:change=move |event| choose(is_new, event_target_value(&event).as_str().into())
                >
                    <option value="" prop:selected=move || side(is_new) == AskedSide::Unchosen>{none}</option>
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
