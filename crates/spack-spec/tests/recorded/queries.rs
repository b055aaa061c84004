//! Which builds satisfy a spec.

use std::ops::RangeInclusive;

use spack_spec::{Dialect, Matcher, MissingData, NumberedGraph, Satisfies, Spec, dependency_order};

use crate::builds::Builds;

const DATA: &str = include_str!("../data/queries.txt");

/// Reads the numbers in a field such as `1-3 7`.
fn numbers(field: &str) -> Vec<usize> {
    let range = |text: &str| -> RangeInclusive<usize> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        first.parse().unwrap()..=last.parse().unwrap()
    };
    field.split_terminator(' ').flat_map(range).collect()
}

#[test]
fn finds_the_builds_that_spack_finds() {
    let builds = Builds::load();
    let numbered = NumberedGraph::new(&builds);
    let mut wrong = Vec::new();
    for (index, line) in DATA.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let dialect = if fields[0] == "V0" { Dialect::V0 } else { Dialect::V1 };
        let spec = Spec::parse(fields[1], dialect).unwrap();
        let all = (0..builds.builds.len())
            .filter(|&build| dialect == Dialect::V1 || builds.builds[build].compiler.is_some());
        let mut matcher = Matcher::new(&spec, &numbered);
        let answers: Vec<(usize, Satisfies)> =
            all.map(|build| (build, matcher.answer(build))).collect();
        let of = |wanted: Satisfies| -> Vec<usize> {
            let chosen = answers.iter().filter(|(_, answer)| *answer == wanted);
            chosen.map(|(build, _)| *build).collect()
        };
        let cannot_tell = of(Satisfies::CannotTell(MissingData::Providers));
        let is_right = match fields[3] {
            "?" => !cannot_tell.is_empty() && of(Satisfies::Yes).is_empty(),
            matches => {
                cannot_tell.is_empty()
                    && of(Satisfies::CannotTell(MissingData::Dependencies)).is_empty()
                    && of(Satisfies::Yes) == numbers(matches)
            }
        };
        if !is_right {
            wrong.push(format!(
                "line {}: {line}\n  found {:?}\n  cannot tell {}",
                index + 1,
                of(Satisfies::Yes),
                cannot_tell.len()
            ));
        }
    }
    let report: Vec<String> = wrong.iter().map(|text| text.chars().take(300).collect()).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), report.join("\n"));
}

#[test]
fn prints_queries_as_spack_does() {
    for (index, line) in DATA.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let dialect = if fields[0] == "V0" { Dialect::V0 } else { Dialect::V1 };
        let expected = match fields[2] {
            "" => fields[1],
            "\"\"" => "",
            text => text,
        };
        let spec = Spec::parse(fields[1], dialect).unwrap();
        assert_eq!(spec.to_string(), expected, "line {}", index + 1);
    }
}

/// Checks, for data without dependencies, namespaces and flags, how many builds match and how many are undecided.
#[test]
fn answers_cannot_tell_where_data_is_missing() {
    let mut builds = Builds::load();
    builds.is_reduced = true;
    #[track_caller]
    fn check(
        builds: &Builds,
        dialect: Dialect,
        text: &str,
        missing: MissingData,
        expected: [usize; 2],
    ) {
        let spec = Spec::parse(text, dialect).unwrap();
        let numbered = NumberedGraph::new(builds);
        let answers: Vec<Satisfies> = (0..builds.builds.len())
            .filter(|&build| builds.builds[build].compiler.is_some())
            .map(|build| Matcher::new(&spec, &numbered).answer(build))
            .collect();
        let count = |wanted| answers.iter().filter(|answer| **answer == wanted).count();
        let found = [count(Satisfies::Yes), count(Satisfies::CannotTell(missing))];
        assert_eq!(found, expected, "{text} in {dialect:?}");
        assert_eq!(count(Satisfies::No) + found[0] + found[1], answers.len(), "{text}");
    }
    let dependencies = MissingData::Dependencies;
    for dialect in [Dialect::V0, Dialect::V1] {
        check(&builds, dialect, "hdf5", dependencies, [11, 0]);
        check(&builds, dialect, "hdf5 ^mpich", dependencies, [0, 11]);
        check(&builds, dialect, "hdf5 ^mpi", dependencies, [0, 11]);
        check(&builds, dialect, "hdf5@1.12 ^mpich", dependencies, [0, 1]);
        check(&builds, dialect, "hdf5 cflags=-O3", MissingData::Flags, [0, 11]);
        check(&builds, dialect, "builtin.hdf5", MissingData::Namespace, [0, 11]);
        check(&builds, dialect, "hdf5++shared", dependencies, [0, 11]);
        check(&builds, dialect, "hdf5~~shared", dependencies, [0, 0]);
        // The compiler is recorded, so it is known without dependencies.
        check(&builds, dialect, "hdf5 %gcc@11", dependencies, [9, 0]);
        check(&builds, dialect, "hdf5 %cmake", dependencies, [0, 0]);
    }
}

#[test]
fn answers_the_same_one_by_one_and_all_at_once() {
    let builds = Builds::load();
    let numbered = NumberedGraph::new(&builds);
    let order = dependency_order(&numbered, 0..builds.builds.len());
    let queries = DATA.lines().filter(|line| !line.starts_with('#') && line.contains(['^', '+']));
    for line in queries.step_by(40) {
        let fields: Vec<&str> = line.split('\t').collect();
        for dialect in [Dialect::V0, Dialect::V1] {
            let Ok(spec) = Spec::parse(fields[1], dialect) else { continue };
            let mut matcher = Matcher::new(&spec, &numbered);
            let mut over_all = Matcher::over_all(&spec, &numbered, &order);
            let beyond = Matcher::over_all(&spec, &numbered, &order).beyond_of_all();
            for build in (0..builds.builds.len()).rev().step_by(37) {
                let alone = Matcher::new(&spec, &numbered).answer(build);
                assert_eq!(matcher.answer(build), alone, "{spec} of build {build}");
                assert_eq!(over_all.answer(build), alone, "{spec} of build {build}");
                if let Some(all) = &beyond {
                    assert_eq!(all[build], matcher.beyond(build), "{spec} of build {build}");
                }
            }
        }
    }
}
