//! Text that is cut in the middle when there is no room, because names differ at both ends.
//!
//! It is in two boxes, which browsers read out as two words; so what it stands in, a link or a field,
//! has the whole name as its label.

use leptos::prelude::*;

/// How many characters at the end are never cut.
const TAIL: usize = 8;

/// A name in one line, whole in its title.
#[component]
pub(crate) fn Cut(
    /// The name.
    text: String,
) -> impl IntoView {
    let length = text.chars().count();
    let cut = length.saturating_sub(TAIL);
    let at = text.char_indices().nth(cut).map_or(text.len(), |(at, _)| at);
    let (head, tail) = (text[..at].to_owned(), text[at..].to_owned());
    view! {
        <bdi class="cut" title=text>
            <span class="cut-head">{head}</span>
            <span class="cut-tail">{tail}</span>
        </bdi>
    }
}
