//! Links to questions that this cache answers, for those who come for the first time.

use cache_index::query::{Change, Example, Question, examples};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::to::To;

/// Draws the examples as items of a list, for those who have not asked anything yet. All of this is in the rest of the app.
#[inline(never)]
pub(super) fn draw_later() -> AnyView {
    let explorer = Explorer::here();
    let found = StoredValue::new_local(examples(explorer.index));
    let is_asking = memo(move || explorer.with_question(Question::is_filtered));
    let links = move || {
        let examples = if is_asking.get() { Vec::new() } else { found.get_value() };
        examples.into_iter().map(link).collect_view()
    };
    links.into_any()
}

fn link(Example { text, question }: Example) -> AnyView {
    view! { <li><To change=Change::Ask(Box::new(question))><code>{text}</code></To></li> }
        .into_any()
}
