//! Numbers after a compiler or a dependency in Spack's syntax: `hdf5 %gcc 13`, `^openmpi 5 or newer`. Spack reads such a number
//! as the name of another package; users mean the version of what is before it.

use std::borrow::Cow;
use std::ops::Range;

use cache_index::facet::Facet;
use cache_index::index::Index;
use spack_spec::Spec;

use super::compilers::{compiler, compiler_has_version};
use super::meaning::has_version;
use super::ranges::{NEWER, OLDER, is_range, is_version};
use super::{LONGEST, Understood, words};

/// Returns a text with `@` between a compiler or a dependency and its version, at the same length, and how these pieces were
/// read: `hdf5 %gcc@13` for `hdf5 %gcc 13`. A version that only another package of the text has stays as it is.
pub(in crate::search) fn with_versions<'t>(
    index: &Index,
    text: &'t str,
) -> (Cow<'t, str>, Vec<Understood>) {
    let mut understood = Vec::new();
    if text.len() > LONGEST || !text.contains(['%', '^']) {
        return (Cow::Borrowed(text), understood);
    }
    let spans: Vec<Range<usize>> = words(text).collect();
    let word = |at: usize| spans.get(at).map_or("", |span| &text[span.clone()]);
    let is = |at: usize, list: &[&str]| list.iter().any(|one| word(at).eq_ignore_ascii_case(one));
    let mut read = text.to_owned();
    for at in 0..spans.len() {
        let Some(name) = trailing_name(word(at)) else { continue };
        let number = word(at + 1);
        let is_open = is_version(number) && is(at + 2, &["or", "and"]);
        let (last, version) = if is_open && is(at + 3, &NEWER) {
            (at + 3, format!("{number}:"))
        } else if is_open && is(at + 3, &OLDER) {
            (at + 3, format!(":{number}"))
        } else if is_version(number) || is_range(number) {
            (at + 1, number.to_owned())
        } else {
            continue;
        };
        let is_of_another =
            (0..spans.len()).any(|at| package_has(index, leading_name(word(at)), &version));
        if is_of_another && !compiler_or_package_has(index, name, &version) {
            continue;
        }
        let asked = format!("{}@{version}", word(at));
        let span = spans[at].start..spans[last].end;
        read.replace_range(span.clone(), &format!("{asked:0$}", span.len()));
        understood.push(Understood { piece: text[span].to_owned(), kind: "spec", text: asked });
    }
    // A number can be in the quoted value of a flag.
    if understood.is_empty() || Spec::read(text, index.dialect()).problems.is_empty() {
        return (Cow::Borrowed(text), Vec::new());
    }
    (Cow::Owned(read), understood)
}

/// Returns the name at the end of a piece with a sigil, if nothing follows the name: `gcc` of `hdf5%gcc` and of `%c=gcc`.
fn trailing_name(piece: &str) -> Option<&str> {
    let (_, asked) = piece.rsplit_once(['%', '^'])?;
    let name = asked.rsplit('=').next().unwrap_or(asked);
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    (is_name && piece.is_ascii()).then_some(name)
}

/// Returns the name at the start of a piece; empty if it starts with a sigil.
fn leading_name(piece: &str) -> &str {
    piece.split(['@', '+', '~', '%', '^', '/']).next().unwrap_or(piece)
}

/// Returns `true` if builds were made with this version of a compiler, or a package of that name has it.
fn compiler_or_package_has(index: &Index, name: &str, version: &str) -> bool {
    let compiler = compiler(index, &name.to_ascii_lowercase());
    let compiler = compiler.as_ref().and_then(|one| one.text.strip_prefix('%'));
    compiler.is_some_and(|compiler| compiler_has_version(index, compiler, version))
        || package_has(index, name, version)
}

/// Returns `true` if builds of a package have this version, or one that starts like it.
fn package_has(index: &Index, name: &str, version: &str) -> bool {
    let package = index.dictionary(Facet::Package).code(name);
    package.is_some_and(|package| has_version(index, package, version))
}
