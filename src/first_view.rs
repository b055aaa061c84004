//! The first view of a cache as HTML, which a page shows until its app has started.

use cache_index::index::Index;
use leptos::prelude::*;
use tachys::view::RenderHtml;

use crate::app::App;

/// Returns what the app draws first for an address without a query, as HTML.
pub fn first_view(index: &'static Index) -> String {
    let owner = Owner::new();
    let html = owner.with(|| view! { <App index all=None/> }.into_any().to_html());
    owner.cleanup();
    // Leptos separates parts by `<!>` and writes an empty text as a space, so that an app can take over this HTML. Ours
    // replaces it.
    html.replace("<!>", "").replace("> </", "></")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_packages_and_the_facets() {
        let index = Index::from_json(include_str!(concat!(env!("OUT_DIR"), "/index.json")));
        let html = first_view(Box::leak(Box::new(index.expect("an index"))));
        for text in ["hdf5", "My machine", "gcc", "Packages"] {
            assert!(html.contains(text), "{text} is not in {html}");
        }
        assert!(!html.contains("<!>") && !html.contains("> </"), "{html}");
    }
}
