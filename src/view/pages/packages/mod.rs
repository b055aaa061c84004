//! The front page: the matching packages, their stacks, and facts about the cache.

mod about;
mod examples;
mod help;
mod lead;
mod news;
mod stacks;
mod table;
mod use_it;

use cache_index::facet::Facet;
use cache_query::Tab;
use leptos::prelude::*;

use crate::browser::published;
use crate::explorer::Explorer;
use crate::html::later::with_rest;
use crate::memo::memo;
use crate::view::pages::packages::about::About;
use crate::view::pages::packages::help::Help;
use crate::view::pages::packages::lead::Lead;
use crate::view::pages::packages::stacks::StackTable;
use crate::view::pages::packages::table::Packages;
use crate::view::pages::packages::use_it::UseIt;
use crate::view::parts::beyond;
use crate::view::parts::empty::Empty;
use crate::view::parts::export::Export;
use crate::view::parts::headline::Headline;
use crate::view::parts::tabs::{Tabs, shown};

const PARTS: [(Tab, &str); 5] = [
    (Tab::List, "Packages"),
    (Tab::Coverage, "By stack"),
    (Tab::Install, "Use this cache"),
    (Tab::About, "About"),
    (Tab::Help, "Help"),
];
/// The same for a cache with one stack or none, in which stacks tell nothing apart.
const PARTS_WITHOUT_STACKS: [(Tab, &str); 4] = [PARTS[0], PARTS[2], PARTS[3], PARTS[4]];

/// Returns `true` if there is something to compare: an earlier publication, or two releases or stacks.
fn has_changes(explorer: Explorer) -> bool {
    published::summary(explorer.index).is_some() || explorer.index.all_places().nth(1).is_some()
}

/// The list of packages and the other parts of the front page.
#[component]
pub(crate) fn Front() -> impl IntoView {
    let explorer = Explorer::here();
    let has_stacks = explorer.index.dictionary(Facet::Stack).len() > 1;
    let parts = if has_stacks { &PARTS[..] } else { &PARTS_WITHOUT_STACKS };
    let tab = shown(explorer, parts);
    // Help is there whatever matches.
    let is_empty = memo(move || explorer.finds_nothing() && tab.get() != Tab::Help);
    let part = move || match tab.get() {
        Tab::Coverage => view! { <StackTable/> }.into_any(),
        Tab::Install => view! { <UseIt/> }.into_any(),
        Tab::About => view! { <About/> }.into_any(),
        Tab::Help => view! { <Help/> }.into_any(),
        _ => view! { <Packages/>{with_rest(beyond::draw_later)} }.into_any(),
    };
    view! {
        <h1 class="heard">{explorer.index.about().title()}</h1>
        <Lead/>
        <Headline/>
        <div class="parts">
            <Tabs parts changes=has_changes(explorer)/>
            <span class="line"><Export/></span>
        </div>
        <Show when=move || !is_empty.get() fallback=|| view! { <Empty/> }>
            {part}
        </Show>
    }
}
