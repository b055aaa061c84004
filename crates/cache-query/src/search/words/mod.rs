//! Words in place of Spack's syntax: `hdf5 mpi`, `python 3.11`, `rhel8`.
//!
//! Only texts that [`Spec::parse`] rejects are read in this way; what it accepts keeps its meaning. Each
//! word is looked up in the index, and becomes what Spack's syntax would have in its place:
//!
//! | word | of the package | read as |
//! | --- | --- | --- |
//! | `3.11`, `develop` | a version | `@3.11` |
//! | `mpi`, `Release` | a variant, or a value that one variant has | `+mpi`, `build_type=Release` |
//! | `rhel8`, `zen4`, `darwin` | | `os=rhel8`, `target=zen4`, `platform=darwin` |
//! | `ubuntu`, `neoverse` | | every `os` or `target` of that name with a version |
//! | `aarch64`, `arm` | | all targets of the family, `target=aarch64:` |
//! | `sm_90`, `gfx90a` | | `cuda_arch=90`, `amdgpu_target=gfx90a` |
//! | `H100`, `hopper` | | every `cuda_arch` of the builds that runs on it: `90`, `90a` |
//! | `nvidia` | | `%nvhpc`, or `+cuda` |
//! | `amd gpu`, `nvidia gpu` | | `+rocm` or any `amdgpu_target`, `+cuda` or any `cuda_arch` |
//! | `threads` | a variant that some have as `none` | every other value |
//! | `gpu` | | `+cuda` or `+rocm` |
//! | `e4s`, `develop` | | the stack, also `develop/e4s`; the release |
//! | `stack ml cuda` | | every stack with these words in its name |
//! | `mpi` beside machines and places | | the providers of the virtual package |
//! | `gcc`, `gcc 13`, `gcc-13`, `%gcc 13` | | `%gcc`, `%gcc@13` |
//! | `openmpi`, `zlib`, `openmpi 4` | a dependency | `^openmpi`, `^openmpi@4` |
//! | `/opt/…/hdf5-1.14.5-aaaa…/lib` | | the hash `/aaaa…` |
//!
//! One word is the package, if all others can be attributes of it. If there are several such words, the
//! most specific reading wins, so `gcc hdf5` is hdf5 built with gcc. If there is none, words are parts of
//! names as long as one name contains all of them, and the others are attributes of any package. If a
//! word fits nowhere, the text is left unchanged.
//!
//! Words between them (`with`, `for`, `depends on`, `without`) say how the next one is meant, or nothing: `not e4s` excludes
//! the stack, and `not mpi` asks for `~mpi`.
//!
//! The command is removed from `spack install --cache-only hdf5`, which leaves `hdf5`.

mod alternatives;
mod command;
mod compilers;
mod excluded;
mod fronted;
mod gpu;
mod lists;
mod meaning;
mod meant;
mod other_tools;
mod output;
mod phrases;
mod punctuation;
mod ranges;
mod syntax;
mod systems;
#[cfg(test)]
mod tests;
mod unknown;
mod versions;
mod virtuals;
mod whole;

pub(super) use command::without_commands;
pub(super) use fronted::{read_fronted, without_pronoun};
pub(super) use output::without_output;
pub(super) use phrases::{
    above, asks_which_packages, below, connects, excludes, says_nothing, with_meaning, with_sigils,
};
pub(super) use punctuation::{without_mark, without_punctuation};
pub(super) use ranges::with_ranges;
pub(super) use systems::is_mac;
pub(super) use unknown::{is_understood, without_unknown};
pub(super) use versions::with_versions;

use std::ops::Range;

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use spack_spec::{PartRole, Spec, SpecDraft, SpecPart};

