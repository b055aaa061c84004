//! The page: its frame, and inside it the view that answers the query.

use std::sync::Arc;

use cache_index::build::SHORT_HASH;
use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::{Answer, Tab, View};
use leptos::prelude::*;

use crate::browser::parts::Stage;
use crate::browser::{self, parts, returning, scripting};
use crate::explorer::{Arrived, Explorer, Rest};
use crate::html::later::when_live;
use crate::html::rows::Viewport;
use crate::html::take_over;
use crate::memo::memo;
use crate::view::frame::{
    AskMachine, Keys, LinkProblems, Masthead, PartProblem, Picks, PicksBar, Rail, RestProblem,
    SearchProblems, Sheet, listen_for_keys, recall_machine,
};
use crate::view::pages::{Front, draw_later};

/// The whole page.
#[component]
pub(crate) fn App(
    /// The cache to explore.
    index: &'static Index,
    /// The answer without any filter, if it is known.
    all: Option<Arc<Answer>>,
) -> impl IntoView {
    let explorer = Explorer::new(index, all, !take_over::is_kept());
    provide_context(explorer);
    // Nothing takes processor time or bandwidth from the first answer.
    browser::after_painting(move || {
        scripting::publish(index);
        // A page with a first view has not needed the answer. It is computed here, and what shows it is written in a task of
        // its own, because together they can take too long.
        untrack(|| explorer.answer());
        browser::soon(move || explorer.go_live());
        explorer.load_rest(move || {
            if untrack(|| explorer.rest()) == Rest::Here {
                returning::follow();
            }
        });
        parts::take_later(index, move |stage, part| {
            let problem = part.as_ref().err().map(ToString::to_string);
            explorer.has_taken(stage, part);
            if stage == Stage::All || problem.is_some() {
                explorer.load_rest(move || scripting::settle(problem.as_deref()));
            }
        });
    });
    provide_context(Viewport::new());
    provide_context(Picks::new());
    provide_context(AskMachine::new());
    recall_machine(explorer);
    let sheet = Sheet::new();
    provide_context(sheet);
    listen_for_keys();
    let title = memo(move || title(explorer));
    Effect::new(move || browser::set_title(&title.get()));

    view! {
        <a class="skip" href="#results">"Skip to the results"</a>
        <Masthead/>
        <div class="page" aria-busy=move || (explorer.is_live() && explorer.is_searching()).to_string()>
            <Rail/>
            <main id="results" tabindex="-1" inert=move || sheet.is_open()>
                {when_live(|| view! { <PartProblem/> <LinkProblems/> <SearchProblems/> })}
                <Answer/>
            </main>
        </div>
        {when_live(|| view! { <PicksBar/> <Keys/> })}
    }
}

#[component]
fn Answer() -> impl IntoView {
    let explorer = Explorer::here();
    let view = explorer.view();
    // Packages and rows of builds are drawn before the hashes arrive; a build, and a search among dependencies, only
    // when everything that they show has arrived.
    let waits = memo(move || {
        let Arrived { stage, dependencies, problem } = explorer.arrived();
        problem.is_none()
            && match view.get() {
                View::MalformedHash(_) => false,
                View::Build(_) => stage < Stage::Details,
                View::Compare(_) => stage < Stage::Details || !dependencies,
                View::Environment => stage < Stage::Hashes,
                View::Changes => stage < Stage::Details || !dependencies,
                View::Packages | View::Package(_) => explorer.is_live() && explorer.is_searching(),
            }
    });
    // Everything except a list of packages is drawn by the rest of the app, and so is what explains an empty one. The first
    // view is such a list.
    let rest = memo(move || {
        let is_list = view.get() == View::Packages
            && explorer.with_presentation(|shown| shown.tab == Tab::List)
            && (!explorer.is_live() || explorer.answer().builds > 0);
        if is_list { Rest::Here } else { explorer.rest() }
    });
    // The rows of a package are redrawn when their hashes arrive.
    let has_hashes = memo(move || explorer.arrived().stage >= Stage::Hashes);
    let loading = || view! { <p class="loading" role="status">"Loading…"</p> }.into_any();
    move || match view.get() {
        _ if rest.get() == Rest::Failed => view! { <RestProblem/> }.into_any(),
        _ if waits.get() || rest.get() == Rest::Awaited => loading(),
        View::Packages => view! { <Front/> }.into_any(),
        view => {
            if let View::Package(_) = view {
                // Read, not only tracked: a memo that was never read counts as changed when something first looks at it.
                has_hashes.get();
            }
            draw_later(view)
        }
    }
}

/// What the tab says: the thing that is shown, then the cache.
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
        // What a hash stands for is known once the hashes are there.
        View::Build(hash) => {
            explorer.arrived();
            spell(&hash.to_string())
        }
        View::MalformedHash(text) => spell(&text),
        View::Compare(hashes) => {
            explorer.arrived();
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
