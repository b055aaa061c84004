//! A link that changes the query: it has a real address, so that it can be opened in a new tab, copied and read out. A plain
//! click on any link to another address of this page [stays](crate::browser::history::on_follow) on it.

use cache_query::Change;
use leptos::prelude::*;

use crate::explorer::Explorer;

/// A link to the page after a change.
#[component]
pub fn QueryLink(
    /// The change.
    change: Change,
    /// Its classes.
    #[prop(optional)]
    class: &'static str,
    /// Its tooltip.
    #[prop(optional, into)]
    title: Option<String>,
    /// Its name for screen readers, if that should say more than its text.
    #[prop(optional, into)]
    label: Option<String>,
    /// `true` if it leads to the current page.
    #[prop(optional, into)]
    current: Option<Signal<bool>>,
    /// Its contents.
    children: Children,
) -> impl IntoView {
    let explorer = Explorer::here();
    view! {
        <a
            class=class
            title=title
            aria-label=label
            aria-current=current.map(|current| move || current.get().then_some("page"))
            href=move || explorer.address_after(change.clone())
        >
            {children()}
        </a>
    }
}
