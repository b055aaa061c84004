//! Positions in a text, and the parts of a message that repeat the text.

use std::fmt;
use std::ops::Range;

/// A part of a text, in bytes.
pub type Span = Range<usize>;

/// Returns a message, the line of the text that it refers to, and carets below the position.
pub fn message_with_carets(message: &dyn fmt::Display, text: &str, place: Span) -> String {
    /// The number of characters of a long line that are shown before and after the start of the position.
    const AROUND: usize = 60;
    let start = floor(text, place.start);
    let end = floor(text, place.end).max(start);
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
    let before = text[line_start..start].char_indices().rev().take(AROUND).last();
    let shown_start = before.map_or(start, |(place, _)| line_start + place);
    let after = text[start..line_end].char_indices().nth(AROUND);
    let shown_end = after.map_or(line_end, |(place, _)| start + place);
    let width = |from: usize, to: usize| text[from..to].chars().count();
    let carets = width(start, end.clamp(start, shown_end)).max(1);
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let margin = width(shown_start, start) + usize::from(shown_start > line_start);
    // Characters that would move a terminal's cursor are replaced, so that the columns stay aligned.
    let tame = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    format!(
        "{message}\n{}{}{}\n{}{}",
        cut(shown_start > line_start),
        text[shown_start..shown_end].chars().map(tame).collect::<String>(),
        cut(shown_end < line_end),
        " ".repeat(margin),
        "^".repeat(carets)
    )
}

/// Returns the nearest character boundary at or before this position.
fn floor(text: &str, mut place: usize) -> usize {
    place = place.min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

/// Returns a character as messages show it: in backquotes, or as its code point if it would be invisible.
pub(crate) fn shown(character: char) -> String {
    if character.is_control() || character.is_whitespace() {
        format!("U+{:04X}", u32::from(character))
    } else {
        format!("`{character}`")
    }
}

/// Returns as much of a text as a message should repeat.
pub(crate) fn excerpt(text: &str) -> String {
    const LIMIT: usize = 60;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
