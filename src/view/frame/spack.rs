//! The person's Spack and its settings about reuse: a part of the panel about their machine. A change is seen at once.

use cache_index::query::Change;
use cache_index::reuse::{Preference, Reuse, SpackVersion};
use leptos::prelude::*;

use crate::explorer::Explorer;

/// The versions to choose from, newest first. An address can have others.
const VERSIONS: [&str; 7] = ["1.3", "1.2", "1.1", "1.0", "0.23", "0.22", "0.21"];

/// Draws the version, and on demand the settings. All of this is in the rest of the app.
#[inline(never)]
pub(crate) fn draw_later() -> AnyView {
    let explorer = Explorer::here();
    let preference = move || explorer.with_question(|question| question.preference.clone());
    let change = move |change: &dyn Fn(&mut Preference)| {
        let mut changed = untrack(preference);
        change(&mut changed);
        explorer.go(Change::Prefer(changed));
    };
    let version = move || preference().spack.to_string();
    let other = move || {
        let version = version();
        (!VERSIONS.contains(&version.as_str()))
            .then(|| view! { <option value=version.clone()>{version.clone()}</option> })
    };
    let list = move |label: &'static str, of: fn(&mut Preference) -> &mut Vec<String>| {
        let text = move || of(&mut preference()).join("\n");
        let set = move |event| {
            let lines: Vec<String> =
                event_target_value(&event).lines().map(str::to_owned).collect();
            change(&|preference| of(preference).clone_from(&lines));
        };
        view! {
            <label>
                {label}
                <textarea rows="1" placeholder="a spec on each line" spellcheck="false"
                    prop:value=text on:change=set></textarea>
            </label>
        }
    };
    view! {
        <label>
            "Spack"
            <select
                prop:value=version
                on:change=move |event| {
                    if let Ok(version) = event_target_value(&event).parse::<SpackVersion>() {
                        change(&|preference| preference.spack = version);
                    }
                }
            >
                {other}
                {VERSIONS.map(|name| view! { <option value=name>{name}</option> }).collect_view()}
            </select>
        </label>
        <details class="raw">
            <summary>"Settings about reuse"</summary>
            <label>
                <code>"reuse"</code>
                <select
                    prop:value=move || preference().reuse.key()
                    on:change=move |event| {
                        if let Some(reuse) = Reuse::from_key(&event_target_value(&event)) {
                            change(&|preference| preference.reuse = reuse);
                        }
                    }
                >
                    {["true", "dependencies", "false"]
                        .map(|name| view! { <option value=name>{name}</option> })
                        .collect_view()}
                </select>
            </label>
            {list("include", |preference| &mut preference.include)}
            {list("exclude", |preference| &mut preference.exclude)}
            {list("Specs that you ask for", |preference| &mut preference.asked)}
        </details>
    }
    .into_any()
}
