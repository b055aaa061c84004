//! Links to questions that this cache answers, for newcomers.

use cache_advice::{Example, examples};
use cache_query::{Change, Question};
use leptos::prelude::*;

use site::browser::tasks;
use site::explorer::Explorer;
use site::memo::memo;
use site::view::parts::query_link::QueryLink;

thread_local! {
    /// The examples, once they have been found.
    static FOUND: ArcRwSignal<Vec<Example>> = ArcRwSignal::new(Vec::new());
}

/// Draws the examples as list items, for users who have not asked anything yet.
pub(crate) fn draw() -> AnyView {
    let explorer = Explorer::here();
    let found = FOUND.with(Clone::clone);
    if found.with_untracked(Vec::is_empty) {
        tasks::spawn(find(examples(explorer.index), found.clone()));
    }
    let is_asking = memo(move || explorer.with_question(Question::is_filtered));
    let links = move || {
        let examples = if is_asking.get() { Vec::new() } else { found.get() };
        examples.into_iter().map(link).collect_view()
    };
    links.into_any()
}

/// Finds examples, and shows them together: with a million builds, finding all of them takes 60 ms.
async fn find(mut examples: impl Iterator<Item = Example>, shown: ArcRwSignal<Vec<Example>>) {
    let mut found = Vec::new();
    tasks::slices(|| {
        let example = examples.next();
        let is_one = example.is_some();
        found.extend(example);
        is_one
    })
    .await;
    shown.set(found);
}

fn link(Example { text, question }: Example) -> AnyView {
    view! { <li><QueryLink change=Change::Ask(Box::new(question))><code>{text}</code></QueryLink></li> }
        .into_any()
}
