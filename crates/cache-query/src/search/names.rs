//! What a word that is a name, or nearly one, may ask for: `*hdf5*` for all packages with `hdf5` in their names, even if
//! there is a package `hdf5`; `mpi@:` for the packages that provide `mpi`, although other names contain it; `py-torch` for
//! `pytorch`; the hash at the end of a file's name; and for a name that no package has, a package that may be meant,
//! because of a typing error or because others call it so.

use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::index::Index;
use spack_spec::{Version, is_one_slip, nearest};

use super::{is_in_a_name, is_package, other_names};

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

/// Returns the word in a text that [`containing`] returns.
pub(super) fn contained(text: &str) -> Option<&str> {
    let word = text.trim().strip_prefix('*')?.strip_suffix('*')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (!word.is_empty() && word.chars().all(plain)).then_some(word)
}

/// Returns the virtual package that a text consists of, if the text finds packages with it in their names, and the index has
/// different providers of it or builds that say that they provide it.
pub fn virtual_package<'t>(index: &Index, text: &'t str) -> Option<&'t str> {
    let name = text.trim();
    if name.is_empty() || is_package(index, name) || !is_in_a_name(index, name) {
        return None;
    }
    let is_named = |text: &str, end: char| {
        text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(end))
    };
    let mut chosen = index.dictionary(Facet::Provider).values().iter();
    let mut provided =
        index.origins().iter().filter_map(|origin| origin.provided_virtuals.as_ref()).flatten();
    let is_virtual =
        chosen.any(|text| is_named(text, '=')) || provided.any(|text| is_named(text, '@'));
    is_virtual.then_some(name)
}

/// Returns the text that finds what provides a virtual package.
pub fn providers_of(name: &str) -> String {
    format!("{name}@:")
}

/// Returns the package whose name differs from a text only in hyphens and capitals: `py-torch` for `pytorch`.
pub fn same_letters<'i>(index: &'i Index, text: &str) -> Option<&'i str> {
    let name = text.trim();
    if name.is_empty() || is_package(index, &name.to_ascii_lowercase()) {
        return None;
    }
    let mut names = index.dictionary(Facet::Package).values().iter();
    names.find(|package| letters(package).eq(letters(name))).map(String::as_str)
}

/// Returns the package that a word means although it is not the package's name: the hyphens differ, or the `py-` of Python's
/// packages is missing.
pub(super) fn similar(index: &Index, word: &str) -> Option<String> {
    python_package(index, word).or_else(|| same_letters(index, word).map(str::to_owned))
}

/// Returns the Python package that a word names without `py-` (`numpy`), or without the hyphen after `py` (`pytorch`).
pub(super) fn python_package(index: &Index, word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let rests = [Some(lower.as_str()), lower.strip_prefix("py")];
    let mut names = rests.into_iter().flatten().map(|rest| format!("py-{rest}"));
    names.find(|name| is_package(index, name))
}

/// Returns a text with the names of packages in place of words that differ from them only in hyphens: `py-torch cuda` for
/// `pytorch cuda`; `None` if it has no such words.
pub fn with_same_letters(index: &Index, text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let same: Vec<&str> =
        words.iter().map(|word| same_letters(index, word).unwrap_or(word)).collect();
    (same != words).then(|| same.join(" "))
}

/// Returns the characters of a name without hyphens, in lower case.
pub fn letters(name: &str) -> impl Iterator<Item = u8> {
    let letters = name.bytes().filter(|byte| !matches!(byte, b'-' | b'_'));
    letters.map(|byte| byte.to_ascii_lowercase())
}

/// Returns the complete hash at the end of the name of an installed build's folder, or of a file of a mirror:
/// `hdf5-1.14.3-…/lib`, `….spec.json.sig`.
pub(super) fn hash_in(path: &str) -> Option<&str> {
    let mut names = path.split(['/', '.']).rev();
    names.find_map(|name| {
        let hash = name.get(name.len().checked_sub(Hash::CHARACTERS)?..)?;
        let is_whole = name.len() == hash.len() || name.ends_with(&format!("-{hash}"));
        (is_whole && hash.parse::<Hash>().is_ok()).then_some(hash)
    })
}

