//! What *not* can exclude and a spec cannot: the versions of a compiler or of a package.

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::sorting;

use super::compilers::{compiler, compiler_versions, is_number, starts_version};
use super::meant::{Meant, Place};

/// Returns the compilers that a word names, to be excluded.
pub(super) fn excluded_compilers(index: &Index, word: &str) -> Option<Meant> {
    let text = compiler(index, word)?.text;
    let (name, version) = text[1..].split_once('@').unwrap_or((&text[1..], ""));
    let is_meant = |has: &&str| version.is_empty() || starts_version(version, has);
    let mut all =
        compiler_versions(index, name).filter(is_meant).map(|has| format!("{name}@{has}"));
    let first = Meant::new(Place::Not(Facet::Compiler), "excluded compiler", all.next()?, 3);
    Some(Meant { others: all.collect(), ..first })
}

/// Returns the versions of a package's builds that a word means, to be excluded.
pub(super) fn excluded_versions(index: &Index, package: ValueCode, word: &str) -> Option<Meant> {
    let rows = index.rows_of(package).map(|row| index.text(row, Facet::Version));
    let is_meant = |has: &&str| *has == word || is_number(word) && starts_version(word, has);
    let mut all: Vec<String> = rows.filter(is_meant).map(str::to_owned).collect();
    sorting::sort_and_dedup(&mut all);
    let mut all = all.into_iter();
    let first = all.next()?;
    let place = Place::Not(Facet::Version);
    Some(Meant { others: all.collect(), ..Meant::new(place, "excluded version", first, 3) })
}
