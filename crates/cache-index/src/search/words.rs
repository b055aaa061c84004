//! Words that people write where a spec has syntax: `hdf5 mpi`, `python 3.11`, `rhel8`.
//!
//! Only what is no spec is read so: [`Spec::parse`] is asked first, and what it accepts keeps its
//! meaning. Of other texts, each word is looked up in what the index has, and takes the place in the
//! spec that Spack's syntax has for it:
//!
//! | word | of the package | read as |
//! | --- | --- | --- |
//! | `3.11`, `develop` | a version | `@3.11` |
//! | `mpi`, `Release` | a variant, or a value that one variant has | `+mpi`, `build_type=Release` |
//! | `rhel8`, `zen4`, `darwin` | | `os=rhel8`, `target=zen4`, `platform=darwin` |
//! | `ubuntu` | | every `os` of that name with a version |
//! | `e4s`, `develop` | | the stack, the release |
//! | `gcc`, `gcc 13` | | `%gcc`, `%gcc@13` |
//! | `openmpi`, `zlib` | a dependency | `^openmpi` |
//!
//! One word is the package, if all others can be said of it; the most telling way to do so wins, so
//! `gcc hdf5` is hdf5 built with gcc. If there is no such word, words are parts of names as far as one
//! name has them all, and the rest is said of any package. A word that fits nowhere leaves the text as
//! it is.
//!
//! A command is left out: `spack install --cache-only hdf5` is `hdf5`.

use std::borrow::Cow;
use std::ops::Range;

use spack_spec::parse::{Part, Role};
use spack_spec::{Reading, Spec, Target, VariantValue, VersionConstraint};

use super::{Asked, Search, is_package, is_virtual, problem};
use crate::facet::Facet;
use crate::index::{Index, NO_COMPILER, ValueCode};

/// How many words are looked up; nobody types more of them.
const MOST: usize = 12;

/// How long a text may be, in bytes; longer ones are pasted by mistake.
const LONGEST: usize = 2000;

/// The subcommands of `spack` that take a spec.
const COMMANDS: [&str; 8] =
    ["install", "spec", "find", "load", "add", "solve", "info", "uninstall"];

/// The options of those whose value is the next word.
const WITH_VALUE: [&str; 7] = ["-j", "--jobs", "-p", "-e", "--env", "--format", "--log-file"];

/// A piece of a text that was understood as something that it does not say in Spack's syntax.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Understood {
    /// The piece.
    pub piece: String,
    /// As what it was read, in words; empty if it was left out.
    pub kind: &'static str,
    /// The same in Spack's syntax, or the value of a facet.
    pub text: String,
}

/// Where a word stands in a spec.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Attribute,
    Compiler,
    Dependency,
    /// No spec says it.
    Facet(Facet),
}

/// What a word can mean.
struct Meant {
    place: Place,
    kind: &'static str,
    text: String,
    /// Other values of the same facet, if the word means several.
    others: Vec<String>,
    /// How telling it is; what any two packages can have in common is least.
    weight: usize,
}

/// Returns a text with the command in it overwritten by spaces, so that places stay what they are, and
/// the command; nothing changes in a text without one.
pub(super) fn without_command(text: &str) -> (Cow<'_, str>, Option<Understood>) {
    let mut words = words(text).skip_while(|span| &text[span.clone()] == "$").peekable();
    if words.next_if(|span| &text[span.clone()] == "spack").is_none() {
        return (Cow::Borrowed(text), None);
    }
    let mut plain = text.to_owned();
    let mut spec = Vec::new();
    let mut command = None;
    while let Some(span) = words.next() {
        let word = &text[span.clone()];
        if word.starts_with('-') {
            if WITH_VALUE.contains(&word) {
                words.next();
            }
        } else if command.is_none() {
            command = Some(span);
        } else {
            spec.push(span);
        }
    }
    let Some(command) = command.filter(|span| COMMANDS.contains(&&text[span.clone()])) else {
        return (Cow::Borrowed(text), None);
    };
    let mut at = 0;
    let mut blank = |range: Range<usize>| {
        let spaces = " ".repeat(range.len());
        plain.replace_range(range, &spaces);
    };
    for span in spec {
        blank(at..span.start);
        at = span.end;
    }
    blank(at..text.len());
    // As a shell takes it.
    let inner = plain.trim();
    if let Some(quote) = inner.chars().next().filter(|first| matches!(first, '\'' | '"'))
        && inner.len() > 1
        && inner.ends_with(quote)
    {
        let start = plain.len() - plain.trim_start().len();
        let end = plain.trim_end().len();
        plain.replace_range(start..start + 1, " ");
        plain.replace_range(end - 1..end, " ");
    }
    let piece = format!("spack {}", &text[command]);
    (Cow::Owned(plain), Some(Understood { piece, kind: "", text: String::new() }))
}

