//! The definition of an answer in plain loops, compared with the result of [`run`].
//!
//! This shares no code with the real implementation: it works on builds and strings.

use std::collections::BTreeSet;

use cache_index::build::{Build, Dependency, VariantValue};
use cache_index::facet::Facet;
use cache_index::index::{About, Index, NO_LIBC, pack};
use cache_index::sample;
use proptest::prelude::*;

use super::{Choice, Match, Query, Question, builds, run};
use crate::address::IgnoredPart;
use crate::host::{NeededLibc, Needs, Runs};
use crate::{ByBuild, address};

fn values(all: &[Build], build: &Build, facet: Facet) -> Vec<String> {
    match facet {
        Facet::Package => vec![build.package.clone()],
        Facet::Os => vec![build.os.clone()],
        Facet::Target => vec![build.target.clone()],
        Facet::Compiler => vec![build.compiler.clone().unwrap_or("none".to_owned())],
        Facet::Version => vec![build.version.clone()],
        Facet::Platform => vec![build.platform.clone()],
        Facet::Stack => build.places.iter().map(|place| place.stack.clone()).collect(),
        Facet::Release => build.places.iter().map(|place| place.release.clone()).collect(),
        Facet::Variant => {
            let mut values = Vec::new();
            for variant in &build.variants {
                match &variant.value {
                    VariantValue::Multi(many) => {
                        values.extend(many.iter().map(|value| format!("{}={value}", variant.name)));
                    }
                    _ => values.push(variant.to_string()),
                }
            }
            values
        }
        Facet::Provider => {
            let differs = |name: &str| {
                let providers = all.iter().flat_map(|build| providers(all, build));
                let of_name = providers.filter(|(other, _)| other == name);
                of_name.map(|(_, provider)| provider).collect::<BTreeSet<_>>().len() > 1
            };
            let pairs = providers(all, build).into_iter().filter(|(name, _)| differs(name));
            pairs.map(|(name, provider)| format!("{name}={provider}")).collect()
        }
        Facet::Libc => match &build.dependencies {
            None => vec![],
            Some(dependencies) => {
                let libc = dependencies.iter().find(|d| d.virtuals.contains(&"libc".to_owned()));
                vec![libc.map_or("none".to_owned(), |libc| with_version(all, libc))]
            }
        },
    }
}

fn with_version(all: &[Build], dependency: &Dependency) -> String {
    match all.iter().find(|build| build.hash == dependency.hash) {
        Some(build) => format!("{}@{}", dependency.package, build.version),
        None => dependency.package.clone(),
    }
}

/// Returns the virtual packages that a build uses, with their providers.
fn providers(all: &[Build], build: &Build) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for dependency in build.dependencies.iter().flatten() {
        let used = dependency.deptypes.names().any(|name| matches!(name, "link" | "run"));
        for name in dependency.virtuals.iter().filter(|name| used && *name == "mpi") {
            pairs.push((name.clone(), with_version(all, dependency)));
        }
    }
    pairs
}

fn passes(choice: &Choice, values: &[String]) -> bool {
    let has = |value: &String| values.contains(value);
    let included = match choice.matching() {
        _ if choice.included().is_empty() => true,
        Match::Any => choice.included().iter().any(has),
        Match::All => choice.included().iter().all(has),
    };
    included && !choice.excluded().iter().any(has)
}

fn passes_places(release: &Choice, stack: &Choice, build: &Build) -> bool {
    let chosen = |choice: &Choice, value: &String| {
        choice.included().is_empty() || choice.included().contains(value)
    };
    // The alternatives that a place may satisfy: each value separately if all are required.
    let demands = |choice: &Choice| -> Vec<Vec<String>> {
        match choice.matching() {
            _ if choice.included().is_empty() => vec![vec![]],
            Match::All => choice.included().iter().map(|value| vec![value.clone()]).collect(),
            Match::Any => vec![choice.included().to_vec()],
        }
    };
    let meets = |demand: &Vec<String>, value: &String| demand.is_empty() || demand.contains(value);
    for place in &build.places {
        if release.excluded().contains(&place.release) && chosen(stack, &place.stack) {
            return false;
        }
        if stack.excluded().contains(&place.stack) && chosen(release, &place.release) {
            return false;
        }
    }
    for r in demands(release) {
        for s in demands(stack) {
            let there = |place: &cache_index::build::Place| {
                meets(&r, &place.release) && meets(&s, &place.stack)
            };
            if !build.places.iter().any(there) {
                return false;
            }
        }
    }
    true
}

