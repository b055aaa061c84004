//! How costs grow with two sizes that outsiders choose.
//!
//! | bench | sizes |
//! | --- | --- |
//! | `specs × specs` | the specs of an environment with a lock file, and its nodes |
//! | `specs × builds` | the specs of an environment, and the builds of a cache |
//! | `kept × cached` | the hashes of environments to keep, and the builds of a cache |
//! | `providers × virtuals` | the virtual packages of a cache, and the builds that provide them |
//! | `patterns × builds` | the specs that a mirror or a setting excludes, and the builds of a cache |
//! | `versions × versions` | the versions that a spec lists, and those that a cache has of the package |
//!
//! Both are doubled at once, so a cost that grows with their product takes four times as long. No more than three times is
//! permitted, except for `specs × builds`: each spec is compared with the versions, variants and configurations of a cache,
//! which takes a tenth of a millisecond, one step of a page. The times themselves depend on the machine and on what else it
//! does, so none of them fails.

mod ratio;

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use cache_advice::environment::{Assessment, Prunable};
use cache_advice::reuse::Verdicts;
use cache_index::build::{Build, Dependency, Deptypes};
use cache_index::environment::{Environment, Node, Root};
use cache_index::facet::Facet;
use cache_index::index::{About, BuildId, Index, pack};
use cache_query::{Question, Setup, run};
use cache_sample::{Sample, unknown_hash};
use criterion::{Criterion, criterion_group, criterion_main};
use ratio::ratio;

/// What is measured, for one size.
type Measured = Box<dyn Fn()>;

/// Prepares it for a size.
type Prepare = fn(usize) -> Measured;

fn growth(_: &mut Criterion) {
    let mut worse = Vec::new();
    let benches: [(&str, usize, f64, Prepare); 6] = [
        ("specs × specs", 10_000, 3.0, specs_and_specs),
        ("specs × builds", 5_000, 5.0, specs_and_builds),
        ("kept × cached", 50_000, 3.0, kept_and_cached),
        ("providers × virtuals", 10_000, 3.0, providers_and_virtuals),
        ("patterns × builds", 25_000, 3.0, patterns_and_builds),
        ("versions × versions", 20_000, 3.0, versions_and_versions),
    ];
    for (name, size, most, prepare) in benches {
        let (one, two) = (prepare(size), prepare(2 * size));
        let ratio = ratio(7, &two, &one);
        let start = Instant::now();
        two();
        let time = start.elapsed();
        println!(
            "{name}: {time:?} for {}, {ratio:.2} times that of half, at most {most}",
            2 * size
        );
        worse.extend((ratio > most).then_some(name));
    }
    assert!(worse.is_empty(), "they grow faster than they may: {worse:?}");
}

/// Builds of one package, each with a version of its own.
fn builds(number: usize) -> impl Iterator<Item = Build> {
    let template = Sample::new(1, 1).builds().next().expect("a build");
    (0..number).map(move |at| Build {
        package: "hdf5".to_owned(),
        version: version(at),
        hash: unknown_hash(at),
        ..template.clone()
    })
}

fn version(at: usize) -> String {
    format!("{}.{}.{}", at / 1_000, at / 10 % 100, at % 10)
}

fn index(builds: impl Iterator<Item = Build>) -> Index {
    pack(About::default(), builds).expect("different hashes")
}

fn specs_and_specs(size: usize) -> Measured {
    let index = index(builds(1));
    let nodes = builds(size).map(|build| Node { build, spliced_from: None }).collect();
    let root = |at| Root {
        spec: format!("zlib@{}", version(at)),
        group: None,
        hash: Some(unknown_hash(at)),
    };
    let roots = (0..size).map(root).collect();
    assess(index, Environment { roots, nodes, ..Environment::default() })
}

fn specs_and_builds(size: usize) -> Measured {
    let sample = Sample::new(size, 1);
    let index = index(sample.builds());
    let packages = index.dictionary(Facet::Package).values();
    let root = |at| {
        let package = &packages[at % packages.len()];
        Root { spec: format!("{package}@{}: os=rhel{at}", at / 100), group: None, hash: None }
    };
    let roots = (0..size).map(root).collect();
    assess(index, Environment { roots, ..Environment::default() })
}

fn assess(index: Index, environment: Environment) -> Measured {
    Box::new(move || {
        let question = Question::default();
        black_box(Assessment::new(&index, &environment, &question, index.dialect()));
    })
}

fn kept_and_cached(size: usize) -> Measured {
    let index = index(builds(size));
    let root = |at| Root { spec: String::new(), group: None, hash: Some(unknown_hash(2 * at)) };
    let environment =
        Environment { roots: (0..size).map(root).collect(), ..Environment::default() };
    Box::new(move || drop(black_box(Prunable::new(&index, [&environment]))))
}

fn providers_and_virtuals(size: usize) -> Measured {
    // Each of the first half provides virtual packages of its own for one of the second.
    let dependency = |at: usize| Dependency {
        package: "hdf5".to_owned(),
        hash: unknown_hash(at),
        deptypes: Deptypes::LINK,
        virtuals: vec![format!("virtual-{}", at / 2)],
    };
    let half = size / 2;
    let all: Vec<Build> = (builds(size).enumerate())
        .map(|(at, build)| {
            let below = at.checked_sub(half).map(dependency);
            Build { dependencies: Some(below.into_iter().collect()), ..build }
        })
        .collect();
    Box::new(move || {
        let index = index(all.iter().cloned());
        for text in ["virtual", "virtual-7@:", "^virtual-7"] {
            black_box(run(&index, &Question::of_text(text)));
        }
        black_box(index.build(BuildId(0)));
    })
}

fn patterns_and_builds(size: usize) -> Measured {
    let named = |(at, build): (usize, Build)| Build { package: format!("package-{at}"), ..build };
    let index = index(builds(size).enumerate().map(named));
    // Of every second package the version, and as many packages that the cache does not have.
    let pattern = |at| format!("package-{}@={}", 2 * at, version(at));
    let exclude: Vec<String> = (0..size).map(pattern).collect();
    let mut setup = Setup::on("linux.rhel9.zen4.glibc@2.34".parse().expect("a host"));
    setup.settings.caches.iter_mut().for_each(|cache| cache.exclude.clone_from(&exclude));
    Box::new(move || drop(black_box(Verdicts::new(&index, &setup))))
}

fn versions_and_versions(size: usize) -> Measured {
    let index = index(builds(size));
    let mut text = "hdf5@=".to_owned() + &version(0);
    for at in (2..size).step_by(2) {
        let _ = write!(text, ",={}", version(at));
    }
    Box::new(move || {
        black_box(run(&index, &Question::of_text(&text)));
    })
}

criterion_group!(benches, growth);
criterion_main!(benches);
