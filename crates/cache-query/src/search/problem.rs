//! What is wrong with a text that is being typed, and what would work instead.

use std::ops::Range;

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::sorting;
use spack_spec::{
    Dialect, MissingData, Node, ParseError, PartRole, Spec, SpecDraft, SpecPart, Target, Version,
    VersionConstraint, nearest,
};

use super::names::{instead_of_package, names_with_binaries};
use super::other_names::called;
use super::{Search, TextMeaning, is_in_a_name, is_package, is_virtual};

/// A part of a text that was not understood, or that nothing here matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The part, in bytes of the text.
    pub span: Range<usize>,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// Text to put in its place.
    pub instead: Option<String>,
    /// The whole text, corrected, if a correction is known.
    pub mended: Option<String>,
    /// A target that Spack knows and no build is made for; `cache_advice::RunsOn` finds what runs on it.
    pub target: Option<&'static str>,
}

/// Returns a target that Spack knows, if no build is made for it.
pub fn unused_target(index: &Index, name: &str) -> Option<Target> {
    Target::named(name).filter(|_| index.dictionary(Facet::Target).code(name).is_none())
}

impl From<ParseError> for Problem {
    fn from(error: ParseError) -> Problem {
        Problem::new(error.span.clone(), error.to_string())
    }
}

impl Problem {
    /// Creates a problem without a correction.
    pub fn about(span: Range<usize>, message: String) -> Problem {
        Problem::new(span, message)
    }

    pub(super) fn new(span: Range<usize>, message: String) -> Problem {
        Problem { span, message, instead: None, mended: None, target: None }
    }

    /// Returns the whole text with the suggested correction, if there is one.
    pub fn mend(&self, text: &str) -> Option<String> {
        let Some(instead) = &self.instead else { return self.mended.clone() };
        let mut mended = text.to_owned();
        mended.replace_range(self.span.clone(), instead);
        Some(mended)
    }

    /// Returns the problem for the part of a spec that depends on missing data.
    pub fn undecided(index: &Index, text: &str, dialect: Dialect, missing: MissingData) -> Problem {
        let asks = |part: &&SpecPart| {
            let piece = &text[part.span.clone()];
            match missing {
                MissingData::Dependencies => {
                    matches!(part.role, PartRole::Direct | PartRole::Transitive)
                        || part.role == PartRole::Variant && is_propagated(piece)
                }
                MissingData::Providers => {
                    matches!(part.role, PartRole::Package | PartRole::Virtual)
                        && is_virtual(index, piece)
                }
                MissingData::Namespace => part.role == PartRole::Namespace,
                MissingData::Flags => part.role == PartRole::Flag,
                _ => false,
            }
        };
        let parts = Spec::read(text, dialect).parts;
        let span = parts.iter().find(asks).map_or(0..text.len(), |part| part.span.clone());
        Problem::new(span, format!("cannot tell: {missing}"))
    }

    /// Returns a sentence that says what cannot be searched for, because the data does not contain it.
    pub fn cannot_search(index: &Index, missing: MissingData) -> &'static str {
        let says_some = match missing {
            MissingData::Dependencies => index.lists_any_dependencies(),
            MissingData::Providers => {
                index.lists_any_dependencies()
                    || index.origins().iter().any(|origin| origin.provided_virtuals.is_some())
            }
            _ => index.origins().iter().any(|origin| origin.namespace.is_some()),
        };
        match missing {
            MissingData::Dependencies if says_some => {
                "More builds may match: this cache does not list everything that they depend on"
            }
            MissingData::Providers if says_some => {
                "More builds may match: of some builds, this cache only says what others use them for, \
                 not all that they provide"
            }
            MissingData::Namespace if says_some => {
                "More builds may match: this cache does not say the namespace of all builds"
            }
            MissingData::Flags if says_some => {
                "More builds may match: this cache does not say the compiler flags of all builds"
            }
            _ if says_some => "More builds may match: this cache does not say it of all builds",
            MissingData::Dependencies => {
                "Cannot search dependencies: this cache does not list them"
            }
            MissingData::Providers => {
                "Cannot search virtual packages: this cache does not list their providers"
            }
            MissingData::Namespace => "Cannot search namespaces: this cache does not list them",
            MissingData::Flags => "Cannot search compiler flags: this cache does not list them",
            _ => "Cannot search this: this cache does not list it",
        }
    }

    /// Returns the problem for a dependency that builds must not have.
    pub(super) fn not_needed(span: Range<usize>) -> Problem {
        let message = "builds cannot be searched for by what they do not depend on";
        Problem::new(span, message.to_owned())
    }

    /// Returns the problem for words beyond the limit.
    pub(super) fn unread(span: Range<usize>, limit: usize) -> Problem {
        let message = format!("only the first {limit} different words are read");
        Problem::new(span, message)
    }

    /// Returns the problem for an unknown name, with the name that was perhaps meant.
    pub(super) fn unknown(
        span: Range<usize>,
        what: &str,
        name: &str,
        instead: Option<&str>,
    ) -> Problem {
        let message = match instead {
            Some(instead) => format!("no {what} `{name}`: did you mean `{instead}`?"),
            None => format!("no {what} `{name}` here"),
        };
        Problem { instead: instead.map(str::to_owned), ..Problem::new(span, message) }
    }
}