use self::alternatives::resolve_alternatives;
use self::compilers::is_other_compiler;
use self::gpu::{any_gpu_values, is_any_gpu, is_gpu};
use self::meaning::{is_other_release, mean, mean_all};
use self::meant::{Meant, Place};
use self::phrases::{Link, Word, connected, is_one_name};
use self::ranges::is_range;
use self::syntax::SyntaxInWords;
use self::systems::{join_stacks, joined_at, without_range};
use self::virtuals::about_virtual;
use self::whole::{any_of_packages, of_fillers};
use super::names::{python_package, similar};
use super::{Search, TextMeaning, is_in_a_name, is_package, problem, providers_of};

/// The maximum number of words; nobody types more.
const MOST: usize = 12;

/// The maximum number of words together with those that only connect them.
const MOST_SPOKEN: usize = 30;

/// The maximum length of a text in bytes; longer ones are pasted by mistake.
const LONGEST: usize = 2000;

/// A piece of a text that was not read by Spack's syntax, and what it was read as.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Understood {
    /// The piece.
    pub piece: String,
    /// What kind of thing it is; empty if the piece was removed.
    pub kind: &'static str,
    /// The piece in Spack's syntax, or the value of a facet.
    pub text: String,
}

impl Understood {
    fn left_out(piece: &str) -> Understood {
        Understood { piece: piece.to_owned(), kind: "", text: String::new() }
    }
}

/// Reads a text that is not a spec, or a word that is not a name; `None` if a word of it fits nowhere.
pub(super) fn read(index: &Index, text: &str, reading: &SpecDraft) -> Option<Search> {
    if text.len() > LONGEST {
        return None;
    }
    let bare = bare_words(text, &reading.parts);
    if bare.is_empty()
        || bare.len() > MOST_SPOKEN
        || !reading.problems.iter().all(|p| is_in(&bare, &p.span))
    {
        return None;
    }
    if let Some(search) = any_of_packages(index, text).or_else(|| of_fillers(index, text, &bare)) {
        return Some(search);
    }
    // If the text names a package that has no code for GPUs, builds that use it are not meant.
    let names_package = bare.iter().any(|word| is_package(index, &text[word.clone()]));
    let is_about_it = |search: &Search| {
        !names_package || search.spec().is_none_or(|spec| spec.root.name.is_some())
    };
    read_words(index, text, reading, &bare, true)
        .filter(is_about_it)
        .or_else(|| read_words(index, text, reading, &bare, false))
}

/// Returns `true` for a span in one of these words.
fn is_in(words: &[Range<usize>], span: &Range<usize>) -> bool {
    words.iter().any(|word| word.start <= span.start && span.end <= word.end)
}

/// Reads the words of a text, in which `gpu` asks for any GPU or says nothing.
fn read_words(
    index: &Index,
    text: &str,
    reading: &SpecDraft,
    bare: &[Range<usize>],
    asks_any_gpu: bool,
) -> Option<Search> {
    let rest = SyntaxInWords::of(text, bare, &reading.parts);
    let (mut words, fillers) = connected(index, text, bare, asks_any_gpu);
    join_stacks(index, text, &mut words);
    if let [Word { span, link: Link::Provides }] = words.as_slice() {
        let name = text[span.clone()].to_ascii_lowercase();
        let spec = Spec::read(&providers_of(&name), index.dialect()).spec;
        let understood =
            Understood { piece: text.trim().to_owned(), kind: "providers", text: name };
        return Some(Search { understood: vec![understood], ..Search::of(spec) });
    }
    if words.len() > MOST {
        return None;
    }
    // A name that is not a bare word is the package: it has syntax attached.
    let mut names =
        reading.parts.iter().filter(|part| part.node == 0 && part.role == PartRole::Package);
    let named = reading.spec.root.name.as_deref();
    let named = named.filter(|_| !names.any(|part| is_in(bare, &part.span)));
    let mut search = match named {
        Some(name) => {
            match index.dictionary(Facet::Package).code(name) {
                Some(code) => about_package(index, text, &rest, name, code, &words)?.1,
                // It is not here, which is a problem of its own.
                None => {
                    let meant = mean_all(index, None, text, &words)?;
                    search(index, text, &rest.with(name, &meant), meant)?
                }
            }
        }
        None => {
            let exactly =
                |word: &str| Some(word.to_ascii_lowercase()).filter(|name| is_package(index, name));
            // A single word that is not a name is more likely part of one.
            let alike = |word: &str| similar(index, word).filter(|_| words.len() > 1);
            // `numpy 2` is py-numpy rather than any package with a variant of that name.
            let python = |word: &str| python_package(index, word).filter(|_| bare.len() > 1);
            about_one(index, text, &rest, &words, exactly)
                .or_else(|| about_one(index, text, &rest, &words, python))
                .or_else(|| about_any(index, text, &rest, &words, !fillers.is_empty()))
                .or_else(|| about_one(index, text, &rest, &words, alike))
                .or_else(|| about_unknown(index, text, &rest, &words))?
        }
    };
    let left_out = fillers.into_iter().map(|span| Understood::left_out(&text[span]));
    search.understood.extend(left_out);
    Some(search)
}

