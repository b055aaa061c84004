//! Searches in small caches. This module has the caches, and what tests of searches and completions share.

mod finding;
mod problems;
mod reading;

use proptest::prelude::*;

use super::split;
use crate::build::{Build, CompilerSource, Dependency, Deptypes};
use crate::index::{About, BuildId, Index, pack};
use crate::query::{Change, Query, Question, apply, builds, run};
use crate::sample;

pub(crate) fn index() -> Index {
    let page = |package: &str, version: &str, os: &str, variants: &[&str]| {
        let mut build = sample::one(package, version);
        build.os = os.to_owned();
        build.variants = variants.iter().map(|text| sample::variant(text)).collect();
        build
    };
    let mut all = vec![
        page("hdf5", "1.14.5", "ubuntu24.04", &["+mpi", "api=v110"]),
        page("hdf5", "1.12.3", "ubuntu22.04", &["~mpi", "api=default"]),
        page("hdf5-vol-async", "1.7", "ubuntu22.04", &["build_system=cmake"]),
        page("py-torch", "2.4.1", "ubuntu22.04", &["+cuda", "cuda_arch:=80,90"]),
    ];
    for (number, build) in all.iter_mut().enumerate() {
        build.hash = sample::hash(number);
    }
    pack(About::default(), all).expect("different hashes")
}

/// Creates an index with a compiler, and a build that depends on it.
fn index_of_spack_1() -> Index {
    let mut all = [sample::one("gcc", "13.2.0"), sample::one("hdf5", "1.14.5")];
    for (number, build) in all.iter_mut().enumerate() {
        build.hash = sample::hash(number);
        build.compiler_source = CompilerSource::Dependency;
        build.dependencies = Some(Vec::new());
    }
    let compiler = Dependency {
        package: "gcc".to_owned(),
        hash: all[0].hash,
        deptypes: Deptypes::from_bits(1).expect("bits below 16"),
        virtuals: vec!["c".to_owned()],
    };
    all[0].compiler = None;
    all[1].dependencies = Some(vec![compiler]);
    pack(About::default(), all).expect("different hashes")
}

/// Removes dependencies such that no cycles are left: caches with cycles are rejected when they are read.
pub(crate) fn without_cycles(mut builds: Vec<Build>) -> Vec<Build> {
    for build in &mut builds {
        let own = build.hash;
        build.dependencies.iter_mut().for_each(|all| all.retain(|one| one.hash < own));
    }
    builds
}

pub(crate) fn found(index: &Index, text: &str) -> Vec<String> {
    let query = Query { question: Question::of_text(text), ..Query::default() };
    let answer = run(index, &query.question);
    let builds = builds(index, &query, &answer);
    let text = |id: BuildId| {
        let build = index.build(id).expect("hashes are there");
        format!("{}@{}", build.package, build.version)
    };
    assert_eq!(answer.builds as usize, builds.len());
    builds.into_iter().map(text).collect()
}

/// Returns the query after typing a text into another query.
pub(crate) fn typed(index: &Index, from: &Query, text: &str) -> Query {
    apply(from, Change::Type(split(index, text)))
}

fn spec_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "hdf5",
        "zlib",
        "@1.2",
        "@1.2:",
        "@:1.9",
        "@=develop",
        "+mpi",
        "~mpi",
        "++mpi",
        "languages=c",
        "languages=c,fortran",
        "build_type=Release",
        "build_type=*",
        "%gcc",
        "%gcc@13",
        "os=sequoia",
        "platform=linux",
        "target=x86_64_v3:",
        "target=:zen4",
        "/aaaaaaaaaaaaaaaaa",
        "cflags=-O2",
        "^zlib",
        "^zlib@1.2 +mpi",
        "^mpi",
        "^mpi@3:",
        "^[virtuals=mpi] zlib",
        "^mpi=hdf5",
        "^zlib %gcc",
        "^nosuch",
        "%zlib",
        "%c=zlib",
        "%mpi",
        "%[deptypes=link] zlib",
        "%[when='+mpi'] zlib",
        "%[when='^zlib'] hdf5",
        "^++mpi",
        "mpi",
        "builtin.hdf5",
    ]);
    prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.join(" "))
}
