//! Questions in which a package with syntax is not the first word: `which stacks have trilinos@16`. Spack reads the name of
//! a spec first.

use std::borrow::Cow;

use cache_index::index::Index;

use super::phrases::{is_pronoun, says_nothing};
use super::{Understood, words};
use crate::search::{Search, is_package};

/// Reads a text. Words that say nothing are left out if they precede its only piece with syntax.
pub(in crate::search) fn read_fronted(
    index: &Index,
    text: &str,
    read: impl Fn(&Index, &str) -> Search,
) -> Search {
    let Some((fronted, left_out)) = fronted(index, text) else { return read(index, text) };
    let mut search = read(index, &fronted);
    // Positions of problems would not be those in the text.
    if !search.problems.is_empty() {
        return read(index, text);
    }
    search.parts.clear();
    search.understood.extend(left_out);
    search
}

/// Returns a text without the words before its only piece with syntax, if that piece is about a package, and the words
/// left out.
fn fronted(index: &Index, text: &str) -> Option<(String, Vec<Understood>)> {
    let is_plain = |word: &str| {
        word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    let says_nothing = |word: &&str| says_nothing(word) || word.eq_ignore_ascii_case("which");
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.iter().position(|word| !is_plain(word)).filter(|&at| at > 0)?;
    let (before, rest) = words.split_at(at);
    let (named, after) = rest.split_first()?;
    let name = named.split(['@', '+', '~', '%']).next()?;
    let is_meant = before.iter().all(says_nothing)
        && is_package(index, name)
        && after.iter().all(|word| is_plain(word));
    let left_out = before.iter().map(|word| Understood::left_out(word)).collect();
    is_meant.then(|| (rest.join(" "), left_out))
}

/// Returns a text with spaces in place of a *which* at the start of a question, `which hdf5+mpi runs on rhel8`, and what was
/// left out.
pub(in crate::search) fn without_pronoun<'t>(
    index: &Index,
    text: &'t str,
) -> (Cow<'t, str>, Option<Understood>) {
    let lower: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
    let Some(first) = words(text).next().filter(|_| is_pronoun(index, &lower, 0)) else {
        return (Cow::Borrowed(text), None);
    };
    let mut rest = text.to_owned();
    rest.replace_range(first.clone(), &" ".repeat(first.len()));
    (Cow::Owned(rest), Some(Understood::left_out(&text[first])))
}
