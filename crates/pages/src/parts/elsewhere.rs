//! Where the page has what a search asks for that finds no build, because it is not a property of builds.

use cache_advice::{Elsewhere, elsewhere};
use leptos::prelude::*;
use site::browser::history;
use site::explorer::Explorer;

/// Returns where that is, for the text in the search box.
pub(crate) fn find(explorer: Explorer) -> Option<Elsewhere> {
    if explorer.answer().builds > 0 {
        return None;
    }
    let query = explorer.before_typing();
    elsewhere(explorer.index, &query, explorer.has_recipes(), &explorer.search_text())
}

/// Draws what leads there.
pub(crate) fn draw(Elsewhere { what, query }: Elsewhere) -> AnyView {
    view! { <p>"See "<a href=history::address(&query)><bdi>{what}</bdi></a>"."</p> }.into_any()
}
