//! Text to copy: a button that copies it and confirms that visibly and audibly, and commands with such a button.

use cache_index::mirror::{Mirror, TRUST_KEYS, UNKNOWN_URL, install};
use leptos::prelude::*;

use crate::browser;
use crate::browser::tasks;
use crate::view::parts::icon::Icon;

/// How long the confirmation is shown, in milliseconds.
const CONFIRMED: i32 = 2_000;

#[derive(Clone, Copy, PartialEq)]
enum State {
    Ready,
    Copied,
    Refused,
}

/// A button that copies a text.
#[component]
pub(crate) fn Copy(
    /// Returns the text to copy when the button is pressed.
    text: Callback<(), String>,
    /// The name of the button; shown unless there is an icon, and always read out.
    label: &'static str,
    /// Shown instead of the label.
    #[prop(optional)]
    icon: Option<Icon>,
) -> impl IntoView {
    let state = RwSignal::new(State::Ready);
    let press = move |event: leptos::ev::MouseEvent| {
        event.stop_propagation();
        tasks::spawn(async move {
            // The text is read once, without subscribing to anything.
            let copied = browser::copy(untrack(|| text.run(()))).await;
            let _ = state.try_set(if copied { State::Copied } else { State::Refused });
            tasks::wait(CONFIRMED).await;
            // The button may no longer exist by then.
            let _ = state.try_set(State::Ready);
        });
    };
    let shown = move || match (icon, state.get()) {
        (Some(icon), State::Ready) => icon.draw().into_any(),
        (Some(_), State::Copied) => Icon::Done.draw().into_any(),
        (Some(_), State::Refused) => Icon::Cross.draw().into_any(),
        (None, State::Ready) => label.into_any(),
        (None, State::Copied) => "Copied".into_any(),
        (None, State::Refused) => "Not allowed".into_any(),
    };
    let said = move || match state.get() {
        State::Ready => "",
        State::Copied => "copied",
        State::Refused => "the browser does not allow copying",
    };
    view! {
        <button
            type="button"
            class="copy"
            class:with-icon=icon.is_some()
            class:done=move || state.get() == State::Copied
            aria-label=label
            title=label
            on:click=press
        >
            {shown}
        </button>
        <span class="heard" role="status">{said}</span>
    }
}

/// The commands that install something from a mirror: each separately, and all at once.
#[component]
pub(crate) fn Steps(
    /// The mirror.
    mirror: Mirror,
    /// What to install; `/` and a hash for a single build.
    #[prop(into)]
    spec: String,
) -> impl IntoView {
    let all = mirror.steps(&spec);
    let blank = mirror.url.is_none().then(|| {
        view! {
            <p class="notice">
                "This cache does not say where its mirrors are. Put the URL of this one in place of "
                <code>{UNKNOWN_URL}</code>"."
            </p>
        }
    });
    view! {
        {blank}
        <ol class="steps">
            <Command does="Add the mirror" text=mirror.add() label="Copy"/>
            <Command does="Trust its keys" text=TRUST_KEYS label="Copy"/>
            <Command does="Install exactly this build" text=install(&spec) label="Copy"/>
        </ol>
        <Copy text=Callback::new(move |()| all.clone()) label="Copy all"/>
    }
}

/// A command and its purpose.
#[component]
pub(crate) fn Command(
    /// What it does, in a few words.
    #[prop(into)]
    does: String,
    /// The command.
    #[prop(into)]
    text: String,
    /// The label of the button.
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
