//! What recipes say about a text that was searched for: packages whose descriptions match it, a package that Spack can build
//! and the cache does not have, and others that provide what the text names. All are marked as such, and come after what the
//! cache has by that name.

use cache_advice::recipes::{DescribedPackage, Descriptions, FromSource, OtherProviders};
use cache_index::facet::Facet;
use cache_index::number::counted;
use cache_query::{Change, Query, apply};
use leptos::prelude::*;
use maud::html;

use crate::data::recipes;
use site::browser::history;
use site::explorer::Explorer;
use site::html::list::list;
use site::view::parts::copy::Command;

/// The number of described packages that are shown.
const SHOWN: usize = 10;

/// Draws all three kinds.
pub(crate) fn draw() -> AnyView {
    view! { <CanBeBuilt/><AlsoProvide/><DescribedPackages/> }.into_any()
}

/// The packages whose description matches the text that was searched for, apart from those that are found by name.
#[component]
pub(crate) fn DescribedPackages() -> impl IntoView {
    let explorer = Explorer::here();
    // The descriptions are not taken apart anew for each character that is typed.
    let descriptions = Memo::new_with_compare(
        move |_| explorer.recipe_list().map(|list| Descriptions::of(explorer.index, list)),
        |_, _| true,
    );
    let write = move || {
        let text = explorer.with_question(|question| question.text.clone());
        // A text that names a package of the cache does not describe one.
        let is_asked = !text.trim().is_empty()
            && explorer.index.dictionary(Facet::Package).code(text.trim()).is_none();
        let Some(list) = explorer.recipe_list().filter(|_| is_asked) else {
            return html! {};
        };
        let (index, answer) = (explorer.index, explorer.answer());
        let found = descriptions.with(|all| all.as_ref().map(|all| all.described_by(&text)));
        let mut found = found.unwrap_or_default();
        found.retain(|described| answer.matching(described.package) == 0);
        let more = found.len().saturating_sub(SHOWN);
        html! {
            @if !found.is_empty() {
                h2 { "Described by “" bdi { (text.trim()) } "”" }
                ul {
                    @for DescribedPackage { package, without } in found.iter().take(SHOWN) {
                        @let name = index.dictionary(Facet::Package).text(*package);
                        @let description = list.of(*package).map_or("", |listed| listed.description);
                        li {
                            a href=(address_of(explorer, name)) { bdi { (name) } }
                            @if !without.is_empty() { " (says nothing of " bdi { (without.join(", ")) } ")" }
                            " " span.muted title=(description) { bdi { (description) } }
                        }
                    }
                }
                @if more > 0 {
                    p.muted { (counted(more, "more package is", "more packages are")) " described by it" }
                }
            }
        }
    };
    list("described", "described", NodeRef::new(), write, |_, _| ())
}

/// The packages that provide the virtual package that was searched for, and that the cache does not have.
#[component]
pub(crate) fn AlsoProvide() -> impl IntoView {
    let explorer = Explorer::here();
    let write = move || {
        let text = explorer.with_question(|question| question.text.clone());
        let found = recipes::others(explorer)
            .filter(|_| !text.trim().is_empty())
            .and_then(|others| OtherProviders::named(explorer.index, others, &text));
        html! {
            @if let Some(OtherProviders { provided, packages }) = found {
                p {
                    "In Spack, " bdi { (provided) } " is also provided by these packages, not in this cache: "
                    @for (at, name) in packages.iter().enumerate() {
                        @if at > 0 { ", " }
                        a href=(address_of(explorer, name)) { bdi { (name) } }
                    }
                }
            }
        }
    };
    list("also-provide", "also-provide", NodeRef::new(), write, |_, _| ())
}

/// Returns the address of a package without the text that was searched for, which is not its name.
fn address_of(explorer: Explorer, name: &str) -> String {
    let opened = explorer.with_query(|query| {
        let mut query: Query = query.clone();
        query.question.text.clear();
        apply(&query, Change::OpenPackage(name.to_owned()))
    });
    history::address(&opened)
}

/// Says that Spack can build what was searched for, if the cache has no binary of it.
#[component]
pub(crate) fn CanBeBuilt(
    /// The package that was asked for; otherwise the one that the text names.
    #[prop(optional)]
    package: Option<String>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let found = move || {
        let others = recipes::others(explorer)?;
        explorer.with_question(|question| {
            let found = match &package {
                Some(name) => FromSource::of(explorer.index, name),
                None => FromSource::named(explorer.index, others, &question.text),
            };
            Some(found?.asked_in(explorer.index, question))
        })
    };
    move || {
        found().map(|found| {
            let (words, (does, command)) = (format!("{found}."), found.command());
            view! {
                <section class="from-source" data-testid="from-source">
                    <p>{words}</p>
                    <ol class="steps"><Command does=does text=command label="Copy"/></ol>
                </section>
            }
        })
    }
}
