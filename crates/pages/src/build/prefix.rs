//! The beginning of a hash in place of a complete one: the build that it means, or the builds to choose from.

use cache_index::facet::Facet;
use cache_index::index::BuildId;
use cache_query::Change;
use leptos::prelude::*;
use maud::{Markup, html};

use super::gone::NoSuchBuild;
use site::explorer::Explorer;
use site::html::list::list;
use site::memo::memo;

/// How many builds are listed.
const MOST: usize = 20;

/// Opens the build whose hash starts with a text, or lists the builds if there is more than one.
#[component]
pub(crate) fn HashPrefix(
    /// The beginning.
    text: String,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let prefix = text.clone();
    // `None` until the hashes have arrived.
    let found = memo(move || Some(explorer.hashes()?.find_prefix(&prefix, MOST + 1)));
    Effect::new(move || {
        if let Some([build]) = found.get().as_deref()
            && let Some(hash) = index.hash(*build)
        {
            explorer.start_from(Change::OpenBuild(hash));
        }
    });
    move || {
        let text = text.clone();
        match found.get() {
            Some(found) if found.is_empty() => {
                let reason = "no build in this cache has a hash that starts with this".to_owned();
                view! { <NoSuchBuild text reason/> }.into_any()
            }
            Some(found) if found.len() > 1 => view! {
                <section class="empty" data-testid="empty">
                    <h1>"Several builds have a hash that starts with "<code><bdi>{text}</bdi></code></h1>
                    {builds(explorer, found.clone())}
                    {(found.len() > MOST).then_some("There are more. Type more of the hash.")}
                </section>
            }
            .into_any(),
            // If there is only one build, the effect above opens it.
            _ => view! {
                <p class="loading" role="status">
                    "Looking for the build whose hash starts with " <code>{text}</code> "…"
                </p>
            }
            .into_any(),
        }
    }
}

/// Draws links to builds.
fn builds(explorer: Explorer, builds: Vec<BuildId>) -> AnyView {
    let write = move || {
        html! { ul { @for &build in builds.iter().take(MOST) { (line(explorer, build)) } } }
    };
    list("prefixed", "", NodeRef::new(), write, |_, _| ())
}

fn line(explorer: Explorer, build: BuildId) -> Markup {
    let index = explorer.index;
    let row = index.row_of(build);
    let Some(hash) = index.hash(build) else { return html! {} };
    let text = |facet| index.text(row, facet);
    html! {
        li {
            a href=(explorer.address_after(Change::OpenBuild(hash))) {
                code.spec {
                    bdi {
                        (text(Facet::Package)) "@" (text(Facet::Version))
                        span.spec-hash { "/" (hash) }
                    }
                }
            }
            " "
            span.muted { bdi { (text(Facet::Os)) " · " (text(Facet::Target)) } }
        }
    }
}
