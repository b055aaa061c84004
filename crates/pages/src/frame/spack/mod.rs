//! The user's Spack and its settings about reuse: a part of the panel about their machine. A change takes effect at once.

mod fields;
mod reading;

use std::sync::Arc;

use cache_index::spack::SpackVersion;
use cache_query::Change;
use cache_query::Preference;
use leptos::prelude::*;

pub(crate) use self::reading::{PastedSettings, split_from_settings};
use crate::parts::of_settings;
use crate::parts::sentence::sentence;
use site::explorer::Explorer;

/// The versions to choose from, newest first. An address can have others.
const VERSIONS: [&str; 7] = ["1.3", "1.2", "1.1", "1.0", "0.23", "0.22", "0.21"];

/// Draws the version, which the description of a machine may state, and on demand the settings.
pub(crate) fn draw(pasted: PastedSettings, described: RwSignal<Option<SpackVersion>>) -> AnyView {
    let explorer = Explorer::here();
    let version = move || described.get().unwrap_or(preference(explorer).spack).to_string();
    let other = move || {
        let version = version();
        (!VERSIONS.contains(&version.as_str()))
            .then(|| view! { <option value=version.clone()>{version.clone()}</option> })
    };
    view! {
        <label>
            "Spack"
            <select
                prop:value=version
                on:change=move |event| {
                    if let Ok(version) = event_target_value(&event).parse::<SpackVersion>() {
                        described.set(None);
                        change(explorer, |preference| preference.spack = version);
                    }
                }
            >
                {other}
                {VERSIONS.map(|name| view! { <option value=name>{name}</option> }).collect_view()}
            </select>
        </label>
        {move || {
            let notes = preference(explorer).settings.notes().into_iter();
            notes.map(|note| view! { <p class="notice">{sentence(&note)}"."</p> }).collect_view()
        }}
        {of_settings::draw()}
        <details class="raw" prop:open=move || pasted.must_open.get()>
            <summary>"Settings about reuse"</summary>
            {reading::draw(explorer, pasted)}
            {fields::draw(explorer)}
        </details>
    }
    .into_any()
}

fn preference(explorer: Explorer) -> Arc<Preference> {
    explorer.with_question(|question| question.preference())
}

fn change(explorer: Explorer, change: impl FnOnce(&mut Preference)) {
    let mut changed = untrack(|| preference(explorer));
    change(Arc::make_mut(&mut changed));
    explorer.go(Change::Prefer(changed));
}
