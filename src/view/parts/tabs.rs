//! The parts of a view, each at an address of its own.

use cache_index::query::{Change, Tab};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::to::To;

/// Links to the parts of a view. They are links and not a widget of tabs: each leads to a page that
/// can be opened beside this one, and Back leads back.
#[component]
pub(crate) fn Tabs(
    /// The parts and what they are called.
    parts: &'static [(Tab, &'static str)],
) -> impl IntoView {
    let explorer = Explorer::here();
    let tab = shown(explorer, parts);
    let link = move |&(part, name): &(Tab, &'static str)| {
        let current = Signal::derive(move || tab.get() == part);
        view! { <li><To change=Change::Tab(part) current=current>{name}</To></li> }
    };
    view! {
        <nav class="tabs" aria-label="Parts of this page">
            <ul>{parts.iter().map(link).collect_view()}</ul>
        </nav>
    }
}

/// Which of the parts is shown: the first where the address names one that is not among them.
pub(crate) fn shown(explorer: Explorer, parts: &'static [(Tab, &'static str)]) -> Memo<Tab> {
    memo(move || {
        let asked = explorer.with_presentation(|presentation| presentation.tab);
        let known = parts.iter().any(|(part, _)| *part == asked);
        if known { asked } else { parts[0].0 }
    })
}
