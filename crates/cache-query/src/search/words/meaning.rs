//! What a word means in a cache: a version, a variant, a value of a facet, a compiler or a dependency.

use std::ops::Range;

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::sorting;
use spack_spec::{Target, Variant, VariantValue, VersionConstraint};

use super::compilers::{
    compiler, compiler_has_version, compiler_versions, is_number, starts_version,
};
use super::excluded::{excluded_compilers, excluded_versions};
use super::gpu::{GPU, any_gpu_values, code_for_gpus, gpu_of_vendor, gpu_values, is_any_gpu};
use super::meant::{Meant, Place};
use super::phrases::{Link, Word, connects, plain_at, says_nothing};
use super::systems::{facet, joined_at, other_os, target, without_range};
use crate::search::names::python_package;
use crate::search::{is_package, is_virtual};

/// Returns what words mean for a package, or for any package; `None` if one of them means nothing.
pub(super) fn mean_all(
    index: &Index,
    package: Option<ValueCode>,
    text: &str,
    words: &[Word],
) -> Option<Vec<(Range<usize>, Meant)>> {
    let mut meant: Vec<(Range<usize>, Meant)> = Vec::new();
    // Where an alternative begins that the package does not have.
    let mut absent: Option<usize> = None;
    let mut at = 0;
    while let Some(Word { span, link }) = words.get(at) {
        let word = &text[span.clone()];
        let valued = || {
            let next = words.get(at + 1)?;
            let value = next.link.version(&text[next.span.clone()]);
            // `cuda 12.8 or newer` can only be a version.
            let compares = next.link.compares() && next.link != Link::Or;
            let is_version = |one: &Meant| !compares || one.place == Place::Dependency;
            let is_meant = matches!(link, Link::Plain | Link::Uses | Link::Built | Link::Has)
                && (next.link == Link::Plain || compares);
            let one =
                valued(index, package, word, &value).filter(|one| is_meant && is_version(one))?;
            Some((2, next.span.end, one))
        };
        // `ubuntu 22.04`, `red hat 8`, `neoverse v2`; `cuda_arch 90`, `with cuda 90`.
        if let Some((length, end, one)) = joined_at(index, text, words, at).or_else(valued) {
            match link {
                Link::Or => add_alternative(&mut meant, one, end)?,
                _ => meant.push((span.start..end, one)),
            }
            at += length;
            continue;
        }
        at += 1;
        let is_of_others = || {
            let one = mean(index, None, word);
            package.is_some() && one.is_some_and(|one| matches!(one.kind, "variant" | GPU))
        };
        // `gcc 13`, `openmpi version 4`: what follows a name directly is its version.
        let constraint = link.version(word);
        let of = meant.last().filter(|(before, last)| {
            matches!(last.place, Place::Compiler | Place::Dependency)
                && !last.text.contains('@')
                && text[before.end..span.start]
                    .split_whitespace()
                    .all(|word| says_nothing(word) || link.compares() && connects(word))
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
        // `double precision`: the name of a variant, whose value says which; `openblas threads`: any value but `none`.
        let is_valued = |(_, one): &(Range<usize>, Meant)| {
            one.text.split_once('=').is_some_and(|(name, _)| name.eq_ignore_ascii_case(word))
        };
        // Even if no build has it, it is the version of the name before it.
        let is_of_last = is_of_last
            || of.is_some()
                && is_number(word)
                && (meaning.is_none() || package.is_none())
                && word.parse::<VersionConstraint>().is_ok();
        if is_of_last && let Some((_, last)) = meant.last_mut() {
            last.text = format!("{}@{constraint}", last.text);
        } else if meaning.is_none()
            && words.get(at).is_some_and(|next| next.link == Link::Or)
            && is_of_others()
        {
            absent = Some(span.start);
        } else if matches!(link, Link::Or | Link::OrWithout) {
            match (meaning, absent.take()) {
                (Some(one), Some(start)) => meant.push((start..span.end, one)),
                (Some(one), None) => add_alternative(&mut meant, one, span.end)?,
                // `gromacs cuda or rocm`: gromacs does not have the variant `rocm`.
                (None, None) if is_of_others() => meant.last_mut()?.0.end = span.end,
                (None, _) => return None,
            }
        } else if let Some(one) = meaning {
            meant.push((span.clone(), one));
        } else if package.is_some()
            && !matches!(link, Link::Without | Link::OrWithout)
            && is_number(word)
            && word.parse::<VersionConstraint>().is_ok()
        {
            // No build has this version; the nearest ones are of use.
            let version = format!("@{constraint}");
            meant.push((span.clone(), Meant::new(Place::Attribute, "version", version, 1)));
        } else {
            let package = package.filter(|package| has_variant(index, *package, word))?;
            if !meant.iter().any(is_valued) {
                let (off, on) = values(index, package, word);
                let mut on = on.into_iter();
                match on.next() {
                    Some(first) if off => {
                        meant
                            .push((span.clone(), Meant::any_of("variant", first, on.collect(), 1)));
                    }
                    None if off => return None,
                    _ => {}
                }
            }
        }
    }
    meant.iter_mut().for_each(|(_, one)| compiled(index, one));
    // Several GPUs are alternatives.
    let is_gpu = |(_, one): &&mut (Range<usize>, Meant)| one.kind == GPU;
    if meant.iter().filter(|(_, one)| one.kind == GPU).count() > 1 {
        meant
            .iter_mut()
            .filter(is_gpu)
            .for_each(|(_, one)| one.place = Place::Facet(Facet::Variant));
    }
    Some(meant)
}

/// Makes a meaning an alternative to the last one; `None` if they are not values of the same facet.
fn add_alternative(meant: &mut [(Range<usize>, Meant)], other: Meant, end: usize) -> Option<()> {
    let (span, last) = meant.last_mut()?;
    let ((facet, first), (other_facet, second)) = (last.value()?, other.value()?);
    if facet != other_facet {
        return None;
    }
    last.place = Place::Facet(facet);
    last.others.push(second);
    last.others.extend(other.others);
    last.text = first;
    span.end = end;
    Some(())
}

/// Turns `%llvm` into a choice of compilers: builds that are only linked with LLVM satisfy `%llvm`, too.
fn compiled(index: &Index, one: &mut Meant) {
    let Some(version) = one.text.strip_prefix("%llvm").filter(|_| one.place == Place::Compiler)
    else {
        return;
    };
    let version = version.strip_prefix('@');
    let all = compiler_versions(index, "llvm");
    let is_asked = |has: &&str| version.is_none_or(|version| starts_version(version, has));
    let mut values = all.filter(is_asked).map(|has| format!("llvm@{has}"));
    if let Some(first) = values.next() {
        one.place = Place::Facet(Facet::Compiler);
        (one.text, one.others) = (first, values.collect());
    }
}

/// Returns `true` for the name of a system with a number after it, `rhel 9`, that is neither a release of it in the cache
/// nor a version of the package.
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
        Link::Plain | Link::Provides | Link::Or => mean(index, package, word),
        Link::Has => variant(index, package, &lower).or_else(|| mean(index, package, word)),
        Link::Built => compiler(index, &lower).or_else(|| mean(index, package, word)),
        // `who uses numpy` is not about the variant of that name.
        Link::Uses => compiler(index, &lower)
            .or_else(|| dependency(index, &lower))
            .or_else(|| dependency(index, &python_package(index, &lower)?))
            .or_else(|| unlisted_dependency(index, &lower).filter(|_| package.is_none()))
            .or_else(|| mean(index, package, word)),
        Link::Directly => {
            let used = dependency(index, &lower)?.text;
            let text = format!("%{}", used.trim_start_matches('^'));
            Some(Meant::new(Place::Compiler, "direct dependency", text, 2))
        }
        Link::Without | Link::OrWithout => {
            let has_any = |facet: Facet, value: &str| index.dictionary(facet).code(value).is_some();
            // A variant may have the name of a target: `not x86_64`.
            let is_target = package.is_none() && Target::named(&lower).is_some();
            let is_known = match package {
                Some(_) => {
                    let on = format!("+{lower}");
                    variant(index, package, &lower).is_some_and(|variant| variant.text == on)
                }
                None => has_any(Facet::Variant, &format!("~{lower}")),
            };
            let variant = || Meant::new(Place::Attribute, "variant", format!("~{lower}"), 3);
            let version = || excluded_versions(index, package?, word);
            // `without gpu`, and `without openmp` where that is a value of a variant.
            let without_code = |word: &str| is_any_gpu(word) || word == "cpu only";
            let none_of = || {
                let values = match without_code(&lower) {
                    true => any_gpu_values(index, package),
                    false => vec![self::variant(index, Some(package?), &lower)?.text],
                };
                let (place, mut values) = (Place::Not(Facet::Variant), values.into_iter());
                let first = Meant::new(place, "excluded variant", values.next()?, 3);
                Some(Meant { others: values.collect(), ..first })
            };
            (is_known && !is_target)
                .then(variant)
                .or_else(none_of)
                .or_else(|| {
                    // `not x86` is about all targets of the family, whatever their names begin with.
                    let one = target(&lower).or_else(|| facet(index, word))?;
                    without_range(index, one).excluded()
                })
                .or_else(version)
                .or_else(|| excluded_compilers(index, &lower))
                // `hdf5 without cuda`, where only others have such a variant.
                .or_else(|| {
                    let of_others = has_any(Facet::Variant, &format!("~{lower}"));
                    let off = || Meant::new(Place::Attribute, "variant", format!("~{lower}"), 1);
                    (package.is_some() && of_others).then(off)
                })
        }
        Link::AtLeast | Link::AtMost | Link::Above | Link::Below => {
            version(index, package, &link.version(word))
        }
    }
}

