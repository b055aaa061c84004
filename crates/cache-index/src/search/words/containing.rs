//! `*hdf5*`: all packages whose names contain a word, even if it is the name of one.

use crate::facet::Facet;
use crate::index::Index;
use crate::search::is_package;

/// The packages whose names contain the name of another, which is all that a text asks for.
pub fn more_containing(index: &Index, text: &str) -> Option<(String, usize)> {
    let name = text.trim();
    if !is_package(index, name) {
        return None;
    }
    let names = index.dictionary(Facet::Package).values().iter();
    let more = names.filter(|other| other.contains(name)).count() - 1;
    (more > 0).then(|| (name.to_owned(), more))
}

/// The text that asks for all packages whose names contain a word.
pub fn containing(word: &str) -> String {
    format!("*{word}*")
}

/// The word of such a text.
pub(in crate::search) fn contained(text: &str) -> Option<&str> {
    let word = text.trim().strip_prefix('*')?.strip_suffix('*')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (!word.is_empty() && word.chars().all(plain)).then_some(word)
}
