//! Messages that the command prints too, as sentences on the page.

use leptos::prelude::*;

/// Returns a message with a capital letter at its start.
pub(crate) fn capitalized(message: &str) -> String {
    let (first, rest) = message.split_at(message.chars().next().map_or(0, char::len_utf8));
    first.to_ascii_uppercase() + rest
}

/// Draws a message with a capital letter at its start, and with what it quotes in backticks as code.
pub(crate) fn sentence(message: &str) -> impl IntoView + use<> {
    with_code(&capitalized(message))
}

/// Draws a part of a sentence, with what it quotes in backticks as code.
pub(crate) fn with_code(message: &str) -> impl IntoView + use<> {
    let piece = |(at, text): (usize, &str)| {
        let text = text.to_owned();
        if at % 2 == 0 {
            text.into_any()
        } else {
            view! { <code><bdi>{text}</bdi></code> }.into_any()
        }
    };
    message.split('`').enumerate().map(piece).collect_view()
}
