//! Words between words: `hdf5 with mpi for rhel8`, `depends on zlib-ng`, `without cuda`, `1.12 or newer`.
//!
//! Some say how the next word is meant, the others say nothing. If the name of a package contains all words of a text,
//! they are parts of a name, and none is left out.

use std::borrow::Cow;
use std::ops::Range;

use cache_index::facet::Facet;
use cache_index::index::Index;
use spack_spec::Dialect;

use super::Understood;
use super::gpu::{gpu_of_vendor, is_any_gpu, is_branded, is_gpu, is_memory};
use super::lists::{
    ASKED, BEGINNING, BUILT, BUILT_WITH, DIRECTLY, FILLERS, HAVING, LACKING, NEEDING, PROVIDERS,
    PROVIDES, RUNNING, THERE, USES, WITHOUT,
};
use crate::search::{is_in_a_name, is_virtual};

/// A word, and how it is meant.
#[derive(Clone)]
pub(super) struct Word {
    pub(super) span: Range<usize>,
    pub(super) link: Link,
}

/// How a word is meant, by the words around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// It may be anything.
    Plain,
    /// It is something to be built or linked with: `depends on zlib-ng`.
    Uses,
    /// It is a direct dependency: `depends directly on curl`.
    Directly,
    /// It is a compiler, if there is one of that name: `built by oneapi`.
    Built,
    /// It is a variant that is off, `without mpi`, or what is excluded, `not e4s`.
    Without,
    /// It is the lowest version: `1.12 or newer`.
    AtLeast,
    /// It is the highest version: `1.12 or older`.
    AtMost,
    /// The version is above it: `newer than 1.14.3`.
    Above,
    /// The version is below it: `older than 5`.
    Below,
    /// It is a virtual package: `provides mpi`.
    Provides,
    /// It is a variant: `packages that have mpi`.
    Has,
    /// It is an alternative to the word before: `cuda or rocm`.
    Or,
    /// It is an alternative that is off: `mpi or without fortran`.
    OrWithout,
}

impl Link {
    /// Returns `true` if it says how a word compares with others, or with the word before.
    pub(super) fn compares(self) -> bool {
        matches!(self, Link::AtLeast | Link::AtMost | Link::Above | Link::Below | Link::Or)
    }

    /// Returns the versions that a word asks for: `1.12:` for `1.12 or newer`.
    pub(super) fn version(self, word: &str) -> String {
        match self {
            Link::AtLeast => format!("{word}:"),
            Link::AtMost => format!(":{word}"),
            Link::Above => above(word),
            Link::Below => below(word),
            _ => word.to_owned(),
        }
    }
}

/// Returns Spack's range of the versions after a version and all that start with it: `13:` for *newer than 12*, which
/// excludes 12.3. *12 or newer* includes it.
pub(in crate::search) fn above(version: &str) -> String {
    let (before, last) = version
        .rsplit_once('.')
        .map_or(("", version), |(_, last)| (&version[..version.len() - last.len()], last));
    let next = last.parse::<u64>().ok().and_then(|last| last.checked_add(1));
    next.map_or_else(|| format!("{version}:"), |next| format!("{before}{next}:"))
}

/// Returns Spack's range for what is below a version: `:4` for what is older than 5.
pub(in crate::search) fn below(version: &str) -> String {
    let mut parts: Vec<&str> = version.split('.').collect();
    while parts.len() > 1 && parts.last() == Some(&"0") {
        parts.pop();
    }
    let last = parts.pop().and_then(|last| last.parse::<u64>().ok()?.checked_sub(1));
    match last {
        Some(last) => {
            let last = last.to_string();
            format!(":{}", parts.into_iter().chain([last.as_str()]).collect::<Vec<_>>().join("."))
        }
        None => format!(":{version}"),
    }
}

/// Returns `true` for a word that says nothing by itself.
pub(in crate::search) fn says_nothing(word: &str) -> bool {
    FILLERS.iter().any(|filler| word.eq_ignore_ascii_case(filler))
}

/// Returns only the words that say something if one of them is in no name; otherwise all words, so that nothing is found
/// that was not asked for.
pub(in crate::search) fn with_meaning(index: &Index, words: Vec<String>) -> Vec<String> {
    let says_something: Vec<String> =
        words.iter().filter(|word| !says_nothing(word)).cloned().collect();
    let is_unknown = |word: &String| !is_in_a_name(index, word);
    if says_something.iter().any(is_unknown) { says_something } else { words }
}

