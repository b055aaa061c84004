//! Links to questions that this cache answers, for those who come for the first time.

use cache_advice::{Example, examples};
use cache_query::{Change, Question};
use leptos::prelude::*;

use crate::browser;
use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::to::To;

/// Draws the examples as items of a list, for those who have not asked anything yet. All of this is in the rest of the app.
#[inline(never)]
pub(super) fn draw_later() -> AnyView {
    let explorer = Explorer::here();
    let found = explorer.examples;
    if found.with_untracked(Vec::is_empty) {
        find(examples(explorer.index), Vec::new(), found);
    }
    let is_asking = memo(move || explorer.with_question(Question::is_filtered));
    let links = move || {
        let examples = if is_asking.get() { Vec::new() } else { found.get() };
        examples.into_iter().map(link).collect_view()
    };
    links.into_any()
}

/// Finds examples, each in a task of its own, and shows them together: with a million builds, all take 60 ms.
fn find(
    mut others: impl Iterator<Item = Example> + 'static,
    mut found: Vec<Example>,
    shown: RwSignal<Vec<Example>>,
) {
    browser::soon(move || match others.next() {
        Some(example) => {
            found.push(example);
            find(others, found, shown);
        }
        None => shown.set(found),
    });
}

fn link(Example { text, question }: Example) -> AnyView {
    view! { <li><To change=Change::Ask(Box::new(question))><code>{text}</code></To></li> }
        .into_any()
}
