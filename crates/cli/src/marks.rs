//! The marks in the texts that this program writes, by which it recognizes them later. The code that writes a text also puts
//! the mark into it; which files may be replaced is decided by [`output`](crate::output).

use std::cell::Cell;

use lol_html::{RewriteStrSettings, element, rewrite_str};

/// The generator of a page of a package. It differs from that of the site's page, into which an index can be put.
pub(crate) const PACKAGE_PAGE_GENERATOR: &str = "cache-explorer package";

/// The description of a site's search, before the title of the site.
pub(crate) const SEARCH_DESCRIPTION: &str = "Prebuilt binaries for Spack: ";

/// The first line of the script of the pages of packages.
pub(crate) const IN_SCRIPT: &str = "// Written by cache-explorer";

/// The first line of a `robots.txt`.
pub(crate) const IN_ROBOTS: &str = "# Written by cache-explorer";

/// The second line of a sitemap, and the fifth of an `llms.txt`.
pub(crate) const IN_XML: &str = "<!-- Written by cache-explorer -->";

/// Returns `true` if a page was built from this project's sources, which name its generator.
pub(crate) fn is_site_page(html: &str) -> bool {
    let is_built = Cell::new(false);
    let generator = element!("head > meta[name=\"generator\"][content=\"cache-explorer\"]", |_| {
        is_built.set(true);
        Ok(())
    });
    let settings = RewriteStrSettings::new().append_element_content_handler(generator);
    rewrite_str(html, settings).is_ok() && is_built.get()
}

/// Returns `true` if a page is about a package, or lists all packages.
pub(crate) fn is_package_page(html: &str) -> bool {
    html.contains(&format!("<meta name=\"generator\" content=\"{PACKAGE_PAGE_GENERATOR}\">"))
}

/// Returns `true` if a file is the script of the pages of packages.
pub(crate) fn is_package_script(text: &str) -> bool {
    text.lines().next() == Some(IN_SCRIPT)
}

/// Returns `true` if a file lists the addresses of a site's pages.
pub(crate) fn is_sitemap(text: &str) -> bool {
    text.lines().nth(1) == Some(IN_XML)
}

/// Returns `true` if this program wrote a `robots.txt`.
pub(crate) fn is_robots(text: &str) -> bool {
    text.lines().next() == Some(IN_ROBOTS)
}

/// Returns `true` if this program wrote an `llms.txt`.
pub(crate) fn is_llms(text: &str) -> bool {
    text.lines().nth(4) == Some(IN_XML)
}

/// Returns `true` if a file describes the search of a site.
pub(crate) fn is_search(text: &str) -> bool {
    text.contains(&format!("<Description>{SEARCH_DESCRIPTION}"))
}
