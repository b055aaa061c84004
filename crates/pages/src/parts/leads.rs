//! For a search that finds nothing: where the page shows what is known about the packages that the search names.

use cache_advice::{Leads, leads};
use leptos::prelude::*;
use site::browser::history;
use site::explorer::Explorer;
use site::memo::memo;

use crate::parts::elsewhere;

/// Draws this for the text in the search box, unless the text asks for something that is elsewhere.
pub(crate) fn draw() -> impl IntoView {
    let explorer = Explorer::here();
    let found = memo(move || match elsewhere::leads_there(&elsewhere::find(explorer)) {
        true => Vec::new(),
        false => leads(explorer.index, &explorer.before_typing(), &explorer.search_text()),
    });
    move || found.get().into_iter().map(one).collect_view()
}

fn one(Leads { package, to }: Leads) -> AnyView {
    let of = package.unwrap_or_else(|| "This cache".to_owned());
    let to = to.into_iter().enumerate().map(|(at, (what, query))| {
        let before = if at == 0 { ": " } else { ", " };
        view! { {before}<a href=history::address(&query)><bdi>{what}</bdi></a> }
    });
    view! { <p data-testid="leads"><bdi>{of}</bdi>{to.collect_view()}"."</p> }.into_any()
}
