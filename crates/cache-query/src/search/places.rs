//! A release, a stack or both, in notations that a spec does not have: `develop/e4s`, `stack=root`, the URL of a mirror.

use cache_index::facet::Facet;
use cache_index::index::Index;

use super::words::Understood;
use super::{Problem, Search, TextMeaning, is_package};

/// Reads a release and one of its stacks (`develop/e4s`), or one of the two with a label (`stack=root`), which a spec cannot
/// express.
pub(super) fn of_place(index: &Index, text: &str) -> Option<Search> {
    let before = text.len() - text.trim_start().len();
    let text = text.trim();
    let written = path_of(text).unwrap_or(text);
    let (piece, kind, names, places) = match place(index, written) {
        Some((release, stack)) => {
            let places = vec![(Facet::Release, release), (Facet::Stack, stack)];
            (text.to_owned(), "release and stack", format!("{release}, {stack}"), places)
        }
        None => {
            let at_end = || at_end(index, path_of(text)?);
            let (facet, name) = named_place(index, text).or_else(at_end)?;
            let kind = if facet == Facet::Stack { "stack" } else { "release" };
            (name.to_owned(), kind, name.to_owned(), vec![(facet, name)])
        }
    };
    // If the release is unknown, the stack is only suggested.
    let other = |part: &&str| !part.is_empty() && !places.iter().any(|(_, name)| name == part);
    if let Some(part) = path_of(text).and_then(|path| path.split('/').find(other)) {
        let start = part.as_ptr() as usize - text.as_ptr() as usize + before;
        let unknown = Problem::unknown(start..start + part.len(), "release", part, None);
        let mended = places.first().map(|(facet, name)| format!("{}={name}", facet.key()));
        let asked = TextMeaning::Words(vec![text.to_ascii_lowercase()]);
        let problems = vec![Problem { mended, ..unknown }];
        return Some(Search { asked, problems, ..Search::default() });
    }
    let chosen = places.into_iter().map(|(facet, name)| (facet, vec![name.to_owned()]));
    Some(Search {
        choices: chosen.collect(),
        understood: vec![Understood { piece, kind, text: names }],
        ..Search::default()
    })
}

/// Returns `true` for the name of a stack or a release that is not also the name of a package.
pub(super) fn is_place(index: &Index, name: &str) -> bool {
    let has = |facet: Facet| index.dictionary(facet).code(name).is_some();
    (has(Facet::Stack) || has(Facet::Release)) && !is_package(index, name)
}

/// Returns the path in the URL of a mirror; `None` if the text is not one.
fn path_of(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("://").filter(|_| !text.contains(char::is_whitespace))?;
    let (_, path) = rest.split_once('/')?;
    Some(path.trim_end_matches('/'))
}

/// Returns the stack or release at the end of the path of a URL, if the index has it.
fn at_end<'t>(index: &Index, path: &'t str) -> Option<(Facet, &'t str)> {
    let name = path.rsplit('/').next()?;
    let mut facets = [Facet::Stack, Facet::Release].into_iter();
    let facet = facets.find(|facet| index.dictionary(*facet).code(name).is_some())?;
    Some((facet, name))
}

/// Returns the release and the stack of `develop/e4s`, if the index has both.
fn place<'t>(index: &Index, text: &'t str) -> Option<(&'t str, &'t str)> {
    let (release, stack) = text.split_once('/')?;
    let has = |facet, value| index.dictionary(facet).code(value).is_some();
    let is_place = has(Facet::Release, release) && has(Facet::Stack, stack);
    (is_place && !is_package(index, release)).then_some((release, stack))
}

/// Returns the stack or release of `stack=root`, `stack root` or `in root`, if the index has it. The name alone may be part
/// of a package's name.
fn named_place<'t>(index: &Index, text: &'t str) -> Option<(Facet, &'t str)> {
    let (kind, name) = text.split_once('=').or_else(|| text.split_once(char::is_whitespace))?;
    let name = name.trim();
    let facets: &[Facet] = match kind {
        "stack" => &[Facet::Stack],
        "release" => &[Facet::Release],
        "in" => &[Facet::Stack, Facet::Release],
        _ => return None,
    };
    let mut found = facets.iter().filter(|facet| index.dictionary(**facet).code(name).is_some());
    found.next().map(|facet| (*facet, name))
}

/// Returns a text with blanks in place of `stack=` and `release=` before a stack or release, and of the slash of
/// `develop/e4s` next to other words: Spack has no syntax for these, so the names alone are read as words.
pub(super) fn blank_labels_out(index: &Index, text: String) -> String {
    let mut blanked = text.clone();
    for word in text.split_whitespace().filter(|word| *word != text.trim()) {
        if let Some((release, _)) = place(index, word) {
            let slash = word.as_ptr() as usize - text.as_ptr() as usize + release.len();
            blanked.replace_range(slash..slash + 1, " ");
        }
    }
    // `not.stack=e4s` is `not e4s`.
    const NOT: &str = "not";
    const LABELS: [(&str, Facet); 5] = [
        ("stack=", Facet::Stack),
        ("release=", Facet::Release),
        ("release ", Facet::Release),
        ("not.stack=", Facet::Stack),
        ("not.release=", Facet::Release),
    ];
    for (label, facet) in LABELS {
        let start = if label.starts_with(NOT) { NOT.len() } else { 0 };
        for (at, _) in text.match_indices(label) {
            let is_start = text[..at].chars().next_back().is_none_or(char::is_whitespace);
            let value = text[at + label.len()..].split_whitespace().next().unwrap_or_default();
            // Without other words, a label and its name stay as they are.
            let is_all = start == 0 && text.trim().len() == label.len() + value.len();
            if is_start && !is_all && index.dictionary(facet).code(value).is_some() {
                let (from, to) = (at + start, at + label.len());
                blanked.replace_range(from..to, &" ".repeat(to - from));
            }
        }
    }
    blanked
}
