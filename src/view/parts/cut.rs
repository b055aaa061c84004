//! Text that is cut in the middle if there is not enough room, because names differ at both ends.
//!
//! It consists of two boxes, which browsers read out as two words; so the link or field around it has the whole name as
//! its label.

use leptos::prelude::*;

/// How many characters at the end are never cut off.
const TAIL: usize = 8;

/// A name in one line, complete in its title.
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
