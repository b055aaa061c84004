//! The page: its frame, and inside it the view that answers the query.

use std::sync::Arc;

use cache_index::build::SHORT_HASH;
use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::{Answer, Tab, View};
use leptos::prelude::*;

use crate::browser::{self, history, scripting, tasks};
use crate::door::{self, Piece, with_rest};
use crate::explorer::Explorer;
use crate::html::later::after_first_view;
use crate::html::rows::Viewport;
use crate::html::take_over;
use crate::memo::memo;
use crate::view::frame::{
    AskMachine, Keys, Masthead, PartProblem, Picks, PicksBar, Rail, RestProblem, listen_for_keys,
    recall_machine,
};
use crate::view::front::Front;
use crate::view::parts::sheet::Sheet;

/// The whole page.
#[component]
pub(crate) fn App(
    /// The cache to explore.
    index: &'static Index,
    /// The answer without any filter, if it is known.
    all: Option<Arc<Answer>>,
) -> impl IntoView {
    let explorer =
        Explorer::new(index, door::rest().map(|rest| rest.advice), all, !take_over::is_kept());
    provide_context(explorer);
    tasks::spawn(complete(explorer));
    let viewport = Viewport::new();
    provide_context(viewport);
    provide_context(Picks::new());
    provide_context(AskMachine::new());
    recall_machine(explorer);
    let sheet = Sheet::new(explorer, viewport);
    provide_context(sheet);
    listen_for_keys();
    history::on_follow(move |address| explorer.follow(address));
    let title = memo(move || title(explorer));
    Effect::new(move || browser::set_title(&title.get()));

    view! {
        <a class="skip" href="#results">"Skip to the results"</a>
        <Masthead/>
        <div class="page" aria-busy=move || explorer.is_searching().to_string()>
            <Rail/>
            <main id="results" tabindex="-1" inert=move || sheet.is_open()>
                {after_first_view(|| view! { <PartProblem/> {with_rest(Piece::Notes)} })}
                <Answer/>
            </main>
        </div>
        {after_first_view(|| view! { <PicksBar/> <Keys/> })}
    }
}

/// Waits until the first answer is painted, so that nothing delays it, and then fetches and reads everything else.
async fn complete(explorer: Explorer) {
    tasks::painted().await;
    if let Some(rest) = door::rest() {
        scripting::publish(explorer.index, rest.scripting);
    }
    // A page with a first view has not needed the answer so far. It is computed here, and the lists that show it are written
    // in another task, because together they can take too long.
    untrack(|| explorer.answer());
    tasks::spawn(async move {
        tasks::pause().await;
        explorer.go_live();
    });
    tasks::spawn(async move {
        if explorer.load_rest().await {
            door::begin();
        }
    });
    let problem = explorer.take_parts().await;
    if explorer.load_rest().await && problem.is_none() {
        door::take_whole(explorer);
    }
    scripting::settle(problem.as_deref());
}

#[component]
fn Answer() -> impl IntoView {
    let explorer = Explorer::here();
    let view = explorer.view();
    // Packages and rows of builds are drawn before the hashes arrive; a build, and a search among dependencies, only
    // when everything that they show has arrived.
    let waits = memo(move || match view.get() {
        View::MalformedHash(_) => false,
        View::Build(_) => explorer.details().is_none(),
        View::Compare(_) | View::Changes => explorer.whole().is_none(),
        View::Environment => explorer.hashes().is_none(),
        View::Packages | View::Package(_) => explorer.is_searching(),
    });
    // The rest of the app draws everything except a list of packages, such as the first view. It also explains why a list is
    // empty.
    let needs_rest = memo(move || {
        let is_list = view.get() == View::Packages
            && explorer.with_presentation(|shown| shown.tab == Tab::List)
            && !explorer.finds_nothing();
        !is_list && !explorer.has_rest()
    });
    let awaits_parts = memo(move || explorer.has_rest() && explorer.awaits_parts());
    let loading = || view! { <p class="loading" role="status">"Loading…"</p> }.into_any();
    move || match view.get() {
        _ if needs_rest.get() && explorer.lacks_rest() => view! { <RestProblem/> }.into_any(),
        // The notes above the page report the progress of such a search.
        _ if awaits_parts.get() => view! { <h1 class="heard">"Search"</h1> }.into_any(),
        _ if waits.get() || needs_rest.get() => loading(),
        View::Packages => view! { <Front/> }.into_any(),
        view => with_rest(Piece::Page(view)),
    }
}

/// Returns the title for the browser's tab: what is shown, then the cache.
fn title(explorer: Explorer) -> String {
    let index = explorer.index;
    let spell = |hash: &str| {
        let short: String = hash.chars().take(SHORT_HASH).collect();
        let build = hash.parse().ok().and_then(|hash| index.find(hash));
        match build.map(|build| index.row_of(build)) {
            Some(row) => {
                let text = |facet| index.text(row, facet);
                format!("{}@{} /{short}", text(Facet::Package), text(Facet::Version))
            }
            None => format!("/{short}"),
        }
    };
    let named = match explorer.view().get() {
        View::Package(name) => name,
        // Which build has a hash is known once the hashes are there.
        View::Build(hash) => {
            explorer.hashes();
            spell(&hash.to_string())
        }
        View::MalformedHash(text) => spell(&text),
        View::Compare(hashes) => {
            explorer.hashes();
            let names: Vec<String> = hashes.iter().map(|hash| spell(&hash.to_string())).collect();
            format!("Compare {}", names.join(", "))
        }
        View::Environment => "My environment".to_owned(),
        View::Changes => "What changed".to_owned(),
        View::Packages => explorer.with_question(|question| {
            let chosen = Facet::ALL.into_iter().flat_map(|facet| question.choice(facet).included());
            let text = std::iter::once(question.text.trim()).chain(chosen.map(String::as_str));
            text.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
        }),
    };
    let title = index.about().title();
    if named.is_empty() { title.to_owned() } else { format!("{named} · {title}") }
}
