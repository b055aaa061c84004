//! What a word means in a cache: a version, a variant, a value of a facet, a compiler or a dependency.

use std::ops::Range;

use cache_index::facet::Facet;
use cache_index::index::{Index, NO_COMPILER, ValueCode};
use spack_spec::{Target, VariantValue, VersionConstraint};

use super::Understood;
use crate::search::{is_package, is_virtual};

/// Where a word belongs in a spec.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Attribute,
    Compiler,
    Dependency,
    /// A choice that a spec cannot express.
    Facet(Facet),
}

/// The meaning of a word.
pub(super) struct Meant {
    pub(super) place: Place,
    pub(super) kind: &'static str,
    pub(super) text: String,
    /// Other values of the same facet, if the word means several.
    pub(super) others: Vec<String>,
    /// How specific it is; a meaning that fits almost any package has the least weight.
    pub(super) weight: usize,
}

impl Meant {
    fn new(place: Place, kind: &'static str, text: impl Into<String>, weight: usize) -> Meant {
        Meant { place, kind, text: text.into(), others: Vec::new(), weight }
    }

    pub(super) fn understood(self, piece: &str) -> Understood {
        let texts: Vec<String> = [self.text].into_iter().chain(self.others).collect();
        Understood { piece: piece.to_owned(), kind: self.kind, text: texts.join(", ") }
    }
}

/// Returns what words mean for a package, or for any package; `None` if one of them means nothing.
pub(super) fn mean_all(
    index: &Index,
    package: Option<ValueCode>,
    text: &str,
    words: &[Range<usize>],
) -> Option<Vec<(Range<usize>, Meant)>> {
    let mut meant: Vec<(Range<usize>, Meant)> = Vec::new();
    for span in words {
        let word = &text[span.clone()];
        // `gcc 13`. If a package is named, the version is its own where possible.
        let is_of_compiler = meant.last().is_some_and(|(_, last)| {
            last.place == Place::Compiler && has_version(index, &last.text[1..], word)
        });
        match mean(index, package, word) {
            Some(one) if package.is_some() || !is_of_compiler => meant.push((span.clone(), one)),
            _ => {
                let (_, last) = meant.last_mut().filter(|_| is_of_compiler)?;
                last.text = format!("{}@{word}", last.text);
            }
        }
    }
    Some(meant)
}

/// Returns what a word means for a package, or for any package.
pub(super) fn mean(index: &Index, package: Option<ValueCode>, word: &str) -> Option<Meant> {
    let lower = word.to_ascii_lowercase();
    version(index, package, word)
        .or_else(|| variant(index, package, &lower))
        .or_else(|| facet(index, word))
        .or_else(|| compiler(index, &lower))
        .or_else(|| dependency(index, &lower))
        .or_else(|| {
            Target::named(&lower)?;
            Some(Meant::new(Place::Attribute, "target", format!("target={lower}"), 2))
        })
}

fn version(index: &Index, package: Option<ValueCode>, word: &str) -> Option<Meant> {
    let names = index.dictionary(Facet::Version);
    let is_number = word.starts_with(|first: char| first.is_ascii_digit());
    let is_there = match package {
        _ if !is_number && names.code(word).is_none() => false,
        // Without a package, `develop` is rather a release.
        None => is_number && names.values().iter().any(|has| starts_version(word, has)),
        Some(package) => {
            // Externals have no binary.
            let mut rows = index.rows_of(package).filter(|row| index.row_len(*row) > 0);
            rows.any(|row| {
                let has = index.text(row, Facet::Version);
                has == word || is_number && starts_version(word, has)
            })
        }
    };
    is_there.then(|| Meant::new(Place::Attribute, "version", format!("@{word}"), 3))
}

/// Returns `true` if a version is one of those that `@word` matches.
fn starts_version(word: &str, has: &str) -> bool {
    match (word.parse::<VersionConstraint>(), has.parse()) {
        (Ok(asked), Ok(version)) => asked.matches(&version),
        _ => false,
    }
}