/// Returns a variant and its value: `build_type Release`; the GPU in `cuda 90`; or the dependency in `cuda 12`, although CUDA is
/// also a variant.
fn valued(index: &Index, package: Option<ValueCode>, one: &str, two: &str) -> Option<Meant> {
    let (name, value) = (one.to_ascii_lowercase(), two.to_ascii_lowercase());
    let is_variant = || variant(index, package, &name).is_some_and(|one| one.text.starts_with('+'));
    let is_of_package = || package.is_some_and(|package| has_version(index, package, two));
    let has_version = || {
        let code = index.dictionary(Facet::Package).code(&name);
        code.is_some_and(|code| is_number(two) && has_version(index, code, two))
    };
    let dependency = || Meant::new(Place::Dependency, "dependency", format!("^{name}@{two}"), 2);
    if is_cuda(&name, two) && is_package(index, &name) {
        // In `gcc cuda 13`, it may be the version of gcc.
        return (has_version() || !is_of_package()).then(dependency);
    }
    if is_variant() && has_version() && index.lists_any_dependencies() {
        return Some(dependency());
    }
    if matches!(name.as_str(), "cuda" | "cuda_arch") && is_number(two) {
        // `cuda 80 or 90`, which is `80,90` here.
        let one = |number| gpu(index, package, &format!("sm_{number}"));
        let mut all = value.split(',').map(one).collect::<Option<Vec<_>>>()?.into_iter();
        let first = all.next()?;
        let values = all.flat_map(|meant| [meant.text].into_iter().chain(meant.others));
        let others = first.others.into_iter().chain(values).collect();
        return Some(Meant::any_of(GPU, first.text, others, 3));
    }
    let variants = index.dictionary(Facet::Variant).values();
    let text = format!("{name}={value}");
    let text = variants.iter().find(|variant| variant.to_ascii_lowercase() == text)?;
    Some(Meant::new(Place::Attribute, "variant", text.clone(), 3))
}

