//! Text to copy: a button that copies it and confirms that visibly and audibly, and commands with such a button.

use cache_index::mirror::{self, Mirror};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::browser;
use crate::browser::history;
use crate::browser::tasks::{self, Latest};
use crate::explorer::Explorer;
use crate::html::action::Action;
use crate::view::parts::icon::Icon;

/// How long the confirmation is shown, in milliseconds.
const CONFIRMED: i32 = 2_000;

#[derive(Clone, Copy, PartialEq)]
enum State {
    Ready,
    Copied,
    Refused,
}

impl State {
    /// Returns what is read out.
    fn said(self) -> &'static str {
        match self {
            State::Ready => "",
            State::Copied => "copied",
            State::Refused => "the browser does not allow copying",
        }
    }

    /// Returns the words of a button that has this label while it is ready.
    fn words(self, label: &str) -> &str {
        match self {
            State::Ready => label,
            State::Copied => "Copied",
            State::Refused => "Not allowed",
        }
    }

    /// Returns the icon of a button that has this one while it is ready.
    fn icon(self, ready: Icon) -> Icon {
        match self {
            State::Ready => ready,
            State::Copied => Icon::Done,
            State::Refused => Icon::Cross,
        }
    }
}

/// The buttons of a list that copy a text.
#[derive(Clone, Copy, Default)]
pub struct CopyButtons {
    /// The button that was pressed last, while it confirms that.
    last: RwSignal<Option<(Action, State)>>,
    latest: Latest,
}

impl CopyButtons {
    /// Copies a text, and confirms that on the button with this action.
    pub fn copy(self, action: Action, text: String) {
        self.latest.begin(async move {
            let copied = browser::copy(text).await;
            let state = if copied { State::Copied } else { State::Refused };
            self.last.set(Some((action, state)));
            tasks::wait(CONFIRMED).await;
            self.last.set(None);
        });
    }

    /// Writes a button, which shows its label unless there is an icon.
    pub fn write(self, action: Action, label: &str, icon: Option<Icon>) -> Markup {
        let state = self.last.with(|last| match last {
            Some((pressed, state)) if *pressed == action => *state,
            _ => State::Ready,
        });
        html! {
            button.copy.with-icon[icon.is_some()].done[state == State::Copied]
                type="button"
                aria-label=(label)
                title=(label)
                data-do=(action)
            {
                @match icon {
                    Some(icon) => (state.icon(icon).write()),
                    None => (state.words(label)),
                }
            }
            span.heard role="status" { (state.said()) }
        }
    }
}

/// A button that copies a text.
#[component]
pub fn Copy(
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
        (Some(icon), state) => state.icon(icon).draw().into_any(),
        (None, state) => state.words(label).into_any(),
    };
    let said = move || state.get().said();
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
pub fn Steps(
    /// The mirror.
    mirror: Mirror,
    /// What to install; `/` and a hash for a single build.
    #[prop(into)]
    spec: String,
) -> impl IntoView {
    let all = mirror.steps(&spec);
    let notices = notices(std::slice::from_ref(&mirror));
    let commands = mirror.commands(&spec).into_iter().map(|(does, text)| (does.to_owned(), text));
    view! { {notices}{draw_steps(commands, all)} }
}

/// Draws commands, each with what it does: separately, and all at once.
pub fn draw_steps(commands: impl IntoIterator<Item = (String, String)>, all: String) -> AnyView {
    let commands = commands.into_iter();
    let commands = commands.map(|(does, text)| view! { <Command does text label="Copy"/> });
    view! {
        <ol class="steps">{commands.collect_view()}</ol>
        <p class="line">
            <Copy text=Callback::new(move |()| all.clone()) label="Copy all"/>
        </p>
    }
    .into_any()
}

/// Draws the notices about the commands for mirrors: that there is a blank to fill in, and that binaries are not signed.
pub fn notices(mirrors: &[Mirror]) -> AnyView {
    let notices = mirror::notices(mirrors).into_iter();
    let notices = notices.map(|text| view! { <p class="notice">{text}</p> }).collect_view();
    // The index does not say if a mirror has public keys, and a mirror that was opened from files may not have any.
    let has_signed = mirrors.iter().any(|mirror| mirror.unsigned.is_none())
        && history::shows_opened_cache()
        && Explorer::here().so_far().has_signatures();
    let keys = has_signed.then(|| {
        view! {
            <p class="muted">
                "If the mirror has no public keys, Spack finds none there to trust: get them from its publisher, and "
                <code>"spack gpg trust FILE"</code>"."
            </p>
        }
    });
    view! { {notices}{keys} }.into_any()
}

/// A command and its purpose.
#[component]
pub fn Command(
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
                <code><bdi inner_html=whole_words(&text).into_string()></bdi></code>
                <Copy text=Callback::new(move |()| copied.clone()) label=label/>
            </span>
        </li>
    }
}

/// A word of at most this many characters is shown in one line.
const SHORT: usize = 24;

/// Writes a command without line breaks in its short words, because browsers would break `--trust` after its dashes. A long
/// word, such as an address, is broken wherever the line ends.
fn whole_words(text: &str) -> Markup {
    html! {
        @for (place, word) in text.split(' ').enumerate() {
            @if place > 0 { " " }
            @if word.len() <= SHORT && !word.contains('\n') {
                span.one-word { (word) }
            } @else {
                (word)
            }
        }
    }
}
