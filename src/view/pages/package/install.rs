//! How to install a package from the cache: its mirrors, and the commands.

use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::mirror::{Mirror, TRUST_KEYS};
use cache_index::query::places;
use leptos::prelude::*;
use spack_spec::shell_word;

use crate::explorer::Explorer;
use crate::view::parts::copy::Command;
use crate::view::parts::number::counted;

/// The mirrors that have what matches, and what to do with one.
#[component]
pub(crate) fn Install(
    /// The package.
    package: ValueCode,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let name = index.dictionary(Facet::Package).text(package);
    let base = index.about().mirror_url();
    let mirrors = move || {
        let answer = explorer.answer();
        let places = places(index, &answer, package).into_iter();
        places
            .map(|(place, builds)| {
                let mirror = Mirror::of(&place, base);
                let builds = counted(builds as usize, "build", "builds");
                let does = format!("{} / {}: {builds}", place.release, place.stack);
                view! { <Command does=does text=mirror.add() label="Copy"/> }
            })
            .collect_view()
    };
    let newest = move || {
        let row = explorer.answer().matching_rows(index, package).next()?;
        let version = index.text(row, Facet::Version);
        let spec = format!("{name}@={version}");
        let command = format!("spack install --cache-only {}", shell_word(&spec));
        Some(view! {
            <Command does="Install the newest that matches" text=command label="Copy"/>
        })
    };
    view! {
        <div class="guide">
            <section>
                <h2>"1. Add a mirror that has it"</h2>
                <p class="muted">
                    "One is enough. These have builds that match; the first has most of them."
                </p>
                <ul>{mirrors}</ul>
            </section>
            <section>
                <h2>"2. Trust its keys"</h2>
                <ul><Command does="Once for all mirrors" text=TRUST_KEYS label="Copy"/></ul>
            </section>
            <section>
                <h2>"3. Install"</h2>
                <ul>{newest}</ul>
                <p class="muted">
                    "Spack then chooses among the builds of the mirror. With "
                    <code>"--cache-only"</code>
                    " it never builds from source; if nothing in the mirror fits your machine, it "
                    "stops and says so. For one build exactly, open it and take its own command."
                </p>
            </section>
        </div>
    }
}
