//! How to get one build and no other: for each mirror that has it, the three commands.

use cache_index::build::Build;
use cache_index::mirror::{Mirror, TRUST_KEYS, WHOLE_RELEASE, install, needed_spack};
use cache_index::sorting;
use leptos::prelude::*;

use super::commands::Command;
use crate::explorer::Explorer;

/// The commands for each release and stack that has it.
#[component]
pub(crate) fn Get(
    /// The build.
    of: Build,
) -> impl IntoView {
    let build = of;
    let base = Explorer::here().index.about().mirror_url();
    let needed = needed_spack(&build).map(|(version, told_by)| {
        view! { <p>"Needs Spack "<b><bdi>{version}</bdi></b>" or newer: "{told_by}"."</p> }
    });
    // A stack's index is a fraction of the whole release's, so it is faster to add.
    let mut places: Vec<_> = build.places.iter().collect();
    sorting::sort_by_key(&mut places, |place| place.stack == WHOLE_RELEASE);
    let is_first = |number| number == 0;
    let mirrors = places.into_iter().enumerate().map(|(number, place)| {
        let mirror = Mirror::of(place, base);
        view! {
            <details class="mirror" name="mirror" open=is_first(number)>
                <summary><bdi>{format!("{} / {}", place.release, place.stack)}</bdi></summary>
                <ol>
                    <Command does="Add the mirror" text=mirror.add() label="Copy"/>
                    <Command does="Trust its keys" text=TRUST_KEYS label="Copy"/>
                    <Command does="Install exactly this" text=install(build.hash) label="Copy"/>
                </ol>
            </details>
        }
    });
    let content = if build.has_binary() {
        mirrors.collect_view().into_any()
    } else {
        view! {
            <p>
                "The cache has no binary of it. It is known because other builds depend on it."
            </p>
        }
        .into_any()
    };
    view! {
        <section class="get" aria-labelledby="get">
            <h2 id="get">"Get this build"</h2>
            {needed}
            {content}
            <p class="muted">
                "One mirror is enough. Spack takes the build and all that it needs to run from the "
                "cache, and never compiles."
            </p>
        </section>
    }
}
