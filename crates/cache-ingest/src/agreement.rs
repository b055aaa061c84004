//! Merges what several inputs say about a build, and finds where they contradict each other.
//!
//! A page says less than a database file, so these are not conflicts:
//!
//! - a page has no namespace, recipe hash, flags or dependencies, and never says whether a build is external;
//! - it shows only the first seven characters of the sha256 of a patch;
//! - before April 2025 it did not distinguish a multi-valued variant with one value from a single-valued one, so `k=a`
//!   agrees with `k:=a`;
//! - a size belongs to a binary, not to a build: a build made twice may have two sizes. The larger one is kept.

use super::database::compiler_node;
use super::problem::quote;
use cache_index::build::{Build, CompilerSource, Dependency, Variant, VariantValue};

/// How two builds with one hash differ.
pub(crate) struct Difference {
    pub(crate) field: &'static str,
    pub(crate) first: String,
    pub(crate) second: String,
    /// `true` if pages do not contain this field.
    pub(crate) detail: bool,
}

/// Returns `true` if a build was read from an input that contains everything, rather than from a page.
pub(crate) fn has_detail(build: &Build) -> bool {
    build.dependencies.is_some()
}

/// Returns the first field in which two builds with one hash contradict each other.
pub(crate) fn difference(one: &Build, other: &Build) -> Option<Difference> {
    // Every field is named, so that a new field needs a decision here.
    let Build {
        hash: _,
        package,
        namespace,
        version,
        platform,
        os,
        target,
        compiler,
        // This depends on how the input is written.
        compiler_source: _,
        variants,
        flags,
        package_hash,
        external,
        // Few inputs have this, and it says where the build was, not what it is.
        found_at: _,
        // This is the format of the Spack that wrote the input, unless the spec states another.
        spec_format: _,
        provided_virtuals,
        // Few inputs have this, and it follows from the graph.
        spliced_from: _,
        // These belong to a binary or to a cache.
        places: _,
        size: _,
        signature: _,
        digest: _,
        first_seen: _,
        dependencies: _,
    } = one;
    let differs = |field, first: String, second: String, detail| {
        Some(Difference { field, first, second, detail })
    };
    for (field, first, second) in [
        ("package", package, &other.package),
        ("version", version, &other.version),
        ("platform", platform, &other.platform),
        ("os", os, &other.os),
        ("target", target, &other.target),
    ] {
        if first != second {
            return differs(field, quote(first), quote(second), false);
        }
    }
    if *compiler != other.compiler && !unresolved(one, other) {
        let name = |build: &Build| build.compiler.as_deref().map_or("none".to_string(), quote);
        return differs("compiler", name(one), name(other), false);
    }
    if !same_variants(variants, &other.variants) {
        let (first, second) = first_unequal(variants, &other.variants);
        return differs("variants", first, second, false);
    }
    if !(has_detail(one) && has_detail(other)) {
        return None;
    }
    let text = |text: &Option<String>| text.as_deref().map_or("none".to_string(), quote);
    for (field, first, second) in [
        ("namespace", namespace, &other.namespace),
        ("package_hash", package_hash, &other.package_hash),
    ] {
        if first != second && first.is_some() && second.is_some() {
            return differs(field, text(first), text(second), true);
        }
    }
    if *provided_virtuals != other.provided_virtuals
        && provided_virtuals.is_some()
        && other.provided_virtuals.is_some()
    {
        let list = |build: &Build| quote(&format!("{:?}", build.provided_virtuals));
        return differs("provided_virtuals", list(one), list(other), true);
    }
    if *flags != other.flags {
        let flags = |build: &Build| quote(&format!("{:?}", build.flags));
        return differs("flags", flags(one), flags(other), true);
    }
    if *external != other.external {
        return differs("external", external.to_string(), other.external.to_string(), true);
    }
    if one.dependencies != other.dependencies {
        let (first, second) = (dependencies(one), dependencies(other));
        let at = first_difference(first, second, PartialEq::eq);
        let name = |list: &[Dependency]| {
            list.get(at).map_or("none".to_string(), |dependency| {
                let Dependency { package, hash, deptypes, virtuals } = dependency;
                quote(&format!("{package}/{hash}")) + &format!(" as {deptypes} {virtuals:?}")
            })
        };
        return differs("dependencies", name(first), name(second), true);
    }
    None
}