/// Finds words that no package has in its name, except those that are understood next to others.
pub(super) fn of_words(
    index: &Index,
    text: &str,
    search: &Search,
    is_understood: impl Fn(&str) -> bool,
    excludes: impl Fn(&str) -> bool,
) -> Vec<Problem> {
    let TextMeaning::Words(words) = &search.asked else { return Vec::new() };
    let mut known: Vec<&str> = Vec::new();
    let mut what = "package";
    if let [_, _, ..] = words.as_slice() {
        what = "package, variant, version, OS, target or stack";
        // If one of the words is a package, the others may be its variants.
        let packages = words.iter().filter_map(|word| index.dictionary(Facet::Package).code(word));
        for package in packages.take(1) {
            known = variant_names(index, package);
        }
        for facet in [Facet::Os, Facet::Target, Facet::Stack, Facet::Release] {
            known.extend(index.dictionary(facet).values().iter().map(String::as_str));
        }
    }
    known.extend(names_with_binaries(index));
    let start_of = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let last_package =
        text.split_whitespace().rev().find(|word| is_package(index, word)).map(start_of);
    let unknown = |word: &str| {
        let lower = word.to_ascii_lowercase();
        let is_known = is_in_a_name(index, &lower)
            || known.contains(&lower.as_str())
            || text.trim() != word && is_understood(word);
        let start = start_of(word);
        let instead = || match words.as_slice() {
            [_] => instead_of_package(index, &lower),
            _ => nearest(word, known.iter().copied())
                .map(str::to_owned)
                .or_else(|| called(index, &lower)),
        };
        let span = start..start + word.len();
        if excludes(&lower) && last_package.is_some_and(|last| last > start) {
            return Some(Problem::not_needed(span));
        }
        (!is_known).then(|| Problem::unknown(span, what, word, instead().as_deref()))
    };
    let not_needed = || {
        let is_meant = |word: &str| is_package(index, &word.to_ascii_lowercase());
        negated(text, &excludes, is_meant).map(Problem::not_needed)
    };
    if let Some(problem) = either_of(index, text).or_else(not_needed) {
        return vec![problem];
    }
    text.split_whitespace().filter_map(unknown).take(1).collect()
}

/// Finds *not*, and the like, directly before a word of some kind, and returns the span of *not*.
pub(super) fn negated(
    text: &str,
    excludes: impl Fn(&str) -> bool,
    is_meant: impl Fn(&str) -> bool,
) -> Option<Range<usize>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let two = words.windows(2).find(|two| excludes(two[0]) && is_meant(two[1]))?;
    let start = two[0].as_ptr() as usize - text.as_ptr() as usize;
    Some(start..start + two[0].len())
}

