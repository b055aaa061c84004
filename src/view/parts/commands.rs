//! Commands to paste, each with a button that copies it.

use leptos::prelude::*;

use crate::view::parts::copy::Copy;

/// A command and what it is for.
#[component]
pub(crate) fn Command(
    /// What it does, or for what, in a few words.
    #[prop(into)]
    does: String,
    /// The command.
    #[prop(into)]
    text: String,
    /// What the button is called.
    label: &'static str,
) -> impl IntoView {
    let copied = text.clone();
    view! {
        <li class="command">
            <span class="muted"><bdi>{does}</bdi></span>
            <span class="line">
                <code><bdi>{text}</bdi></code>
                <Copy text=Callback::new(move |()| copied.clone()) label=label/>
            </span>
        </li>
    }
}
