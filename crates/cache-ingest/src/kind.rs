//! What an input is, told by how it starts.
//!
//! Names do not tell: pages are called `specs.md` in one place and anything in another, databases
//! `index.json` or by their digest, and an index that this project made is an `index.json` too.

use super::page::is_page;

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing, or nothing but blank space.
    Empty,
    /// A cache page, for [`read_page`](super::read_page).
    Page,
    /// A database file, for [`read_database`](super::read_database).
    Database,
    /// A manifest of a cache, for [`read_manifest`](super::read_manifest).
    Manifest,
    /// An index that was packed already, for [`Index::from_json`](cache_index::index::Index::from_json).
    Index,
    /// A file that means something only together with the mirror that it lies in.
    MirrorFile,
    /// None of these.
    Unknown,
}

/// How many bytes of an input are enough for [`kind`] to tell.
pub const START: usize = 4096;

/// Tells the kind of an input from its first [`START`] bytes, or all of them if it has fewer.
pub fn kind(start: &[u8]) -> Kind {
    // A character may be cut in two by the end of what was given.
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start();
    if text.is_empty() {
        return Kind::Empty;
    }
    if is_page(text) {
        return Kind::Page;
    }
    if text.starts_with("-----BEGIN PGP SIGNED MESSAGE-----") {
        return Kind::MirrorFile;
    }
    let Some((name, value)) = first_field(text) else { return Kind::Unknown };
    match name {
        "database" => Kind::Database,
        "format" => Kind::Index,
        // A manifest or the layout of a v3 mirror, or a spec of a v2 mirror.
        "version" | "data" | "signing" | "spec" => Kind::MirrorFile,
        _ if value.starts_with('[') => Kind::Manifest,
        _ => Kind::Unknown,
    }
}

/// The name of the first field of a JSON object, and the text from its value on.
fn first_field(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix('{')?.trim_start().strip_prefix('"')?.split_once('"')?;
    Some((name, rest.trim_start().strip_prefix(':')?.trim_start()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_start_of_an_input_tells_its_kind() {
        #[track_caller]
        fn check(start: &str, expected: Kind) {
            assert_eq!(kind(start.as_bytes()), expected);
        }
        check("", Kind::Empty);
        check(" \n\t", Kind::Empty);
        check("---\ntitle: x", Kind::Page);
        check("---", Kind::Page);
        check("{\"database\": {\"version\": \"8\"", Kind::Database);
        check("{\n  \"database\" : {", Kind::Database);
        check("{\"develop\": [", Kind::Manifest);
        check("{\"format\":1,", Kind::Index);
        check("{\n\"version\":3,\n\"data\":[", Kind::MirrorFile);
        check("{\"signing\": \"gpg\"}", Kind::MirrorFile);
        check("{\"spec\": {\"_meta\"", Kind::MirrorFile);
        check("-----BEGIN PGP SIGNED MESSAGE-----\nHash", Kind::MirrorFile);
        check("{}", Kind::Unknown);
        check("{\"data", Kind::Unknown);
        check("[1]", Kind::Unknown);
        check("# Readme", Kind::Unknown);
        assert_eq!(kind(&[0xff, 0xfe, 0x00]), Kind::Unknown);
    }

    proptest! {
        #[test]
        fn every_input_is_of_some_kind(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            kind(&bytes);
        }
    }
}
