//! The kind of an input, recognized by how it starts.
//!
//! Names do not decide it: pages are called `specs.md` in one place and anything in another, databases `index.json` or
//! by their digest, and an index made by this project is an `index.json` too.

use cache_index::build::Hash;

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// Empty, or only white space.
    Empty,
    /// A cache page, for [`read_page`](super::read_page).
    Page,
    /// A database file, for [`read_database`](super::read_database).
    Database,
    /// A manifest of a cache, for [`read_manifest`](super::read_manifest).
    Manifest,
    /// The packages of cache.spack.io's data.
    PackageData,
    /// The builds of cache.spack.io's data.
    SpecsData,
    /// A packed index, for [`Index::from_json`](cache_index::index::Index::from_json).
    Index,
    /// A web page, which may have an index in it.
    Site,
    /// A file that only has a meaning within its mirror.
    MirrorFile,
    /// None of these.
    Unknown,
}

/// How many bytes of an input [`kind`] needs.
pub const START: usize = 4096;

/// Returns the kind of an input, given its first [`START`] bytes, or all of them if there are fewer.
pub fn kind(start: &[u8]) -> InputKind {
    // The end of the bytes may cut a character in two.
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start();
    if text.is_empty() {
        return InputKind::Empty;
    }
    if is_page(text) {
        return InputKind::Page;
    }
    if text.starts_with("-----BEGIN PGP SIGNED MESSAGE-----") {
        return InputKind::MirrorFile;
    }
    if is_html(text) {
        return InputKind::Site;
    }
    let Some((name, value)) = first_field(text) else { return InputKind::Unknown };
    match name {
        "database" => InputKind::Database,
        "format" => InputKind::Index,
        // A manifest or the layout of a v3 mirror, or a spec of a v2 mirror.
        "version" | "data" | "signing" | "spec" => InputKind::MirrorFile,
        _ if value.starts_with('[') => InputKind::Manifest,
        _ => match first_field(value) {
            Some(("uid", _)) => InputKind::PackageData,
            Some(("hash", _)) if name.len() == Hash::CHARACTERS => InputKind::SpecsData,
            _ => InputKind::Unknown,
        },
    }
}

/// Returns `true` if a text is meant to be a cache page, so that reading it as one reports what is wrong with it.
pub fn is_page(text: &str) -> bool {
    text.lines().next().is_some_and(is_fence)
}

/// Returns `true` for the line before and after the front matter of a cache page.
pub(crate) fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

/// Returns `true` for the start of a page of HTML.
fn is_html(text: &str) -> bool {
    let starts = ["<!doctype html", "<html"];
    let starts_with =
        |start: &&str| text.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start));
    starts.iter().any(starts_with)
}

/// Returns the name of the first field of a JSON object, and the text from its value on.
fn first_field(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix('{')?.trim_start().strip_prefix('"')?.split_once('"')?;
    Some((name, rest.trim_start().strip_prefix(':')?.trim_start()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn recognizes_inputs_by_how_they_start() {
        #[track_caller]
        fn check(start: &str, expected: InputKind) {
            assert_eq!(kind(start.as_bytes()), expected);
        }
        check("", InputKind::Empty);
        check(" \n\t", InputKind::Empty);
        check("---\ntitle: x", InputKind::Page);
        check("---", InputKind::Page);
        check("{\"database\": {\"version\": \"8\"", InputKind::Database);
        check("{\n  \"database\" : {", InputKind::Database);
        check("{\"develop\": [", InputKind::Manifest);
        check("{\n  \"zlib\": {\n  \"uid\": \"zlib\"", InputKind::PackageData);
        check(
            "{\"wrkn4vlghwszjc2n24cprvfmiaiqr2bz\": {\"hash\": \"wrkn4vlghwszjc2n24cprvfmiaiqr2bz\"",
            InputKind::SpecsData,
        );
        check("{\"format\":1,", InputKind::Index);
        check("{\n\"version\":3,\n\"data\":[", InputKind::MirrorFile);
        check("{\"signing\": \"gpg\"}", InputKind::MirrorFile);
        check("{\"spec\": {\"_meta\"", InputKind::MirrorFile);
        check("-----BEGIN PGP SIGNED MESSAGE-----\nHash", InputKind::MirrorFile);
        check("<!DOCTYPE html>\n<html>", InputKind::Site);
        check("\n<html lang=\"en\">", InputKind::Site);
        check("<htm", InputKind::Unknown);
        check("{}", InputKind::Unknown);
        check("{\"data", InputKind::Unknown);
        check("[1]", InputKind::Unknown);
        check("# Readme", InputKind::Unknown);
        assert_eq!(kind(&[0xff, 0xfe, 0x00]), InputKind::Unknown);
    }

    proptest! {
        #[test]
        fn recognizes_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            kind(&bytes);
        }
    }
}