/// Copies what the first build lacks from the second. There must be no [`difference`] between the two.
pub(crate) fn unite(kept: &mut Build, other: Build) {
    let Build {
        // The two agree in these fields.
        hash: _,
        package: _,
        version: _,
        platform: _,
        os: _,
        target: _,
        namespace,
        compiler,
        compiler_source,
        variants,
        flags,
        places,
        size,
        package_hash,
        external,
        found_at,
        spec_format,
        provided_virtuals,
        spliced_from,
        signature,
        digest,
        first_seen,
        dependencies,
    } = other;
    kept.places.extend(places);
    kept.size = kept.size.max(size);
    kept.digest = kept.digest.max(digest);
    kept.compiler_source = kept.compiler_source.max(compiler_source);
    kept.compiler = kept.compiler.take().or(compiler);
    for (kept, other) in kept.variants.iter_mut().zip(variants) {
        if tells_more(&other.value, &kept.value) {
            *kept = other;
        }
    }
    if kept.dependencies.is_none() {
        kept.flags = flags;
        kept.external = external;
        kept.dependencies = dependencies;
    }
    kept.namespace = kept.namespace.take().or(namespace);
    // One copy of a binary may be signed and another not; the first signature that is known is kept.
    kept.signature = kept.signature.take().or(signature);
    kept.first_seen = kept.first_seen.take().into_iter().chain(first_seen).min();
    kept.package_hash = kept.package_hash.take().or(package_hash);
    kept.spec_format = kept.spec_format.or(spec_format);
    kept.provided_virtuals = kept.provided_virtuals.take().or(provided_virtuals);
    kept.spliced_from = kept.spliced_from.or(spliced_from);
    kept.found_at = kept.found_at.take().or(found_at);
}

/// Returns `true` if one of two builds has a compiler that is not in its database file.
fn unresolved(one: &Build, other: &Build) -> bool {
    [one, other].into_iter().any(|build| {
        build.compiler.is_none()
            && build.compiler_source == CompilerSource::Dependency
            && compiler_node(dependencies(build)).is_some()
    })
}

fn same_variants(one: &[Variant], other: &[Variant]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| agree(one, other))
}

/// Returns `true` if two inputs may write one variant in these ways.
fn agree(one: &Variant, other: &Variant) -> bool {
    if one == other {
        return true;
    }
    let (Some(values), Some(others)) = (values(&one.value), values(&other.value)) else {
        return false;
    };
    one.name == other.name
        && values.len() == others.len()
        && values.iter().zip(others).all(|(value, other)| {
            value == other || one.name == "patches" && abbreviates(value, other)
        })
}

/// Returns `true` if one of two patches is the first seven characters of the other.
fn abbreviates(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.len() == 7 && long.len() == 64 && long.starts_with(short)
}

/// Returns the values of a variant that is not boolean.
fn values(value: &VariantValue) -> Option<&[String]> {
    match value {
        VariantValue::Bool(_) => None,
        VariantValue::Single(value) => Some(std::slice::from_ref(value)),
        VariantValue::Multi(values) => Some(values),
    }
}

/// Returns `true` if the first of two agreeing values contains more.
fn tells_more(one: &VariantValue, other: &VariantValue) -> bool {
    match (one, other) {
        (VariantValue::Multi(_), VariantValue::Single(_)) => true,
        (VariantValue::Multi(one), VariantValue::Multi(other)) => {
            one.iter().map(String::len).sum::<usize>() > other.iter().map(String::len).sum()
        }
        _ => false,
    }
}

/// Returns the first variants that do not agree, as text.
fn first_unequal(one: &[Variant], other: &[Variant]) -> (String, String) {
    let at = first_difference(one, other, agree);
    let text = |variants: &[Variant]| {
        variants.get(at).map_or("none".to_string(), |variant| quote(&variant.to_string()))
    };
    (text(one), text(other))
}

/// Returns the index at which two lists first differ, or the length of the shorter one if it is the start of the other.
fn first_difference<T>(one: &[T], other: &[T], same: impl Fn(&T, &T) -> bool) -> usize {
    one.iter()
        .zip(other)
        .position(|(one, other)| !same(one, other))
        .unwrap_or(one.len().min(other.len()))
}

fn dependencies(build: &Build) -> &[Dependency] {
    build.dependencies.as_deref().unwrap_or_default()
}