/// Returns `true` for a word that excludes what follows.
pub(in crate::search) fn excludes(word: &str) -> bool {
    WITHOUT.contains(&word)
}

/// Returns `true` if one of these words, all in lower case, is the *which* of a question or a clause: `which builds`,
/// `which hdf5 for zen3`, `builds which use`.
pub(super) fn is_pronoun(index: &Index, words: &[String], at: usize) -> bool {
    let is_asked = |word: &String| {
        let word = word.as_str();
        ASKED.contains(&word) || PROVIDES.contains(&word) || USES.contains(&word)
    };
    let is_package = |word: &String| {
        index.dictionary(Facet::Package).code(word).is_some() || is_virtual(index, word)
    };
    let mut after = words.iter().skip(at + 1);
    words[at] == "which"
        && match at {
            0 => words.get(1).is_some_and(is_package) || after.any(is_asked),
            _ => after.next().is_some_and(is_asked),
        }
}

/// Returns `true` for a question about packages: `who uses hdf5`, `what depends on it`, `reverse dependencies of hdf5`.
pub(in crate::search) fn asks_which_packages(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["who" | "what", ..] | ["which", "packages" | "package", ..] => true,
        words => words.contains(&"dependents") || words.contains(&"reverse"),
    }
}

/// Returns a text with sigils in place of the words before a dependency with a version, without moving the dependency:
/// `^openmpi@4` for `uses openmpi@4`, and `%gcc@13` for `built with gcc@13`; and how the words were read.
pub(in crate::search) fn with_sigils<'t>(
    index: &Index,
    text: &'t str,
) -> (Cow<'t, str>, Vec<Understood>) {
    let words: Vec<Range<usize>> = super::words(text).collect();
    let lower: Vec<String> =
        words.iter().map(|span| text[span.clone()].to_ascii_lowercase()).collect();
    let is_name = |word: &str| index.dictionary(Facet::Package).code(word).is_some();
    let is_one_of = |list: &[&str], at: usize| {
        list.contains(&lower[at].as_str())
            && (!is_name(&lower[at]) || is_pronoun(index, &lower, at))
    };
    let mut read = text.to_owned();
    let mut understood = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let has_version = lower[at].split_once('@').is_some_and(|(name, _)| is_name(name));
        if !has_version {
            continue;
        }
        let first = (0..at)
            .rev()
            .take_while(|&before| is_one_of(FILLERS, before) || is_one_of(&USES, before));
        let Some(first) = first.last() else { continue };
        let is_built =
            |before: usize| is_one_of(&BUILT, before) && is_one_of(&BUILT_WITH, before + 1);
        let asks = (first..at).any(|before| is_one_of(&USES, before));
        let sigil = match (asks, (first..at).any(is_built)) {
            (true, _) => "^",
            (false, true) => "%",
            (false, false) => continue,
        };
        let start = words[first].start;
        let asked = &text[word.clone()];
        // The sigil takes the place of the space before the name.
        read.replace_range(
            start..word.start,
            &format!("{}{sigil}", " ".repeat(word.start - start - 1)),
        );
        understood.push(Understood {
            piece: text[start..word.end].to_owned(),
            kind: "spec",
            text: format!("{sigil}{asked}"),
        });
    }
    match understood.is_empty() {
        true => (Cow::Borrowed(text), understood),
        false => (Cow::Owned(read), understood),
    }
}

/// Returns `true` for a word that only says how those around it are meant, or nothing.
pub(in crate::search) fn connects(word: &str) -> bool {
    #[rustfmt::skip]
    const OTHERS: [&str; 19] = [
        "less", "before", "or", "newer", "later", "above", "higher", "greater", "up", "older",
        "earlier", "below", "lower", "than", "reverse", "dependents", "need", "at", "by",
    ];
    let lower = word.to_ascii_lowercase();
    let lists: [&[&str]; 6] = [FILLERS, &USES, &PROVIDES, &PROVIDERS, &WITHOUT, &OTHERS];
    lists.iter().any(|list| list.contains(&lower.as_str()))
}

