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
//! | `versions × gone` | the versions that a package had before a publication, and the builds that went |
//! | `versions × deprecated` | the versions of a recipe, and those of them that are deprecated |
//! | `plan × mirrors` | the builds that are installed for an environment, and the mirrors that have them |
//! | `offers × builds` | the mirrors that have builds of a package, and these builds |
//! | `mirrors × mirrors` | the mirrors of a cache that are given by their URL |
//! | `lines × dependencies` | the dependencies in which two builds differ, and all that they have |
//! | `edges × edges` | the dependencies of two builds on one package, all of which differ |
//! | `causes × unknown` | the dependencies of a build that a cache does not have, each a reason not to reuse it |
//! | `OSs × os_compatible` | the operating systems in a cache, and those that a setting lists |
//! | `pasted × pasted` | the specs in settings that are pasted into the page |
//! | `asked × asked` | the specs of an environment that is pasted into the page |
//! | `compared × compared` | the builds that a script puts side by side |
//!
//! Both sizes are doubled at once, so a cost that grows with their product takes four times as long. No more than three
//! times is permitted, except for `specs × builds`: each spec is compared with the versions, variants and
//! configurations of a cache, which takes a tenth of a millisecond, one step of a page. The times themselves depend on
//! the machine and its load, so none of them makes the bench fail.

mod ratio;

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use cache_advice::causes::Causes;
use cache_advice::changes::{Changes, publish};
use cache_advice::differences::compare::Comparison;
use cache_advice::environment::{Assessment, Plan, Prunable};
use cache_advice::offers;
use cache_advice::reuse::{Checklist, Verdicts};
use cache_index::build::{Build, Dependency, Deptypes, Place};
use cache_index::environment::{Environment, Node, Root};
use cache_index::facet::Facet;
use cache_index::index::{About, BuildId, Index, KnownMirror, pack};
use cache_index::recipes::Recipe;
use cache_query::{AskedEnvironment, Change, Preference, Query, Question, Setup, apply, run};
use cache_sample::{Sample, unknown_hash};
use criterion::{Criterion, criterion_group, criterion_main};
use ratio::ratio;

/// The work that is measured, for one size.
type Measured = Box<dyn Fn()>;

/// Prepares the work for a size.
type Prepare = fn(usize) -> Measured;

