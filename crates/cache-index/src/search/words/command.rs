//! What people paste from a shell: commands and quoted specs, of which the spec is searched for, and paths with a hash.

use std::borrow::Cow;
use std::ops::Range;

use super::{Understood, words};
use crate::build::Hash;

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
    let piece = format!("spack {}", &text[command]);
    (Cow::Owned(plain), Some(Understood { piece, kind: "", text: String::new() }))
}

/// Returns a text in which quotes around the whole are overwritten by spaces, as a shell removes them. No spec starts with
/// a quote.
pub(in crate::search) fn without_quotes(text: Cow<'_, str>) -> Cow<'_, str> {
    let inner = text.trim();
    let quoted = ['\'', '"'].into_iter().find_map(|quote| {
        let inner = inner.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.contains(quote)).then_some(inner)
    });
    let Some(inner) = quoted else { return text };
    let start = inner.as_ptr() as usize - text.as_ptr() as usize;
    let (before, after) = (" ".repeat(start), " ".repeat(text.len() - start - inner.len()));
    Cow::Owned(format!("{before}{inner}{after}"))
}

/// Returns the complete hash at the end of the name of an installed build's folder, or of a file of a mirror:
/// `hdf5-1.14.3-…/lib`, `….spec.json.sig`.
pub(in crate::search) fn hash_in(path: &str) -> Option<&str> {
    let mut names = path.split(['/', '.']).rev();
    names.find_map(|name| {
        let hash = name.get(name.len().checked_sub(Hash::CHARACTERS)?..)?;
        let is_whole = name.len() == hash.len() || name.ends_with(&format!("-{hash}"));
        (is_whole && hash.parse::<Hash>().is_ok()).then_some(hash)
    })
}
