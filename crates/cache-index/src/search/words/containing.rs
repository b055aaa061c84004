//! `*hdf5*`: all packages with a word in their name, even if the word is the name of one.

use crate::facet::Facet;
use crate::index::Index;
use crate::search::is_package;

/// Returns the name of the package that a text consists of, and how many other packages contain it in
/// their names; `None` if there are none.
pub fn more_containing(index: &Index, text: &str) -> Option<(String, usize)> {
    let name = text.trim();
    if !is_package(index, name) {
        return None;
    }
    let names = index.dictionary(Facet::Package).values().iter();
    let more = names.filter(|other| other.contains(name)).count() - 1;
    (more > 0).then(|| (name.to_owned(), more))
}

/// Returns the text that finds all packages with a word in their name.
pub fn containing(word: &str) -> String {
    format!("*{word}*")
}

/// Returns the word of such a text.
pub(in crate::search) fn contained(text: &str) -> Option<&str> {
    let word = text.trim().strip_prefix('*')?.strip_suffix('*')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (!word.is_empty() && word.chars().all(plain)).then_some(word)
}