/// Finds two packages with *or* between them in a text that is not about these packages themselves: `uses mpich or openmpi`.
fn either_of(index: &Index, text: &str) -> Option<Problem> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.windows(3).position(|three| {
        three[1].eq_ignore_ascii_case("or")
            && [three[0], three[2]].iter().all(|name| is_package(index, &name.to_ascii_lowercase()))
    })?;
    let start = words[at].as_ptr() as usize - text.as_ptr() as usize;
    let last = words[at + 2];
    let end = last.as_ptr() as usize - text.as_ptr() as usize + last.len();
    let message = format!("one search cannot ask for either of {} and {last}", words[at]);
    let mended = Some([&words[..=at], &words[at + 3..]].concat().join(" "));
    Some(Problem { mended, ..Problem::new(start..end, message) })
}

/// Finds a hash in capitals, which no build has.
fn capital_hash(span: Range<usize>, piece: &str) -> Option<Problem> {
    let lower = piece.to_ascii_lowercase();
    (lower != piece).then(|| {
        let message = format!("hashes are in lower case: did you mean `{lower}`?");
        Problem { instead: Some(lower), ..Problem::new(span, message) }
    })
}

/// The maximum number of problems that are reported for a text. For each, all names of the index are compared.
const MANY: usize = 20;

/// Finds names and values that nothing in the index has, and text that Spack reads differently than people do.
pub(super) fn of_parts(index: &Index, text: &str, reading: &SpecDraft) -> Vec<Problem> {
    let mut problems = Vec::new();
    for part in &reading.parts {
        if problems.len() >= MANY {
            return problems;
        }
        let piece = &text[part.span.clone()];
        match part.role {
            PartRole::Package if !is_known(index, piece) => {
                let instead = instead_of_package(index, piece);
                let instead = instead.as_deref();
                problems.push(Problem::unknown(part.span.clone(), "package", piece, instead));
            }
            PartRole::Hash => problems.extend(capital_hash(part.span.clone(), piece)),
            PartRole::Variant if part.node == 0 => {
                let (spec, span) = (&reading.spec, part.span.clone());
                let unknown = unknown_variant(index, spec, span.clone(), piece)
                    .map(|problem| without_absent(problem, text, piece));
                problems.extend(
                    facet_as_variant(index, span.clone(), piece)
                        .or(unknown)
                        .or_else(|| version_as_variant(index, spec, span, piece)),
                );
            }
            PartRole::Architecture => {
                problems.extend(unknown_value(index, part.span.clone(), piece));
            }
            _ => {}
        }
    }
    problems.extend(compiler_as_package(index, text, &reading.spec));
    let bound = reading.constraints_after_percent();
    problems.extend(bound.filter_map(|part| bound_to_compiler(index, text, &reading.parts, part)));
    problems
}

/// Returns `true` if a spec may use this name. After a `%`, Spack 1.x still accepts the names that compilers had
/// before they were packages.
fn is_known(index: &Index, name: &str) -> bool {
    const OLD_COMPILERS: [&str; 4] = ["clang", "oneapi", "rocmcc", "intel"];
    name == "*"
        || is_package(index, name)
        || is_virtual(index, name)
        || OLD_COMPILERS.contains(&name)
}

/// Returns `true` for a variant that is propagated: `++x`, `~~x`, `k==v`.
fn is_propagated(variant: &str) -> bool {
    let mut signs = variant.bytes().take(2);
    let first = signs.next();
    matches!(first, Some(b'+' | b'~' | b'-')) && first == signs.next() || variant.contains("==")
}

/// Finds a variant that the package does not have.
fn unknown_variant(index: &Index, spec: &Spec, span: Range<usize>, piece: &str) -> Option<Problem> {
    let package = spec.root.name.as_deref()?;
    let code = index.dictionary(Facet::Package).code(package)?;
    let name = piece.trim_start_matches(['+', '~', '-', ' ']);
    let name = name.split(['=', ':']).next().unwrap_or(name).trim();
    let known = variant_names(index, code);
    if name.is_empty() || known.contains(&name) {
        return None;
    }
    let what = format!("build of {package} with a variant");
    let instead = nearest(name, known);
    let mut problem = Problem::unknown(span, &what, name, instead);
    // The replacement is the whole piece, including sigil and value.
    problem.instead = instead.map(|instead| piece.replacen(name, instead, 1));
    Some(problem)
}

