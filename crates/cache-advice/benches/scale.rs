//! The cost of packing, loading and querying generated caches of 10,000, 145,000 (today's cache.spack.io) and 1,000,000
//! builds.
//!
//! | bench | what one iteration does |
//! | --- | --- |
//! | `pack` | all builds in, one index out; the builds are made outside the measured time |
//! | `write` | index in, JSON out |
//! | `load` | JSON of the columns in, index out: what the page does before it can answer |
//! | `hashes` | the hashes' part in |
//! | `run` | one step of a random walk of toggles in all facets: a query in, all counts out |
//!
//! Criterion's figures are medians over samples with their spread. For `run`, slow steps matter too, so the
//! distribution over the walk is printed as well.
//!
//! Times depend on the machine and its load, so no time makes a bench fail. What fails is a ratio of two figures that
//! were measured alternately:
//!
//! | ratio | at most |
//! | --- | --- |
//! | an answer, to a plain loop over the column of each facet with one value per build | 0.5 |
//! | reading the columns, to parsing the same text as generic JSON | 1 |
//! | packing a build among a million, to packing one among 145,000 | 2 |

mod ratio;

use std::hint::black_box;
use std::time::{Duration, Instant};

use cache_index::facet::Facet;
use cache_index::index::{About, Index, Packer};
use cache_query::{Question, run};
use cache_sample::{Sample, walk};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use ratio::{median, ratio};

const SIZES: [usize; 3] = [10_000, 145_000, 1_000_000];

fn scale(criterion: &mut Criterion) {
    let mut ratios = Vec::new();
    let mut of_smaller = None;
    for size in SIZES {
        let sample = Sample::new(size, 1);
        let (index, for_a_build) = pack(criterion, &sample);
        write_and_load(criterion, size, &index);
        ask(criterion, size, &index);
        // In a small cache, the fixed cost of an answer outweighs its rows.
        if size < 100_000 {
            continue;
        }
        ratios.push((format!("answer / plain loop over {size}"), answer_to_loop(&index), 0.5));
        ratios.push((format!("columns / any JSON of {size}"), columns_to_json(&index), 1.0));
        if let Some((smaller, time)) = of_smaller.replace((size, for_a_build)) {
            ratios.push((format!("packing {size} / {smaller}"), for_a_build / time, 2.0));
        }
    }
    for (name, ratio, most) in &ratios {
        println!("{name:36}{ratio:>6.2}, at most {most:.2}");
    }
    let worse: Vec<_> = ratios.iter().filter(|(_, ratio, most)| ratio > most).collect();
    assert!(worse.is_empty(), "worse than it may be: {worse:?}");
}

/// Returns the index, and the seconds that packing took per build.
fn pack(criterion: &mut Criterion, sample: &Sample) -> (Index, f64) {
    let mut group = criterion.benchmark_group("pack");
    group.throughput(Throughput::Elements(sample.builds as u64));
    group.sample_size(10);
    group.bench_function(sample.builds.to_string(), |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| packed(sample).1).sum());
    });
    group.finish();
    let (index, time) = packed(sample);
    let again = (0..4).map(|_| packed(sample).1);
    let mut times: Vec<Duration> = again.chain([time]).collect();
    (index, median(&mut times).as_secs_f64() / sample.builds as f64)
}

/// Returns the index and the time taken without generating the builds: a million of them at once would not fit into
/// memory.
fn packed(sample: &Sample) -> (Index, Duration) {
    let mut packer = Packer::default();
    let mut spent = Duration::ZERO;
    for builds in sample.packages() {
        let start = Instant::now();
        for build in &builds {
            packer.push(build);
        }
        spent += start.elapsed();
    }
    let start = Instant::now();
    let index = packer.finish(About::default()).expect("different hashes");
    (index, spent + start.elapsed())
}

fn write_and_load(criterion: &mut Criterion, size: usize, index: &Index) {
    let parts = index.to_parts();
    let (columns, hashes) = (parts.columns, parts.hashes.expect("the hashes"));
    let mut group = criterion.benchmark_group("write");
    group.sample_size(10);
    group.bench_function(size.to_string(), |bencher| bencher.iter(|| index.to_json()));
    group.finish();

    let mut group = criterion.benchmark_group("load");
    group.sample_size(20);
    group.bench_function(size.to_string(), |bencher| {
        bencher.iter(|| Index::from_json(black_box(&columns)).expect("an index"));
    });
    group.finish();

    let loaded = Index::from_json(&columns).expect("an index");
    let mut group = criterion.benchmark_group("hashes");
    group.sample_size(20);
    group.bench_function(size.to_string(), |bencher| {
        bencher.iter_batched(
            || loaded.clone(),
            |index| {
                index.set_hashes(black_box(&hashes)).expect("hashes");
                index
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

/// Returns the questions of the first steps of a random walk.
fn questions(index: &Index, count: usize) -> Vec<Question> {
    walk(index, 1).map(|query| query.question).take(count).collect()
}

fn ask(criterion: &mut Criterion, size: usize, index: &Index) {
    let questions = questions(index, 1000);
    let mut group = criterion.benchmark_group("run");
    group.bench_function(size.to_string(), |bencher| {
        let mut steps = questions.iter().cycle();
        bencher.iter(|| run(index, black_box(steps.next().expect("a cycle has no end"))));
    });
    group.finish();

    let mut times: Vec<Duration> = questions
        .iter()
        .map(|question| {
            let start = Instant::now();
            black_box(run(index, question));
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!(
        "run/{size}: {} rows; over 1,000 steps median {:?}, p95 {:?}, slowest {:?}\n",
        index.rows(),
        at(50),
        at(95),
        at(100),
    );
}

/// Compares the time of an answer with the time without rows and without an index.
fn answer_to_loop(index: &Index) -> f64 {
    let facets = [Facet::Version, Facet::Platform, Facet::Os, Facet::Target, Facet::Compiler];
    let columns = facets.map(|facet| {
        let rows =
            index.dictionary(Facet::Package).iter().flat_map(|(code, _)| index.rows_of(code));
        let builds = rows.flat_map(|row| {
            let value = index.value(row, facet).0;
            index.builds_of(row).map(move |_| value)
        });
        builds.collect::<Vec<u32>>()
    });
    let fails = facets.map(|facet| vec![false; index.dictionary(facet).len()]);
    let plain = || {
        let mut counts = facets.map(|facet| vec![0u32; index.dictionary(facet).len()]);
        for build in 0..columns[0].len() {
            let codes = columns.each_ref().map(|column| column[build] as usize);
            if codes.iter().zip(&fails).all(|(&code, fails)| !fails[code]) {
                codes.iter().zip(&mut counts).for_each(|(&code, counts)| counts[code] += 1);
            }
        }
        counts
    };
    let questions = questions(index, 200);
    let mut steps = questions.iter().cycle();
    ratio(
        questions.len(),
        || drop(black_box(run(index, black_box(steps.next().expect("a cycle has no end"))))),
        || drop(black_box(plain())),
    )
}

fn columns_to_json(index: &Index) -> f64 {
    let columns = index.to_parts().columns;
    ratio(
        9,
        || drop(black_box(Index::from_json(black_box(&columns)).expect("an index"))),
        || drop(black_box(serde_json::from_str::<serde_json::Value>(black_box(&columns)))),
    )
}

criterion_group!(benches, scale);
criterion_main!(benches);