/// Reads a text that is no spec, or a word that is no name; `None` if some word of it fits nowhere.
pub(super) fn read(index: &Index, text: &str, reading: &Reading) -> Option<Search> {
    if text.len() > LONGEST {
        return None;
    }
    let bare = bare_words(text, &reading.parts);
    let is_bare = |span: &Range<usize>| {
        bare.iter().any(|word| word.start <= span.start && span.end <= word.end)
    };
    if bare.is_empty() || bare.len() > MOST || !reading.problems.iter().all(|p| is_bare(&p.span)) {
        return None;
    }
    let text_of = |span: &Range<usize>| text[span.clone()].to_ascii_lowercase();
    let rest = Rest::of(text, &bare, &reading.parts);
    let package = |name: &str| index.dictionary(Facet::Package).code(name);
    // The package stands there with something that is said of it.
    let mut names =
        reading.parts.iter().filter(|part| part.node == 0 && part.role == Role::Package);
    let named = reading.spec.root.name.as_deref();
    let named = named.filter(|_| !names.any(|part| is_bare(&part.span)));
    let mut best: Option<(usize, Search)> = None;
    if let Some(name) = named {
        best = said_of(index, text, &rest, name, package(name)?, &bare);
    } else {
        for (at, word) in bare.iter().enumerate() {
            let name = text_of(word);
            let Some(code) = package(&name) else { continue };
            let others: Vec<_> = [&bare[..at], &bare[at + 1..]].concat();
            let found = said_of(index, text, &rest, &name, code, &others);
            if found
                .as_ref()
                .is_some_and(|(weight, _)| best.as_ref().is_none_or(|(most, _)| weight > most))
            {
                best = found;
            }
        }
    }
    match best {
        Some((_, search)) => Some(search),
        None if named.is_none() => said_of_any(index, text, &rest, &bare),
        None => None,
    }
}

/// The parts of a text that are syntax, without the words.
struct Rest {
    /// What is said of the root.
    head: String,
    /// What is said of its dependencies.
    tail: String,
}

impl Rest {
    fn of(text: &str, bare: &[Range<usize>], parts: &[Part]) -> Rest {
        let mut syntax = text.to_owned();
        for word in bare {
            syntax.replace_range(word.clone(), &" ".repeat(word.len()));
        }
        let is_edge = |part: &&Part| part.node > 0;
        let tail = parts.iter().find(is_edge).map_or(text.len(), |part| part.span.start);
        Rest { head: syntax[..tail].trim().to_owned(), tail: syntax[tail..].trim().to_owned() }
    }

    /// The spec of these, with what the words mean in its place.
    fn with(&self, name: &str, meant: &[(Range<usize>, Meant)]) -> String {
        let of = |place: Place| {
            let texts = meant.iter().filter(move |(_, one)| one.place == place);
            texts.map(|(_, one)| one.text.as_str())
        };
        let mut pieces = Vec::new();
        // A head that has a name begins with it.
        if !self.head.starts_with(name) {
            pieces.push(name);
        }
        pieces.push(&self.head);
        pieces.extend(of(Place::Attribute));
        pieces.extend(of(Place::Compiler));
        pieces.push(&self.tail);
        pieces.extend(of(Place::Dependency));
        pieces.retain(|piece| !piece.is_empty());
        pieces.join(" ")
    }
}

