//! The parts of a view, each with its own address.

use cache_query::{AskedChanges, Change, Tab};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::query_link::QueryLink;

/// Links to the parts of a view. They are links rather than a tab widget: each leads to an address that can be opened
/// in another tab, and Back leads back.
#[component]
pub fn Tabs(
    /// The parts and their labels.
    parts: &'static [(Tab, &'static str)],
    /// `true` for a link to what changed, which is a page of its own.
    #[prop(optional)]
    changes: bool,
) -> impl IntoView {
    let explorer = Explorer::here();
    let tab = shown(explorer, parts);
    let link = move |&(part, name): &(Tab, &'static str)| {
        let current = Signal::derive(move || tab.get() == part);
        view! { <li><QueryLink change=Change::Tab(part) current=current>{name}</QueryLink></li> }
    };
    view! {
        <nav class="tabs" aria-label="Parts of this page">
            <ul>
                {parts.iter().map(link).collect_view()}
                {changes.then(|| view! {
                    <li><QueryLink change=Change::OpenChanges(AskedChanges::Latest)>"What changed"</QueryLink></li>
                })}
            </ul>
        </nav>
    }
}

/// Returns the part that is shown: the first one if the address names one that this view does not have.
pub fn shown(explorer: Explorer, parts: &'static [(Tab, &'static str)]) -> Memo<Tab> {
    memo(move || {
        let asked = explorer.with_presentation(|presentation| presentation.tab);
        let known = parts.iter().any(|(part, _)| *part == asked);
        if known { asked } else { parts[0].0 }
    })
}