/// Returns `true` for CUDA and a version of it, whether builds have it or not: `cuda 12`, `cuda 11.8`. GPUs have higher
/// numbers: `cuda 80`.
fn is_cuda(name: &str, number: &str) -> bool {
    let digits = number.trim_start_matches(':').split(['.', ':', ',']).next();
    let first = digits.and_then(|digits| digits.parse::<u32>().ok());
    name == "cuda" && first.is_some_and(|first| (7..20).contains(&first))
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
        .or_else(|| if lower == "amd" { variant(index, Some(package?), "rocm") } else { None })
        // Only if no build is made with NVIDIA's compiler.
        .or_else(|| if lower == "nvidia" { variant(index, package, "cuda") } else { None })
        .or_else(|| {
            Target::named(&lower)?;
            Some(Meant::new(Place::Attribute, "target", format!("target={lower}"), 2))
        })
        .or_else(|| other_os(&lower))
}

fn version(index: &Index, package: Option<ValueCode>, word: &str) -> Option<Meant> {
    let names = index.dictionary(Facet::Version);
    let is_there = match package {
        _ if !is_number(word) && names.code(word).is_none() => false,
        // Without a package, `develop` is more likely a release.
        None => is_number(word) && names.values().iter().any(|has| starts_version(word, has)),
        Some(package) => has_version(index, package, word),
    };
    is_there.then(|| Meant::new(Place::Attribute, "version", format!("@{word}"), 3))
}