/// Returns `true` if the name of a package that has binaries contains all of these words.
pub(super) fn is_one_name(index: &Index, words: &[String]) -> bool {
    let mut packages = index.dictionary(Facet::Package).iter();
    packages.any(|(code, name)| {
        words.iter().all(|word| name.contains(word.as_str()))
            && index.rows_of(code).any(|row| index.has_binary(row))
    })
}

/// Returns the end of a word and the word, if it may be anything.
pub(super) fn plain_at<'t>(text: &'t str, words: &[Word], at: usize) -> Option<(usize, &'t str)> {
    let word = words.get(at).filter(|word| word.link == Link::Plain)?;
    Some((word.span.end, &text[word.span.clone()]))
}

/// Returns the words that mean something, and those that only connect them. `gpu` only connects others unless the text may
/// ask for any GPU and no other word says which.
pub(super) fn connected(
    index: &Index,
    text: &str,
    bare: &[Range<usize>],
    asks_any_gpu: bool,
) -> (Vec<Word>, Vec<Range<usize>>) {
    let lower: Vec<String> =
        bare.iter().map(|span| text[span.clone()].to_ascii_lowercase()).collect();
    const KINDS: [&str; 5] = ["cuda", "rocm", "hip", "nvidia", "amd"];
    // `amd gpu`, which is also in `llvm-amdgpu`.
    let is_of_vendor = |at: usize| {
        let [Some(one), Some(two)] = [at, at + 1].map(|at| bare.get(at)) else { return false };
        let both = format!("{} {}", lower[at], lower[at + 1]);
        (gpu_of_vendor(&both).is_some() || is_branded(&both))
            && text[one.end..two.start].chars().all(char::is_whitespace)
    };
    let is_kind = |word: &String| is_gpu(word) || KINDS.contains(&word.as_str());
    let asks_any_gpu = asks_any_gpu && !lower.iter().any(is_kind);
    let all_plain = || {
        let plain = |span: &Range<usize>| Word { span: span.clone(), link: Link::Plain };
        (bare.iter().map(plain).collect(), Vec::new())
    };
    // `intel compiler` is more likely a compiler than parts of a name.
    let is_compiler = lower.iter().any(|word| matches!(word.as_str(), "compiler" | "compilers"));
    let is_one_name =
        || !is_compiler && !(0..bare.len()).any(is_of_vendor) && is_one_name(index, &lower);
    if bare.len() < 2 || is_one_name() {
        return all_plain();
    }
    let is_one_of = |list: &[&str], at: usize| {
        let is_name = |word: &str| {
            let facets = [Facet::Package, Facet::Stack, Facet::Release];
            facets.iter().any(|facet| index.dictionary(*facet).code(word).is_some())
        };
        lower.get(at).is_some_and(|word| {
            list.contains(&word.as_str()) && (!is_name(word) || is_pronoun(index, &lower, at))
        })
    };
    let is_direct =
        index.dialect() == Dialect::V1 && (0..bare.len()).any(|at| is_one_of(&DIRECTLY, at));
    let uses = if is_direct { Link::Directly } else { Link::Uses };
    let starts_with_digit = |at: usize| {
        lower.get(at).is_some_and(|word| word.starts_with(|first: char| first.is_ascii_digit()))
    };
    let mut words: Vec<Word> = Vec::new();
    let mut fillers = Vec::new();
    let is_package = |at: usize| index.dictionary(Facet::Package).code(&lower[at]).is_some();
    let is_variant = |verb: usize, at: usize| {
        let has = |facet, value: &str| index.dictionary(facet).code(value).is_some();
        lower.get(at).is_some_and(|word| {
            // `which stacks have cuda` asks for the package.
            let of_builds = || (0..verb).any(|at| is_one_of(&["builds", "packages"], at));
            let supports = lower[verb].starts_with("support") || word == "cuda" && of_builds();
            let is_name = has(Facet::Package, word) && !supports || has(Facet::Stack, word);
            !is_name && has(Facet::Variant, &format!("+{word}"))
        })
    };
    // `not built with gcc`, `do not use mpi`.
    let unless_excluded = |next: Link, link: Link| if next == Link::Without { next } else { link };
    // How the next word is meant, and how the one before was.
    let (mut next, mut last) = (Link::Plain, Link::Plain);
    let mut at = 0;
    while at < bare.len() {
        let mut length = 1;
        let is_or = is_one_of(&["or"], at) && !words.is_empty();
        let is_up = is_one_of(&["newer", "later", "above", "higher", "greater", "up"], at + 1);
        let is_down = is_one_of(&["older", "earlier", "below", "lower"], at + 1);
        if is_or && (is_up || is_down) {
            if let Some(word) = words.last_mut() {
                word.link = if is_up { Link::AtLeast } else { Link::AtMost };
            }
            length = 2;
        } else if is_one_of(&["newer", "later", "higher", "greater"], at)
            && is_one_of(&["than"], at + 1)
        {
            next = Link::Above;
            length = 2;
        } else if is_one_of(&["older", "earlier", "lower", "less"], at)
            && is_one_of(&["than"], at + 1)
        {
            next = Link::Below;
            length = 2;
        } else if is_one_of(&["before", "below", "above"], at) && starts_with_digit(at + 1) {
            next = if is_one_of(&["above"], at) { Link::Above } else { Link::Below };
        } else if is_one_of(&["at"], at)
            && is_one_of(&["run", "link"], at + 1)
            && is_one_of(&["time"], at + 2)
        {
            // `at run time` and `at link time` add nothing: that is when builds need what they use.
            length = 3;
        } else if is_one_of(&["at"], at) && is_one_of(&["least", "most"], at + 1) {
            next = if is_one_of(&["least"], at + 1) { Link::AtLeast } else { Link::AtMost };
            length = 2;
        } else if is_one_of(&["intel"], at) && lower.get(at + 1).is_some_and(|word| word == "mkl") {
            // `intel mkl` does not ask for the compiler.
        } else if is_one_of(&["or"], at)
            && at > 0
            && [at - 1, at + 1].iter().all(|&at| lower.get(at).is_some_and(|word| is_gpu(word)))
        {
            // Code for several GPUs is asked for as alternatives anyway.
        } else if is_or && last == Link::Plain && at + 1 < bare.len() {
            next = Link::Or;
        } else if is_one_of(&["release"], at) && at > 0 && is_one_of(&["which", "what"], at - 1) {
            // `which release has hdf5` asks for a release, not for a variant.
        } else if is_one_of(&["reverse"], at) && is_one_of(&["dependencies"], at + 1) {
            next = uses;
            length = 2;
        } else if is_one_of(&["dependents"], at) {
            match words.last_mut() {
                Some(word) => word.link = uses,
                None => next = uses,
            }
        } else if is_direct && is_one_of(&DIRECTLY, at) {
            // `is_direct` has taken this word into account.
        } else if is_one_of(&BUILT, at) && is_one_of(&BUILT_WITH, at + 1) {
            next = unless_excluded(next, if is_direct { uses } else { Link::Built });
            length = 2;
        } else if is_one_of(&USES, at)
            || (words.is_empty() || is_one_of(&["builds", "packages"], at.wrapping_sub(1)))
                && is_one_of(&["with"], at)
                && !(at > 0 && is_one_of(&["stack", "stacks", "release", "releases"], at - 1))
            || is_one_of(&["need", "link"], at) && at > 0 && is_one_of(&NEEDING, at - 1)
        {
            next = unless_excluded(next, uses);
        } else if is_one_of(&HAVING, at) && next == Link::Plain && is_variant(at, at + 1) {
            next = Link::Has;
        } else if is_one_of(&PROVIDES, at) {
            next = Link::Provides;
        } else if is_one_of(&PROVIDERS, at) {
            match words.last_mut() {
                Some(word) => word.link = Link::Provides,
                None => next = Link::Provides,
            }
        } else if is_one_of(&LACKING, at) {
            // It excludes the last word, if none follows.
        } else if is_one_of(&WITHOUT, at) && is_one_of(&THERE, at + 1) {
            length = 2;
        } else if is_one_of(&["no", "not"], at) && at > 0 && is_one_of(&["there", "why"], at - 1) {
            // `why is there no gromacs for arm` asks for gromacs.
        } else if is_one_of(&["instead"], at) && is_one_of(&["of"], at + 1)
            || is_one_of(&["rather"], at) && is_one_of(&["than"], at + 1)
        {
            // `mpich instead of openmpi`: leaves out `openmpi`, too.
            length = 3.min(bare.len() - at);
        } else if is_one_of(&WITHOUT, at) && is_one_of(&RUNNING, at + 1) {
            // Where a build was made does not decide where it runs, so this is not an exclusion.
            return all_plain();
        } else if is_one_of(&WITHOUT, at) {
            next = if next == Link::Or { Link::OrWithout } else { Link::Without };
            // It says how the next word is meant, and is not left out.
            at += 1;
            continue;
        } else if is_one_of(&["and"], at)
            && (last == Link::Without && is_one_of(&BEGINNING, at + 1)
                || is_one_of(&["are", "is"], at + 1)
                || is_one_of(&HAVING, at + 1))
        {
            // `without mpi and with fortran`, `that use hdf5 and support mpi`.
        } else if is_one_of(&["and"], at) {
            // Not in `without fortran and +mpi`, `without fortran and 1.14.5`.
            let is_number =
                |span: &Range<usize>| text[span.clone()].starts_with(|c: char| c.is_ascii_digit());
            let follows = bare.get(at + 1).is_some_and(|after| {
                text[bare[at].end..after.start].chars().all(char::is_whitespace)
                    && words.last().is_some_and(|last| is_number(&last.span) == is_number(after))
            });
            next = if follows { last } else { Link::Plain };
        } else if asks_any_gpu && is_one_of(&["cpu"], at) && is_one_of(&["only"], at + 1) {
            let span = bare[at].start..bare[at + 1].end;
            words.push(Word { span, link: Link::Without });
            (last, next) = (next, Link::Plain);
            at += 2;
            continue;
        } else if is_of_vendor(at) {
            words.push(Word { span: bare[at].start..bare[at + 1].end, link: next });
            (last, next) = (next, Link::Plain);
            at += 2;
            continue;
        } else if next == Link::Without
            && is_package(at)
            && (0..at).any(|before| is_one_of(&["stacks", "releases"], before))
        {
            // `which stacks do not have petsc` does not ask for builds.
            return all_plain();
        } else if !is_one_of(FILLERS, at) && !is_memory(&lower[at])
            || asks_any_gpu && is_any_gpu(&lower[at])
        {
            // `not in e4s develop` excludes what is in both.
            let is_place = |at: usize| {
                let facets = [Facet::Stack, Facet::Release];
                facets.iter().any(|facet| index.dictionary(*facet).code(&lower[at]).is_some())
            };
            let is_same_place = words.last().is_some_and(|before| {
                before.link == Link::Without && at > 0 && before.span == bare[at - 1]
            });
            if next == Link::Plain && is_same_place && is_place(at) && is_place(at - 1) {
                next = Link::Without;
            }
            // `which mpi do the builds use`, `most used mpi`, where that is not a package.
            let is_asked = at > 0
                && is_one_of(&["which", "what", "used", "built", "common", "popular"], at - 1);
            if next == Link::Plain && is_asked && is_virtual(index, &lower[at]) && !is_package(at) {
                next = Link::Provides;
            }
            // `newer than cmake 3.30`.
            let is_before = next.compares() && !starts_with_digit(at) && starts_with_digit(at + 1);
            let link = if is_before && next != Link::Or { Link::Plain } else { next };
            last = link;
            words.push(Word { span: bare[at].clone(), link });
            next = if link == next { Link::Plain } else { next };
            length = 0;
        }
        // `newer than` is read with the number, and not left out.
        let is_read =
            next.compares() || is_or && words.last().is_some_and(|one| one.link.compares());
        if !is_read {
            fillers.extend_from_slice(&bare[at..at + length]);
        }
        at += length.max(1);
    }
    // `in develop that v1 does not have`, `what v1 lacks`.
    let ends_in = |list: &[&str]| {
        let last = words.last().and_then(|word| bare.iter().position(|span| *span == word.span));
        last.is_some_and(|last| (last + 1..bare.len()).any(|at| is_one_of(list, at)))
    };
    // `hdf5 not in`, whose last word is still to be typed.
    let is_unfinished = is_one_of(&["in", "on", "for"], bare.len() - 1);
    if next == Link::Without || ends_in(&LACKING) {
        match words.last_mut() {
            Some(last) if last.link == Link::Plain && !is_unfinished => last.link = Link::Without,
            _ => return all_plain(),
        }
    }
    if words.is_empty() { all_plain() } else { (words, fillers) }
}