/// Returns `true` for a word for GPUs, if builds have code for any.
pub(super) fn has_code_for_gpus(index: &Index, word: &str) -> bool {
    is_any_gpu(word) && !any_gpu_values(index, None).is_empty()
}

/// Returns `true` for what people call a family of targets, such as `arm`, if it is not the name of a package.
pub(super) fn is_family(index: &Index, word: &str) -> bool {
    !is_package(index, word) && systems::target(word).is_some_and(|one| one.text.ends_with(':'))
}

/// Returns the search in which one of the words is the package, and the others are about it, in the most specific reading.
fn about_one(
    index: &Index,
    text: &str,
    rest: &SyntaxInWords,
    words: &[Word],
    package: impl Fn(&str) -> Option<String>,
) -> Option<Search> {
    let mut best: Option<(usize, Search)> = None;
    for (at, word) in words.iter().enumerate().filter(|(_, word)| word.link == Link::Plain) {
        let piece = &text[word.span.clone()];
        let Some(name) = package(piece) else { continue };
        let Some(code) = index.dictionary(Facet::Package).code(&name) else { continue };
        let others: Vec<_> = [&words[..at], &words[at + 1..]].concat();
        // `gcc 13 zen4`, where only the compiler has that version.
        let next = words.get(at + 1).map(|next| &text[next.span.clone()]);
        if others.len() > 1 && next.is_some_and(|next| is_other_compiler(index, code, &name, next))
        {
            continue;
        }
        let Some((weight, mut search)) = about_package(index, text, rest, &name, code, &others)
        else {
            continue;
        };
        if best.as_ref().is_none_or(|(most, _)| weight > *most) {
            if !piece.eq_ignore_ascii_case(&name) {
                let piece = piece.to_owned();
                search.understood.insert(0, Understood { piece, kind: "package", text: name });
            }
            best = Some((weight, search));
        }
    }
    best.map(|(_, search)| search)
}

/// Returns the search in which all words are about a package, and how specific that reading is; `None` if
/// a word cannot be.
fn about_package(
    index: &Index,
    text: &str,
    rest: &SyntaxInWords,
    name: &str,
    package: ValueCode,
    words: &[Word],
) -> Option<(usize, Search)> {
    let meant = mean_all(index, Some(package), text, words)?;
    let weights = meant.iter().map(|(_, one)| one.weight);
    // A version counts as much after a dependency as after the package.
    let has_version = |one: &Meant| one.place != Place::Attribute && one.text.contains('@');
    let versions = meant.iter().filter(|(_, one)| has_version(one)).count();
    // The least specific word counts most.
    let weight =
        weights.clone().min().unwrap_or(0) * (MOST + 1) * 3 + weights.sum::<usize>() + versions * 3;
    Some((weight, search(index, text, &rest.with(name, &meant), meant)?))
}

