//! The cache as a whole: what it contains, and since when.

use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::number::{counted, grouped};
use cache_index::query::{Change, most_varied};
use cache_index::sorting;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::view::parts::to::To;

/// How many of the most varied packages are listed.
const MOST_VARIED: usize = 10;

/// How many addresses of binaries are listed.
const FEW_URLS: usize = 3;

/// Totals, releases, stacks, the most varied packages, and when the index was made.
#[component]
pub(crate) fn About() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let made = index.about().made.clone();
    let source = index.about().source.clone();
    let urls = index.about().urls();
    let mirrors = match urls.len() {
        0 => None,
        // The page of each build has the one that it is in.
        count if count > FEW_URLS => Some(counted(count, "address", "addresses")),
        _ => Some(urls.join(", ")),
    };
    let known = counted(index.specs() as usize, "spec", "specs");
    let varied = move || {
        let names = index.dictionary(Facet::Package);
        let packages = most_varied(index, &explorer.answer(), MOST_VARIED).into_iter();
        packages
            .map(|(code, count)| {
                let name = names.text(code).to_owned();
                line(Change::OpenPackage(name.clone()), name, count)
            })
            .collect_view()
    };
    view! {
        <div class="about">
            <section>
                <h2>"This index"</h2>
                <dl class="fields">
                    {source.map(|source| field("Source", source))}
                    {made.map(|made| field("Indexed", made))}
                    {field("Contains", known)}
                    {mirrors.map(|url| field("Binaries at", url))}
                </dl>
            </section>
            <section>
                <h2>"Releases"</h2>
                <ul class="ranks">{move || values(explorer, Facet::Release)}</ul>
            </section>
            <section>
                <h2>"Stacks"</h2>
                <ul class="ranks">{move || values(explorer, Facet::Stack)}</ul>
            </section>
            <section>
                <h2>"Most varied packages"</h2>
                <p class="muted">"Those with the most combinations of version, machine, compiler and variants."</p>
                <ul class="ranks">{varied}</ul>
            </section>
        </div>
    }
}

fn field(name: &'static str, value: String) -> AnyView {
    view! { <div><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div> }.into_any()
}

/// Draws the values of a facet with the number of builds that each would show, most first.
fn values(explorer: Explorer, facet: Facet) -> Vec<AnyView> {
    let answer = explorer.answer();
    let dictionary = explorer.index.dictionary(facet);
    let count = |code: ValueCode| answer.count(facet, code);
    let mut codes: Vec<ValueCode> = dictionary.iter().map(|(code, _)| code).collect();
    codes.retain(|&code| count(code) > 0);
    sorting::sort_by_key(&mut codes, |&code| std::cmp::Reverse(count(code)));
    let line = |code: ValueCode| {
        let name = dictionary.text(code).to_owned();
        let narrow = Change::Narrow(vec![(facet, name.clone())]);
        line(narrow, name, count(code) as usize)
    };
    codes.into_iter().map(line).collect()
}

/// Draws a link with its number.
fn line(change: Change, name: String, count: usize) -> AnyView {
    view! {
        <li>
            <To change><bdi>{name}</bdi></To>
            <span class="count">{grouped(count)}</span>
        </li>
    }
    .into_any()
}
