//! The cost of comparing two snapshots of 145,000 builds with dependencies; 3 % change from one to the next.
//!
//! | bench | what one iteration does |
//! | --- | --- |
//! | `between` | two indexes in, the changes out, as the command does |
//! | `published` | an index with the part that `--since` makes in, the changes out, as the page does |
//! | `read` | the part's text in, the part out |
//! | `causes` | two indexes in, out why all builds that only the second has have other hashes |
//!
//! The longest time between two pauses of the search for causes is printed too, because a page does not answer in the
//! meantime. So is the size of the part, uncompressed, next to that of the index. Times depend on the machine and its
//! load, so no time makes the bench fail.

mod watch;

use std::hint::black_box;

use cache_advice::causes::Causes;
use cache_advice::changes::{Changes, Comparer, Side, publish};
use cache_index::index::{About, BuildId, Index, Packer};
use cache_sample::Sample;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use watch::Watch;

const BUILDS: usize = 145_000;

/// One in this many builds is on one side only.
const SHARE: usize = 33;

/// Packs all builds except every `SHARE`th, counted from `without`.
fn index(without: usize) -> Index {
    let sample = Sample { dependencies: true, ..Sample::new(BUILDS + BUILDS / SHARE, 1) };
    let mut packer = Packer::default();
    let builds = sample.builds().enumerate().filter(|(at, _)| at % SHARE != without);
    builds.for_each(|(_, build)| packer.push(&build));
    packer.finish(About::default()).expect("different hashes")
}

fn changes(criterion: &mut Criterion) {
    let (old, plain) = (index(0), index(1));
    let mut new = plain.clone();
    let found = publish(&mut new, &old);
    println!("{}", found.headline());
    let parts = new.to_parts();
    let part = parts.changes.as_deref().expect("the changes");
    println!("the part has {} bytes, the index without it {}", part.len(), plain.to_json().len());

    let mut group = criterion.benchmark_group("changes");
    group.sample_size(10);
    group.bench_function("between", |bencher| {
        bencher.iter(|| Changes::between(&Side::all(black_box(&old)), &Side::all(black_box(&new))));
    });
    // A page compares again with each filter.
    group.bench_function("between/again", |bencher| {
        let mut comparer = Comparer::default();
        let mut compare =
            || comparer.between(&Side::all(black_box(&old)), &Side::all(black_box(&new)));
        compare();
        bencher.iter(compare);
    });
    group.bench_function("published", |bencher| {
        let earlier = new.earlier().expect("the changes");
        bencher.iter(|| Changes::published(black_box(&new), earlier));
    });
    group.bench_function("read", |bencher| {
        bencher.iter_batched(
            || plain.clone(),
            |index| {
                index.set_changes(black_box(part)).expect("the changes");
                index
            },
            BatchSize::PerIteration,
        );
    });
    let (olds, news) = (all(&old), all(&plain));
    group.bench_function("causes", |bencher| {
        bencher.iter(|| Causes::between((&old, black_box(&olds)), (&plain, &news)));
    });
    group.finish();
    let [of_old, of_new] = [&old, &plain].map(|index| Side::all(index).without_index());
    Watch::print("causes", |watch| {
        Causes::between_with_pauses((&old, &of_old), (&plain, &of_new), async || watch.pause())
    });
}

fn all(index: &Index) -> Vec<BuildId> {
    (0..index.specs()).map(BuildId).collect()
}

criterion_group!(benches, changes);
criterion_main!(benches);
