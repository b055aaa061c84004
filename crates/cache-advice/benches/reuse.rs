//! The time to judge all builds on one machine, on generated caches of 145,000 builds (as many as cache.spack.io has) and
//! 1,000,000 builds. They list their dependencies, with a libc and the runtime of the compiler among them.
//!
//! | bench | what one iteration does | budget |
//! | --- | --- | --- |
//! | `verdicts/<builds>` | judges all builds on one machine | 20 ms for 145,000, 120 ms for 1,000,000 |
//! | `fits/<builds>` | judges them in all three steps, as the page does: runs, is complete, would be reused | 50 ms for 145,000: one task of the page |
//! | `rows/<builds>` | the verdicts until the dependencies have been loaded | |
//!
//! The machines are those for which the most builds are eligible, which takes longest: a build that fails a rule of its
//! own is judged without its dependencies. What an index computes once (the order of its builds and what is below each)
//! is computed and printed before the measurement.
//!
//! Times depend on the machine and its load, so no time makes the benchmark fail. A ratio does: judging all builds may
//! take at most twice as long as a plain loop that visits each edge of each build.

mod ratio;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use cache_advice::fit::Fits;
use cache_advice::reuse::Verdicts;
use cache_index::build::{Build, CompilerSource, Dependency, Deptypes, FoundAt, Hash};
use cache_index::index::{About, BuildId, EdgeTarget, Index, Packer};
use cache_query::Setup;
use cache_sample::Sample;
use criterion::{Criterion, criterion_group, criterion_main};
use ratio::ratio;

fn verdicts(criterion: &mut Criterion) {
    let mut worst: f64 = 0.0;
    for size in [145_000, 1_000_000] {
        let index = index(size);
        let setup = Setup::on("linux.ubuntu26.04.zen5.glibc@2.99".parse().expect("a host"));
        let bare = Index::from_json(&index.to_parts().columns).expect("columns");
        let start = Instant::now();
        let first = Verdicts::new(&index, &setup);
        let counts = first.counts(&index, index.builds_with_binary());
        println!("verdicts/{size}: the first time {:?}; {counts:?}", start.elapsed());

        let mut group = criterion.benchmark_group("verdicts");
        group.sample_size(20);
        group.bench_function(size.to_string(), |bencher| {
            bencher.iter(|| Verdicts::new(&index, black_box(&setup)));
        });
        group.finish();
        let mut group = criterion.benchmark_group("fits");
        group.sample_size(20);
        group.bench_function(size.to_string(), |bencher| {
            bencher.iter(|| Fits::new(&index, black_box(setup.clone()), Vec::new(), None));
        });
        group.finish();
        let mut group = criterion.benchmark_group("rows");
        group.sample_size(20);
        group.bench_function(size.to_string(), |bencher| {
            bencher.iter(|| Verdicts::new(&bare, black_box(&setup)));
        });
        group.finish();

        let ratio = ratio(
            9,
            || drop(black_box(Verdicts::new(&index, black_box(&setup)))),
            || drop(black_box(plain(&index))),
        );
        println!("verdicts / plain loop over {size:28}{ratio:>6.2}, at most 2.00");
        worst = worst.max(ratio);
    }
    assert!(worst <= 2.0, "judging takes {worst:.2} times as long as visiting each edge");
}

/// Visits each edge once, the least work with which all builds can be judged. Returns for each build whether any build
/// needs it to run.
fn plain(index: &Index) -> Vec<bool> {
    let mut needed = vec![false; index.specs() as usize];
    for build in (0..index.specs()).map(BuildId) {
        for edge in index.dependencies(build).into_iter().flatten() {
            if let EdgeTarget::Build(lower) = edge.target {
                needed[lower.0 as usize] |= edge.is_needed_to_run();
            }
        }
    }
    needed
}

/// Returns a generated cache as Spack 1.x writes it: each build is linked with the libc of its OS, and the runtime of its
/// compiler.
fn index(builds: usize) -> Index {
    let sample = Sample { dependencies: true, ..Sample::new(builds, 1) };
    let mut packer = Packer::default();
    // For each OS: its libc, and the runtime for each target.
    let mut further: BTreeMap<String, Build> = BTreeMap::new();
    for package in sample.packages() {
        for mut build in package {
            build.namespace = Some("builtin".to_owned());
            build.compiler_source = CompilerSource::Dependency;
            build.spec_format = Some(5);
            let number = further.len();
            let key = build.os.clone();
            let libc = further.entry(key).or_insert_with(|| Build {
                hash: named("glibc", number),
                package: "glibc".to_owned(),
                version: format!("2.{}", 28 + number),
                external: true,
                found_at: Some(FoundAt {
                    prefix: Some("/usr".to_owned()),
                    modules: Vec::new(),
                    attributes: None,
                }),
                places: Default::default(),
                variants: Vec::new(),
                dependencies: Some(Vec::new()),
                compiler: None,
                ..build.clone()
            });
            let libc = edge(libc, &["libc"]);
            let number = further.len();
            let key = format!("{} {}", build.os, build.target);
            let runtime = further.entry(key).or_insert_with(|| Build {
                hash: named("runtime", number),
                package: "gcc-runtime".to_owned(),
                version: "13.2.0".to_owned(),
                variants: Vec::new(),
                dependencies: Some(vec![libc.clone()]),
                ..build.clone()
            });
            let runtime = edge(runtime, &[]);
            let dependencies = build.dependencies.get_or_insert_default();
            dependencies.extend([libc, runtime]);
            dependencies.sort();
            packer.push(&build);
        }
    }
    further.values().for_each(|build| packer.push(build));
    packer.finish(About::default()).expect("different hashes")
}

fn edge(to: &Build, virtuals: &[&str]) -> Dependency {
    Dependency {
        package: to.package.clone(),
        hash: to.hash,
        deptypes: Deptypes::LINK,
        virtuals: virtuals.iter().map(|&name| name.to_owned()).collect(),
    }
}

/// Returns a hash that no generated build has.
fn named(name: &str, number: usize) -> Hash {
    let digits = format!("{number:024b}").replace('0', "a").replace('1', "b");
    format!("{name:z<8}{digits}").parse().expect("32 characters of base32")
}

criterion_group!(benches, verdicts);
criterion_main!(benches);
