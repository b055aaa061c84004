//! What it costs to compare a lock file of 2,000 nodes with generated caches of 145,000 (today's cache.spack.io) and
//! 1,000,000 builds that list their dependencies. A quarter of the nodes is missing: no build has their hashes, and one
//! variant of each differs.
//!
//! | bench | what one iteration does | budget at 1,000,000 |
//! | --- | --- | --- |
//! | `coverage/<builds>` | looks up all nodes, and finds out which wait for which and which mirrors have them | 50 ms |
//! | `nearest/<builds>` | finds the nearest builds of the 500 missing nodes | 300 ms |
//!
//! The longest step of an [`AssessmentSteps`] is printed too: in a page, no step should take more than 50 ms. The time
//! that the search for causes takes after that (100 ms at most), and its longest stretch without a pause, are printed
//! as well.
//!
//! Times depend on the machine and its load, so no time makes the bench fail. Ratios do: the lookup may take at most
//! four times as long as a plain loop that compares the first bytes of each hash with those of each of 8 nodes. And
//! when an environment that is missing completely is doubled, the assessment may take at most three times as long.
//! Two such environments are measured: one in which each spec waits for the next (10,000 specs in less than a second),
//! and one of 30,000 specs of one package without a lock file.
//! waits for the next (10,000 specs in less than a second), and one of 30,000 specs of one package without a lock file.

mod ratio;
mod watch;

use std::hint::black_box;
use std::time::{Duration, Instant};

use cache_advice::causes::Causes;
use cache_advice::environment::{
    Assessment, AssessmentSteps, Blockers, Coverage, Mirrors, Nearness,
};
use cache_index::build::{Dependency, Deptypes, Hash};
use cache_index::environment::{Environment, Node, Root};
use cache_index::index::{About, BuildId, Index, Packer};
use cache_query::{Question, run};
use cache_sample::Sample;
use criterion::{Criterion, criterion_group, criterion_main};
use ratio::ratio;
use watch::Watch;

const NODES: usize = 2_000;

fn environments(criterion: &mut Criterion) {
    let mut worst: f64 = 0.0;
    for size in [145_000, 1_000_000] {
        let index = index(size);
        let environment = cache_sample::environment(&index, NODES);
        let coverage = of_all(&index, &environment);
        let missing: Vec<usize> = coverage.missing().collect();
        println!("{size}: {:?}", coverage.counts(&environment));

        let mut group = criterion.benchmark_group("coverage");
        group.sample_size(20);
        group.bench_function(size.to_string(), |bencher| {
            bencher.iter(|| {
                let coverage = of_all(&index, black_box(&environment));
                let blockers = Blockers::new(&environment, &coverage);
                (Mirrors::new(&index, &environment, &coverage, |_| true), blockers, coverage)
            });
        });
        group.finish();
        let mut group = criterion.benchmark_group("nearest");
        group.sample_size(10);
        group.bench_function(size.to_string(), |bencher| {
            bencher.iter(|| {
                let mut nearness = Nearness::new(&environment);
                let find = |&node: &usize| nearness.of(&index, &environment, node, |_| true).len();
                missing.iter().map(find).sum::<usize>()
            });
        });
        group.finish();

        let question = Question::default();
        let start = Instant::now();
        let answer = run(&index, &question);
        let mut assessing =
            AssessmentSteps::new(&index, &environment, &question, &answer, index.dialect());
        println!("steps/{size}: the first takes {:?}", start.elapsed());
        let mut longest = Duration::ZERO;
        loop {
            let start = Instant::now();
            let has_more = assessing.step(&index, &environment);
            longest = longest.max(start.elapsed());
            if !has_more {
                break;
            }
        }
        println!("steps/{size}: the longest of the others takes {longest:?}");
        let assessment = &assessing.assessment;
        Watch::print(&format!("causes/{size}"), |watch| {
            let pause = async || watch.pause();
            Causes::of_environment_with_pauses(&index, &environment, assessment, pause)
        });

        let hashes: Vec<Hash> = environment.nodes.iter().map(|node| node.build.hash).collect();
        let all: Vec<Hash> = (0..index.specs()).filter_map(|id| index.hash(BuildId(id))).collect();
        let ratio = ratio(
            9,
            || drop(black_box(index.find_all(black_box(&hashes)))),
            || {
                black_box(plain(&all, &hashes[..8]));
            },
        );
        println!("lookup / plain loop over {size:28}{ratio:>6.2}, at most 4.00");
        worst = worst.max(ratio);
    }
    assert!(worst <= 4.0, "slower than it may be");
}

/// Assesses environments of growing size against a cache of 20,000 builds.
fn growth(_: &mut Criterion) {
    let index = index(20_000);
    let time = |environment: &Environment| {
        let start = Instant::now();
        let question = Question::default();
        black_box(Assessment::new(&index, environment, &question, index.dialect()));
        start.elapsed()
    };
    let mut worst: f64 = 0.0;
    for (name, size, make) in [
        ("chain", 5_000, chain as fn(&Index, usize) -> Environment),
        ("specs", 15_000, |_, specs| asked(specs)),
    ] {
        let [one, two] = [size, 2 * size].map(|size| make(&index, size));
        let ratio = ratio(
            3,
            || {
                time(&two);
            },
            || {
                time(&one);
            },
        );
        println!(
            "{name}: {:?} for {}, {ratio:.2} times that of half, at most 3",
            time(&two),
            2 * size
        );
        worst = worst.max(ratio);
    }
    assert!(worst <= 3.0, "grows faster than it may");
}

/// Returns an environment of an index's builds under other hashes, in which each depends on the next.
fn chain(index: &Index, nodes: usize) -> Environment {
    let node = |number: usize| {
        let mut build = index.build(BuildId(number as u32 % index.specs())).expect("all parts");
        build.hash = cache_sample::unknown_hash(number);
        build.external = false;
        build.dependencies = Some(vec![Dependency {
            package: build.package.clone(),
            hash: cache_sample::unknown_hash(number + 1),
            deptypes: Deptypes::LINK,
            virtuals: Vec::new(),
        }]);
        Node { build, spliced_from: None }
    };
    let nodes: Vec<Node> = (0..nodes).map(node).collect();
    let hash = nodes.first().map(|node| node.build.hash);
    let roots = vec![Root { spec: "zlib".to_owned(), group: None, hash }];
    Environment { roots, nodes, ..Environment::default() }
}

/// Returns an environment of different specs.
fn asked(specs: usize) -> Environment {
    let root = |number| Root { spec: format!("zlib-ng@2.{number}"), group: None, hash: None };
    Environment { roots: (0..specs).map(root).collect(), ..Environment::default() }
}

fn of_all(index: &Index, environment: &Environment) -> Coverage {
    Coverage::new(index, environment, |build| index.has_binary(index.row_of(build)))
}

/// Counts the hashes that begin with the same two bytes as a wanted one.
fn plain(all: &[Hash], wanted: &[Hash]) -> usize {
    let begins = |hash: &&Hash| wanted.iter().any(|other| other.bytes()[..2] == hash.bytes()[..2]);
    all.iter().filter(begins).count()
}

fn index(builds: usize) -> Index {
    let sample = Sample { dependencies: true, ..Sample::new(builds, 1) };
    let mut packer = Packer::default();
    for package in sample.packages() {
        package.iter().for_each(|build| packer.push(build));
    }
    packer.finish(About::default()).expect("different hashes")
}

criterion_group!(benches, environments, growth);
criterion_main!(benches);
