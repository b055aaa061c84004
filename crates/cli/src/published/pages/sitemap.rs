//! The addresses of the pages, for search engines: <https://www.sitemaps.org/protocol.html>.
//!
//! The list does not say when pages changed, so it changes only if packages come or go.

use std::fmt::Write as _;

use cache_advice::text::escaped;

use super::{PAGES, PublishedCache};
use crate::marks::IN_XML;
use crate::site_url::below;

/// The maximum number of addresses that the format allows in a file.
const MOST: usize = 50_000;

/// Returns the list for a site at an address.
pub(super) fn sitemap(cache: &PublishedCache, site: &str) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{IN_XML}\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    );
    let files = cache.packages().filter_map(|named| named.file);
    let pages = files.map(|file| PAGES.path(&file).replace("/index.html", "/"));
    let pages = [String::new(), "package/".to_owned()].into_iter().chain(pages);
    for page in pages.take(MOST) {
        let _ = writeln!(text, "<url><loc>{}</loc></url>", escaped(&below(site, &page)));
    }
    text + "</urlset>\n"
}
