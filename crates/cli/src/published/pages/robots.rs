//! What crawlers may read (RFC 9309), which is everything, and where the addresses of the pages are.
//!
//! Crawlers only ask for `/robots.txt`, so it has an effect if the site is at the root of its host.

use super::{SITEMAP, below};

const COMMENT: &str = "# Written by cache-explorer";

/// Returns `true` if a file is one that [`robots`] has returned.
pub(crate) fn is_one(text: &str) -> bool {
    text.lines().next() == Some(COMMENT)
}

/// Returns the file of a site, at an address if that is known.
pub(super) fn robots(site: Option<&str>) -> String {
    let sitemap = site.map(|site| format!("Sitemap: {}\n", below(site, SITEMAP)));
    format!("{COMMENT}\nUser-agent: *\nAllow: /\n{}", sitemap.unwrap_or_default())
}
