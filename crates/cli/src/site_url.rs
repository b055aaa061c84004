//! The address at which a site is published.

/// Returns the address of a file of a site.
pub(crate) fn below(site_url: &str, name: &str) -> String {
    format!("{}/{name}", site_url.trim_end_matches('/'))
}
