//! A page for each package, for search engines, for previews of links, and for readers without JavaScript.
//!
//! | file | contents |
//! | --- | --- |
//! | `package/NAME/index.html` | what is there of a package, and the commands that install it; it leads to the same package in the site |
//! | `package/take-over.js` | puts the site in the place of the page of a package |
//! | `package/index.html` | all packages |
//! | `sitemap.xml` | the addresses of these pages, if the address of the site is known |
//! | `robots.txt` | allows crawlers everything, and leads them to that list |
//!
//! A page is a few kilobytes of HTML, complete without any script; the description for search engines (JSON-LD) is data. It
//! does not show when the cache was published, so it changes only if the builds of its package or the program do.
//!
//! When a visitor uses the page of a package, a [script](take_over) writes the page of the site into the same document, with
//! the address `?package=NAME`. Then both policies apply to the document, so the policy of the package's page allows what
//! the site's page loads and contains. If the two were not published by the same program, the page stays.

mod package;
mod packages;
mod robots;
mod sitemap;
mod take_over;

use std::sync::Arc;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::names::PackageFiles;
use super::{Pointer, PublishedCache};
use crate::marks::PACKAGE_PAGE_GENERATOR;
use crate::output::{Kind, Shelf, Tree};
use crate::page_html::policy;
use crate::site_url::below;
use cache_ingest::digest::integrity;

/// The pages of packages.
const PAGES: Shelf = Shelf { before: "package/", after: "/index.html", kind: Kind::PackagePage };
/// The page with all packages.
const LIST: &str = "package/index.html";
/// The script of the pages of packages.
const TAKE_OVER: &str = "package/take-over.js";
const SITEMAP: &str = "sitemap.xml";
pub(crate) const ROBOTS: &str = "robots.txt";

/// The files whose names are the same for every cache, and their kinds.
pub(crate) const FILES: [(&str, Kind); 4] = [
    (LIST, Kind::PackagePage),
    (TAKE_OVER, Kind::PackageScript),
    (SITEMAP, Kind::Sitemap),
    (ROBOTS, Kind::Robots),
];

/// The folders that only this program fills.
pub(crate) const SHELVES: [Shelf; 1] = [PAGES];

pub(crate) use self::robots::pointer as in_robots;

/// Returns all pages.
pub(crate) fn tree(cache: &Arc<PublishedCache>) -> Tree {
    let mut tree = Tree::default();
    let all = Arc::clone(cache);
    tree.add(LIST.to_owned(), Kind::PackagePage, move || packages::page(&all));
    tree.add(TAKE_OVER.to_owned(), Kind::PackageScript, take_over::script);
    let all = Arc::clone(cache);
    tree.add(ROBOTS.to_owned(), Kind::Robots, move || robots::robots(&all));
    if let Some(site) = cache.site_url.clone() {
        let all = Arc::clone(cache);
        tree.add(SITEMAP.to_owned(), Kind::Sitemap, move || sitemap::sitemap(&all, &site));
    }
    let pages = cache.packages().filter_map(|PackageFiles { package, file }| {
        let cache = Arc::clone(cache);
        let file = file?;
        Some((file.clone(), move || package::page(&cache, package, &file)))
    });
    tree.fill(PAGES, pages);
    tree
}

/// What the head of a page says.
struct Head<'h> {
    title: &'h str,
    description: &'h str,
    /// Its path below the folder of the site: `package/hdf5/`.
    path: &'h str,
    /// The relative path from the page to the folder of the site.
    to_site: &'h str,
    /// The description for search engines.
    linked_data: Option<serde_json::Value>,
    /// The path of the page's script, relative to the folder of the page, if the site may take the page's place.
    take_over: Option<&'static str>,
}

const STYLE: &str = "\
    :root{color-scheme:light dark;--ink:light-dark(#15191d,#eceff2);--muted:light-dark(#525b64,#aab3bc);\
    --line:light-dark(#e1e5e8,#2b3138);--paper:light-dark(#ffffff,#14171a);--code:light-dark(#f7f8f9,#191d21);\
    --accent:light-dark(#0b5cad,#6cb2f7)}\
    body{max-width:64rem;margin:0 auto;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}\
    a{color:var(--accent)}h1{margin:.5rem 0 0}p,ul{margin:.5rem 0}.muted,caption{color:var(--muted);text-align:left}\
    .scroll{overflow-x:auto}table{border-collapse:collapse}th,td{padding:.15rem .6rem;border-bottom:1px solid var(--line);text-align:right}\
    th[scope=row],thead th:first-child{text-align:left}.none{color:var(--muted)}pre{overflow-x:auto;padding:.6rem;background:var(--code)}\
    .columns{columns:14rem;padding:0;list-style:none}";

/// Writes a page.
fn page(cache: &PublishedCache, head: Head<'_>, main: &Markup) -> String {
    let Head { title, description, path, to_site, linked_data, take_over } = head;
    let site = cache.index.about().title();
    let style = integrity(STYLE.as_bytes());
    let policy = match take_over {
        Some(_) => {
            let mut allowed = cache.in_page.clone();
            allowed.styles.push(style);
            policy(&allowed)
        }
        // No script runs, but programs that judge pages, such as Lighthouse, fetch robots.txt from within the page.
        None => format!(
            "default-src 'none'; style-src '{style}'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
             form-action 'none'"
        ),
    };
    let of_site = |file: &str| cache.site_url.as_deref().map(|url| below(url, file));
    let address = of_site(path);
    // So that no text in the data can end the element.
    let linked_data = linked_data.map(|data| data.to_string().replace('<', "\\u003c"));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(PACKAGE_PAGE_GENERATOR);
                title { (title) " · " (site) }
                meta name="description" content=(description);
                meta property="og:type" content="website";
                meta property="og:site_name" content=(site);
                meta property="og:title" content=(title);
                meta property="og:description" content=(description);
                @if let Some(address) = &address {
                    link rel="canonical" href=(address);
                    meta property="og:url" content=(address);
                }
                @if let Some(image) = of_site("icon-512.png") { meta property="og:image" content=(image); }
                link rel="icon" type="image/svg+xml" href=(format!("{to_site}icon.svg"));
                style { (PreEscaped(STYLE)) }
                @if let Some(data) = linked_data {
                    script type="application/ld+json" { (PreEscaped(data)) }
                }
                @if let Some(script) = take_over { script defer src=(script) {} }
            }
            body {
                header { a href=(to_site) { (site) } }
                main { (main) }
            }
        }
    };
    page.into_string() + "\n"
}
