//! Questions in which a package with syntax is not the first word: `which stacks have trilinos@16`. Spack reads the name of a spec
//! first.

use cache_index::index::Index;

use super::Understood;
use super::phrases::says_nothing;
use crate::search::{Search, is_package};

/// Reads a text, if need be without the words that stand before the only piece with syntax and say nothing.
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

/// Returns a text without the words before its only piece with syntax, if that is about a package; and these words.
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
