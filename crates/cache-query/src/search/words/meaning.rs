//! What a word means in a cache: a version, a variant, a value of a facet, a compiler or a dependency.

use std::ops::Range;

use cache_index::facet::Facet;
use cache_index::index::{Index, NO_COMPILER, ValueCode};
use cache_index::sorting;
use spack_spec::{Target, Variant, VariantValue, VersionConstraint};

use super::Understood;
use super::gpu::{any_gpu_values, gpu_values, is_any_gpu};
use super::phrases::{Link, Word, says_nothing};
use crate::search::{is_package, is_virtual};

/// Where a word belongs in a spec.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Attribute,
    Compiler,
    Dependency,
    /// A choice that a spec cannot express.
    Facet(Facet),
    /// What is excluded.
    Not(Facet),
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

    /// Returns the meaning of *not* before the word; `None` if it is not a value of a facet.
    fn excluded(self) -> Option<Meant> {
        let (facet, value) = match (self.place, self.text.split_once('=')) {
            (Place::Facet(facet), _) => (facet, self.text.as_str()),
            (Place::Attribute, Some((key, value))) => (Facet::from_key(key)?, value),
            _ => return None,
        };
        let kind = match facet {
            Facet::Os => "excluded OS",
            Facet::Target => "excluded target",
            Facet::Platform => "excluded platform",
            Facet::Release => "excluded release",
            Facet::Stack => "excluded stack",
            _ => return None,
        };
        Some(Meant { place: Place::Not(facet), kind, text: value.to_owned(), ..self })
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
    words: &[Word],
) -> Option<Vec<(Range<usize>, Meant)>> {
    let mut meant: Vec<(Range<usize>, Meant)> = Vec::new();
    let mut at = 0;
    while let Some(Word { span, link }) = words.get(at) {
        let word = &text[span.clone()];
        let valued = || {
            let (end, next) = plain_at(text, words, at + 1)?;
            let is_meant = matches!(link, Link::Plain | Link::Uses);
            Some((2, end, valued(index, package, word, next).filter(|_| is_meant)?))
        };
        // `ubuntu 22.04`, `red hat 8`, `neoverse v2`; `cuda_arch 90`, `with cuda 90`.
        if let Some((length, end, one)) = joined_at(index, text, words, at).or_else(valued) {
            meant.push((span.start..end, one));
            at += length;
            continue;
        }
        at += 1;
        // `gcc 13`, `openmpi version 4`: what follows a name directly is its version.
        let constraint = link.version(word);
        let of = meant.last().filter(|(before, last)| {
            matches!(last.place, Place::Compiler | Place::Dependency)
                && !last.text.contains('@')
                && text[before.end..span.start].split_whitespace().all(says_nothing)
        });
        let is_of_last = of.is_some_and(|(_, last)| {
            let name = &last.text[1..];
            match last.place {
                Place::Compiler => compiler_has_version(index, name, &constraint),
                _ => {
                    let package = index.dictionary(Facet::Package).code(name);
                    package.is_some_and(|package| has_version(index, package, &constraint))
                }
            }
        });
        let meaning = linked(index, package, word, *link);
        if meaning.is_some() && is_other_release(index, package, text, words, at - 1) {
            return None;
        }
        // `double precision`: the name of a variant, whose value says which.
        let has_variant = |package: ValueCode| {
            let mut rows = index.rows_of(package);
            let is_it = |variant: &Variant| variant.name.eq_ignore_ascii_case(word);
            rows.any(|row| index.parsed().variants(index, row).iter().any(is_it))
        };
        // No build has it, but it is still the version of the name before it.
        let is_of_last = is_of_last
            || of.is_some()
                && is_number(word)
                && (meaning.is_none() || package.is_none())
                && word.parse::<VersionConstraint>().is_ok();
        if is_of_last && let Some((_, last)) = meant.last_mut() {
            last.text = format!("{}@{constraint}", last.text);
        } else if let Some(one) = meaning {
            meant.push((span.clone(), one));
        } else if package.is_some()
            && *link != Link::Without
            && is_number(word)
            && word.parse::<VersionConstraint>().is_ok()
        {
            // No build has this version; the nearest ones are of use.
            let version = format!("@{constraint}");
            meant.push((span.clone(), Meant::new(Place::Attribute, "version", version, 1)));
        } else if !package.is_some_and(has_variant) {
            return None;
        }
    }
    Some(meant)
}

