//! The front page: the packages that match, where they are, and what the cache is.

use cache_index::query::Tab;
use leptos::prelude::*;

use super::about::About;
use super::empty::Empty;
use super::export::Export;
use super::headline::Headline;
use super::heat_table::HeatTable;
use super::packages::Packages;
use super::tabs::{Tabs, shown};
use crate::explorer::Explorer;
use crate::memo::memo;

const PARTS: [(Tab, &str); 3] =
    [(Tab::List, "Packages"), (Tab::Coverage, "By stack"), (Tab::About, "About")];

/// The list of packages and the other parts of its page.
#[component]
pub(crate) fn Front() -> impl IntoView {
    let explorer = Explorer::here();
    let tab = shown(explorer, &PARTS);
    let is_empty = memo(move || explorer.answer().builds == 0);
    let part = move || match tab.get() {
        Tab::Coverage => view! { <HeatTable/> }.into_any(),
        Tab::About => view! { <About/> }.into_any(),
        _ => view! { <Packages/> }.into_any(),
    };
    view! {
        <h1 class="heard">"Spack build cache"</h1>
        <Headline/>
        <div class="parts">
            <Tabs parts=&PARTS/>
            <Export/>
        </div>
        <Show when=move || !is_empty.get() fallback=|| view! { <Empty/> }>
            {part}
        </Show>
    }
}
