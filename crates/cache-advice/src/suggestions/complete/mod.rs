//! Completions of a text that is being typed, from what the index contains.
//!
//! | the cursor is after | offered |
//! | --- | --- |
//! | nothing, a part of a name | packages, and values of facets that begin like this |
//! | `@` | versions of the package or compiler, newest first |
//! | `+`, `~`, or a space and letters | variants of the package, and keys such as `os=` |
//! | `k=`, `os=`, `target=`, `platform=` | values |
//! | `%` | compilers |
//! | `^` | packages that something depends on |
//!
//! [`Spec::complete`] decides what is being typed where. Options that begin with the typed letters come
//! before those that only contain them. Each option states how many builds the text would find with it,
//! under the active filters; options that find nothing are left out. If many builds match, options for
//! a dependency state no number, because each of the builds would have to be examined for it.

mod names;
mod options;
#[cfg(test)]
mod tests;
mod values;

use cache_index::index::Index;
use cache_query::search::{Completion, Completions, Search, split};
use cache_query::{Change, Query, Question, apply};
use spack_spec::PartRole;
use spack_spec::{Dialect, Spec};

use self::options::Options;

/// The maximum number of options.
const MOST: usize = 12;

/// The maximum number of bytes before the cursor. Longer texts are pasted, not typed, and are not
/// completed.
const LONGEST: usize = 20_000;

/// Returns the completions at a cursor, in a text that is typed into a query.
///
/// The cursor is an offset in bytes; an offset within a character counts as before it. Within a word
/// there are no completions.
pub fn complete(index: &Index, query: &Query, text: &str, cursor: usize) -> Completions {
    let nothing = || Completions { replaces: text.len()..text.len(), ..Completions::default() };
    let spack_spec::Completion { span, expected, .. } = match cursor.min(text.len()) > LONGEST {
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
    let token = typed.map(|part| part.span.start).min().unwrap_or(span.start).min(span.start);
    let sign = parts.iter().rev().find(|part| part.span.end <= token);
    let sign = sign.filter(|part| matches!(part.role, PartRole::Direct | PartRole::Transitive));
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

/// Returns the query after a text has been typed into another query, and how many bytes of the text it
/// reads. `offered` are the completions at the end of the text, and `finds` says whether any build matches a question.
///
/// If there are completions, and the last piece finds nothing, it is unfinished and does not filter yet, unless it is a
/// complete value or a complete name, such as `cuda` where all builds have `~cuda`.
pub fn while_typing(
    index: &Index,
    from: &Query,
    text: &str,
    offered: &Completions,
    finds: &dyn Fn(&Question) -> bool,
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
    let piece = &text[offered.replaces.clone()];
    let is_name = |option: &Completion| option.text.trim_start_matches(['+', '~']) == piece;
    let is_whole = offered.options.iter().any(is_name);
    if !is_whole && (is_unfinished || !waits && !finds(&whole.0.question)) {
        return typed(text[..offered.token].trim_end());
    }
    whole
}
