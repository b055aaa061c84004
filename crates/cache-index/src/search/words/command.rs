//! Commands pasted from a shell: only their spec is searched for.

use std::borrow::Cow;
use std::ops::Range;

use super::{Understood, words};

/// The subcommands of `spack` that take a spec.
const COMMANDS: [&str; 8] =
    ["install", "spec", "find", "load", "add", "solve", "info", "uninstall"];

/// The options of these whose value is the next word.
const WITH_VALUE: [&str; 7] = ["-j", "--jobs", "-p", "-e", "--env", "--format", "--log-file"];

/// Returns a text in which the command is overwritten by spaces, so that positions stay the same, and the
/// command. A text without a command is returned unchanged.
pub(in crate::search) fn without_command(text: &str) -> (Cow<'_, str>, Option<Understood>) {
    let mut words = words(text).skip_while(|span| &text[span.clone()] == "$").peekable();
    if words.next_if(|span| &text[span.clone()] == "spack").is_none() {
        return (Cow::Borrowed(text), None);
    }
    let mut plain = text.to_owned();
    let mut spec = Vec::new();
    let mut command = None;
    while let Some(span) = words.next() {
        let word = &text[span.clone()];
        if word.starts_with('-') {
            if WITH_VALUE.contains(&word) {
                words.next();
            }
        } else if command.is_none() {
            command = Some(span);
        } else {
            spec.push(span);
        }
    }
    let Some(command) = command.filter(|span| COMMANDS.contains(&&text[span.clone()])) else {
        return (Cow::Borrowed(text), None);
    };
    let mut at = 0;
    let mut blank = |range: Range<usize>| {
        let spaces = " ".repeat(range.len());
        plain.replace_range(range, &spaces);
    };
    for span in spec {
        blank(at..span.start);
        at = span.end;
    }
    blank(at..text.len());
    // A shell removes the quotes.
    let inner = plain.trim();
    if let Some(quote) = inner.chars().next().filter(|first| matches!(first, '\'' | '"'))
        && inner.len() > 1
        && inner.ends_with(quote)
    {
        let start = plain.len() - plain.trim_start().len();
        let end = plain.trim_end().len();
        plain.replace_range(start..start + 1, " ");
        plain.replace_range(end - 1..end, " ");
    }
    let piece = format!("spack {}", &text[command]);
    (Cow::Owned(plain), Some(Understood { piece, kind: "", text: String::new() }))
}
