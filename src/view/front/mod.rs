//! The front page: the matching packages, their stacks, and facts about the cache.

mod lead;
mod news;
mod table;

use cache_index::facet::Facet;
use cache_query::Tab;
use leptos::prelude::*;

use crate::browser::published;
use crate::door::{Piece, with_rest};
use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::front::lead::Lead;
use crate::view::front::table::Packages;
use crate::view::parts::export::Export;
use crate::view::parts::headline::Headline;
use crate::view::parts::tabs::{Tabs, shown};

const LIST: (Tab, &str) = (Tab::List, "Packages");
const BY_STACK: (Tab, &str) = (Tab::Coverage, "By stack");
const OUTDATED: (Tab, &str) = (Tab::Outdated, "Outdated");
const USE: (Tab, &str) = (Tab::Install, "Use this cache");
const ABOUT: (Tab, &str) = (Tab::About, "About");
const HELP: (Tab, &str) = (Tab::Help, "Help");

/// Returns the parts of the front page: with the one by stack if there is more than one stack, and with the outdated
/// packages if the cache has recipes.
fn parts(explorer: Explorer) -> &'static [(Tab, &'static str)] {
    let has_stacks = explorer.index.dictionary(Facet::Stack).len() > 1;
    match (has_stacks, explorer.has_recipes()) {
        (false, false) => &[LIST, USE, ABOUT, HELP],
        (true, false) => &[LIST, BY_STACK, USE, ABOUT, HELP],
        (false, true) => &[LIST, OUTDATED, USE, ABOUT, HELP],
        (true, true) => &[LIST, BY_STACK, OUTDATED, USE, ABOUT, HELP],
    }
}

/// Returns `true` if there is something to compare: an earlier publication, or two releases or stacks.
fn has_changes(explorer: Explorer) -> bool {
    published::summary(explorer.index).is_some() || explorer.index.all_places().nth(1).is_some()
}

/// The list of packages and the other parts of the front page.
#[component]
pub fn Front() -> impl IntoView {
    let explorer = Explorer::here();
    let parts = parts(explorer);
    let tab = shown(explorer, parts);
    // The help is shown whether or not anything matches.
    let is_empty = memo(move || explorer.finds_nothing() && tab.get() != Tab::Help);
    let part = move || match tab.get() {
        Tab::List => view! { <Packages/>{with_rest(Piece::Beyond)} }.into_any(),
        tab => with_rest(Piece::Tab(tab)),
    };
    view! {
        <h1 class="heard">{explorer.index.about().title()}</h1>
        <Lead/>
        <Headline/>
        <div class="parts">
            <Tabs parts changes=has_changes(explorer)/>
            <span class="line"><Export/></span>
        </div>
        <Show when=move || !is_empty.get() fallback=|| with_rest(Piece::Empty)>
            {part}
        </Show>
    }
}