/// Returns the spec of the build whose hash is at the end of a name: `/hash`; or, if no build here has that hash, with the
/// package and the version before it: `hdf5@1.14.3/hash`.
pub(super) fn build_in(index: &Index, path: &str) -> Option<String> {
    let hash = hash_in(path)?;
    let is_gone = index.has_hashes() && index.find_prefix(hash, 1).is_empty();
    let spec = || {
        let stem = path[..path.find(hash)?].strip_suffix('-')?;
        // In the names of files, the compiler and its version come first.
        let starts = stem.match_indices(['-', '/']).map(|(at, _)| at + 1);
        let mut starts: Vec<usize> = [0].into_iter().chain(starts).collect();
        starts[1..].reverse();
        starts.into_iter().find_map(|start| with_version(index, &stem[start..]))
    };
    let spec = is_gone.then(spec).flatten().unwrap_or_default();
    Some(format!("{spec}/{hash}"))
}

/// The maximum length of the name of a package before a version, in bytes; no package of Spack has a longer name. It bounds
/// the work on a long text.
const LONGEST_NAME: usize = 128;

/// Returns `hdf5@1.14.3` for `hdf5-1.14.3`.
fn with_version(index: &Index, name: &str) -> Option<String> {
    let ends = name.match_indices(['-', '/']).map(|(at, _)| at);
    ends.take_while(|&at| at <= LONGEST_NAME).find_map(|at| {
        let (package, version) = (&name[..at], &name[at + 1..]);
        // A version may be as long as the text, so it is read last.
        let is_meant = version.starts_with(|first: char| first.is_ascii_digit())
            && is_package(index, package)
            && version.parse::<Version>().is_ok();
        is_meant.then(|| format!("{package}@{version}"))
    })
}

/// Returns the names of the packages that a search can find.
pub(super) fn names_with_binaries(index: &Index) -> impl Iterator<Item = &str> {
    let packages = index.dictionary(Facet::Package).iter();
    let has_binary = |code| index.rows_of(code).any(|row| index.has_binary(row));
    packages.filter(move |(code, _)| has_binary(*code)).map(|(_, name)| name)
}

/// Returns what may be meant by a name that no package has: `hdf5@1.14.3` for `hdf5-1.14.3`, the hash for the name of a
/// folder or file that ends in one, or a similar name.
pub(super) fn instead_of_package(index: &Index, name: &str) -> Option<String> {
    if let Some(build) = build_in(index, name) {
        return Some(build);
    }
    // `python3.11`.
    let word = name.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.');
    let number = || format!("{word}@{}", &name[word.len()..]);
    let with_number = || (word.len() < name.len() && is_package(index, word)).then(number);
    with_version(index, name)
        .or_else(with_number)
        .or_else(|| other_names::called(index, name))
        .or_else(|| other_names::of_distribution(index, name))
        .or_else(|| similar(index, name))
        .or_else(|| nearest_letters(index, name))
        .or_else(|| {
            let known = names_with_binaries(index).chain(virtuals(index));
            nearest(name, known).map(str::to_owned)
        })
        .or_else(|| other_names::begins(index, name))
}

/// Returns `true` for a word such as `pytroch` that could be a hash, but that no build here has, if it is nearly a
/// name.
pub(super) fn is_rather_a_name(index: &Index, word: &str) -> bool {
    index.has_hashes()
        && index.find_prefix(word, 1).is_empty()
        && instead_of_package(index, word).is_some()
}

/// Returns the names of the virtual packages for which builds have chosen something.
fn virtuals(index: &Index) -> impl Iterator<Item = &str> {
    let chosen = index.dictionary(Facet::Provider).values().iter();
    chosen.filter_map(|choice| Some(choice.split_once('=')?.0))
}

/// Returns the package whose name differs by one typing error, hyphens aside: `py-torch` for `pytroch`.
fn nearest_letters(index: &Index, name: &str) -> Option<String> {
    /// In shorter names without hyphens, a difference in one letter may as well be another name.
    const SHORTEST: usize = 6;
    let plain = |name: &str| name.replace('-', "");
    let typed = plain(name);
    let all: Vec<(String, &str)> =
        names_with_binaries(index).map(|name| (plain(name), name)).collect();
    let meant = nearest(&typed, all.iter().map(|(plain, _)| plain.as_str()))?;
    let is_slip = typed.len() >= SHORTEST && is_one_slip(&typed, meant);
    let (_, name) = all.iter().find(|(plain, _)| plain == meant).filter(|_| is_slip)?;
    Some((*name).to_owned())
}

/// Returns the package that is probably meant by a name that no package in the index has.
pub fn similar_package(index: &Index, name: &str) -> Option<String> {
    instead_of_package(index, &name.to_ascii_lowercase())
        .filter(|instead| is_package(index, instead))
}
