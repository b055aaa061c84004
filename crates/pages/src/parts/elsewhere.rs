//! Where the page has the answer to a search that finds no build because it does not ask for a property of builds.

use cache_advice::{AskedMachine, Elsewhere, PublishedParts, elsewhere};
use cache_query::host::Runs;
use cache_query::search::Understood;
use cache_query::{Change, Query, View, apply, run};
use leptos::prelude::*;
use site::browser::history;
use site::explorer::Explorer;

use crate::browser::facts;

/// Returns where that is, for the text in the search box.
pub(crate) fn find(explorer: Explorer) -> Option<Elsewhere> {
    if explorer.answer().builds > 0 {
        return None;
    }
    let (query, text) = (explorer.before_typing(), explorer.search_text());
    // If the OS is only assumed, the targets that the processor runs say more; if there are no such builds on any system, what is
    // missing does.
    let exists = |asked: &AskedMachine| {
        let anywhere = apply(&asked.query, Change::ClearRuns);
        run(explorer.index, &anywhere.question).builds > 0
    };
    let asked = AskedMachine::of(explorer.index, &query, &text)
        .filter(|asked| !asked.is_os_assumed && exists(asked));
    let machine = asked.map(|AskedMachine { said, query, .. }| Elsewhere::OnMachine {
        said,
        query: Box::new(query),
    });
    machine.or_else(|| elsewhere(explorer.so_far(), &query, published(explorer), &text))
}

/// Returns where that is, for the words of a text that were left out of a search which finds builds: `spack mirror add`.
pub(crate) fn find_beside(explorer: Explorer, read: &[Understood]) -> Option<Elsewhere> {
    let left_out = read.iter().filter(|one| one.kind.is_empty()).map(|one| one.piece.as_str());
    let is_all = read.iter().all(|one| one.kind.is_empty());
    // Next to other words, these only say what kind of thing those are.
    const KINDS: [&str; 7] =
        ["compiler", "compilers", "target", "arch", "architecture", "cpu", "os"];
    let asks = |piece: &&str| is_all || !KINDS.contains(piece);
    let text = left_out.filter(asks).collect::<Vec<_>>().join(" ");
    if text.is_empty() || explorer.answer().builds == 0 {
        return None;
    }
    if asks_what_runs_here(&text) {
        return explorer.with_query(what_runs_here);
    }
    if explorer.view().with(|view| matches!(view, View::Package(_))) {
        return None;
    }
    let query = explorer.before_typing();
    elsewhere(explorer.so_far(), &query, published(explorer), &text)
}

/// Returns `true` for words that ask what runs on the user's machine: `that run here`, `on my machine`.
fn asks_what_runs_here(text: &str) -> bool {
    let has = |list: &[&str]| text.split_whitespace().any(|word| list.contains(&word));
    has(&["run", "runs", "running", "work", "works"]) && has(&["here", "my", "our"])
        || has(&["my", "our"])
            && has(&["machine", "cluster", "nodes", "cpu", "gpu", "gpus", "uses", "use"])
}

/// Returns the query for only what runs on the stated machine, or a request to state one. `None` if the query already asks
/// for only that.
fn what_runs_here(query: &Query) -> Option<Elsewhere> {
    if query.question.host.is_none() {
        return Some(Elsewhere::Nowhere(
            "State your machine in “My machine” to see which of these run on it",
        ));
    }
    (query.question.asked_runs() != [Runs::Yes]).then(|| {
        let cleared = apply(query, Change::ClearRuns);
        let query = Box::new(apply(&cleared, Change::ToggleRuns(Runs::Yes)));
        Elsewhere::At { what: "which of these run on your machine".to_owned(), query }
    })
}

fn published(explorer: Explorer) -> PublishedParts {
    PublishedParts { recipes: explorer.has_recipes(), binaries: facts::are_there() }
}

/// Returns `true` if a query leads there.
pub(crate) fn leads_there(elsewhere: &Option<Elsewhere>) -> bool {
    matches!(elsewhere, Some(Elsewhere::At { .. } | Elsewhere::OnMachine { .. }))
}

/// Returns the heading of a page that finds nothing.
pub(crate) fn heading(elsewhere: &Option<Elsewhere>) -> &'static str {
    match elsewhere {
        Some(Elsewhere::OnMachine { .. }) => "Is this your machine?",
        Some(Elsewhere::At { .. }) => "The answer is elsewhere",
        _ => "No build matches",
    }
}

/// Draws a link there, or says that the page does not have it.
pub(crate) fn draw(elsewhere: Elsewhere) -> AnyView {
    match elsewhere {
        Elsewhere::At { what, query } => {
            view! { <p>"See "<a href=history::address(&query)><bdi>{what}</bdi></a>"."</p> }
                .into_any()
        }
        Elsewhere::OnMachine { said, query } => view! {
            <p>"Filters for it leave only what was made on that OS and for that target; others run there, too."</p>
            <p>
                <a class="button main" href=history::address(&query)>
                    "Show what runs on "<bdi>{said}</bdi>
                </a>
            </p>
        }
        .into_any(),
        Elsewhere::Nowhere(sentence) => view! { <p>{sentence}"."</p> }.into_any(),
    }
}
