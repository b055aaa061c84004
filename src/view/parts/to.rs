//! A link that changes the query: a real address, so that it can be opened in a new tab, copied and
//! read out, and a plain click stays on the page.

use cache_index::query::Change;
use leptos::prelude::*;

use crate::explorer::Explorer;

/// A link to where a change leads.
#[component]
pub(crate) fn To(
    /// What following it does.
    change: Change,
    /// Its classes.
    #[prop(optional)]
    class: &'static str,
    /// Text for the pointer that rests on it.
    #[prop(optional, into)]
    title: Option<String>,
    /// How it is read out where that is more than what it says.
    #[prop(optional, into)]
    label: Option<String>,
    /// Whether it leads to where the person is.
    #[prop(optional, into)]
    current: Option<Signal<bool>>,
    /// What it says.
    children: Children,
) -> impl IntoView {
    let explorer = Explorer::here();
    let go_to = change.clone();
    let follow = move |event: leptos::ev::MouseEvent| {
        // Any other click asks for a new tab or window, which the browser does with the address.
        let plain = event.button() == 0
            && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key());
        if plain {
            event.prevent_default();
            explorer.go(go_to.clone());
        }
    };
    view! {
        <a
            class=class
            title=title
            aria-label=label
            aria-current=current.map(|current| move || current.get().then_some("page"))
            href=move || explorer.address_after(change.clone())
            on:click=follow
        >
            {children()}
        </a>
    }
}
