//! What people ask for without knowing a name, and a package that must be among the first three.

use std::collections::BTreeMap;

use cache_index::build::Build;
use cache_index::facet::Facet;
use cache_index::index::{About, pack};
use cache_index::recipes::{Recipe, Recipes};
use cache_index::sample;

use super::Descriptions;

/// How many of the questions must be answered, in percent. The others use other words than the descriptions do.
const ANSWERED: usize = 75;

#[test]
fn finds_packages_as_people_ask_for_them() {
    let questions = [
        ("lossless compression", "zlib"),
        ("fast compression", "zstd"),
        ("sparse solver", "strumpack"),
        ("sparse direct solver", "superlu-dist"),
        ("dense linear algebra on gpus", "magma"),
        ("linear algebra", "eigen"),
        ("fourier transform", "fftw"),
        ("what can do fft", "fftw"),
        ("mpi implementation", "openmpi"),
        ("mpi for python", "py-mpi4py"),
        ("parallel netcdf", "parallel-netcdf"),
        ("mesh partitioning", "metis"),
        ("parallel graph partitioning", "parmetis"),
        ("adaptive mesh refinement", "amrex"),
        ("molecular dynamics", "gromacs"),
        ("hardware performance counters", "papi"),
        ("profiling", "tau"),
        ("neural networks", "py-torch"),
        ("image processing", "py-pillow"),
        ("json parser", "rapidjson"),
        ("xml parser", "expat"),
        ("yaml parser", "yaml-cpp"),
        ("build system", "cmake"),
        ("version control", "git"),
        ("regular expressions", "re2"),
        ("ssl", "openssl"),
        ("nonlinear solvers", "sundials"),
        ("video", "ffmpeg"),
        ("assembler", "nasm"),
        ("lossy compression of floating point arrays", "zfp"),
        ("multigrid", "hypre"),
        ("io characterization", "darshan-runtime"),
        ("progress meter", "py-tqdm"),
        ("html parser", "perl-html-parser"),
        ("map projections", "proj"),
        ("coordinate transformation", "proj"),
        ("geometry engine", "geos"),
        ("hash algorithm", "xxhash"),
        ("messaging library", "libzmq"),
        ("numerical optimization", "py-scipy"),
        ("memory debugger", "valgrind"),
        ("compiler", "gcc"),
        ("tensor network", "py-opt-einsum"),
        ("jpeg", "libjpeg-turbo"),
        ("command line parser", "gflags"),
        ("logging", "glog"),
        ("ordinary differential equations", "sundials"),
        ("eigenvalue problems", "arpack-ng"),
        ("serialization of structured data", "protobuf"),
        ("data frames", "py-pandas"),
        ("http server", "libmicrohttpd"),
        ("encryption", "libsodium"),
        ("just in time compiler for python", "py-numba"),
        ("symbolic math", "py-sympy"),
        ("xml", "libxml2"),
        ("ssh client", "openssh"),
        ("scheduler", "slurm"),
        ("performance portable programming", "kokkos"),
    ];
    let json = include_str!("../../../../tests/data/recipes/descriptions.json");
    let all: BTreeMap<String, String> = serde_json::from_str(json).expect("texts by name");
    let builds = all
        .keys()
        .zip(1..)
        .map(|(name, number)| Build { hash: sample::hash(number), ..sample::one(name, "1.0") });
    let mut index = pack(About::default(), builds).expect("different hashes");
    let recipe = |description| Recipe { description: Some(description), ..Recipe::default() };
    let all = all.into_iter().map(|(name, description)| (name, recipe(description)));
    index.take_recipes(Recipes(all.collect()));
    let list = index.recipe_list().expect("recipes");
    let descriptions = Descriptions::of(&index, list);
    let names = index.dictionary(Facet::Package);
    let mut missed = Vec::new();
    for (question, wanted) in questions {
        let found = descriptions.described_by(question);
        let found: Vec<&str> = found.iter().take(3).map(|it| names.text(it.package)).collect();
        if !found.contains(&wanted) {
            missed.push(format!("{question}: expected {wanted}, found {found:?}"));
        }
    }
    let answered = questions.len() - missed.len();
    println!("{answered} of {} questions are answered; missed: {missed:#?}", questions.len());
    assert!(answered * 100 >= questions.len() * ANSWERED && answered >= 40, "{missed:#?}");
    // A word that a package does not have is named.
    let found = descriptions.described_by("lossless compression nvidia");
    assert!(!found.is_empty() && found.iter().all(|it| it.without == ["nvidia"]), "{found:?}");
    for nothing in ["", "the library", "+mpi", "hdf5@1.14: ^mpich", "/ab", "a"] {
        assert_eq!(descriptions.described_by(nothing), [], "{nothing}");
    }
}
