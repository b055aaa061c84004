//! Messages of other programs, made safe to show.

/// Shortens a message of `serde_json`, which can repeat any amount of its input, to its beginning and its end, which
/// say what is wrong and where, and replaces control characters.
pub fn tame(message: &str) -> String {
    const KEPT: usize = 100;
    let begin = message.char_indices().nth(KEPT).map_or(message.len(), |(place, _)| place);
    let end = message.char_indices().rev().nth(KEPT).map_or(0, |(place, _)| place).max(begin);
    let cut = if begin < end { "…" } else { "" };
    let text = format!("{}{cut}{}", &message[..begin], &message[end..]);
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
