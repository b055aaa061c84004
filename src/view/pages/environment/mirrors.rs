//! Which mirror has how much of the environment, and which few have all that any has.

use cache_advice::environment::MirrorShare;
use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::mirror::Mirror;
use cache_index::number::grouped;
use cache_query::Change;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::view::pages::environment::state::Judged;
use crate::view::parts::copy::Command;
use crate::view::parts::to::To;

/// How many mirrors are listed, so that no page grows without bounds.
const MOST: usize = 200;

/// A table of mirrors, and the commands that add the fewest that are needed.
#[component]
pub(super) fn ByMirror(
    /// What is known.
    judged: Judged,
) -> impl IntoView {
    let index = Explorer::here().index;
    let mirrors = &judged.assessment.mirrors;
    let fewest = match (mirrors.smallest.len(), mirrors.is_smallest) {
        (0, _) => "The cache has nothing of it, so no mirror does.".to_owned(),
        (1, _) => "One mirror has everything that the cache has of it:".to_owned(),
        (count, true) => format!(
            "{count} mirrors together have everything that the cache has of it; no fewer do:"
        ),
        (count, false) => {
            format!("{count} mirrors together have everything that the cache has of it:")
        }
    };
    let commands = mirrors.smallest.iter().map(|place| {
        let mirror = Mirror::of(place, index.about());
        view! { <Command does=name(place) text=mirror.add() label="Copy"/> }
    });
    let more = mirrors.shares.len().saturating_sub(MOST);
    let table = (!mirrors.shares.is_empty()).then(|| {
        view! {
            <table class="mirrors">
                <caption class="heard">"By release and stack"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Release and stack"</th>
                        <th scope="col" class="number">"In the cache"</th>
                        <th scope="col" class="number">"Needed to run"</th>
                    </tr>
                </thead>
                <tbody>{mirrors.shares.iter().take(MOST).map(row).collect_view()}</tbody>
            </table>
        }
    });
    view! {
        <p>{fewest}</p>
        <ol class="steps">{commands.collect_view()}</ol>
        {table}
        {(more > 0).then(|| view! { <p class="muted">{format!("and {} more", grouped(more))}</p> })}
    }
}

fn row(share: &MirrorShare) -> AnyView {
    let Place { release, stack } = share.place.clone();
    let name = name(&share.place);
    let narrow = Change::Narrow(vec![(Facet::Release, release), (Facet::Stack, stack)]);
    view! {
        <tr class="row">
            <th scope="row"><To change=narrow class="filter"><bdi>{name}</bdi></To></th>
            <td class="number">{grouped(share.cached)}</td>
            <td class="number">{grouped(share.cached_to_run)}</td>
        </tr>
    }
    .into_any()
}

fn name(place: &Place) -> String {
    match (place.release.as_str(), place.stack.as_str()) {
        ("", "") => "this cache".to_owned(),
        ("", name) | (name, "") => name.to_owned(),
        (release, stack) => format!("{release} / {stack}"),
    }
}
