//! How much of the environment each mirror has, and the fewest mirrors that together have everything that any of them has.

use cache_advice::environment::MirrorShare;
use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::number::grouped;
use cache_query::Change;
use leptos::prelude::*;
use maud::{Markup, html};

use crate::environment::state::JudgedEnvironment;
use site::explorer::Explorer;
use site::html::list::list;
use site::memo::memo;

/// How many mirrors are listed, so that no page grows without bounds.
const MOST: usize = 200;

/// A table of mirrors, and the fewest that are needed; "Install" has the commands that add them.
#[component]
pub(super) fn ByMirror(
    /// What is known.
    judged: Memo<JudgedEnvironment>,
) -> impl IntoView {
    let mirrors = memo(move || judged.with(|judged| judged.assessment.mirrors.clone()));
    let fewest = move || {
        mirrors.with(|mirrors| match (mirrors.smallest.len(), mirrors.is_smallest) {
            (0, _) => "The cache has nothing of it, so no mirror does.".to_owned(),
            (1, _) => "One mirror has everything that the cache has of it:".to_owned(),
            (count, true) => format!(
                "{count} mirrors together have everything that the cache has of it; no fewer do:"
            ),
            (count, false) => {
                format!("{count} mirrors together have everything that the cache has of it:")
            }
        })
    };
    let places = move || {
        let smallest = mirrors.get().smallest.into_iter();
        smallest.map(|place| view! { <li><bdi>{name(&place)}</bdi></li> }).collect_view()
    };
    let explorer = Explorer::here();
    let write = move || {
        let shares = mirrors.get().shares;
        let more = shares.len().saturating_sub(MOST);
        html! {
            @if !shares.is_empty() {
                table.mirrors {
                    caption.heard { "By release and stack" }
                    thead {
                        tr {
                            th scope="col" { "Release and stack" }
                            th.number scope="col" { "In the cache" }
                            th.number scope="col" { "Needed to run" }
                        }
                    }
                    tbody { @for share in shares.iter().take(MOST) { (row(explorer, share)) } }
                }
            }
            @if more > 0 { p.muted { "and " (grouped(more)) " more" } }
        }
    };
    view! {
        <p>{fewest}</p>
        <ul class="plain-list">{places}</ul>
        {list("mirrors", "", NodeRef::new(), write, |_, _| ())}
    }
}

fn row(explorer: Explorer, share: &MirrorShare) -> Markup {
    let Place { release, stack } = share.place.clone();
    let narrow = Change::Narrow(vec![(Facet::Release, release), (Facet::Stack, stack)]);
    html! {
        tr.row {
            th scope="row" {
                a.filter href=(explorer.address_after(narrow)) { bdi { (name(&share.place)) } }
            }
            td.number { (grouped(share.cached)) }
            td.number { (grouped(share.cached_to_run)) }
        }
    }
}

fn name(place: &Place) -> String {
    match (place.release.as_str(), place.stack.as_str()) {
        ("", "") => "this cache".to_owned(),
        ("", name) | (name, "") => name.to_owned(),
        (release, stack) => format!("{release} / {stack}"),
    }
}
