//! The page: its frame, and in it the view that answers the query.

use cache_index::index::Index;
use cache_index::query::View;
use gloo::utils::document;
use leptos::prelude::*;

use crate::explorer::{Explorer, Shown};
use crate::memo::memo;
use crate::view::{
    Build, Compare, Front, Ignored, Keys, Masthead, Package, PartProblem, Picks, PicksBar, Rail,
    SearchProblems, Sheet, Viewport, listen_for_keys, recall_machine,
};
use crate::{parts, scripting};

/// The whole page.
#[component]
pub(crate) fn App(
    /// The cache that is explored.
    index: &'static Index,
) -> impl IntoView {
    let explorer = Explorer::new(index);
    provide_context(explorer);
    parts::take_later(index, move |part, is_last| {
        let problem = part.as_ref().err().map(ToString::to_string);
        explorer.has_taken(part);
        if is_last {
            scripting::settle(problem.as_deref());
        }
    });
    provide_context(Viewport::new());
    provide_context(Picks::new());
    recall_machine(explorer);
    let sheet = Sheet::new();
    provide_context(sheet);
    listen_for_keys();
    Effect::new(move || document().set_title(&title(explorer)));

    view! {
        <a class="skip" href="#results">"Skip to the results"</a>
        <Masthead/>
        <div class="page">
            <Rail/>
            <main id="results" tabindex="-1" inert=move || sheet.is_open()>
                <PartProblem/>
                <Ignored/>
                <SearchProblems/>
                <Answer/>
            </main>
        </div>
        <PicksBar/>
        <Keys/>
    }
}

#[component]
fn Answer() -> impl IntoView {
    let explorer = Explorer::here();
    let shown = explorer.shown();
    // Packages are listed before the hashes are there; what shows hashes is drawn anew with them.
    let waits =
        memo(move || !explorer.arrived().hashes && shown.with(|shown| *shown != Shown::Packages));
    move || match (shown.get(), waits.get()) {
        (Shown::Build(_) | Shown::Compare(_), true) => {
            view! { <p role="status">"Loading…"</p> }.into_any()
        }
        (Shown::Build(hash), false) => view! { <Build hash/> }.into_any(),
        (Shown::Compare(hashes), false) => view! { <Compare hashes/> }.into_any(),
        (Shown::Package(name), _) => view! { <Package name/> }.into_any(),
        (Shown::Packages, _) => view! { <Front/> }.into_any(),
    }
}

fn title(explorer: Explorer) -> String {
    let page = explorer.with_query(|query| match query.view() {
        View::Package(name) => Some(name.to_owned()),
        View::Build(hash) => Some(format!("/{}", hash.chars().take(7).collect::<String>())),
        View::Compare(hashes) => Some(format!("Compare {} builds", hashes.len())),
        View::Packages if query.text.trim().is_empty() => None,
        View::Packages => Some(query.text.trim().to_owned()),
    });
    match page {
        Some(page) => format!("{page} · Spack build cache"),
        None => "Spack build cache".to_owned(),
    }
}