/// Returns the search about a package that is not here, next to syntax and words that are understood:
/// `slepc +mpi for rhel8`.
fn about_unknown(
    index: &Index,
    text: &str,
    rest: &SyntaxInWords,
    words: &[Word],
) -> Option<Search> {
    let name_of = |word: &Word| text[word.span.clone()].to_ascii_lowercase();
    let is_unknown = |word: &Word| {
        let name = name_of(word);
        word.link == Link::Plain
            && mean(index, None, &name).is_none()
            && !is_in_a_name(index, &name)
    };
    if rest.head.is_empty() && rest.tail.is_empty() {
        return None;
    }
    words.iter().enumerate().filter(|(_, word)| is_unknown(word)).find_map(|(at, word)| {
        let others = [&words[..at], &words[at + 1..]].concat();
        let meant = mean_all(index, None, text, &others)?;
        search(index, text, &rest.with(&name_of(word), &meant), meant)
    })
}

/// Returns the search in which words are parts of names, or about any package.
fn about_any(
    index: &Index,
    text: &str,
    rest: &SyntaxInWords,
    words: &[Word],
    has_fillers: bool,
) -> Option<Search> {
    let has_syntax = !(rest.head.is_empty() && rest.tail.is_empty());
    if !has_syntax && let Some(search) = about_virtual(index, text, words) {
        return Some(search);
    }
    // `cuda` next to `sm_90` is a variant, and the words after `depends on` are not parts of a name.
    let is_attribute = |word: &Word| {
        let lower = text[word.span.clone()].to_ascii_lowercase();
        word.link != Link::Plain || is_gpu(&lower) || is_any_gpu(&lower)
    };
    let lower: Vec<String> =
        words.iter().map(|word| text[word.span.clone()].to_ascii_lowercase()).collect();
    // `intel mkl` is a package, not builds with that compiler and library.
    if !has_syntax && !has_fillers && lower.len() > 1 && is_one_name(index, &lower) {
        return None;
    }
    let is_about_compilers = || {
        let mut all = text.split_whitespace().map(str::to_ascii_lowercase);
        let is_compiler =
            |word: &String| mean(index, None, word).is_some_and(|one| one.place == Place::Compiler);
        all.any(|word| matches!(word.as_str(), "compiler" | "compilers" | "build" | "builds"))
            && lower.iter().all(is_compiler)
    };
    let in_names = match has_syntax || words.iter().any(is_attribute) || is_about_compilers() {
        true => None,
        false => in_names(index, text, words, has_fillers),
    };
    in_names.or_else(|| {
        let meant = mean_all(index, None, text, words)?;
        search(index, text, &rest.with("", &meant), meant)
    })
}

/// Returns the search in which words are parts of names, and those that no name contains are choices in facets.
fn in_names(index: &Index, text: &str, words: &[Word], has_fillers: bool) -> Option<Search> {
    let names = index.dictionary(Facet::Package).values();
    let lower: Vec<String> =
        words.iter().map(|word| text[word.span.clone()].to_ascii_lowercase()).collect();
    // `linux` next to other words is a platform, unless they are the rest of `linux-pam`.
    let is_linux = |word: &str| word == "linux" && lower.len() > 1 && !is_one_name(index, &lower);
    let mut parts: Vec<String> = Vec::new();
    let mut choices = Vec::new();
    let mut alternatives = Vec::new();
    let mut understood = Vec::new();
    let mut at = 0;
    while let Some(Word { span, .. }) = words.get(at) {
        let word = text[span.clone()].to_ascii_lowercase();
        let has_all = |name: &&String| {
            name.contains(&word) && parts.iter().all(|part| name.contains(part.as_str()))
        };
        let (length, end, one) = match joined_at(index, text, words, at) {
            Some(joined) => joined,
            _ if is_other_release(index, None, text, words, at) => return None,
            // `mac` next to other words does not mean `gromacs`.
            None if names.iter().any(|name| has_all(&name))
                && !is_mac(&word)
                && !is_linux(&word) =>
            {
                parts.push(word);
                at += 1;
                continue;
            }
            None => (1, span.end, mean(index, None, &text[span.clone()])?),
        };
        at += length;
        let piece = &text[span.start..end];
        let one = without_range(index, one);
        // It chooses in two facets: `graviton`.
        if one.text.contains(' ') {
            return None;
        }
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
        alternatives.extend(one.alternatives());
        add(&mut choices, facet, [value].into_iter().chain(one.others.iter().map(String::as_str)));
        understood.push(one.understood(piece));
    }
    if parts.is_empty() {
        return None;
    }
    let asked = TextMeaning::Words(parts);
    let search = Search { asked, choices, alternatives, understood, ..Search::default() };
    // The remaining words alone must mean the same, or the address would ask for something else.
    let is_same = |again: Search| again.asked == search.asked && again.understood.is_empty();
    let is_read = has_fillers || !search.understood.is_empty();
    (is_read && is_same(Search::read_plain(index, &search.text(index)))).then_some(search)
}

