//! Questions as people ask them, with what must be found: how many are answered may not fall.
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
