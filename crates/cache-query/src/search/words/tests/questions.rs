//! Questions as people ask them, with what must be found: the share that is answered must not fall.
//!
//! `questions.txt` has a question on each line, and the specs whose builds are meant, separated by `|`; `stack:` stands
//! for the choice of a stack, which a spec cannot express. A question is answered if its text, or the correction that is
//! suggested for it, finds exactly these builds in the cache of `cache.txt`.

use std::collections::BTreeSet;
use std::sync::Arc;

use cache_index::build::{Build, Dependency, Deptypes, Place};
use cache_index::index::{About, BuildId, Index, pack};
use cache_index::sample;

use crate::search::Search;
use crate::search::tests::typed;
use crate::{Query, Question, builds, run, run_with};

const CACHE: &str = include_str!("cache.txt");
const QUESTIONS: &str = include_str!("questions.txt");

/// The least number of questions in a hundred that must be answered.
const LEAST: usize = 95;

/// What people ask of a package, and of its version.
#[rustfmt::skip]
const ASKED: [&str; 19] = [
    "with mpi", "without mpi", "+mpi", "~mpi", "with fortran", "without fortran", "+cuda", "without cuda", "with openmp",
    "for rhel8", "on ubuntu22.04", "not for rhel8", "in e4s", "not in e4s", "that uses openmpi", "depending on mpich",
    "built with gcc", "compiled with gcc 13", "for x86",
];
const VERSIONS: [&str; 5] =
    ["1.14.5", "newer than 1.12", "at least 4.5", "2024 or older", "not older than 3"];

/// Iterates over the lines of a file except comments.
fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

#[test]
fn answers_questions_as_people_ask_them() {
    let index = cache();
    let mut unanswered = Vec::new();
    let mut count = 0;
    for line in lines(QUESTIONS) {
        let (question, meant) = line.rsplit_once(" = ").expect("a question and its answer");
        let expected: BTreeSet<BuildId> =
            meant.split(" | ").flat_map(|spec| meant_by(&index, spec)).collect();
        assert!(!expected.is_empty(), "nothing is meant by {line}");
        count += 1;
        let suggestion = || {
            let suggested = Search::read(&index, question).suggestion(&index, question)?;
            Some(answer(&index, &suggested))
        };
        let found = answer(&index, question);
        if found != expected && suggestion() != Some(expected) {
            unanswered.push(format!("{line}: {} found", found.len()));
        }
    }
    let answered = count - unanswered.len();
    println!("{answered} of {count} questions are answered; not these:\n{}", unanswered.join("\n"));
    assert!(count >= 150);
    assert!(answered * 100 >= LEAST * count, "{answered} of {count}:\n{}", unanswered.join("\n"));
}

/// A text that asks for two things of a package finds the builds that both find by themselves: no word is applied to
/// something that it does not belong to. A text that is not understood finds nothing, and says so.
#[test]
fn asks_for_both_of_two_things() {
    let index = cache();
    let (mut count, mut read) = (0, 0);
    for package in ["hdf5", "kokkos", "gromacs", "petsc", "fftw"] {
        let found = |asked: &str| answer(&index, &format!("{package} {asked}"));
        for (one, other) in ASKED
            .iter()
            .flat_map(|one| ASKED.iter().chain(&VERSIONS).map(move |other| (*one, *other)))
        {
            // `built with gcc newer than 4.5` is about gcc.
            let both: BTreeSet<BuildId> = found(one).intersection(&found(other)).copied().collect();
            if one == other || both.is_empty() || one.contains("gcc") && VERSIONS.contains(&other) {
                continue;
            }
            for between in [" ", ", ", " and ", " but "] {
                let text = format!("{one}{between}{other}");
                let found = found(&text);
                count += 1;
                read += usize::from(found == both);
                assert!(found == both || found.is_empty(), "{text}: {found:?}, not {both:?}");
            }
        }
    }
    println!("{read} of {count} are read");
    assert!(read * 100 >= LEAST * count, "{read} of {count}");
}

#[test]
fn reads_no_release_of_a_system_as_a_version() {
    let index = cache();
    assert!(!Search::read(&index, "amazon linux 2023").problems.is_empty());
}

/// Returns the builds that a typed text finds.
fn answer(index: &Index, text: &str) -> BTreeSet<BuildId> {
    let query = typed(index, &Query::default(), text);
    builds(index, &query, &run(index, &query.question)).into_iter().collect()
}

/// Returns the builds that satisfy a spec, strictly, in the stack that follows it.
fn meant_by(index: &Index, text: &str) -> BTreeSet<BuildId> {
    let (spec, stack) = match text.split_once("stack:") {
        Some((spec, stack)) => (spec.trim(), Some(stack)),
        None => (text, None),
    };
    let search = match spec {
        "" => Search::default(),
        spec => Search::parse(spec, index.dialect()).expect("a spec"),
    };
    let found = run_with(index, &Question::default(), Arc::new(search.select(index)));
    let is_in = |build: &BuildId| {
        let mut places = index.places_of(index.row_of(*build));
        stack.is_none_or(|stack| places.any(|place| place.stack == stack))
    };
    found.matching_builds(index).filter(is_in).collect()
}

/// Reads the cache.
fn cache() -> Index {
    let mut all: Vec<Build> = Vec::new();
    for line in lines(CACHE) {
        let mut fields = line.split(' ');
        let mut next = || fields.next().expect("a field").to_owned();
        let [package, version, os, target, compiler, stack] = std::array::from_fn(|_| next());
        let mut build = Build {
            platform: if os == "sequoia" { "darwin" } else { "linux" }.to_owned(),
            os,
            target,
            compiler: Some(compiler),
            places: [Place { release: "develop".to_owned(), stack }].into(),
            dependencies: Some(Vec::new()),
            hash: sample::hash(all.len()),
            ..Build::new(sample::hash(0), &package, &version)
        };
        for field in fields {
            let Some(dependency) = field.strip_prefix('^') else {
                build.variants.push(sample::variant(field));
                continue;
            };
            let (package, virtuals) = dependency.split_once(':').unwrap_or((dependency, ""));
            let on = all.iter().find(|build| build.package == package).expect("an earlier build");
            let dependency = Dependency {
                package: package.to_owned(),
                hash: on.hash,
                deptypes: Deptypes::from_bits(2).expect("bits below 16"),
                virtuals: virtuals
                    .split(',')
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned)
                    .collect(),
            };
            build.dependencies.iter_mut().for_each(|all| all.push(dependency.clone()));
        }
        build.variants.sort();
        build.dependencies.iter_mut().for_each(|all| all.sort());
        all.push(build);
    }
    pack(About::default(), all).expect("different hashes")
}
