//! The page that lists all packages, from which search engines find their pages.

use cache_index::facet::Facet;
use cache_index::number::counted;
use maud::html;

use super::{Head, PublishedCache, page as whole};

/// Writes the page.
pub(super) fn page(cache: &PublishedCache) -> String {
    let packages = counted(cache.answer.packages as usize, "package", "packages");
    let builds = counted(cache.answer.builds as usize, "build", "builds");
    let site = cache.index.about().title();
    let title = format!("{packages} as prebuilt binaries for Spack");
    let description = format!("{packages} in {builds}, ready to install with Spack from {site}.");
    let main = html! {
        h1 { (title) }
        p { (description) " " a href="../" { "Search and filter them" } }
        ul.columns {
            @for named in cache.packages() {
                @let name = cache.name(Facet::Package, named.package);
                li {
                    @match &named.file {
                        Some(file) => { a href=(format!("{file}/")) { bdi { (name) } } }
                        None => { bdi { (name) } }
                    }
                }
            }
        }
    };
    let head = Head {
        title: &title,
        description: &description,
        path: "package/",
        to_site: "../",
        linked_data: None,
        take_over: None,
    };
    whole(cache, head, &main)
}
