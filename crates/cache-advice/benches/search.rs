//! The cost of searching a generated cache of 145,000 builds (today's cache.spack.io) that lists its dependencies, in
//! both of Spack's dialects.
//!
//! | bench | what one iteration does | budget |
//! | --- | --- | --- |
//! | `search/<dialect>/<text>` | reads a text and finds its builds | 5 ms, or 5 ms for each constraint on all dependencies |
//! | `complete/<text>` | completes the end of a text | 4 ms |
//!
//! Whatever an index computes once, at the first search, is computed before the clock starts.

use std::hint::black_box;

use cache_advice::complete;
use cache_index::build::{Build, CompilerSource, Dependency, Deptypes, Hash};
use cache_index::facet::Facet;
use cache_index::index::{About, Index, Packer, ValueCode};
use cache_query::Query;
use cache_query::search::Search;
use cache_sample::Sample;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use spack_spec::Dialect;

fn search(criterion: &mut Criterion) {
    let old = index(Dialect::V0);
    let (package, needed) = names(&old);
    for (dialect, index) in [(Dialect::V0, old), (Dialect::V1, index(Dialect::V1))] {
        assert_eq!(index.dialect(), dialect);
        let mut group = criterion.benchmark_group(format!("search/{dialect:?}"));
        group.sample_size(20);
        for text in [
            "zl".to_owned(),
            package.clone(),
            format!("{package}@1.2: +mpi os=ubuntu22.04"),
            "+mpi ~cuda".to_owned(),
            "@1.2:3".to_owned(),
            "target=x86_64_v3:".to_owned(),
            "%gcc".to_owned(),
            "%gcc@12:".to_owned(),
            "++shared".to_owned(),
            "/abc".to_owned(),
            "zlib-api".to_owned(),
            format!("{package} ^{needed}@1:"),
            format!("^{needed}"),
            format!("^{needed}@2: +mpi"),
            format!("^{needed} %gcc@12:"),
            "^nosuch".to_owned(),
            "^@2: +mpi".to_owned(),
        ] {
            group.bench_function(BenchmarkId::from_parameter(&text), |bencher| {
                bencher.iter(|| Search::read(&index, black_box(&text)).select(&index));
            });
        }
    }
}

fn completion(criterion: &mut Criterion) {
    let index = index(Dialect::V1);
    let (package, _) = names(&index);
    let mut group = criterion.benchmark_group("complete");
    group.sample_size(20);
    for text in [
        "".to_owned(),
        "p".to_owned(),
        "py-".to_owned(),
        format!("{package}@"),
        format!("{package}@1."),
        format!("{package} +"),
        format!("{package} +m"),
        format!("{package} os="),
        format!("{package} %g"),
        format!("{package} %gcc@"),
        format!("{package} build_type="),
        format!("{package}@1.2: +mpi ~cuda %gcc@13 ^{package}@"),
        "+m".to_owned(),
        "@1".to_owned(),
    ] {
        group.bench_function(BenchmarkId::from_parameter(&text), |bencher| {
            bencher.iter(|| complete(&index, &Query::default(), black_box(&text), text.len()));
        });
    }
}

/// Returns the package with the most builds, and the one that most builds depend on.
fn names(index: &Index) -> (String, String) {
    let packages = index.dictionary(Facet::Package);
    let all = || (0..packages.len() as u32).map(ValueCode);
    let builds = |&package: &ValueCode| -> u32 {
        index.rows_of(package).map(|row| index.row_len(row)).sum()
    };
    let dependents = |&package: &ValueCode| -> usize {
        let builds = index.rows_of(package).flat_map(|row| index.builds_of(row));
        builds.filter_map(|build| index.dependents(build)).map(|edges| edges.len()).sum()
    };
    let largest = all().max_by_key(builds).expect("a package");
    let needed = all().filter(|one| *one != largest).max_by_key(dependents).expect("a package");
    [largest, needed].map(|code| packages.text(code).to_owned()).into()
}

/// Creates the index as the Spack of that dialect would have written it: compilers are fields in the older one, and
/// dependencies in the newer.
fn index(dialect: Dialect) -> Index {
    let sample = Sample { dependencies: true, ..Sample::new(145_000, 1) };
    let mut compilers = Vec::new();
    let mut packer = Packer::default();
    for mut build in sample.builds() {
        if dialect == Dialect::V1 {
            depend_on_compiler(&mut build, &mut compilers);
        }
        packer.push(&build);
    }
    for (_, compiler) in &compilers {
        packer.push(compiler);
    }
    packer.finish(About::default()).expect("different hashes")
}

fn depend_on_compiler(build: &mut Build, compilers: &mut Vec<(String, Build)>) {
    build.compiler_source = CompilerSource::Dependency;
    let Some(compiler) = &build.compiler else { return };
    let key = format!("{compiler} {} {} {}", build.platform, build.os, build.target);
    let known = compilers.iter().position(|(known, _)| *known == key);
    let number = known.unwrap_or_else(|| {
        let (package, version) = compiler.split_once('@').expect("a name and a version");
        let letter = char::from(b'a' + compilers.len() as u8);
        let hash: Hash =
            format!("compiler{}", letter.to_string().repeat(24)).parse().expect("a hash");
        let external = Build {
            hash,
            package: package.to_owned(),
            version: version.to_owned(),
            compiler: None,
            variants: Vec::new(),
            places: Default::default(),
            external: true,
            dependencies: Some(Vec::new()),
            ..build.clone()
        };
        compilers.push((key, external));
        compilers.len() - 1
    });
    let compiler = &compilers[number].1;
    let edge = Dependency {
        package: compiler.package.clone(),
        hash: compiler.hash,
        deptypes: Deptypes::BUILD,
        virtuals: ["c", "cxx"].map(str::to_owned).to_vec(),
    };
    let dependencies = build.dependencies.get_or_insert_default();
    dependencies.push(edge);
    dependencies.sort();
}

criterion_group!(benches, search, completion);
criterion_main!(benches);
