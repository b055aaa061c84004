//! Packages that are behind their newest release in Spack, and cached versions that are deprecated.

use cache_advice::recipes::{OutdatedPackage, OutdatedReport};
use cache_index::number::grouped;
use cache_query::Change;
use leptos::prelude::*;
use maud::{Markup, html};

use crate::data::recipes;
use site::explorer::Explorer;
use site::html::list;
use site::html::rows::{ABOVE, ExistingRows};
use site::memo::memo;

/// The outdated packages and the deprecated versions, of the packages that match. A package is compared by all its builds in
/// the cache, so that a filter by stack does not make it outdated.
#[component]
pub(crate) fn OutdatedPackages() -> impl IntoView {
    let explorer = Explorer::here();
    let outdated = memo(move || {
        let answer = explorer.answer();
        recipes::outdated(explorer, |package| answer.matching(package) > 0)
    });
    let behind = move || match &*outdated.read() {
        Some(Ok(outdated)) => outdated.packages.len(),
        _ => 0,
    };
    let element = NodeRef::new();
    let existing = ExistingRows::of(element, Signal::derive(behind), None, ABOVE);
    let write = move || {
        outdated.with(|outdated| match outdated {
            None => html! { p.muted role="status" { "Reading what the recipes say…" } },
            Some(Err(problem)) => html! { p.problem { (problem) } },
            Some(Ok(outdated)) => {
                let packages: Vec<usize> = (0..outdated.packages.len()).collect();
                let row = |at| row(explorer, &outdated.packages[at]);
                html! {
                    p { (outdated.headline()) "." }
                    @if !packages.is_empty() {
                        table.packages.outdated aria-rowcount=(packages.len() + 1) {
                            caption.heard { "Packages whose newest release in Spack is not cached" }
                            thead {
                                tr {
                                    th.c-package scope="col" { "Package" }
                                    th.c-cached scope="col" { "Newest in this cache" }
                                    th.c-latest scope="col" { "Newest in Spack" }
                                    th.number.c-behind scope="col" { "Releases behind" }
                                }
                            }
                            (existing.write(&packages, 4, row))
                        }
                    }
                    (deprecated(explorer, outdated))
                }
            }
        })
    };
    list::list("outdated", "", element, write, |_, _| ())
}

/// Writes the row of a package.
fn row(explorer: Explorer, one: &OutdatedPackage) -> Markup {
    html! {
        tr.row data-key=(one.package) {
            th.c-name scope="row" { (link(explorer, &one.package)) }
            td.c-cached.spec-version { bdi { (one.cached_in_words()) } }
            td.c-latest.spec-version { bdi { (one.newest) } }
            td.number.c-behind data-unit=(if one.behind == 1 { " release behind" } else { " releases behind" }) {
                (grouped(one.behind as usize))
            }
        }
    }
}

/// Writes which cached versions are deprecated.
fn deprecated(explorer: Explorer, outdated: &OutdatedReport) -> Markup {
    html! {
        @if !outdated.deprecated.is_empty() {
            h2 { "Deprecated in Spack, and cached" }
            ul.deprecated {
                @for one in &outdated.deprecated {
                    li {
                        (link(explorer, &one.package)) " "
                        span.spec-version { bdi { "@" (one.version) } } " "
                        span.muted { (grouped(one.builds)) @if one.builds == 1 { " build" } @else { " builds" } }
                    }
                }
            }
        }
    }
}

fn link(explorer: Explorer, package: &str) -> Markup {
    let address = explorer.address_after(Change::OpenPackage(package.to_owned()));
    html! { a href=(address) { bdi { (package) } } }
}
