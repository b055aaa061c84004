//! Links to questions that this cache answers, for those who come for the first time.

use cache_index::query::{Change, Example};
use leptos::prelude::*;

use crate::view::parts::to::To;

/// Draws the examples as items of a list.
pub(super) fn draw(examples: Vec<Example>) -> AnyView {
    let link = |Example { text, question }| {
        view! { <li><To change=Change::Ask(Box::new(question))><code>{text}</code></To></li> }
            .into_any()
    };
    examples.into_iter().map(link).collect_view().into_any()
}
