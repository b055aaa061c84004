//! Text that is cut in the middle if there is not enough room, because names differ at both ends.
//!
//! A long name consists of two boxes, which browsers read out as two words, and do not find as one; so the link or field
//! around it has the whole name as its label. It is copied as one word (`web/loader/clipboard.js`). Most names are short
//! enough to be a single box, whose end is cut off if there is no room at all.

use maud::{Markup, html};

/// How many characters at the end are never cut off.
const TAIL: usize = 8;
/// There is nearly always room for this many characters.
const SHORT: usize = 18;

/// Writes a name in one line, complete in its title.
pub fn cut(text: &str) -> Markup {
    let length = text.chars().count();
    let cut = if length <= SHORT { 0 } else { length - TAIL };
    let at = text.char_indices().nth(cut).map_or(text.len(), |(at, _)| at);
    let (head, tail) = text.split_at(at);
    html! {
        bdi.cut title=(text) {
            @if !head.is_empty() { span.cut-head { (head) } }
            (tail)
        }
    }
}
