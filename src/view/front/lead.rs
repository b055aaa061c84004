//! One line for newcomers: what this is, whose it is, how fresh it is, and what to ask.

use cache_index::facet::Facet;
use cache_index::number::counted;
use leptos::prelude::*;

use crate::door::{Piece, with_rest};
use crate::explorer::Explorer;
use crate::view::front::news;
use crate::view::parts::age::age;

/// At most this many releases are named; more are only counted.
const NAMED: usize = 3;

/// The line above the list of packages.
#[component]
pub(crate) fn Lead() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let about = index.about();
    let from = match (&about.title, &about.source) {
        (Some(title), _) => Some(format!("of {title}")),
        (None, source) => source.as_ref().map(|source| format!("from {source}")),
    };
    let from = from.map(|from| match about.about_url() {
        Some(url) => view! { " " <a href=url rel="noopener"><bdi>{from}</bdi></a> }.into_any(),
        None => view! { " " <bdi>{from}</bdi> }.into_any(),
    });
    let releases = index.dictionary(Facet::Release).values();
    let releases = match releases.len() {
        // One is named in the headline.
        0 | 1 => None,
        count if count > NAMED => Some(format!(", {}", counted(count, "release", "releases"))),
        _ => Some(format!(", releases {}", releases.join(", "))),
    };
    let made = about.made.as_ref().map(|date| view! { ", indexed " {age(date)} });
    view! {
        <div class="lead" data-testid="lead">
            <p class="what-for">
                "Find prebuilt binaries for Spack, see which of them run on your machine and how look-alikes differ, "
                "and get the command that installs the right one."
            </p>
            <p>"Prebuilt Spack packages" {from} {releases} {made} {news::draw()}</p>
            <ul class="examples" aria-label="Example questions">{with_rest(Piece::Examples)}</ul>
        </div>
    }
}
