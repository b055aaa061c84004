//! What may follow in a text that is being typed, from what this index has.
//!
//! | the cursor is after | offered |
//! | --- | --- |
//! | nothing, a part of a name | packages, and values of facets that begin so |
//! | `@` | versions of the package or compiler, newest first |
//! | `+`, `~`, or a space and letters | variants of the package, and `os=` and the like |
//! | `k=`, `os=`, `target=`, `platform=` | values |
//! | `%` | compilers |
//! | `^` | packages that something depends on |
//!
//! [`Spec::complete`] decides what is being typed where. Of what fits, what begins with the letters
//! typed comes before what only contains them. Each offer states how many builds the text would find
//! with it, under the filters that are on; what finds nothing is not offered. What is said of a
//! dependency has no such number among many builds, because it would have to be asked of each.

mod names;
mod options;
#[cfg(test)]
mod tests;
mod values;

use std::ops::Range;

use spack_spec::parse::Role;
use spack_spec::{Dialect, Spec};

use self::options::Options;
use super::{Change, Query, apply, run};
use crate::index::Index;
use crate::search::{Search, split};

/// The most that is offered at once.
const MOST: usize = 12;

/// How long a text may be before its cursor, in bytes, for something to be offered. Longer ones are
/// pasted, not typed.
const LONGEST: usize = 20_000;

/// What may take the place of a piece of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The piece, in bytes of the text; it ends at the cursor.
    pub replaces: Range<usize>,
    /// The best first.
    pub options: Vec<Completion>,
    /// Where that begins of which the piece is a part, its sign included.
    token: usize,
}

/// One thing that may follow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Completion {
    /// What is put into the text.
    pub text: String,
    /// The same with its sign.
    pub shown: String,
    /// What it is: `package`, `version`, `variant`, …
    pub kind: &'static str,
    /// How many builds match with it; `None` for what is only the beginning of something, and where
    /// counting would take too long.
    pub builds: Option<u32>,
}

/// Returns what may follow at a cursor, in a text that is typed into a query.
///
/// The cursor is a place in bytes; a place within a character counts as before it. Within a word
/// nothing is offered.
pub fn complete(index: &Index, query: &Query, text: &str, cursor: usize) -> Completions {
    let nothing = || Completions { replaces: text.len()..text.len(), ..Completions::default() };
    let spack_spec::parse::Completion { span, expected } = match cursor.min(text.len()) > LONGEST {
        true => return nothing(),
        false => Spec::complete(text, cursor, index.dialect()),
    };
    if !text[span.end..].chars().next().is_none_or(char::is_whitespace) {
        return nothing();
    }
    let before = &text[..span.end];
    let parts = Spec::read(before, index.dialect()).parts;
    let typed = parts
        .iter()
        .rev()
        .take_while(|part| part.span.end > span.start || part.span.end == span.end);
    // What a sign begins with is part of it.
    let token = typed.map(|part| part.span.start).min().unwrap_or(span.start).min(span.start);
    let sign = parts.iter().rev().find(|part| part.span.end <= token);
    let sign = sign.filter(|part| matches!(part.role, Role::Direct | Role::Transitive));
    let token = match sign {
        Some(sign) if text[sign.span.end..token].trim().is_empty() => sign.span.start,
        _ => token,
    };
    let is_root = parts.iter().all(|part| part.node == 0 || part.span.start >= token);
    let is_edge = text[token..].starts_with('^')
        || text[token..].starts_with('%') && index.dialect() == Dialect::V1;
    let options = Options {
        index,
        query,
        text,
        token,
        piece: text[span.clone()].to_ascii_lowercase(),
        span: span.clone(),
        of_root: is_root && !is_edge,
        base: [&text[..token], &text[span.end..]].concat(),
    };
    Completions { options: options.of(expected), replaces: span, token }
}

/// Returns the query after typing a text into another, at the end of which these may follow, and how much of the text it
/// reads, in bytes.
///
/// As long as something may follow, a piece at the end that finds nothing is the beginning of something, and asks for
/// nothing yet.
pub fn while_typing(
    index: &Index,
    from: &Query,
    text: &str,
    offered: &Completions,
) -> (Query, usize) {
    let typed = |text: &str| (apply(from, Change::Type(split(index, text))), text.len());
    let whole = typed(text);
    let is_begun = offered.replaces.end == text.len() && !text[offered.token..].trim().is_empty();
    if !is_begun || offered.options.is_empty() {
        return whole;
    }
    let search = Search::read(index, text);
    let waits = search.needs_dependencies(index) && !index.has_dependencies();
    let is_unfinished = search.problems.iter().any(|problem| problem.span.end > offered.token);
    if is_unfinished || !waits && run(index, &whole.0.question).builds == 0 {
        return typed(text[..offered.token].trim_end());
    }
    whole
}
