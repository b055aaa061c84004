//! What packing, loading and asking cost, on made-up caches of 10,000, 145,000 (today's
//! cache.spack.io) and 1,000,000 builds.
//!
//! | bench | what one iteration does |
//! | --- | --- |
//! | `pack` | all builds in, one index out; the builds are made outside the measured time |
//! | `write` | index in, JSON out |
//! | `load` | JSON of the columns in, index out: what the page does before it can answer |
//! | `hashes` | the hashes' part in |
//! | `run` | one step of a random walk of toggles in all facets: a query in, all counts out |
//!
//! Criterion's own figures are medians over samples with their spread. Of `run` people feel the slow
//! steps too, so the distribution over the walk is printed beside it.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cache_index::index::{About, Index, Packer};
use cache_index::query::{Query, run};
use cache_sample::{Sample, walk};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const SIZES: [usize; 3] = [10_000, 145_000, 1_000_000];

fn scale(criterion: &mut Criterion) {
    for size in SIZES {
        let sample = Sample::new(size, 1);
        let index = pack(criterion, &sample);
        write_and_load(criterion, size, &index);
        ask(criterion, size, &index);
    }
}

fn pack(criterion: &mut Criterion, sample: &Sample) -> Index {
    let mut group = criterion.benchmark_group("pack");
    group.throughput(Throughput::Elements(sample.builds as u64));
    group.sample_size(10);
    group.bench_function(sample.builds.to_string(), |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| packed(sample).1).sum());
    });
    group.finish();
    packed(sample).0
}

/// The index, and the time that it took but for making up the builds: a million of them at once
/// would not fit into memory.
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

fn ask(criterion: &mut Criterion, size: usize, index: &Index) {
    let queries: Vec<Query> = walk(index, 1).take(1000).collect();
    let mut group = criterion.benchmark_group("run");
    group.bench_function(size.to_string(), |bencher| {
        let mut steps = queries.iter().cycle();
        bencher.iter(|| run(index, black_box(steps.next().expect("a cycle has no end"))));
    });
    group.finish();

    let mut times: Vec<Duration> = queries
        .iter()
        .map(|query| {
            let start = Instant::now();
            black_box(run(index, query));
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

criterion_group!(benches, scale);
criterion_main!(benches);
