//! The front page: the matching packages, their stacks, and facts about the cache.

mod about;
mod stacks;
mod table;

use cache_index::query::Tab;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::pages::packages::about::About;
use crate::view::pages::packages::stacks::HeatTable;
use crate::view::pages::packages::table::Packages;
use crate::view::parts::empty::Empty;
use crate::view::parts::export::Export;
use crate::view::parts::headline::Headline;
use crate::view::parts::tabs::{Tabs, shown};

const PARTS: [(Tab, &str); 3] =
    [(Tab::List, "Packages"), (Tab::Coverage, "By stack"), (Tab::About, "About")];

/// The list of packages and the other parts of the front page.
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