/// Returns `true` if a build of a package has this version, or one that starts like this.
pub(super) fn has_version(index: &Index, package: ValueCode, word: &str) -> bool {
    // Externals have no binary.
    let mut rows = index.rows_of(package).filter(|row| index.has_binary(*row));
    rows.any(|row| {
        let has = index.text(row, Facet::Version);
        has == word || is_number(word) && starts_version(word, has)
    })
}

/// Returns the variant for a GPU, if builds have it: for a model, all values whose code runs on it; for any GPU, the
/// variants that switch on code for one.
fn gpu(index: &Index, package: Option<ValueCode>, word: &str) -> Option<Meant> {
    let values = match gpu_of_vendor(word) {
        Some(name) => code_for_gpus(index, package, &[name]),
        None if is_any_gpu(word) => any_gpu_values(index, package),
        None => gpu_values(index, package, word)?,
    };
    let mut values = values.into_iter();
    Some(Meant::any_of(GPU, values.next()?, values.collect(), 3))
}

/// Returns `true` if builds of a package have a variant of this name.
fn has_variant(index: &Index, package: ValueCode, name: &str) -> bool {
    let mut rows = index.rows_of(package);
    let is_it = |variant: &Variant| variant.name.eq_ignore_ascii_case(name);
    rows.any(|row| index.parsed().variants(index, row).iter().any(is_it))
}

/// Returns whether builds of a package have `none` for a variant, and the other values that they have.
fn values(index: &Index, package: ValueCode, name: &str) -> (bool, Vec<String>) {
    let rows = index.rows_of(package);
    let mut all: Vec<String> = Vec::new();
    for variant in rows.flat_map(|row| index.parsed().variants(index, row)) {
        if variant.name.eq_ignore_ascii_case(name)
            && let VariantValue::Single(value) = &variant.value
        {
            all.push(format!("{}={value}", variant.name));
        }
    }
    sorting::sort_and_dedup(&mut all);
    let (none, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|text| text.ends_with("=none"));
    (!none.is_empty(), others)
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
        let variants = index.dictionary(Facet::Variant);
        variants.code(&format!("+{word}"))?;
        // What one package has as a variant is a build type of another: `debug`.
        let is_type = |text: &&String| {
            text.strip_prefix("build_type=").is_some_and(|kind| kind.eq_ignore_ascii_case(word))
        };
        let types = variants.values().iter().filter(is_type).cloned().collect();
        return Some(Meant::any_of("variant", format!("+{word}"), types, 3));
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
    for (called, name) in [("static", "shared"), ("serial", "mpi")] {
        if word == called && has_variant(index, package, name) {
            return Some(Meant::new(Place::Attribute, "variant", format!("~{name}"), 3));
        }
    }
    let (name, value) = value.filter(|_| is_clear)?;
    Some(Meant::new(Place::Attribute, "variant", format!("{name}={value}"), 2))
}

/// Returns a dependency that a cache without dependencies cannot be searched for, which the answer then says: `depends on hdf5` is
/// not about the variant of that name.
fn unlisted_dependency(index: &Index, word: &str) -> Option<Meant> {
    let is_unlisted =
        !index.lists_any_dependencies() && (is_package(index, word) || is_virtual(index, word));
    is_unlisted.then(|| Meant::new(Place::Dependency, "dependency", format!("^{word}"), 1))
}

/// Returns a dependency, if the index lists dependencies or providers.
pub(super) fn dependency(index: &Index, word: &str) -> Option<Meant> {
    let provides = |value: &String| {
        let provider = value.split_once('=').map_or("", |(_, provider)| provider);
        provider.split('@').next() == Some(word)
    };
    // Builds that use it as BLAS alone do not say that it is `mkl`.
    const LIBRARY: (&str, &str) = ("mkl", "intel-oneapi-mkl");
    if word == LIBRARY.0 && is_package(index, LIBRARY.1) {
        return dependency(index, LIBRARY.1);
    }
    let is_provider = index.dictionary(Facet::Provider).values().iter().any(provides);
    let may_be =
        index.lists_any_dependencies() && (is_package(index, word) || is_virtual(index, word));
    (is_provider || may_be).then(|| {
        let weight = if is_provider { 2 } else { 1 };
        Meant::new(Place::Dependency, "dependency", format!("^{word}"), weight)
    })
}
