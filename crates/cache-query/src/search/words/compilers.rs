//! Compilers, as people call them, and their versions.

use cache_index::facet::Facet;
use cache_index::index::{Index, NO_COMPILER, ValueCode};
use spack_spec::VersionConstraint;

use super::meant::{Meant, Place};

/// Returns `true` for a version that starts with a digit, and for ranges of such versions.
pub(super) fn is_number(word: &str) -> bool {
    word.trim_start_matches(':').starts_with(|first: char| first.is_ascii_digit())
}

/// Returns `true` if a version is one of those that `@word` matches.
pub(super) fn starts_version(word: &str, has: &str) -> bool {
    match (word.parse::<VersionConstraint>(), has.parse()) {
        (Ok(asked), Ok(version)) => asked.matches(&version),
        _ => false,
    }
}

/// Returns the compiler that a word means: `gcc`, `gcc13`, `gcc-13`, or another name for it.
pub(super) fn compiler(index: &Index, word: &str) -> Option<Meant> {
    const CALLED: [(&str, &str); 16] = [
        ("gnu", "gcc"),
        ("gfortran", "gcc"),
        ("clang", "llvm"),
        ("intel", "intel-oneapi-compilers"),
        ("intel", "oneapi"),
        ("oneapi", "intel-oneapi-compilers"),
        ("icx", "intel-oneapi-compilers"),
        ("icx", "oneapi"),
        ("icpx", "intel-oneapi-compilers"),
        ("icpx", "oneapi"),
        ("ifx", "intel-oneapi-compilers"),
        ("ifx", "oneapi"),
        ("flang", "llvm"),
        ("nvc", "nvhpc"),
        ("nvfortran", "nvhpc"),
        ("nvidia", "nvhpc"),
    ];
    let name = word.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.');
    let (name, version) = (name.trim_end_matches('-'), &word[name.len()..]);
    let is_there = |name: &str| match version {
        "" => compiler_versions(index, name).next().is_some(),
        _ => compiler_has_version(index, name, version),
    };
    let called = CALLED.iter().filter(|(called, _)| *called == name).map(|(_, name)| *name);
    let name = [name].into_iter().chain(called).find(|name| is_there(name))?;
    let text =
        Some(if version.is_empty() { format!("%{name}") } else { format!("%{name}@{version}") });
    Some(Meant::new(Place::Compiler, "compiler", text?, 2))
}

/// Returns `true` if a compiler has this version and the package of its name does not.
pub(super) fn is_other_compiler(
    index: &Index,
    package: ValueCode,
    name: &str,
    version: &str,
) -> bool {
    // An external compiler has no binary.
    let has =
        |row| index.has_binary(row) && starts_version(version, index.text(row, Facet::Version));
    is_number(version)
        && compiler_has_version(index, name, version)
        && !index.rows_of(package).any(has)
}

/// Returns `true` if a compiler of this name has a version that starts like this.
pub(super) fn compiler_has_version(index: &Index, compiler: &str, version: &str) -> bool {
    compiler_versions(index, compiler).any(|has| starts_version(version, has))
}

/// Returns the versions of a compiler.
pub(super) fn compiler_versions<'i>(
    index: &'i Index,
    name: &'i str,
) -> impl Iterator<Item = &'i str> {
    let compilers = index.dictionary(Facet::Compiler).values().iter();
    let compilers = compilers.filter(|text| *text != NO_COMPILER);
    compilers.filter_map(move |text| text.strip_prefix(name)?.strip_prefix('@'))
}