/// Returns a boolean variant, or a value that only one variant has.
fn variant(index: &Index, package: Option<ValueCode>, word: &str) -> Option<Meant> {
    let on = |name: &str| Meant::new(Place::Attribute, "variant", format!("+{name}"), 3);
    let Some(package) = package else {
        let code = index.dictionary(Facet::Variant).code(&format!("+{word}"));
        return code.map(|_| on(word));
    };
    let mut value: Option<(&str, &str)> = None;
    let mut is_clear = true;
    for row in index.rows_of(package) {
        for variant in index.parsed().variants(index, row) {
            let has = |text: &'_ str| text.eq_ignore_ascii_case(word);
            let found = match &variant.value {
                VariantValue::Bool(_) if variant.name == word => return Some(on(word)),
                VariantValue::Bool(_) => None,
                VariantValue::Single(text) => Some(text).filter(|text| has(text)),
                VariantValue::Multi(texts) => texts.iter().find(|text| has(text)),
            };
            if let Some(found) = found {
                let name = variant.name.as_str();
                is_clear &= value.is_none_or(|(known, _)| known == name);
                value = Some((name, found));
            }
        }
    }
    let (name, value) = value.filter(|_| is_clear)?;
    Some(Meant::new(Place::Attribute, "variant", format!("{name}={value}"), 2))
}

/// Returns a value of a facet, the only stack whose path ends in a name, or all OSes with a name.
fn facet(index: &Index, word: &str) -> Option<Meant> {
    let kinds = [
        (Facet::Os, "OS"),
        (Facet::Target, "target"),
        (Facet::Platform, "platform"),
        (Facet::Release, "release"),
        (Facet::Stack, "stack"),
    ];
    for (facet, kind) in kinds {
        let mut values = index.dictionary(facet).values().iter();
        let Some(value) = values.find(|value| value.eq_ignore_ascii_case(word)) else { continue };
        return Some(match facet {
            Facet::Release | Facet::Stack => Meant::new(Place::Facet(facet), kind, value, 3),
            _ => Meant::new(Place::Attribute, kind, format!("{}={value}", facet.key()), 3),
        });
    }
    // `e4s` for `develop/e4s`.
    let ends_so = |stack: &&String| {
        let last = stack.rsplit_once('/').map(|(_, last)| last);
        last.is_some_and(|last| last.eq_ignore_ascii_case(word))
    };
    let mut stacks = index.dictionary(Facet::Stack).values().iter().filter(ends_so);
    if let (Some(stack), None) = (stacks.next(), stacks.next()) {
        return Some(Meant::new(Place::Facet(Facet::Stack), "stack", stack, 3));
    }
    let has_version = |os: &&String| {
        let rest = os.get(word.len()..).filter(|_| os.starts_with(word));
        rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    };
    let mut oses = index.dictionary(Facet::Os).values().iter().filter(has_version).cloned();
    let first = oses.next()?;
    let others: Vec<String> = oses.collect();
    Some(match others.is_empty() {
        true => Meant::new(Place::Attribute, "OS", format!("os={first}"), 3),
        false => Meant { others, ..Meant::new(Place::Facet(Facet::Os), "OS", first, 3) },
    })
}

/// Returns a compiler: `gcc`, `gcc13`, `gcc-13`.
fn compiler(index: &Index, word: &str) -> Option<Meant> {
    let name = word.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.');
    let (name, version) = (name.trim_end_matches('-'), &word[name.len()..]);
    let text = match version {
        "" => compiler_versions(index, word).next().map(|_| format!("%{word}")),
        _ => has_version(index, name, version).then(|| format!("%{name}@{version}")),
    };
    Some(Meant::new(Place::Compiler, "compiler", text?, 2))
}

/// Returns `true` if a compiler of this name has a version that starts like this.
fn has_version(index: &Index, compiler: &str, version: &str) -> bool {
    compiler_versions(index, compiler).any(|has| starts_version(version, has))
}

/// Returns the versions of a compiler.
fn compiler_versions<'i>(index: &'i Index, name: &'i str) -> impl Iterator<Item = &'i str> {
    let compilers = index.dictionary(Facet::Compiler).values().iter();
    let compilers = compilers.filter(|text| *text != NO_COMPILER);
    compilers.filter_map(move |text| text.strip_prefix(name)?.strip_prefix('@'))
}

/// Returns a dependency, if the index lists dependencies or providers.
fn dependency(index: &Index, word: &str) -> Option<Meant> {
    let provides = |value: &String| {
        let provider = value.split_once('=').map_or("", |(_, provider)| provider);
        provider.split('@').next() == Some(word)
    };
    let is_provider = index.dictionary(Facet::Provider).values().iter().any(provides);
    let may_be =
        index.lists_any_dependencies() && (is_package(index, word) || is_virtual(index, word));
    (is_provider || may_be).then(|| {
        let weight = if is_provider { 2 } else { 1 };
        Meant::new(Place::Dependency, "dependency", format!("^{word}"), weight)
    })
}
