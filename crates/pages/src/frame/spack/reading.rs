//! Reading the settings from one of Spack's files, or from a pasted part of one, as soon as it is there.

use std::sync::Arc;

use cache_index::settings::Settings;
use cache_query::Preference;
use leptos::prelude::*;

use crate::browser::settings::{self, UnreadSettings};
use crate::frame::spack::{change, preference};
use site::browser::{
    self,
    tasks::{self, Latest},
};
use site::explorer::Explorer;

/// The id of the message about what is wrong with the text.
const PROBLEM: &str = "settings-problem";

/// How long a text must be unchanged before it is read, in milliseconds.
const PAUSE: i32 = 300;

/// A text with settings, and what was found in it.
#[derive(Clone, Copy)]
pub(crate) struct PastedSettings {
    text: RwSignal<String>,
    /// The text that was read last.
    read: RwSignal<String>,
    problem: RwSignal<Option<String>>,
    /// The settings without the text and with it. Until something else changes them, further typing replaces what was read.
    around: StoredValue<(Arc<Preference>, Option<Arc<Preference>>)>,
    said: RwSignal<String>,
    /// Set if the settings must be open, so that a problem is seen.
    pub(super) must_open: RwSignal<bool>,
    latest: Latest,
}

impl PastedSettings {
    pub(crate) fn new() -> PastedSettings {
        PastedSettings {
            text: RwSignal::new(String::new()),
            read: RwSignal::new(String::new()),
            problem: RwSignal::new(None),
            around: StoredValue::default(),
            said: RwSignal::new(String::new()),
            must_open: RwSignal::new(false),
            latest: Latest::default(),
        }
    }

    /// Reads the text if it has not been read yet; returns `false` if the text cannot be read.
    pub(crate) async fn finish(self, explorer: Explorer) -> bool {
        self.latest.give_up();
        let text = self.text.get_untracked();
        if !text.trim().is_empty() && text != self.read.get_untracked() {
            self.take(explorer, UnreadSettings::Text(text)).await;
        }
        let is_read = self.problem.with_untracked(Option::is_none);
        if !is_read {
            self.must_open.set(true);
            tasks::painted().await;
            browser::focus(PROBLEM);
        }
        is_read
    }

    /// Reads settings that were pasted where a machine is described, and shows them where they belong.
    pub(crate) fn take_over(self, explorer: Explorer, text: &str) {
        self.must_open.set(true);
        self.put(explorer, text.to_owned());
    }

    /// Reads the text once it has not changed for a moment.
    fn put(self, explorer: Explorer, text: String) {
        self.text.set(text.clone());
        if text.trim().is_empty() {
            self.latest.give_up();
            self.problem.set(None);
            return self.said.set(String::new());
        }
        self.latest.begin(async move {
            tasks::wait(PAUSE).await;
            self.take(explorer, UnreadSettings::Text(text)).await;
        });
    }

    async fn take(self, explorer: Explorer, given: UnreadSettings) {
        let text = self.text.get_untracked();
        let now = || untrack(|| preference(explorer));
        let is_text = matches!(given, UnreadSettings::Text(_));
        // Other settings stay, because Spack has settings in several files.
        let known = match self.around.get_value() {
            (before, Some(with)) if is_text && with == now() => before,
            _ => now(),
        };
        self.said.set("Reading…".to_owned());
        match settings::read(given, &known).await {
            Ok(read) => {
                self.read.set(text);
                self.problem.set(None);
                let is_known = read == known.settings;
                let has_others = known.settings != Settings::default();
                self.said.set(String::from(match (is_known, has_others) {
                    (true, false) => "Nothing in it changes what Spack reuses by default",
                    (true, true) => "Nothing in it changes the settings that were there",
                    (false, false) => "Read: the fields below show it",
                    (false, true) => {
                        "Read, with the settings that were there: the fields below show both"
                    }
                }));
                // Settings that are not applied must be seen.
                if !read.unapplied.is_empty() {
                    self.must_open.set(true);
                }
                change(explorer, |preference| preference.settings = read);
                self.around.set_value((known, is_text.then(now)));
            }
            Err(words) => {
                self.said.set(String::new());
                self.problem.set(Some(words));
                self.must_open.set(true);
                // The message may be far below the field that the text was pasted into.
                tasks::painted().await;
                browser::scroll_to(PROBLEM);
            }
        }
    }
}

/// The sections of Spack's configuration that say what it reuses, and the file that has all of them.
const SECTIONS: [&str; 4] = ["concretizer:", "packages:", "config:", "spack:"];

/// Splits a text into the description of a machine, and the settings of Spack: these go from the first line that begins a
/// section of Spack's configuration to the next line at the margin that is not YAML.
pub(crate) fn split_from_settings(text: &str) -> (String, &str) {
    let begins = |line: &str| SECTIONS.iter().any(|section| line.trim_start().starts_with(section));
    // `linux-rocky9-zen4`, `Architecture: x86_64`: keys of Spack are in lower case.
    let ends = |line: &str| {
        let is_value = line.trim().is_empty()
            || line.starts_with([' ', '\t', '#', '-', '.', '[', ']', '{', '}', '"', '\'']);
        !is_value && (!line.contains(':') || line.starts_with(|first: char| first.is_uppercase()))
    };
    let before = text.split_inclusive('\n').take_while(|line| !begins(line));
    let (before, rest) = text.split_at(before.map(str::len).sum());
    let settings = rest.split_inclusive('\n').take_while(|line| !ends(line));
    let (settings, after) = rest.split_at(settings.map(str::len).sum());
    (format!("{before}{after}"), settings)
}

/// Draws a field for the text, a button for a file, and what is wrong with what was given.
pub(super) fn draw(explorer: Explorer, pasted: PastedSettings) -> AnyView {
    let PastedSettings { text, problem, said, .. } = pasted;
    let choose = move |event: leptos::ev::Event| {
        if let Some(file) = settings::chosen_file(&event) {
            pasted.latest.begin(pasted.take(explorer, UnreadSettings::File(file)));
        }
    };
    let wrong = move || {
        problem
            .get()
            .map(|words| view! { <pre id=PROBLEM class="problems" role="alert" tabindex="0">{words}</pre> })
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
            on:input:target=move |event| pasted.put(explorer, event.target().value())
        ></textarea>
        <div class="line">
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

#[cfg(test)]
mod tests {
    use super::split_from_settings;

    #[test]
    fn finds_where_settings_begin_and_end() {
        let settings = "concretizer:\n  reuse: dependencies\n";
        assert_eq!(split_from_settings(settings), (String::new(), settings));
        let all = format!("Rocky 9, zen4\n  {settings}");
        assert_eq!(split_from_settings(&all), ("Rocky 9, zen4\n".to_owned(), &all[14..]));
        for other in ["", "Ubuntu 22.04, sapphire rapids", "Model name: packages and more\n"] {
            assert_eq!(split_from_settings(other), (other.to_owned(), ""));
        }
        let settings =
            "concretizer:\n  reuse:\n    from:\n    - type: local\npackages:\n  all: {}\n\n";
        for machine in ["linux-rocky9-zen4\n", "Architecture: x86_64\n", "ID=rocky\n"] {
            let both = format!("{settings}{machine}");
            assert_eq!(split_from_settings(&both), (machine.to_owned(), settings));
        }
    }
}
