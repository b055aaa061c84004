//! The cache as a whole: what it contains, and since when.

use cache_advice::changes::Part;
use cache_advice::most_varied;
use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::number::{counted, grouped};
use cache_index::sorting;
use cache_query::Change;
use leptos::prelude::*;
use maud::html;

use crate::changes::two_parts;
use site::explorer::Explorer;
use site::html::list::list;
use site::view::parts::age::age;
use site::view::parts::query_link::QueryLink;

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
        // The page of each build has the address where it is.
        count if count > FEW_URLS => Some(counted(count, "address", "addresses")),
        _ => Some(urls.join(", ")),
    };
    let builds = index.builds_with_binary().count();
    let others = index.specs() as usize - builds;
    let contains = counted(builds, "build", "builds");
    let others = (others > 0).then(|| {
        let named = counted(others, "spec", "specs");
        format!(", and {named} without a binary, such as compilers")
    });
    let varied = move || {
        let names = index.dictionary(Facet::Package);
        let packages = most_varied(index, &explorer.answer(), MOST_VARIED).into_iter();
        let line = |(code, count): (ValueCode, usize)| {
            let name = names.text(code);
            (Change::OpenPackage(name.to_owned()), name, count)
        };
        packages.map(line).collect()
    };
    let left_out = &index.about().left_out;
    let left_out = (!left_out.is_empty()).then(|| {
        let lines = html! {
            @for left_out in left_out {
                li { bdi { (left_out.why) } span.count { (grouped(left_out.builds as usize)) } }
            }
        };
        view! {
            <section>
                <h2>"Left out"</h2>
                <p class="muted">"Damaged builds that are not in this index, and why."</p>
                <ul class="ranks" inner_html=lines.into_string()></ul>
            </section>
        }
    });
    let about_url = index.about().about_url().map(|url| {
        view! {
            <div>
                <dt>"More about it"</dt>
                <dd><a href=url rel="noopener"><bdi>{url}</bdi></a></dd>
            </div>
        }
    });
    let made = made.map(|date| {
        let exact = date.clone();
        view! {
            <div>
                <dt>"Indexed"</dt>
                <dd>
                    {age(&date)}" ("{exact}")"
                    <span class="muted">". What it was made from may be older."</span>
                </dd>
            </div>
        }
    });
    let values_of = move |facet: Facet, id: &'static str| {
        let named = index.has_names(facet);
        named.then(|| {
            view! {
                <section>
                    <h2>{facet.label_of_all()}</h2>
                    {ranks(id, move || values(explorer, facet))}
                </section>
            }
            .into_any()
        })
    };
    let has_parts = Part::all(index).len() > 1;
    view! {
        <div class="about">
            <section>
                <h2>"This index"</h2>
                <dl class="fields">
                    {index.about().title.clone().map(|title| field("Name", title))}
                    {about_url}
                    {source.map(|source| field("Source", source))}
                    {made}
                    {field("Contains", contains + &others.unwrap_or_default())}
                    {mirrors.map(|url| field("Binaries at", url))}
                </dl>
            </section>
            {left_out}
            {values_of(Facet::Release, "releases")}
            {values_of(Facet::Stack, "stacks")}
            <section>
                <h2>"What changed"</h2>
                {has_parts.then(|| view! {
                    <p>
                        <QueryLink change=Change::OpenChanges(two_parts(index))>"Compare two releases or stacks"</QueryLink>
                    </p>
                })}
                <p>
                    <button type="button" class="button" data-open="comparison">"Compare with another snapshot…"</button>
                </p>
            </section>
            <section>
                <h2>"Most varied packages"</h2>
                <p class="muted">"Those with the most combinations of version, machine, compiler and variants."</p>
                {ranks("varied", varied)}
            </section>
        </div>
    }
}

fn field(name: &'static str, value: String) -> AnyView {
    view! { <div><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div> }.into_any()
}

/// A link, its name, and the number of builds that it shows.
type Rank = (Change, &'static str, usize);

/// Returns the values of a facet with the number of builds that each would show, most first.
fn values(explorer: Explorer, facet: Facet) -> Vec<Rank> {
    let answer = explorer.answer();
    let dictionary = explorer.index.dictionary(facet);
    let count = |code: ValueCode| answer.count(facet, code);
    let mut codes: Vec<ValueCode> = dictionary.iter().map(|(code, _)| code).collect();
    codes.retain(|&code| count(code) > 0);
    sorting::sort_by_key(&mut codes, |&code| std::cmp::Reverse(count(code)));
    let line = |code: ValueCode| {
        let name = dictionary.text(code);
        (Change::Narrow(vec![(facet, name.to_owned())]), name, count(code) as usize)
    };
    codes.into_iter().map(line).collect()
}

/// Draws links with their numbers.
fn ranks(id: &'static str, lines: impl Fn() -> Vec<Rank> + Send + Sync + 'static) -> AnyView {
    let explorer = Explorer::here();
    let write = move || {
        html! {
            ul.ranks {
                @for (change, name, count) in lines() {
                    li {
                        a href=(explorer.address_after(change)) { bdi { (name) } }
                        span.count { (grouped(count)) }
                    }
                }
            }
        }
    };
    list(id, "", NodeRef::new(), write, |_, _| ())
}