/// Stands in for what another part of an index says about a build.
fn passes_parts(question: &Question, build: &Build) -> bool {
    question.part_filters.is_empty() || build.version.len().is_multiple_of(2)
}

/// Stands in for what is known about the GPU code of a build.
fn uses_gpu(build: &Build) -> bool {
    build.package.len().is_multiple_of(2)
}

fn asks_for_gpu(question: &Question) -> bool {
    question.only_on_gpu && question.host.is_some() && !question.gpus.is_empty()
}

fn matches(question: &Question, all: &[Build], build: &Build) -> bool {
    let words: Vec<&str> = question.text.split_whitespace().collect();
    build.has_binary()
        && words.iter().all(|word| build.package.contains(word))
        && passes_places(question.choice(Facet::Release), question.choice(Facet::Stack), build)
        && Facet::ALL
            .into_iter()
            .filter(|facet| !matches!(facet, Facet::Release | Facet::Stack))
            .all(|facet| passes(question.choice(facet), &values(all, build, facet)))
        && (question.since.is_none() || build.first_seen >= question.since)
        && passes_parts(question, build)
        && (!asks_for_gpu(question) || uses_gpu(build))
        && (question.runs.is_empty()
            || verdict(question, all, build).is_none_or(|runs| question.runs.contains(&runs)))
}

fn verdict(question: &Question, all: &[Build], build: &Build) -> Option<Runs> {
    let Build { platform, os, target, .. } = build;
    let libc = values(all, build, Facet::Libc).pop();
    let compiler = build.compiler.as_deref().unwrap_or("none");
    let libc = NeededLibc::of_facets(libc.as_deref(), compiler);
    let its_os = libc_of_os(all, platform, os);
    let needs = Needs { platform, os, target, libc, libc_of_os: its_os.as_deref() };
    let host = question.host.as_ref()?;
    Some(host.judge(&needs, libc_of_os(all, host.platform(), host.os()).as_deref()).runs)
}

/// Returns the libc that all builds for an OS name.
fn libc_of_os(all: &[Build], platform: &str, os: &str) -> Option<String> {
    let on_os = all.iter().filter(|build| build.platform == platform && build.os == os);
    let libcs = on_os.flat_map(|build| values(all, build, Facet::Libc));
    let libcs: BTreeSet<String> = libcs.filter(|libc| libc != NO_LIBC).collect();
    libcs.first().filter(|_| libcs.len() == 1).cloned()
}

/// Generates queries over the values of [`sample`], and some values that no build has.
fn query() -> impl Strategy<Value = Query> {
    let pairs = prop::sample::select(vec![
        "q=torch",
        "q=py%20vision",
        "package=hdf5",
        "not.package=zlib",
        "version=1.10",
        "not.version=develop",
        "platform=linux",
        "os=sequoia",
        "os=ubuntu24.04",
        "not.os=sequoia",
        "target=zen4",
        "target=nowhere",
        "compiler=none",
        "compiler=gcc@=13.2.0",
        "not.compiler=gcc@12.1.0",
        "release=develop",
        "release=v1",
        "not.release=v1",
        "not.release=nowhere",
        "stack=cpu",
        "stack=cuda",
        "stack=root",
        "not.stack=cuda",
        "not.stack=root",
        "stack=nowhere",
        "all=stack",
        "all=release",
        "variant=mpi",
        "variant=~mpi",
        "host=linux.ubuntu24.04.zen3",
        "host=darwin.sequoia.m1",
        "since=2026-11-20",
        "since=2026-11-19T09:50:00Z",
        "gpu=H100",
        "uses=gpu",
        "runs=yes",
        "runs=no",
        "runs=unknown",
        "variant=languages=c",
        "variant=languages=c%2B%2B",
        "all=variant",
        "not.variant=build_type=Debug",
        "provider=mpi=hdf5@1.2",
        "provider=mpi=hdf5@1.10",
        "provider=mpi=zlib",
        "not.provider=mpi=zlib@1.2",
        "all=provider",
        "libc=none",
        "libc=zlib@develop",
        "file=h5dump",
        "license=MIT",
        "libc=glibc",
        "libc=musl@1",
        "not.libc=none",
        "not.libc=hdf5@1.2",
    ]);
    prop::collection::vec(pairs, 0..6).prop_map(|pairs| {
        let (query, ignored) = address::decode(&pairs.join("&"));
        // Pairs that an earlier pair rules out are ignored.
        let is_said_before = |ignored: &IgnoredPart| matches!(ignored, IgnoredPart::Value { .. });
        assert!(ignored.iter().all(is_said_before), "{ignored:?}");
        query
    })
}