fn growth(_: &mut Criterion) {
    let mut worse = Vec::new();
    let benches: [(&str, usize, f64, Prepare); 18] = [
        ("specs × specs", 10_000, 3.0, specs_and_specs),
        ("specs × builds", 5_000, 5.0, specs_and_builds),
        ("kept × cached", 50_000, 3.0, kept_and_cached),
        ("providers × virtuals", 10_000, 3.0, providers_and_virtuals),
        ("patterns × builds", 25_000, 3.0, patterns_and_builds),
        ("versions × versions", 20_000, 3.0, versions_and_versions),
        ("versions × gone", 20_000, 3.0, versions_and_gone),
        ("versions × deprecated", 20_000, 3.0, versions_and_deprecated),
        ("plan × mirrors", 10_000, 3.0, plan_and_mirrors),
        ("offers × builds", 10_000, 3.0, offers_and_builds),
        ("mirrors × mirrors", 20_000, 3.0, mirrors_and_mirrors),
        ("lines × dependencies", 10_000, 3.0, lines_and_dependencies),
        ("edges × edges", 10_000, 3.0, edges_and_edges),
        ("causes × unknown", 20_000, 3.0, causes_and_unknown),
        ("OSs × os_compatible", 20_000, 3.0, oss_and_compatible),
        ("pasted × pasted", 20_000, 3.0, pasted_and_pasted),
        ("asked × asked", 20_000, 3.0, asked_and_asked),
        ("compared × compared", 20_000, 3.0, compared_and_compared),
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

/// Returns builds of one package, each with a version of its own.
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
    // Each build of the first half provides virtual packages of its own to one build of the second half.
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
    // Half of the patterns name packages of the cache, the other half packages that it does not have.
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

fn versions_and_gone(size: usize) -> Measured {
    let template = builds(1).next().expect("a build");
    let old = index(builds(size));
    let mut new = index([Build { hash: unknown_hash(size), ..template }].into_iter());
    publish(&mut new, &old);
    Box::new(move || {
        let earlier = new.earlier().expect("a publication before");
        black_box(Changes::published(&new, earlier));
    })
}

fn versions_and_deprecated(size: usize) -> Measured {
    let recipe = Recipe {
        versions: Some((0..size).map(version).collect()),
        deprecated: Some((0..size).step_by(2).map(version).collect()),
        ..Recipe::default()
    };
    Box::new(move || {
        black_box(recipe.releases());
    })
}

fn plan_and_mirrors(size: usize) -> Measured {
    let named = |(at, build): (usize, Build)| Build {
        package: format!("package-{at}"),
        places: Place { release: release(at), stack: "e4s".to_owned() }.into(),
        ..build
    };
    let mut mirrors: Vec<KnownMirror> = (0..size).map(mirror).collect();
    mirrors.sort();
    let about = About { mirrors, ..About::default() };
    let index = pack(about, builds(size).enumerate().map(named)).expect("different hashes");
    let root = |at| Root { spec: format!("package-{at}"), group: None, hash: None };
    let roots = (0..size).map(root).collect();
    let environment = Environment { roots, ..Environment::default() };
    let question = Question::default();
    let assessment = Assessment::new(&index, &environment, &question, index.dialect());
    Box::new(move || drop(black_box(Plan::new(&index, &question, &environment, &assessment))))
}

fn offers_and_builds(size: usize) -> Measured {
    let elsewhere = |(at, build): (usize, Build)| Build {
        places: Place { release: release(at), stack: "e4s".to_owned() }.into(),
        ..build
    };
    let index = index(builds(size).enumerate().map(elsewhere));
    let package = index.dictionary(Facet::Package).code("hdf5").expect("a package");
    let answer = run(&index, &Question::default());
    Box::new(move || drop(black_box(offers(&index, &answer, package))))
}

fn release(at: usize) -> String {
    format!("release-{at}")
}

fn mirror(at: usize) -> KnownMirror {
    KnownMirror {
        release: release(at),
        stack: "e4s".to_owned(),
        url: Some(format!("https://example.org/mirrors/{at}")),
        ..KnownMirror::default()
    }
}

fn mirrors_and_mirrors(size: usize) -> Measured {
    let about = About { mirrors: (0..size).map(mirror).collect(), ..About::default() };
    Box::new(move || {
        black_box(about.urls());
    })
}

/// Returns an index whose first two builds have this many dependencies each: one has those with even numbers, the other
/// those with odd numbers. The dependencies themselves are in the index if `known`.
fn pair(size: usize, known: bool, package: fn(usize) -> String) -> Index {
    let template = builds(1).next().expect("a build");
    let hash = |at: usize| unknown_hash(at + 2);
    let edge = |at: usize| Dependency {
        package: package(at / 2),
        hash: hash(at),
        deptypes: Deptypes::LINK,
        virtuals: Vec::new(),
    };
    let above = [0, 1].map(|side| Build {
        hash: unknown_hash(side),
        dependencies: Some((0..size).map(|at| edge(2 * at + side)).collect()),
        ..template.clone()
    });
    let below = (0..if known { 2 * size } else { 0 }).map(|at| Build {
        package: package(at / 2),
        version: version(at),
        hash: hash(at),
        dependencies: Some(Vec::new()),
        ..template.clone()
    });
    index(above.iter().cloned().chain(below))
}

fn sides(index: &Index) -> [BuildId; 2] {
    [0, 1].map(|side| index.find(unknown_hash(side)).expect("a build"))
}

fn lines_and_dependencies(size: usize) -> Measured {
    let index = pair(size, true, |at| format!("package-{at}"));
    let compared = sides(&index).map(|side| index.build(side).expect("a build")).to_vec();
    Box::new(move || {
        black_box(Comparison::of(compared.clone()).with_dependencies(&index));
    })
}

fn edges_and_edges(size: usize) -> Measured {
    let index = pair(size, false, |_| "zlib".to_owned());
    let [old, new] = sides(&index);
    Box::new(move || drop(black_box(Causes::between((&index, &[old]), (&index, &[new])))))
}

fn causes_and_unknown(size: usize) -> Measured {
    let index = pair(size, false, |at| format!("package-{at}"));
    let [build, _] = sides(&index);
    let setup = Setup::on("linux.rhel9.zen4.glibc@2.34".parse().expect("a host"));
    let verdicts = Verdicts::new(&index, &setup);
    Box::new(move || {
        black_box(Checklist::new(&index, &setup, &verdicts, build));
    })
}

fn oss_and_compatible(size: usize) -> Measured {
    let os = |at: usize| format!("os-{at}");
    let built =
        |(at, build): (usize, Build)| Build { platform: "darwin".to_owned(), os: os(at), ..build };
    let index = index(builds(size).enumerate().map(built));
    let mut setup = Setup::on("darwin.os-0.m1".parse().expect("a host"));
    // Each OS runs builds for the next.
    setup.settings.os_compatible = (0..size).map(|at| (os(at), vec![os(at + 1)])).collect();
    Box::new(move || drop(black_box(Verdicts::new(&index, &setup))))
}

fn pasted_and_pasted(size: usize) -> Measured {
    let mut preference = Preference::default();
    let spec = |at| format!("hdf5@{}", version(at));
    preference.settings.asked = (0..size).map(spec).collect();
    let cache = &mut preference.settings.caches[0];
    cache.exclude = (0..size).map(spec).collect();
    changed(move || Change::Prefer(preference.clone().into()))
}

fn asked_and_asked(size: usize) -> Measured {
    let specs: Vec<String> = (0..size).map(|at| format!("hdf5@{}", version(at))).collect();
    changed(move || Change::OpenEnvironment(AskedEnvironment { file: None, specs: specs.clone() }))
}

fn compared_and_compared(size: usize) -> Measured {
    let hashes: Vec<_> = (0..size).map(unknown_hash).collect();
    changed(move || Change::Compare(hashes.clone()))
}

fn changed(change: impl Fn() -> Change + 'static) -> Measured {
    Box::new(move || drop(black_box(apply(&Query::default(), change()))))
}

criterion_group!(benches, growth);
criterion_main!(benches);
