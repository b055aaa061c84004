//! What crawlers may read, which is everything, and where the list of pages is (RFC 9309).
//!
//! Crawlers only look for `/robots.txt`, so the file only has an effect if the site is at the root of its host.

use super::{Pointer, PublishedCache, SITEMAP};
use crate::marks::IN_ROBOTS;
use crate::site_url::below;

/// Returns the file of a site.
pub(super) fn robots(cache: &PublishedCache) -> String {
    let sitemap = pointer(cache).map(|pointer| pointer.line + "\n");
    format!("{IN_ROBOTS}\nUser-agent: *\nAllow: /\n{}", sitemap.unwrap_or_default())
}

/// Returns the line that names the list of a site's pages, if its address is known.
pub(crate) fn pointer(cache: &PublishedCache) -> Option<Pointer> {
    let address = below(cache.site_url.as_deref()?, SITEMAP);
    Some(Pointer { line: format!("Sitemap: {address}"), address })
}