/// Returns the search for a spec; `None` if the words contradict each other or the rest.
fn search(
    index: &Index,
    text: &str,
    spec: &str,
    mut meant: Vec<(Range<usize>, Meant)>,
) -> Option<Search> {
    let mut reading = Spec::read(spec, index.dialect());
    if !reading.problems.is_empty() {
        return None;
    }
    let mut problems = problem::of_parts(index, spec, &reading);
    // Convert positions in the spec to positions in the text.
    for problem in &mut problems {
        let piece = &spec[problem.span.clone()];
        let word = meant.iter().find(|(_, one)| one.text == piece).map(|(span, _)| span.clone());
        let found = text.find(piece).map(|start| start..start + piece.len());
        problem.span = word.or(found).unwrap_or(0..text.len());
    }
    let alternatives = resolve_alternatives(&mut reading.spec, &mut meant);
    let mut choices: Vec<(Facet, Vec<String>)> = Vec::new();
    let mut excluded = Vec::new();
    for (_, one) in &meant {
        let values = [&one.text].into_iter().chain(&one.others);
        match one.place {
            Place::Facet(facet) => add(&mut choices, facet, values.map(String::as_str)),
            Place::Not(facet) => excluded.extend(values.map(|value| (facet, value.clone()))),
            _ => {}
        }
    }
    // `in e4s v1.0 but not in e4s develop`: the builds of that stack that are in one release but not in the other.
    if excluded.iter().any(|(facet, _)| *facet == Facet::Release) {
        let is_chosen = |value: &String| {
            choices.iter().any(|(facet, values)| *facet == Facet::Stack && values.contains(value))
        };
        excluded.retain(|(facet, value)| *facet != Facet::Stack || !is_chosen(value));
    }
    let understood = meant.into_iter().map(|(span, one)| one.understood(&text[span])).collect();
    let asks_nothing = reading.spec.root == Default::default();
    let asked = if asks_nothing {
        TextMeaning::Anything
    } else {
        TextMeaning::Spec(Box::new(reading.spec))
    };
    let parts = Vec::new();
    Some(Search { asked, choices, excluded, alternatives, understood, problems, parts })
}

/// Adds values to the choices of a facet.
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

/// Returns the words of a text that cannot be part of a spec, because it can have only one such word, and
/// those that are just a name.
fn bare_words(text: &str, parts: &[SpecPart]) -> Vec<Range<usize>> {
    let is_plain = |span: &Range<usize>| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let word = &text[span.clone()];
        word.chars().all(plain) && !word.starts_with('-') || is_range(word)
    };
    let is_bare = |span: &Range<usize>| {
        let inside =
            parts.iter().filter(|part| part.span.start < span.end && span.start < part.span.end);
        let is_name = |part: &SpecPart| {
            part.node == 0 && matches!(part.role, PartRole::Namespace | PartRole::Package)
        };
        let mut inside = inside.peekable();
        inside.peek().is_some()
            && inside.all(|part| part.role == PartRole::Problem || is_name(part))
    };
    words(text).filter(|span| is_plain(span) && is_bare(span)).collect()
}

/// Returns the positions of the words of a text, which white space separates.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}