/// Suggests the text without a variant that is switched off but that no build has: all builds are without it.
fn without_absent(problem: Problem, text: &str, piece: &str) -> Problem {
    if problem.instead.is_some() || !piece.starts_with(['~', '-']) {
        return problem;
    }
    let mut rest = text.to_owned();
    rest.replace_range(problem.span.clone(), " ");
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    Problem { mended: (!rest.is_empty()).then_some(rest), ..problem }
}

/// Finds a filter of the page, `compiler=gcc`, which asks Spack for a variant that no build has.
fn facet_as_variant(index: &Index, span: Range<usize>, piece: &str) -> Option<Problem> {
    let (key, value) = piece.trim().split_once('=')?;
    let value = value.trim_matches(['"', '\'']);
    let mut variants = index.dictionary(Facet::Variant).values().iter();
    let is_variant =
        value.is_empty() || variants.any(|variant| variant.split('=').next() == Some(key));
    let instead = match Facet::from_key(key)? {
        Facet::Package => value.to_owned(),
        Facet::Version => format!("@{value}"),
        Facet::Compiler => format!("%{value}"),
        Facet::Provider | Facet::Libc => match value.split_once('=') {
            Some((name, package)) if index.dialect() == Dialect::V0 => {
                format!("^[virtuals={name}] {package}")
            }
            _ => format!("^{value}"),
        },
        Facet::Variant if value.contains('=') => value.to_owned(),
        Facet::Variant => {
            let each = value.split(',').map(|one| Facet::Variant.canonical(one));
            each.collect::<Vec<_>>().join(" ")
        }
        // An existing release or stack would have been read as such.
        facet @ (Facet::Release | Facet::Stack) => {
            let names = index.dictionary(facet).values();
            let instead = nearest(value, names.iter().map(String::as_str));
            let problem = Problem::unknown(span, facet.key(), value, instead);
            let instead = instead.map(|instead| format!("{}={instead}", facet.key()));
            return (!is_variant).then_some(Problem { instead, ..problem });
        }
        _ => return None,
    };
    if is_variant {
        return None;
    }
    let message = format!("`{}` asks for a variant: did you mean `{instead}`?", piece.trim());
    Some(Problem { instead: Some(instead), ..Problem::new(span, message) })
}

/// Finds a package with its version as other package managers write it: `hdf5==1.14`, which asks for a variant `hdf5`.
fn version_as_variant(
    index: &Index,
    spec: &Spec,
    span: Range<usize>,
    piece: &str,
) -> Option<Problem> {
    let (name, value) = piece.split_once('=')?;
    let version = value.trim_start_matches('=');
    let is_version = version.starts_with(|first: char| first.is_ascii_digit())
        && version.parse::<Version>().is_ok();
    let is_meant = spec.root.name.is_none() && is_version && is_package(index, name);
    is_meant.then(|| {
        let instead = format!("{name}@{version}");
        let message = format!("`{piece}` asks for a variant: did you mean `{instead}`?");
        Problem { instead: Some(instead), ..Problem::new(span, message) }
    })
}

/// Returns the names of all variants of a package.
fn variant_names(index: &Index, package: ValueCode) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in index.rows_of(package) {
        names.extend(index.parsed().variants(index, row).iter().map(|v| v.name.as_str()));
    }
    sorting::sort_and_dedup(&mut names);
    names
}

/// Finds a value in `os=…`, `platform=…` or `target=…` that no build has.
fn unknown_value(index: &Index, span: Range<usize>, piece: &str) -> Option<Problem> {
    let (key, value) = piece.split_once('=')?;
    let facet = match key.trim() {
        "os" => Facet::Os,
        "platform" => Facet::Platform,
        "target" => Facet::Target,
        _ => return None,
    };
    let value = value.trim().trim_matches(['"', '\'']);
    // Ranges and lists are not names.
    let dictionary = index.dictionary(facet);
    if value.contains([':', ',', '*']) || dictionary.code(value).is_some() {
        return None;
    }
    if facet == Facet::Target
        && let Some(target) = unused_target(index, value)
    {
        // A similar name says nothing about what the target runs.
        let message = format!("no build is made for {value}");
        return Some(Problem { target: Some(target.name()), ..Problem::new(span, message) });
    }
    let begins = |known: &&str| !value.is_empty() && known.starts_with(value);
    let longer: Vec<&str> = dictionary.values().iter().map(String::as_str).filter(begins).collect();
    if let [first, rest @ ..] = longer.as_slice() {
        let others = rest.iter().map(|other| format!(" or `{other}`")).collect::<String>();
        let message = format!("no {} `{value}`: did you mean `{first}`{others}?", facet.key());
        let instead = longer.last().map(|last| format!("{}={last}", facet.key()));
        return Some(Problem { instead, ..Problem::new(span, message) });
    }
    let instead = nearest(value, dictionary.values().iter().map(String::as_str));
    let mut problem = Problem::unknown(span, facet.key(), value, instead);
    problem.instead = instead.map(|instead| format!("{}={instead}", facet.key()));
    Some(problem)
}

