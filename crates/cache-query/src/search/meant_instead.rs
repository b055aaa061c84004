//! Other meanings of a text that is read as the name of a package.

use cache_index::facet::Facet;
use cache_index::index::Index;
use spack_spec::Node;

use super::Search;
use super::words::{connects, is_mac, says_nothing};

/// Returns the text that finds builds with code for GPUs, if a text names what such code is written with: `cuda`,
/// `builds with cuda 12`.
pub fn code_for_gpus(index: &Index, text: &str) -> Option<&'static str> {
    let has = |variant: &str| index.dictionary(Facet::Variant).code(variant).is_some();
    let text = text.to_ascii_lowercase();
    let is_number = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
    let says_more = |word: &&str| !says_nothing(word) && !is_number(word);
    let mut named = text.split_whitespace().filter(says_more);
    let (Some(name), None) = (named.next(), named.next()) else { return None };
    match name {
        "cuda" if has("+cuda") => Some("+cuda"),
        "rocm" | "hip" if has("+rocm") => Some("+rocm"),
        _ => None,
    }
}

/// Returns `true` if no word of a text asks for anything: `is there anything for`.
pub fn asks_nothing(text: &str) -> bool {
    text.split_whitespace().all(connects)
}

/// Returns the rest of a text after a target was removed. Left as they are, `mac` and `linux` would be parts of names.
pub fn without_target(rest: &str) -> String {
    match rest.trim() {
        mac if is_mac(&mac.to_ascii_lowercase()) => "platform=darwin".to_owned(),
        linux if linux.eq_ignore_ascii_case("linux") => "platform=linux".to_owned(),
        rest => rest.to_owned(),
    }
}

/// Returns the text that finds what uses a package, if a text names a package that the cache only knows as external:
/// `^glibc@2.28` for `glibc 2.28`.
pub fn users_of_external(index: &Index, text: &str) -> Option<String> {
    let search = Search::read(index, text);
    let Node { name, versions, .. } = &search.spec()?.root;
    let code = index.dictionary(Facet::Package).code(name.as_ref()?)?;
    let mut rows = index.rows_of(code);
    let version = if versions.is_any() { String::new() } else { format!("@{versions}") };
    (!rows.any(|row| index.has_binary(row)))
        .then(|| format!("^{}{version}", name.as_deref().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_platform_that_stands_beside_a_target() {
        let cases = [(" mac ", "platform=darwin"), ("Linux", "platform=linux"), (" hdf5", "hdf5")];
        for (rest, expected) in cases {
            assert_eq!(without_target(rest), expected);
        }
    }
}
