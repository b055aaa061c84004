//! Taking the settings from a file of Spack's, or from a part of one that is pasted.

use cache_query::Preference;
use leptos::prelude::*;

use crate::browser::settings::{self, Given};
use crate::browser::tasks;
use crate::explorer::Explorer;
use crate::view::frame::spack::{change, preference};

/// Draws a field for the text, a button for a file, and what is wrong with what was given.
pub(super) fn draw(explorer: Explorer) -> AnyView {
    let text = RwSignal::new(String::new());
    let problem = RwSignal::new(None::<String>);
    let said = RwSignal::new(String::new());
    let take = move |given: Given| {
        problem.set(None);
        said.set("Reading…".to_owned());
        tasks::spawn(async move {
            match settings::read(given).await {
                Ok(read) => {
                    let before = untrack(|| preference(explorer));
                    change(explorer, |preference| {
                        preference.settings = read.settings.clone();
                        // What a person asks for is in no file.
                        preference.settings.asked.clone_from(&before.settings.asked);
                    });
                    said.set(match *read == Preference::default() {
                        true => "Nothing in it changes what Spack reuses by default".to_owned(),
                        false => "Read: the fields below show it".to_owned(),
                    });
                }
                Err(words) => {
                    said.set(String::new());
                    problem.set(Some(words));
                }
            }
        });
    };
    let read_text = move |_| {
        let text = text.get_untracked();
        if !text.trim().is_empty() {
            take(Given::Text(text));
        }
    };
    let choose = move |event: leptos::ev::Event| {
        if let Some(file) = settings::chosen_file(&event) {
            take(Given::File(file));
        }
    };
    let wrong = move || {
        problem
            .get()
            .map(|words| view! { <pre class="problems" role="alert" tabindex="0">{words}</pre> })
    };
    view! {
        <p class="muted">
            "Paste " <code>"concretizer:"</code> ", as in " <code>"spack config get concretizer"</code>
            ", or a whole " <code>"spack.yaml"</code> " or " <code>"packages.yaml"</code> ":"
        </p>
        <textarea
            rows="3"
            aria-label="Settings to read"
            placeholder="concretizer:\n  reuse: dependencies"
            spellcheck="false"
            aria-invalid=move || problem.with(Option::is_some).to_string()
            prop:value=move || text.get()
            on:input:target=move |event| text.set(event.target().value())
        ></textarea>
        <div class="line">
            <button type="button" class="button" on:click=read_text>"Read the settings"</button>
            <label class="button file">
                "Choose a file…"
                <input type="file" class="heard" aria-label="File with settings" on:change=choose/>
            </label>
        </div>
        <p class="muted said" role="status">{said}</p>
        {wrong}
    }
    .into_any()
}