/// Returns `true` for the name of a system with a number after it, `rhel 9`, that is neither a release of it in the cache nor a
/// version of the package.
pub(super) fn is_other_release(
    index: &Index,
    package: Option<ValueCode>,
    text: &str,
    words: &[Word],
    at: usize,
) -> bool {
    let word = &text[words[at].span.clone()];
    let is_name = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_system = || facet(index, word).is_some_and(|one| matches!(one.kind, "OS" | "platform"));
    plain_at(text, words, at + 1).is_some_and(|(_, next)| {
        let is_version = package.is_some_and(|package| has_version(index, package, next));
        is_name && is_number(next) && !is_version && is_system()
    })
}

/// Returns what a word means after words that say how it is meant.
fn linked(index: &Index, package: Option<ValueCode>, word: &str, link: Link) -> Option<Meant> {
    let lower = word.to_ascii_lowercase();
    match link {
        Link::Plain | Link::Provides => mean(index, package, word),
        Link::Uses => compiler(index, &lower)
            .or_else(|| dependency(index, &lower))
            .or_else(|| mean(index, package, word)),
        Link::Without => {
            let has_any = |facet: Facet, value: &str| index.dictionary(facet).code(value).is_some();
            let is_known = match package {
                Some(_) => {
                    let on = format!("+{lower}");
                    variant(index, package, &lower).is_some_and(|variant| variant.text == on)
                }
                None => has_any(Facet::Variant, &format!("~{lower}")),
            };
            let variant = || Meant::new(Place::Attribute, "variant", format!("~{lower}"), 3);
            let version = || excluded_versions(index, package?, word);
            is_known
                .then(variant)
                .or_else(|| facet(index, word).or_else(|| target(&lower))?.excluded())
                .or_else(version)
        }
        Link::AtLeast | Link::AtMost => version(index, package, &link.version(word)),
    }
}

/// Returns the end of a word and the word, if it may be anything.
fn plain_at<'t>(text: &'t str, words: &[Word], at: usize) -> Option<(usize, &'t str)> {
    let word = words.get(at).filter(|word| word.link == Link::Plain)?;
    Some((word.span.end, &text[word.span.clone()]))
}

/// Returns the versions of builds of a package that a word stands for, as what is excluded.
fn excluded_versions(index: &Index, package: ValueCode, word: &str) -> Option<Meant> {
    let rows = index.rows_of(package).map(|row| index.text(row, Facet::Version));
    let is_meant = |has: &&str| *has == word || is_number(word) && starts_version(word, has);
    let mut all: Vec<String> = rows.filter(is_meant).map(str::to_owned).collect();
    sorting::sort_and_dedup(&mut all);
    let mut all = all.into_iter();
    let first = all.next()?;
    let place = Place::Not(Facet::Version);
    Some(Meant { others: all.collect(), ..Meant::new(place, "excluded version", first, 3) })
}

/// Returns how many of the words from a place on mean an OS or a target together, where they end, and what they mean.
pub(super) fn joined_at(
    index: &Index,
    text: &str,
    words: &[Word],
    at: usize,
) -> Option<(usize, usize, Meant)> {
    let Word { span, link } = words.get(at)?;
    let (one, (second, two)) = (&text[span.clone()], plain_at(text, words, at + 1)?);
    let three = || {
        let (third, three) = plain_at(text, words, at + 2)?;
        Some((3, third, joined(index, &format!("{one}{two}"), three)?))
    };
    let found = joined(index, one, two).map(|meant| (2, second, meant)).or_else(three);
    let (length, end, meant) = found?;
    match link {
        Link::Plain => Some((length, end, meant)),
        Link::Without => Some((length, end, meant.excluded()?)),
        _ => None,
    }
}

