//! Completions for a text that is being typed, from the contents of this index.
//!
//! | the cursor follows | offered |
//! | --- | --- |
//! | nothing, part of a name, `^` | packages |
//! | `@` | versions of the package or compiler, newest first |
//! | `+`, `~`, or a space and letters | variants of the package, and `os=` and the like |
//! | `k=`, `os=`, `target=`, `platform=` | values |
//! | `%` | compilers |
//!
//! [`Spec::complete`] finds out what is being typed. Options that start with the typed letters come before those that
//! merely contain them.

use std::ops::Range;

use spack_spec::parse::Expected;
use spack_spec::{Spec, VariantValue};

use crate::facet::Facet;
use crate::index::{Index, ValueCode};
use crate::sorting;

/// The maximum number of options.
const MOST: usize = 12;

/// The maximum length of the text before the cursor, in bytes, for which there are completions. Longer texts are
/// pasted, not typed.
const LONGEST: usize = 20_000;

/// The completions for a piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// The piece that they replace, in bytes of the text; it ends at the cursor.
    pub replaces: Range<usize>,
    /// The options, best first.
    pub options: Vec<Completion>,
}

/// One completion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Completion {
    /// The text to insert.
    pub text: String,
    /// What it is: `package`, `version`, `variant`, …
    pub kind: &'static str,
}

/// Returns the completions at a cursor, which is a position in bytes; a position within a character counts as the start
/// of it.
pub fn complete(index: &Index, text: &str, cursor: usize) -> Completions {
    if cursor.min(text.len()) > LONGEST {
        return Completions { replaces: text.len()..text.len(), options: Vec::new() };
    }
    let spack_spec::parse::Completion { span, expected } =
        Spec::complete(text, cursor, index.dialect());
    let piece = &text[span.clone()];
    let package = |of: Option<String>| index.dictionary(Facet::Package).code(&of?);
    let options = match expected {
        Expected::Package => packages(index, piece),
        Expected::Compiler => compilers(index, piece),
        Expected::Version { of } => versions(index, of.as_deref(), piece),
        Expected::BoolVariant { of } => variants(index, package(of), piece, true),
        Expected::Value { of, key } => values(index, package(of), &key, piece),
        Expected::Attribute { of } => {
            let mut options = variants(index, package(of), piece, false);
            options.extend(keys(piece));
            options.truncate(MOST);
            options
        }
        _ => Vec::new(),
    };
    Completions { replaces: span, options }
}

/// Ranks the options by the typed letters, and keeps the best.
fn ranked<'a>(
    piece: &str,
    kind: &'static str,
    texts: impl IntoIterator<Item = &'a str>,
) -> Vec<Completion> {
    let piece = piece.to_ascii_lowercase();
    let mut begins = Vec::new();
    let mut contains = Vec::new();
    for text in texts {
        match text.find(&piece) {
            Some(0) => begins.push(text),
            Some(_) if contains.len() < MOST => contains.push(text),
            _ => {}
        }
        if begins.len() == MOST {
            break;
        }
    }
    begins.extend(contains);
    begins.truncate(MOST);
    begins.into_iter().map(|text| Completion { text: text.to_owned(), kind }).collect()
}

fn packages(index: &Index, piece: &str) -> Vec<Completion> {
    let names = index.dictionary(Facet::Package).values().iter();
    let mut options = ranked(piece, "package", names.map(String::as_str));
    // Among options that start alike, the shortest is most likely meant.
    sorting::sort_by_key(&mut options, |option| {
        (!option.text.starts_with(piece), option.text.len())
    });
    options
}

fn compilers(index: &Index, piece: &str) -> Vec<Completion> {
    let values = index.dictionary(Facet::Compiler).values().iter();
    let values = values.map(String::as_str).filter(|text| *text != crate::index::NO_COMPILER);
    ranked(piece, "compiler", values)
}

/// Returns the versions of a package, or of a compiler that is not a package here; of all packages if none is named.
fn versions(index: &Index, of: Option<&str>, piece: &str) -> Vec<Completion> {
    let dictionary = index.dictionary(Facet::Version);
    let Some(name) = of else {
        return ranked(piece, "version", dictionary.values().iter().map(String::as_str));
    };
    if let Some(package) = index.dictionary(Facet::Package).code(name) {
        let mut codes: Vec<ValueCode> =
            index.rows_of(package).map(|row| index.value(row, Facet::Version)).collect();
        codes.dedup();
        return ranked(piece, "version", codes.into_iter().map(|code| dictionary.text(code)));
    }
    let compilers = index.dictionary(Facet::Compiler).values().iter();
    ranked(
        piece,
        "version",
        compilers.filter_map(|text| text.strip_prefix(name)?.strip_prefix('@')),
    )
}

/// Returns the names of the package's variants: only boolean ones after a sigil, otherwise as they are written in
/// specs.
fn variants(
    index: &Index,
    package: Option<ValueCode>,
    piece: &str,
    has_sign: bool,
) -> Vec<Completion> {
    let Some(package) = package else { return Vec::new() };
    let mut texts: Vec<String> = Vec::new();
    for row in index.rows_of(package) {
        for variant in index.parsed().variants(index, row) {
            match (&variant.value, has_sign) {
                (VariantValue::Bool(_), false) => {
                    texts.push(format!("+{}", variant.name));
                    texts.push(format!("~{}", variant.name));
                }
                (VariantValue::Bool(_), true) => {
                    texts.push(variant.name.clone());
                }
                (_, false) => {
                    texts.push(format!("{}=", variant.name));
                }
                _ => {}
            }
        }
    }
    sorting::sort_and_dedup(&mut texts);
    let bare = |text: &&str| text.trim_start_matches(['+', '~']).contains(piece);
    let texts: Vec<&str> = texts.iter().map(String::as_str).filter(bare).collect();
    texts
        .into_iter()
        .take(MOST)
        .map(|text| Completion { text: text.to_owned(), kind: "variant" })
        .collect()
}

fn keys(piece: &str) -> impl Iterator<Item = Completion> {
    ["os=", "target=", "platform=", "%", "^"]
        .into_iter()
        .filter(move |key| key.starts_with(piece))
        .map(|key| Completion { text: key.to_owned(), kind: "field" })
}

fn values(index: &Index, package: Option<ValueCode>, key: &str, piece: &str) -> Vec<Completion> {
    let facet = match key {
        "os" => Some(Facet::Os),
        "target" => Some(Facet::Target),
        "platform" => Some(Facet::Platform),
        _ => None,
    };
    if let Some(facet) = facet {
        let values = index.dictionary(facet).values().iter();
        return ranked(piece, facet.key(), values.map(String::as_str));
    }
    let Some(package) = package else { return Vec::new() };
    let mut texts: Vec<&str> = Vec::new();
    for row in index.rows_of(package) {
        for variant in index.parsed().variants(index, row) {
            if variant.name == key {
                match &variant.value {
                    VariantValue::Bool(_) => {}
                    VariantValue::Single(value) => {
                        texts.push(value.as_str());
                    }
                    VariantValue::Multi(values) => {
                        texts.extend(values.iter().map(String::as_str));
                    }
                }
            }
        }
    }
    sorting::sort_and_dedup(&mut texts);
    ranked(piece, "value", texts)
}