/// Finds a package in a version that only compilers have: `gcc@11.4.0`, although gcc itself is here in other versions.
fn compiler_as_package(index: &Index, text: &str, spec: &Spec) -> Option<Problem> {
    let (name, versions) = (spec.root.name.as_deref()?, &spec.root.versions);
    let rest = Node { name: None, versions: VersionConstraint::any(), ..spec.root.clone() };
    if versions.is_any() || rest != Node::default() {
        return None;
    }
    let matches = |text: &str| text.parse::<Version>().is_ok_and(|it| versions.matches(&it));
    let code = index.dictionary(Facet::Package).code(name)?;
    // A compiler that the system has is in the index too, but no search finds it.
    let mut builds = index.rows_of(code).filter(|row| index.has_binary(*row));
    if builds.any(|row| matches(index.text(row, Facet::Version))) {
        return None;
    }
    let mut compilers = index.dictionary(Facet::Compiler).values().iter();
    let is_compiler = compilers.any(|compiler| {
        compiler.strip_prefix(name).and_then(|rest| rest.strip_prefix('@')).is_some_and(matches)
    });
    is_compiler.then(|| {
        let asked = text.trim();
        let start = text.len() - text.trim_start().len();
        let instead = Some(format!("%{name}@{versions}"));
        let message = format!("no build of {name} has this version, but builds were made with it");
        Problem { instead, ..Problem::new(start..start + asked.len(), message) }
    })
}

/// Since 1.0, Spack applies what follows `%gcc` to the compiler. People who write it without a space know that, unless
/// they copied it from an older Spack, which wrote its lists like that: then the compiler has no such variant.
fn bound_to_compiler(
    index: &Index,
    text: &str,
    parts: &[SpecPart],
    part: &SpecPart,
) -> Option<Problem> {
    let name = parts.iter().find(|p| p.node == part.node && p.role == PartRole::Package)?;
    let is_apart = text[name.span.end..part.span.start].contains(' ');
    let (piece, compiler) = (&text[part.span.clone()], &text[name.span.clone()]);
    let has_variant = || {
        let package = index.dictionary(Facet::Package).code(compiler);
        let variant = piece.trim_start_matches(['+', '~', '-']).split(['=', ':']).next();
        package
            .zip(variant)
            .is_some_and(|(package, variant)| variant_names(index, package).contains(&variant))
    };
    (is_apart || !has_variant()).then(|| {
        let message = format!(
            "Spack 1.x asks `{piece}` of {compiler}; to ask it of the package, put it before the `%`"
        );
        let mended = asked_of_package(text, parts, name).filter(|_| is_apart);
        Problem { mended, ..Problem::new(part.span.clone(), message) }
    })
}

/// Returns the spec in which the package is asked for what is written apart after a compiler: `hdf5 os=rhel8 %gcc@12` for
/// `hdf5%gcc@12 os=rhel8`.
fn asked_of_package(text: &str, parts: &[SpecPart], compiler: &SpecPart) -> Option<String> {
    let percent = text[..compiler.span.start].rfind('%')?;
    let apart = compiler.span.end + text[compiler.span.end..].find(' ')?;
    let of_compiler = parts.iter().filter(|part| part.node == compiler.node);
    let end = of_compiler.map(|part| part.span.end).max()?;
    let moved = [&text[..percent], &text[apart..end], &text[percent..apart], &text[end..]];
    Some(moved.map(str::trim).join(" ").trim().to_owned())
}