/// Returns what two words mean together: an OS or a target.
fn joined(index: &Index, one: &str, two: &str) -> Option<Meant> {
    ["", "_"].into_iter().find_map(|separator| {
        const CALLED: [(&str, &str); 4] = [
            ("redhat", "rhel"),
            ("amazonlinux", "amzn"),
            ("rockylinux", "rocky"),
            ("oraclelinux", "ol"),
        ];
        let name = format!("{one}{separator}{two}").to_ascii_lowercase();
        let has_mac = || index.dictionary(Facet::Platform).code("darwin").is_some();
        if name == "applesilicon" && has_mac() {
            let text = "platform=darwin target=aarch64:";
            return Some(Meant::new(Place::Attribute, "platform and target", text, 3));
        }
        let of_called =
            |(called, id): &(&str, &str)| Some(format!("{id}{}", name.strip_prefix(called)?));
        let name = CALLED.iter().find_map(of_called).unwrap_or(name);
        // `ubuntu 22` is `ubuntu22.04`.
        let is_it = |os: &&String| {
            os.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if let Some(os) = index.dictionary(Facet::Os).values().iter().find(is_it) {
            return Some(Meant::new(Place::Attribute, "OS", format!("os={os}"), 3));
        }
        let has = |facet| index.dictionary(facet).code(&name).is_some();
        let is_target = has(Facet::Target) || Target::named(&name).is_some();
        is_target.then(|| Meant::new(Place::Attribute, "target", format!("target={name}"), 3))
    })
}

/// Returns a variant and its value: `build_type Release`; the GPU in `cuda 90`; or the dependency in `cuda 12`, if there is such a
/// version, although CUDA is also a variant.
fn valued(index: &Index, package: Option<ValueCode>, one: &str, two: &str) -> Option<Meant> {
    let (name, value) = (one.to_ascii_lowercase(), two.to_ascii_lowercase());
    let is_variant = || variant(index, package, &name).is_some_and(|one| one.text.starts_with('+'));
    let has_version = || {
        let code = index.dictionary(Facet::Package).code(&name);
        code.is_some_and(|code| is_number(two) && has_version(index, code, two))
    };
    if is_variant() && has_version() && index.lists_any_dependencies() {
        return Some(Meant::new(Place::Dependency, "dependency", format!("^{name}@{two}"), 2));
    }
    if matches!(name.as_str(), "cuda" | "cuda_arch") && is_number(two) {
        return gpu(index, package, &format!("sm_{value}"));
    }
    let variants = index.dictionary(Facet::Variant).values();
    let text = format!("{name}={value}");
    let text = variants.iter().find(|variant| variant.to_ascii_lowercase() == text)?;
    Some(Meant::new(Place::Attribute, "variant", text.clone(), 3))
}

/// Returns what a word means for a package, or for any package.
pub(super) fn mean(index: &Index, package: Option<ValueCode>, word: &str) -> Option<Meant> {
    let lower = word.to_ascii_lowercase();
    version(index, package, word)
        .or_else(|| gpu(index, package, &lower))
        .or_else(|| variant(index, package, &lower))
        .or_else(|| target(&lower))
        .or_else(|| facet(index, word))
        .or_else(|| compiler(index, &lower))
        .or_else(|| dependency(index, &lower))
        // Only if no build is made with NVIDIA's compiler.
        .or_else(|| if lower == "nvidia" { variant(index, package, "cuda") } else { None })
        .or_else(|| {
            Target::named(&lower)?;
            Some(Meant::new(Place::Attribute, "target", format!("target={lower}"), 2))
        })
}

fn version(index: &Index, package: Option<ValueCode>, word: &str) -> Option<Meant> {
    let names = index.dictionary(Facet::Version);
    let is_there = match package {
        _ if !is_number(word) && names.code(word).is_none() => false,
        // Without a package, `develop` is rather a release.
        None => is_number(word) && names.values().iter().any(|has| starts_version(word, has)),
        Some(package) => has_version(index, package, word),
    };
    is_there.then(|| Meant::new(Place::Attribute, "version", format!("@{word}"), 3))
}

/// Returns `true` for a version that starts with a digit, and for ranges of such.
fn is_number(word: &str) -> bool {
    word.trim_start_matches(':').starts_with(|first: char| first.is_ascii_digit())
}

/// Returns `true` if a build of a package has this version, or one that starts like this.
fn has_version(index: &Index, package: ValueCode, word: &str) -> bool {
    // Externals have no binary.
    let mut rows = index.rows_of(package).filter(|row| index.row_len(*row) > 0);
    rows.any(|row| {
        let has = index.text(row, Facet::Version);
        has == word || is_number(word) && starts_version(word, has)
    })
}

/// Returns `true` if a version is one of those that `@word` matches.
fn starts_version(word: &str, has: &str) -> bool {
    match (word.parse::<VersionConstraint>(), has.parse()) {
        (Ok(asked), Ok(version)) => asked.matches(&version),
        _ => false,
    }
}

/// Returns the variant of builds for a GPU, if builds have it: of a model, all values that run on it; of any GPU, what code for
/// one needs.
fn gpu(index: &Index, package: Option<ValueCode>, word: &str) -> Option<Meant> {
    let values = match is_any_gpu(word) {
        true => any_gpu_values(index, package),
        false => gpu_values(index, package, word)?,
    };
    let mut values = values.into_iter();
    let first = values.next()?;
    let others: Vec<String> = values.collect();
    let place = if others.is_empty() { Place::Attribute } else { Place::Facet(Facet::Variant) };
    Some(Meant { others, ..Meant::new(place, "GPU", first, 3) })
}

/// Returns all targets of a family, `aarch64`, or the target of what people call by another name.
pub(super) fn target(word: &str) -> Option<Meant> {
    const CALLED: [(&str, &str); 21] = [
        ("arm", "aarch64"),
        ("arm64", "aarch64"),
        ("armv8", "aarch64"),
        ("x86", "x86_64"),
        ("x86-64", "x86_64"),
        ("amd64", "x86_64"),
        ("x64", "x86_64"),
        ("ppc", "ppc64le"),
        ("power", "ppc64le"),
        ("power8", "power8le"),
        ("power9", "power9le"),
        ("power10", "power10le"),
        ("rome", "zen2"),
        ("milan", "zen3"),
        ("genoa", "zen4"),
        ("turin", "zen5"),
        ("graviton", "aarch64"),
        ("graviton2", "neoverse_n1"),
        ("graviton3", "neoverse_v1"),
        ("graviton4", "neoverse_v2"),
        ("grace", "neoverse_v2"),
    ];
    let called = CALLED.iter().find(|(called, _)| *called == word);
    let target = Target::named(called.map_or(word, |(_, name)| *name))?;
    let range = if target.family() == target { ":" } else { "" };
    (called.is_some() || !range.is_empty())
        .then(|| Meant::new(Place::Attribute, "target", format!("target={target}{range}"), 3))
}

/// Returns a boolean variant, or a value that only one variant has.
fn variant(index: &Index, package: Option<ValueCode>, word: &str) -> Option<Meant> {
    let word = match word {
        "parallel" => "mpi",
        "single" => "float",
        word => word,
    };
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
    let has_variant = |name: &str| {
        let mut rows = index.rows_of(package);
        rows.any(|row| {
            index.parsed().variants(index, row).iter().any(|variant| variant.name == name)
        })
    };
    for (called, name) in [("static", "shared"), ("serial", "mpi")] {
        if word == called && has_variant(name) {
            return Some(Meant::new(Place::Attribute, "variant", format!("~{name}"), 3));
        }
    }
    let (name, value) = value.filter(|_| is_clear)?;
    Some(Meant::new(Place::Attribute, "variant", format!("{name}={value}"), 2))
}

/// Returns `true` for what people call the platform darwin, in lower case.
pub(super) fn is_mac(word: &str) -> bool {
    matches!(word, "mac" | "macos" | "osx" | "apple")
}

/// What distributions call their releases.
const CODENAMES: [(&str, &str); 6] = [
    ("focal", "ubuntu20.04"),
    ("jammy", "ubuntu22.04"),
    ("noble", "ubuntu24.04"),
    ("bullseye", "debian11"),
    ("bookworm", "debian12"),
    ("trixie", "debian13"),
];

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
    let called = match word.to_ascii_lowercase() {
        redhat if redhat.starts_with("redhat") => redhat.replacen("redhat", "rhel", 1),
        el if el.strip_prefix("el").is_some_and(|v| v.parse::<u8>().is_ok()) => format!("rh{el}"),
        mac if is_mac(&mac) => "darwin".to_owned(),
        word => match CODENAMES.iter().find(|(called, _)| *called == word) {
            Some((_, os)) => (*os).to_owned(),
            None => word,
        },
    };
    let word = called.as_str();
    for &(facet, kind) in &kinds[..3] {
        if index.dictionary(facet).code(word).is_some() {
            let text = format!("{}={word}", facet.key());
            return Some(Meant::new(Place::Attribute, kind, text, 3));
        }
    }
    kinds[..2].iter().find_map(|&(facet, kind)| {
        let has_version = |value: &&String| {
            let rest = value.strip_prefix(word).map(|rest| rest.trim_start_matches('_'));
            // `neoverse_v2`; but `x86_64_v3` is not a version of `x86`.
            let is_version = |rest: &str| {
                rest.trim_start_matches(['v', 'n'])
                    .starts_with(|c: char| c == '.' || c.is_ascii_digit())
            };
            !word.is_empty() && rest.is_some_and(is_version)
        };
        let mut values = index.dictionary(facet).values().iter().filter(has_version).cloned();
        let first = values.next()?;
        let others: Vec<String> = values.collect();
        Some(match others.is_empty() {
            true => Meant::new(Place::Attribute, kind, format!("{}={first}", facet.key()), 3),
            false => Meant { others, ..Meant::new(Place::Facet(facet), kind, first, 3) },
        })
    })
}

/// Returns a compiler: `gcc`, `gcc13`, `gcc-13`, or what people call it.
fn compiler(index: &Index, word: &str) -> Option<Meant> {
    const CALLED: [(&str, &str); 9] = [
        ("gnu", "gcc"),
        ("gfortran", "gcc"),
        ("clang", "llvm"),
        ("intel", "intel-oneapi-compilers"),
        ("intel", "oneapi"),
        ("oneapi", "intel-oneapi-compilers"),
        ("icx", "intel-oneapi-compilers"),
        ("icx", "oneapi"),
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

/// Returns `true` if a compiler of this name has a version that starts like this.
fn compiler_has_version(index: &Index, compiler: &str, version: &str) -> bool {
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
