//! Searches in small caches. This module has the caches, and what tests of searches and completions share.

mod finding;
mod problems;
mod reading;

use cache_index::build::{CompilerSource, Dependency, Deptypes};
use cache_index::index::{About, BuildId, Index, pack};
use proptest::prelude::*;

use super::split;
use crate::{Change, Query, Question, apply, builds, run};

pub(crate) use cache_index::sample::{self, small_index as index, without_cycles};

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
