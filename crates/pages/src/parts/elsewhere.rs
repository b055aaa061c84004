//! Where the page has what a search asks for that finds no build, because it is not a property of builds.

use cache_advice::{Elsewhere, Published, elsewhere};
use cache_query::View;
use cache_query::search::Understood;
use leptos::prelude::*;
use site::browser::history;
use site::explorer::Explorer;

use crate::browser::facts;

/// Returns where that is, for the text in the search box.
pub(crate) fn find(explorer: Explorer) -> Option<Elsewhere> {
    if explorer.answer().builds > 0 {
        return None;
    }
    let query = explorer.before_typing();
    elsewhere(explorer.so_far(), &query, published(explorer), &explorer.search_text())
}

/// Returns where that is, for the words of a text that were left out of a search which finds builds: `spack mirror add`.
pub(crate) fn find_beside(explorer: Explorer, read: &[Understood]) -> Option<Elsewhere> {
    let left_out = read.iter().filter(|one| one.kind.is_empty()).map(|one| one.piece.as_str());
    let is_all = read.iter().all(|one| one.kind.is_empty());
    // Beside others, these say what these are.
    const KINDS: [&str; 7] =
        ["compiler", "compilers", "target", "arch", "architecture", "cpu", "os"];
    let asks = |piece: &&str| is_all || !KINDS.contains(piece);
    let text = left_out.filter(asks).collect::<Vec<_>>().join(" ");
    let is_of_package = explorer.view().with(|view| matches!(view, View::Package(_)));
    if text.is_empty() || is_of_package || explorer.answer().builds == 0 {
        return None;
    }
    let query = explorer.before_typing();
    elsewhere(explorer.so_far(), &query, published(explorer), &text)
}

fn published(explorer: Explorer) -> Published {
    Published { recipes: explorer.has_recipes(), binaries: facts::are_there() }
}

/// Returns `true` if a query leads there.
pub(crate) fn leads_there(elsewhere: &Option<Elsewhere>) -> bool {
    matches!(elsewhere, Some(Elsewhere::At { .. }))
}

/// Draws what leads there, or says that it cannot be had.
pub(crate) fn draw(elsewhere: Elsewhere) -> AnyView {
    match elsewhere {
        Elsewhere::At { what, query } => {
            view! { <p>"See "<a href=history::address(&query)><bdi>{what}</bdi></a>"."</p> }
                .into_any()
        }
        Elsewhere::Nowhere(sentence) => view! { <p>{sentence}"."</p> }.into_any(),
    }
}