/// The search for a package of which all the words are said, and how telling that is.
fn said_of(
    index: &Index,
    text: &str,
    rest: &Rest,
    name: &str,
    package: ValueCode,
    words: &[Range<usize>],
) -> Option<(usize, Search)> {
    let mut meant: Vec<(Range<usize>, Meant)> = Vec::new();
    for span in words {
        let word = &text[span.clone()];
        if let Some(one) = mean(index, Some(package), word) {
            meant.push((span.clone(), one));
        } else if let Some((_, last)) = meant.last_mut()
            && last.place == Place::Compiler
            && compiler_versions(index, &last.text[1..]).any(|has| starts_version(word, has))
        {
            last.text = format!("{}@{word}", last.text);
        } else {
            return None;
        }
    }
    let weights = meant.iter().map(|(_, one)| one.weight);
    // The least telling word decides.
    let weight = weights.clone().min().unwrap_or(0) * (MOST + 1) * 3 + weights.sum::<usize>();
    Some((weight, search(index, text, &rest.with(name, &meant), meant)?))
}

/// The search for parts of names, and what else is said.
fn said_of_any(index: &Index, text: &str, rest: &Rest, words: &[Range<usize>]) -> Option<Search> {
    let names = index.dictionary(Facet::Package).values();
    let mut parts: Vec<String> = Vec::new();
    let mut meant = Vec::new();
    let have = |parts: &[String], word: &str| {
        names.iter().any(|name| {
            name.contains(word) && parts.iter().all(|part| name.contains(part.as_str()))
        })
    };
    let has_syntax = !(rest.head.is_empty() && rest.tail.is_empty());
    for span in words {
        let word = text[span.clone()].to_ascii_lowercase();
        if !has_syntax && have(&parts, &word) {
            parts.push(word);
        } else {
            meant.push((span.clone(), mean(index, None, &text[span.clone()])?));
        }
    }
    if parts.is_empty() {
        return search(index, text, &rest.with("", &meant), meant);
    }
    // Only facets can be asked for beside parts of names.
    let mut choices = Vec::new();
    let mut understood = Vec::new();
    for (span, one) in meant {
        let (facet, value) = match (one.place, one.text.split_once('=')) {
            (Place::Facet(facet), _) => (facet, one.text.as_str()),
            (Place::Attribute, Some((key, value))) => match Facet::from_key(key) {
                Some(facet) => (facet, value),
                None => (Facet::Variant, one.text.as_str()),
            },
            (Place::Attribute, None) if one.text.starts_with('+') => {
                (Facet::Variant, one.text.as_str())
            }
            _ => return None,
        };
        add(&mut choices, facet, [value].into_iter().chain(one.others.iter().map(String::as_str)));
        understood.push(one.understood(&text[span]));
    }
    let search = Search { asked: Asked::Words(parts), choices, understood, ..Search::default() };
    // What is left must mean the same by itself, or the address would ask for something else.
    let is_same = |again: Search| again.asked == search.asked && again.understood.is_empty();
    (!search.understood.is_empty() && is_same(Search::read_plain(index, &search.text(index))))
        .then_some(search)
}

/// The search for a spec; `None` if the words contradict each other or the rest.
fn search(
    index: &Index,
    text: &str,
    spec: &str,
    meant: Vec<(Range<usize>, Meant)>,
) -> Option<Search> {
    let reading = Spec::read(spec, index.dialect());
    if !reading.problems.is_empty() {
        return None;
    }
    let mut problems = problem::of_parts(index, spec, &reading);
    // From places in the spec to those in the text.
    for problem in &mut problems {
        let piece = &spec[problem.span.clone()];
        let word = meant.iter().find(|(_, one)| one.text == piece).map(|(span, _)| span.clone());
        let found = text.find(piece).map(|start| start..start + piece.len());
        problem.span = word.or(found).unwrap_or(0..text.len());
    }
    let mut choices: Vec<(Facet, Vec<String>)> = Vec::new();
    for (_, one) in &meant {
        if let Place::Facet(facet) = one.place {
            let values = [&one.text].into_iter().chain(&one.others);
            add(&mut choices, facet, values.map(String::as_str));
        }
    }
    let understood = meant.into_iter().map(|(span, one)| one.understood(&text[span])).collect();
    let asks_nothing = reading.spec.root == Default::default();
    let asked = if asks_nothing { Asked::Anything } else { Asked::Spec(Box::new(reading.spec)) };
    Some(Search { asked, choices, understood, problems, parts: Vec::new() })
}

