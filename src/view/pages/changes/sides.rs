//! Choosing the two sides.

use cache_index::changes::{Between, Part};
use cache_index::query::Change;
use leptos::prelude::*;

use crate::explorer::Explorer;

/// Two lists of the releases and stacks of the cache, and a button that swaps the sides.
#[component]
pub(super) fn ChooseSides(
    /// The sides as the address states them.
    asked: Memo<String>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let side = move |is_new: bool| {
        let between = asked.get().parse::<Between>().ok();
        let part = between.map(|between| if is_new { between.new } else { between.old });
        part.map(|part| part.meant_in(explorer.index).to_string())
    };
    let choose = move |is_new: bool, part: String| {
        let other = untrack(|| side(!is_new)).unwrap_or_default();
        let (old, new) = if is_new { (other, part) } else { (part, other) };
        explorer.go(Change::OpenChanges(format!("{old}..{new}")));
    };
    let swap = move |_| {
        let [old, new] = [false, true].map(|is_new| untrack(|| side(is_new)).unwrap_or_default());
        explorer.go(Change::OpenChanges(format!("{new}..{old}")));
    };
    let list = move |is_new: bool, label: &'static str| {
        let option = |part: Part| {
            let name = part.to_string();
            // In a cache without releases, only stacks are named.
            view! { <option value=name.clone()>{name.trim_start_matches('/').to_owned()}</option> }
        };
        view! {
            <label class="line">
                {label}
                <select
                    aria-label=label
                    prop:value=move || side(is_new).unwrap_or_default()
                    on:change=move |event| choose(is_new, event_target_value(&event))
                >
                    <option value="">"choose"</option>
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
        </div>
    }
}
