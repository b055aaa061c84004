//! The builds of a page: `spec_details`, a list with one record for each.

use std::collections::BTreeSet;

use foldhash::HashMap;

use super::super::agreement;
use super::super::fields::{Fields, Problems, text, unexpected};
use super::super::notation;
use super::super::problem::{Finding, Record, quote};
use super::super::value::Value;
use cache_index::build::{Build, CompilerSource, Hash, Place, Places, Variant, VariantValue};
use cache_index::sorting;

/// Reads all records that can be used.
pub(super) fn read_builds(
    details: Vec<Value<'_>>,
    package: &str,
    release: &str,
    problems: &mut Problems,
) -> Vec<Build> {
    let mut builds: Vec<Build> = Vec::with_capacity(details.len());
    let mut seen: HashMap<Hash, (usize, usize)> = HashMap::default();
    for (place, record) in details.into_iter().enumerate() {
        let number = place + 1;
        problems.record = Some(Record { number, hash: written_hash(&record) });
        let before = problems.len();
        let build = read_build(record, package, release, problems);
        let build = build.filter(|_| problems.len() == before);
        let Some(build) = build else {
            problems.end_record(false);
            continue;
        };
        if let Some(&(first, at)) = seen.get(&build.hash) {
            let difference = difference(&builds[at], &build);
            problems.report("hash", Finding::RepeatedHash { first, difference });
            problems.end_record(false);
        } else {
            seen.insert(build.hash, (number, builds.len()));
            builds.push(build);
            problems.end_record(true);
        }
    }
    builds
}

/// Returns the first field in which two records of one hash differ.
fn difference(one: &Build, other: &Build) -> Option<&'static str> {
    if one.places != other.places {
        return Some("stacks");
    }
    agreement::difference(one, other).map(|difference| difference.field)
}

/// Reads one record of `spec_details`.
fn read_build(
    record: Value<'_>,
    package: &str,
    release: &str,
    problems: &mut Problems,
) -> Option<Build> {
    let mut fields = Fields::open(record, "", problems)?;
    let hash = read_hash(&mut fields, problems);
    let compiler = fields.text("compiler", problems);
    let os = fields.text("os", problems);
    let platform = fields.text("platform", problems);
    let size = fields.required("size", problems).and_then(|value| read_size(value, problems));
    let stacks = fields.texts("stacks", problems);
    let target = fields.text("target", problems);
    let variants =
        fields.texts("variants", problems).and_then(|texts| read_variants(texts, problems));
    let versions = fields.texts("versions", problems);
    // Pages up to 2024 also contain the address of the binary.
    if let Some(tarball) = fields.optional("tarball") {
        text(tarball, "tarball", problems);
    }
    fields.close(problems);

    let places = stacks.and_then(|stacks| places(stacks, release, problems));
    let version = versions.and_then(|versions| match <[String; 1]>::try_from(versions) {
        Ok([version]) => Some(version),
        Err(versions) => {
            let count = versions.len();
            problems.report("versions", Finding::ExpectedOneVersion { count });
            None
        }
    });
    Some(Build {
        hash: hash?,
        package: package.to_string(),
        namespace: None,
        version: version?,
        platform: platform?,
        os: os?,
        target: target?,
        compiler: notation::compiler(&compiler?),
        compiler_source: CompilerSource::Field,
        variants: variants?,
        flags: Vec::new(),
        places: places?,
        size: size?,
        package_hash: None,
        signature: None,
        digest: None,
        first_seen: None,
        external: false,
        found_at: None,
        spliced_from: None,
        spec_format: None,
        provided_virtuals: None,
        dependencies: None,
    })
}

/// Returns the hash as the record states it, so that its problems can name it; empty if there is none.
fn written_hash(record: &Value<'_>) -> String {
    let Value::Map(entries) = record else { return String::new() };
    let hash = entries.iter().find(|(name, _)| name == "hash");
    match hash {
        Some((_, Value::Text(hash))) => hash.to_string(),
        _ => String::new(),
    }
}

fn read_hash(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Hash> {
    let written = fields.text("hash", problems)?;
    match written.parse() {
        Ok(hash) => Some(hash),
        Err(error) => {
            problems.report("hash", Finding::BadHash { found: quote(&written), error });
            None
        }
    }
}

/// Reads `-`, which means unknown, or a number of bytes.
fn read_size(value: Value<'_>, problems: &mut Problems) -> Option<Option<u64>> {
    match value {
        Value::Text(dash) if dash == "-" => Some(None),
        Value::Whole(size) => Some(Some(size)),
        other => unexpected(&other, "\"-\" or a whole number of bytes", "size", problems),
    }
}

fn read_variants(texts: Vec<String>, problems: &mut Problems) -> Option<Vec<Variant>> {
    let before = problems.len();
    let mut variants: Vec<Variant> = Vec::with_capacity(texts.len());
    for text in texts {
        match text.parse() {
            Ok(variant) => variants.push(with_each_value_once(variant)),
            Err(_) => problems.report("variants", Finding::NotAVariant { found: quote(&text) }),
        }
    }
    sorting::sort(&mut variants);
    for pair in variants.windows(2) {
        if pair[0].name == pair[1].name {
            let name = quote(&pair[0].name);
            problems.report("variants", Finding::RepeatedVariant { name });
        }
    }
    (problems.len() == before).then_some(variants)
}

/// Removes duplicate values: the values of a variant are a set.
fn with_each_value_once(mut variant: Variant) -> Variant {
    if let VariantValue::Multi(values) = &mut variant.value {
        values.dedup();
    }
    variant
}

/// Returns the places of a build: every stack that the page names for it.
fn places(stacks: Vec<String>, release: &str, problems: &mut Problems) -> Option<Places> {
    if stacks.is_empty() {
        problems.report("stacks", Finding::EmptyList);
        return None;
    }
    let place = |stack: &String| Place { release: release.to_string(), stack: stack.clone() };
    let places: Places = stacks.iter().map(place).collect();
    if places.len() < stacks.len() {
        let mut seen = BTreeSet::new();
        for stack in stacks.iter().filter(|stack| !seen.insert(*stack)) {
            problems.report("stacks", Finding::RepeatedValue { found: quote(stack) });
        }
    }
    Some(places)
}