/// Packs builds, and hands in what the question needs to know of them from elsewhere: which pass its filters on other parts,
/// and for a machine with a GPU, the verdict on each and which use the GPU.
fn index(all: &[Build], question: &mut Question) -> Index {
    let index = pack(About::default(), all.iter().cloned()).expect("different hashes");
    let build = |id| {
        let hash = index.hash(cache_index::index::BuildId(id));
        all.iter().find(|one| Some(one.hash) == hash)
    };
    let ids = || 0..index.specs();
    if !question.part_filters.is_empty() {
        let passes = |id| build(id).is_some_and(|one| passes_parts(question, one));
        question.passing = ByBuild::new(ids().map(passes).collect());
    }
    if question.host.is_some() && !question.gpus.is_empty() {
        let judged = |id| build(id).and_then(|one| verdict(question, all, one)).unwrap_or(Runs::No);
        question.judged = ByBuild::new(ids().map(judged).collect());
        question.on_gpu = ByBuild::new(ids().map(|id| build(id).is_some_and(uses_gpu)).collect());
    }
    index
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn answers_as_a_naive_filter_does(all in sample::builds(), mut query in query()) {
        let index = index(&all, &mut query.question);
        let answer = run(&index, &query.question);
        let expected: Vec<&Build> = all.iter().filter(|build| matches(&query.question, &all, build)).collect();
        let packages: BTreeSet<&str> = expected.iter().map(|b| b.package.as_str()).collect();
        prop_assert_eq!(answer.builds as usize, expected.len());
        prop_assert_eq!(answer.packages as usize, packages.len());
        let listed: BTreeSet<_> =
            builds(&index, &query, &answer).into_iter().map(|id| index.hash(id)).collect();
        let expected: BTreeSet<_> = expected.iter().map(|build| Some(build.hash)).collect();
        prop_assert_eq!(listed, expected);
    }

    #[test]
    fn counts_what_choosing_a_value_would_show(
        all in sample::builds(),
        mut query in query(),
    ) {
        let index = index(&all, &mut query.question);
        let answer = run(&index, &query.question);
        for facet in Facet::ALL {
            for (code, value) in index.dictionary(facet).iter() {
                let mut alone = query.question.clone();
                // Added to the chosen values if all of them are required; otherwise alone.
                if alone.choice(facet).matching() == Match::Any {
                    *alone.choice_mut(facet) = Choice::default();
                }
                alone.choice_mut(facet).include(value);
                let expected = all.iter().filter(|build| matches(&alone, &all, build)).count();
                prop_assert_eq!(
                    answer.count(facet, code) as usize, expected, "{} {}", facet.key(), value
                );
                prop_assert_eq!(run(&index, &alone).builds as usize, expected);
            }
        }
        for runs in Runs::ALL {
            let alone = Question { runs: vec![runs], ..query.question.clone() };
            let expected = all.iter().filter(|build| matches(&alone, &all, build)).count();
            let expected = if query.question.host.is_some() { expected } else { 0 };
            prop_assert_eq!(answer.runs(runs) as usize, expected);
        }
        let alone = Question { only_on_gpu: true, ..query.question.clone() };
        if asks_for_gpu(&alone) {
            let expected = all.iter().filter(|build| matches(&alone, &all, build)).count();
            prop_assert_eq!(answer.on_gpu() as usize, expected);
            prop_assert_eq!(run(&index, &alone).builds as usize, expected);
        }
    }
}