/// Adds values to what is chosen of a facet.
fn add<'a>(
    choices: &mut Vec<(Facet, Vec<String>)>,
    facet: Facet,
    values: impl Iterator<Item = &'a str>,
) {
    let values = values.map(str::to_owned);
    match choices.iter_mut().find(|(known, _)| *known == facet) {
        Some((_, known)) => known.extend(values),
        None => choices.push((facet, values.collect())),
    }
}

impl Meant {
    fn new(place: Place, kind: &'static str, text: impl Into<String>, weight: usize) -> Meant {
        Meant { place, kind, text: text.into(), others: Vec::new(), weight }
    }

    fn understood(self, piece: &str) -> Understood {
        let texts: Vec<String> = [self.text].into_iter().chain(self.others).collect();
        Understood { piece: piece.to_owned(), kind: self.kind, text: texts.join(", ") }
    }
}

/// What a word means of a package, or of any.
fn mean(index: &Index, package: Option<ValueCode>, word: &str) -> Option<Meant> {
    let lower = word.to_ascii_lowercase();
    version(index, package, word)
        .or_else(|| variant(index, package, &lower))
        .or_else(|| facet(index, word))
        .or_else(|| {
            let is_there = compiler_versions(index, &lower).next().is_some();
            is_there.then(|| Meant::new(Place::Compiler, "compiler", format!("%{lower}"), 2))
        })
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
            let mut rows = index.rows_of(package);
            rows.any(|row| {
                let has = index.text(row, Facet::Version);
                has == word || is_number && starts_version(word, has)
            })
        }
    };
    is_there.then(|| Meant::new(Place::Attribute, "version", format!("@{word}"), 3))
}

/// Whether a version is one of those that `@word` means.
fn starts_version(word: &str, has: &str) -> bool {
    match (word.parse::<VersionConstraint>(), has.parse()) {
        (Ok(asked), Ok(version)) => asked.matches(&version),
        _ => false,
    }
}

/// A variant that is on or off, or a value that just one variant has.
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

/// A value of a facet.
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

/// The versions of a compiler.
fn compiler_versions<'i>(index: &'i Index, name: &'i str) -> impl Iterator<Item = &'i str> {
    let compilers = index.dictionary(Facet::Compiler).values().iter();
    let compilers = compilers.filter(|text| *text != NO_COMPILER);
    compilers.filter_map(move |text| text.strip_prefix(name)?.strip_prefix('@'))
}

/// A package that others can depend on, if the index knows what depends on what.
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

/// The words of a text that are no part of a spec: what a spec cannot have more than one of, and a name
/// by itself.
fn bare_words(text: &str, parts: &[Part]) -> Vec<Range<usize>> {
    let is_plain = |span: &Range<usize>| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        text[span.clone()].chars().all(plain) && !text[span.clone()].starts_with('-')
    };
    let is_bare = |span: &Range<usize>| {
        let inside =
            parts.iter().filter(|part| part.span.start < span.end && span.start < part.span.end);
        let is_name =
            |part: &Part| part.node == 0 && matches!(part.role, Role::Namespace | Role::Package);
        let mut inside = inside.peekable();
        inside.peek().is_some() && inside.all(|part| part.role == Role::Problem || is_name(part))
    };
    words(text).filter(|span| is_plain(span) && is_bare(span)).collect()
}

/// The places of what stands between white space.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// The packages whose names contain the name of another, which is all that a text asks for.
pub fn more_containing(index: &Index, text: &str) -> Option<(String, usize)> {
    let name = text.trim();
    if !is_package(index, name) {
        return None;
    }
    let names = index.dictionary(Facet::Package).values().iter();
    let more = names.filter(|other| other.contains(name)).count() - 1;
    (more > 0).then(|| (name.to_owned(), more))
}

/// The text that asks for all packages whose names contain a word.
pub fn containing(word: &str) -> String {
    format!("*{word}*")
}

/// The word of such a text.
pub(super) fn contained(text: &str) -> Option<&str> {
    let word = text.trim().strip_prefix('*')?.strip_suffix('*')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (!word.is_empty() && word.chars().all(plain)).then_some(word)
}
