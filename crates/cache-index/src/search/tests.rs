//! Searches in small caches, compared with evaluating each build separately.

use proptest::prelude::*;

use spack_spec::{Matcher, Satisfies};

use super::*;
use crate::build::{Build, CompilerSource, Dependency, Deptypes};
use crate::index::{About, BuildId, pack};
use crate::query::{
    Change, Completion, Query, Question, RunsOn, apply, builds, complete, run, while_typing,
};
use crate::search::graph::IndexGraph;
use crate::{address, sample};

fn index() -> Index {
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

fn found(index: &Index, text: &str) -> Vec<String> {
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

#[test]
fn finds_what_spack_finds() {
    let index = index();
    let check = |text: &str, expected: &[&str]| assert_eq!(found(&index, text), expected, "{text}");
    let all = ["hdf5@1.14.5", "hdf5@1.12.3", "hdf5-vol-async@1.7", "py-torch@2.4.1"];
    check("", &all);
    check("  ", &all);
    // A whole name means that package, part of a name all packages that contain it.
    check("hdf5", &all[..2]);
    check("hdf", &all[..3]);
    check("TORCH", &all[3..]);
    check("vol hdf", &all[2..3]);
    check("hdf5@1.14", &all[..1]);
    check("hdf5@1.12:1.13", &all[1..2]);
    check("@:1.12", &all[1..3]);
    check("+mpi", &all[..1]);
    check("~mpi", &all[1..2]);
    check("os=ubuntu22.04", &all[1..]);
    check("py-torch cuda_arch=90", &all[3..]);
    check("cuda_arch=80,90", &all[3..]);
    check("cuda_arch=70", &[]);
    check("api=*", &all[..2]);
    // With constraints, a name is always a whole name.
    check("hdf +mpi", &[]);
    check(&format!("/{}", &sample::hash(3).to_string()[..31]), &all[3..]);
    check("/aaaaaa7", &[]);
    check(&sample::hash(3).to_string(), &all[3..]);
}

#[test]
fn suggests_what_would_be_found() {
    let index = index();
    let check = |text: &str, expected: &[(&str, Option<&str>)]| {
        let problems = Search::read(&index, text).problems;
        let told: Vec<(&str, Option<&str>)> =
            problems.iter().map(|p| (p.message.as_str(), p.instead.as_deref())).collect();
        assert_eq!(told, expected, "{text}");
    };
    check("hdf5+mpi", &[]);
    check("tor", &[]);
    check("py-tourch", &[("no package `py-tourch`: did you mean `py-torch`?", Some("py-torch"))]);
    check(
        "py-tourch+cuda",
        &[("no package `py-tourch`: did you mean `py-torch`?", Some("py-torch"))],
    );
    check(
        "hdf5+mpo",
        &[("no build of hdf5 with a variant `mpo`: did you mean `mpi`?", Some("+mpi"))],
    );
    check(
        "os=ubunut22.04",
        &[("no os `ubunut22.04`: did you mean `ubuntu22.04`?", Some("os=ubuntu22.04"))],
    );
    check("hdf5@", &[("expected a version after `@`", None)]);
}

#[test]
fn finds_nothing_that_the_data_does_not_decide() {
    let index = index();
    let missing = |text: &str| Search::read(&index, text).select(&index).missing;
    assert_eq!(missing("hdf5 ^mpich"), Some(Missing::Dependencies));
    assert_eq!(missing("builtin.hdf5"), Some(Missing::Namespace));
    assert_eq!(missing("hdf5"), None);
    assert_eq!(missing("zlib ^mpich"), None);
}

#[test]
fn finds_builds_by_the_virtual_packages_they_list() {
    let one = |at: usize, package: &str, provided: Option<&[&str]>| Build {
        hash: sample::hash(at),
        provided_virtuals: provided
            .map(|names| names.iter().map(|name| name.to_string()).collect()),
        ..sample::one(package, "1.0")
    };
    let check = |builds: Vec<Build>, text: &str, found: &[&str], missing: Option<Missing>| {
        let index = pack(About::default(), builds).expect("an index");
        // Read from JSON, as a page loads it.
        let index = Index::from_json(&index.to_json()).expect("an index");
        assert_eq!(self::found(&index, text), found, "{text}");
        assert_eq!(Search::read(&index, text).select(&index).missing, missing, "{text}");
    };
    let telling = || {
        vec![
            one(0, "mpich", Some(&["mpi"])),
            one(1, "zlib-ng", Some(&["zlib-api"])),
            one(2, "gcc-runtime", Some(&["fortran-rt", "libgfortran@5"])),
            one(3, "hdf5", Some(&[])),
        ]
    };
    check(telling(), "zlib-api", &["zlib-ng@1.0"], None);
    check(telling(), "mpi@3:", &["mpich@1.0"], None);
    check(telling(), "libgfortran@5", &["gcc-runtime@1.0"], None);
    check(telling(), "libgfortran@4", &[], None);
    check(telling(), "blas", &[], None);
    check(telling(), "mpi+cuda", &[], Some(Missing::Providers));
    // A build that does not list them leaves it open.
    let older = [telling(), vec![one(4, "openmpi", None)]].concat();
    check(older, "zlib-api", &["zlib-ng@1.0"], Some(Missing::Providers));
}

#[test]
fn finds_providers_that_builds_use_as_such() {
    let index = index_of_spack_1();
    let check = |text: &str, builds: &[&str], missing: Option<Missing>| {
        assert_eq!(found(&index, text), builds, "{text}");
        assert_eq!(Search::read(&index, text).select(&index).missing, missing, "{text}");
    };
    let providers = Some(Missing::Providers);
    check("fortran", &[], providers);
    check("mpi@3:", &[], providers);
    check("zlib-api", &[], providers);
    check("cxx", &[], providers);
    check("c /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", &[], providers);
    check("hdf5 %c", &["hdf5@1.14.5"], None);
    check("hdf5 %c@3:", &[], providers);
    check("nosuch", &[], None);
    // `c` is part of a name, so this searches for names.
    check("c", &["gcc@13.2.0"], None);
    let strict = |text: &str| Search::parse(text, Dialect::V1).expect("a spec").select(&index);
    assert_eq!(strict("c").missing, providers);
    assert!(strict("c").has(BuildId(0)) && !strict("c").has(BuildId(1)));

    let untold = |text: &str, missing| {
        let problem = Problem::untold(&index, text, Dialect::V1, missing);
        (text[problem.span].to_owned(), problem.message)
    };
    let check = |text: &str, missing, place: &str| {
        assert_eq!(untold(text, missing), (place.to_owned(), format!("cannot tell: {missing}")));
    };
    check("hdf5 ^mpi@3:", Missing::Providers, "mpi");
    check("zlib-api", Missing::Providers, "zlib-api");
    check("hdf5+mpi ^zlib", Missing::Dependencies, "^");
    check("hdf5+mpi ++pic", Missing::Dependencies, "++pic");
    check("builtin.hdf5", Missing::Namespace, "builtin.");
    check("hdf5 cflags=-O3", Missing::Flags, "cflags=-O3");
}

#[test]
fn points_out_what_applies_to_the_compiler() {
    let index = index_of_spack_1();
    let check = |text: &str, expected: &[&str]| {
        let problems = Search::read(&index, text).problems;
        let told: Vec<&str> = problems.iter().map(|p| &text[p.span.clone()]).collect();
        assert_eq!(told, expected, "{text}");
    };
    check("hdf5 %gcc os=ubuntu24.04", &["os=ubuntu24.04"]);
    check("hdf5 %gcc@13 ~mpi cflags=-O2", &["~mpi", "cflags=-O2"]);
    check("hdf5 %gcc~mpi", &[]);
    check("hdf5 %gcc ^gcc os=ubuntu24.04", &[]);
}

#[test]
fn searches_dependencies_if_they_are_listed() {
    let mut all = [
        sample::one("zlib", "1.3"),
        sample::one("mpich", "4.3.2"),
        sample::one("hdf5", "1.14"),
        sample::one("hdf5", "1.12"),
    ];
    for (number, build) in all.iter_mut().enumerate() {
        build.hash = sample::hash(number);
        build.dependencies = Some(Vec::new());
    }
    let mut depend = |on: usize, deptypes: u8, virtuals: &[&str]| {
        let dependency = Dependency {
            package: all[on].package.clone(),
            hash: all[on].hash,
            deptypes: Deptypes::from_bits(deptypes).expect("bits below 16"),
            virtuals: virtuals.iter().map(|&name| name.to_owned()).collect(),
        };
        all[2].dependencies.iter_mut().for_each(|list| list.push(dependency.clone()));
    };
    depend(1, 6, &["mpi"]);
    depend(0, 2, &[]);
    let index = pack(About::default(), all).expect("different hashes");
    let check = |text: &str, expected: &[&str]| assert_eq!(found(&index, text), expected, "{text}");
    check("hdf5 ^mpich", &["hdf5@1.14"]);
    check("hdf5 ^mpich@4: ^zlib", &["hdf5@1.14"]);
    check("hdf5 ^zlib@2:", &[]);
    check("^zlib", &["hdf5@1.14"]);
}

#[test]
fn moves_what_facets_express_out_of_the_text() {
    let index = index();
    let check = |text: &str, link: &str| {
        let mut query = Query::default();
        query.question.take(split(&index, text));
        assert_eq!(address::encode(&query), link, "{text}");
    };
    check("hdf5", "q=hdf5");
    check("hdf5 os=ubuntu22.04", "q=hdf5&os=ubuntu22.04");
    check("os=ubuntu22.04", "os=ubuntu22.04");
    check("hdf5+mpi api=v110", "q=hdf5&variant=api=v110&variant=mpi&all=variant");
    check("+mpi", "variant=mpi");
    check("@=1.7", "version=1.7");
    check("hdf5@1.12:", "q=hdf5@1.12:");
    check("target=x86_64_v3:", "q=target=x86_64_v3:");
    check("arch=linux-ubuntu22.04-zen4", "os=ubuntu22.04&target=zen4&platform=linux");
    check("%gcc@=13.2.0", "compiler=gcc@13.2.0");
    check("%gcc@13", "q=%25gcc@13");
    // A text with a problem stays as it was typed.
    check("hdf5 os=ubuntu22.04 @", "q=hdf5%20os=ubuntu22.04%20@");
}

/// A query into which nothing is typed yet, as an address has it.
fn query(address: &str) -> Query {
    address::decode(address).0
}

/// The query after this was typed into another.
fn typed(index: &Index, from: &Query, text: &str) -> Query {
    apply(from, Change::Type(split(index, text)))
}

#[test]
fn offers_what_may_follow_with_its_sign_and_count() {
    let index = index();
    let check_in = |from: &str, text: &str, replaced: &str, expected: &[&str]| {
        let offered = complete(&index, &query(from), text, text.len());
        assert_eq!(&text[offered.replaces.clone()], replaced, "{text}");
        let option = |option: &Completion| match option.builds {
            Some(builds) => format!("{} · {builds}", option.shown),
            None => option.shown.clone(),
        };
        let options: Vec<String> = offered.options.iter().map(option).collect();
        assert_eq!(options, expected, "{text}");
    };
    let check = |text: &str, replaced: &str, expected: &[&str]| {
        check_in("", text, replaced, expected);
    };
    check("hd", "hd", &["hdf5 · 2", "hdf5-vol-async · 1"]);
    check("torch", "torch", &["py-torch · 1"]);
    check("hdf5@", "", &["@1.14.5 · 1", "@1.12.3 · 1"]);
    check("hdf5@1.12:1.1", "1.1", &["@1.14.5 · 2", "@1.12.3 · 1"]);
    check("hdf5+", "", &["+mpi · 1"]);
    check("hdf5 ~m", "m", &["~mpi · 1"]);
    check("hdf5 m", "m", &["+mpi · 1", "~mpi · 1"]);
    check("hdf5 a", "a", &["api="]);
    check("hdf5 api=", "", &["api=default · 1", "api=v110 · 1"]);
    check("py-torch cuda_arch=80,9", "9", &["cuda_arch=80,90 · 1"]);
    check("hdf5 os=ubuntu22", "ubuntu22", &["os=ubuntu22.04 · 1"]);
    check("hdf5 ubu", "ubu", &["os=ubuntu22.04 · 1", "os=ubuntu24.04 · 1"]);
    check("ubu", "ubu", &["os=ubuntu22.04 · 3", "os=ubuntu24.04 · 1"]);
    check("hdf5 %g", "g", &["%gcc@13.2.0 · 2"]);
    check("hdf5 %gcc@", "", &["@13.2.0 · 2"]);
    check("hdf5 +zz", "zz", &[]);
    // What the filters leave nothing of is not offered.
    check_in(
        "os=ubuntu22.04",
        "hdf5 ",
        "",
        &["api=", "~mpi · 1", "os=", "target=", "platform=", "%"],
    );
    check_in("package=hdf5", "+", "", &["+mpi · 1"]);
    check_in("variant=mpi", "hdf5 ~", "", &["~mpi · 1"]);
    check_in("os=rhel8", "hd", "hd", &[]);
    // Within a word nothing can follow.
    assert_eq!(complete(&index, &query(""), "hdf5 +mpi", 6).options, []);
}

#[test]
fn an_unfinished_end_is_a_beginning_and_no_error() {
    let index = index();
    let check = |text: &str, link: &str| {
        let from = Query::default();
        let offered = complete(&index, &from, text, text.len());
        let (after, _) = while_typing(&index, &from, text, &offered);
        assert_eq!(address::encode(&after), link, "{text}");
    };
    check("hdf5 +m", "q=hdf5");
    check("hdf5 +", "q=hdf5");
    check("hdf5+m", "q=hdf5");
    check("hdf5 m", "q=hdf5");
    check("hdf5@1.1", "q=hdf5");
    check("hdf5 os=ubu", "q=hdf5");
    check("hdf5 %gc", "q=hdf5");
    check("hdf5 +mpi", "q=hdf5&variant=mpi");
    check("hdf5 mpi", "q=hdf5&variant=mpi");
    // Nothing begins so, or it is finished.
    check("hdf5 +zz", "q=hdf5%20%2Bzz");
    check("hdf5 +m ", "q=hdf5%20%2Bm%20");
}

#[test]
fn understands_words_in_place_of_syntax() {
    let index = index_of_words();
    let check = |text: &str, link: &str, said: &[&str]| {
        let search = Search::read(&index, text);
        let told: Vec<String> = search
            .understood
            .iter()
            .map(|one| format!("{}: {} {}", one.piece, one.kind, one.text).trim_end().to_owned())
            .collect();
        assert_eq!(told, said, "{text}");
        let query = typed(&index, &Query::default(), text);
        assert_eq!(address::encode(&query), link, "{text}");
    };
    check("hdf5 mpi", "q=hdf5&variant=mpi", &["mpi: variant +mpi"]);
    check("HDF5 MPI", "q=hdf5&variant=mpi", &["MPI: variant +mpi"]);
    check("mpi hdf5", "q=hdf5&variant=mpi", &["mpi: variant +mpi"]);
    check(
        "hdf5 release",
        "q=hdf5&variant=build_type=Release",
        &["release: variant build_type=Release"],
    );
    check("hdf5 openmpi", "q=hdf5%20%5Eopenmpi", &["openmpi: dependency ^openmpi"]);
    check("openmpi hdf5", "q=hdf5%20%5Eopenmpi", &["openmpi: dependency ^openmpi"]);
    check("hdf5 gcc", "q=hdf5%25gcc", &["gcc: compiler %gcc"]);
    check("gcc hdf5", "q=hdf5%25gcc", &["gcc: compiler %gcc"]);
    check("hdf5 gcc 13", "q=hdf5%25gcc@13", &["gcc: compiler %gcc@13"]);
    check("python 3.11", "q=python@3.11", &["3.11: version @3.11"]);
    check("3.11 python", "q=python@3.11", &["3.11: version @3.11"]);
    check("e4s", "stack=e4s", &["e4s: stack e4s"]);
    check("rhel8", "os=rhel8", &["rhel8: OS os=rhel8"]);
    check("hdf5 rhel8 e4s", "q=hdf5&stack=e4s&os=rhel8", &["rhel8: OS os=rhel8", "e4s: stack e4s"]);
    check("e4s rhel8", "stack=e4s&os=rhel8", &["e4s: stack e4s", "rhel8: OS os=rhel8"]);
    check(
        "hdf5 ubuntu",
        "q=hdf5&os=ubuntu22.04&os=ubuntu24.04",
        &["ubuntu: OS ubuntu22.04, ubuntu24.04"],
    );
    check("hdf5@1.14: mpi", "q=hdf5@1.14:&variant=mpi", &["mpi: variant +mpi"]);
    check("hdf5+mpi rhel8", "q=hdf5&os=rhel8&variant=mpi", &["rhel8: OS os=rhel8"]);
    check("+mpi rhel8", "os=rhel8&variant=mpi", &["rhel8: OS os=rhel8"]);
    // Parts of names, beside what is said of any package.
    check("vol rhel8", "q=vol&os=rhel8", &["rhel8: OS os=rhel8"]);
    check("vol hdf", "q=vol%20hdf", &[]);
    check("hdf5 vol", "q=hdf5%20vol", &[]);
    // What is pasted from a shell.
    check("spack install hdf5+mpi", "q=hdf5&variant=mpi", &["spack install:"]);
    check("$ spack spec -I hdf5", "q=hdf5", &["spack spec:"]);
    check("spack install --cache-only -j 8 hdf5 +mpi", "q=hdf5&variant=mpi", &["spack install:"]);
    check("spack find 'hdf5 ^openmpi'", "q=hdf5%20%5Eopenmpi", &["spack find:"]);
    check("spack find hdf5 mpi", "q=hdf5&variant=mpi", &["spack find:", "mpi: variant +mpi"]);
    check("spack find /aaaaaaa", "q=/aaaaaaa", &["spack find:"]);
    // A spec is a spec, and a word that fits nowhere leaves all as it is.
    check("hdf5 ^openmpi", "q=hdf5%20%5Eopenmpi", &[]);
    check("hdf5 -mpi", "q=hdf5&variant=~mpi", &[]);
    check("hdf5 nosuch", "q=hdf5%20nosuch", &[]);
    check("hdf5 mpi nosuch", "q=hdf5%20mpi%20nosuch", &[]);
    // By a star on both sides, an exact name is a part of names too.
    check("*hdf5*", "q=%2Ahdf5%2A", &[]);
    assert_eq!(found(&index, "*vol*"), ["hdf5-vol-async@1.7"]);
    assert_eq!(more_containing(&index, "hdf5"), Some(("hdf5".to_owned(), 1)));
    assert_eq!(more_containing(&index, "hdf"), None);
}

/// A cache with several of everything, the dependencies of which are listed.
fn index_of_words() -> Index {
    let one = |package: &str, version: &str, os: &str, stack: &str, variants: &[&str]| Build {
        os: os.to_owned(),
        variants: variants.iter().map(|text| sample::variant(text)).collect(),
        places: [crate::build::Place { release: "develop".to_owned(), stack: stack.to_owned() }]
            .into(),
        dependencies: Some(Vec::new()),
        ..sample::one(package, version)
    };
    let mut all = vec![
        one("openmpi", "5.0.6", "rhel8", "e4s", &[]),
        one("mpich", "4.3.2", "rhel8", "e4s", &[]),
        one("hdf5", "1.14.5", "rhel8", "e4s", &["+mpi", "build_type=Release"]),
        one("hdf5", "1.14.5", "ubuntu22.04", "e4s", &["+mpi", "build_type=Release"]),
        one("hdf5", "1.12.3", "ubuntu24.04", "tutorial", &["~mpi", "build_type=Debug"]),
        one("hdf5-vol-async", "1.7", "rhel8", "e4s", &[]),
        one("python", "3.11.9", "rhel8", "e4s", &["+shared"]),
        one("python", "3.12.1", "rhel8", "e4s", &["+shared"]),
        one("gcc", "13.2.0", "rhel8", "e4s", &[]),
    ];
    for (number, build) in all.iter_mut().enumerate() {
        build.hash = sample::hash(number);
    }
    for (on, of) in [(0, 2), (1, 3)] {
        let dependency = Dependency {
            package: all[on].package.clone(),
            hash: all[on].hash,
            deptypes: Deptypes::from_bits(2).expect("bits below 16"),
            virtuals: vec!["mpi".to_owned()],
        };
        all[of].dependencies = Some(vec![dependency]);
    }
    pack(About::default(), all).expect("different hashes")
}

#[test]
fn a_target_that_nothing_is_made_for_shows_what_it_runs() {
    let index = index();
    let search = Search::read(&index, "hdf5 target=zen3");
    let [problem] = &search.problems[..] else { panic!("{:?}", search.problems) };
    assert_eq!(problem.message, "no build is made for zen3");
    assert_eq!((problem.target, problem.instead.as_deref()), (Some("zen3"), None));
    let check = |text: &str, target: &str, expected: &[(&str, u32)]| {
        let found = RunsOn::of(&index, &Question::of_text(text), target).expect("a known target");
        let others: Vec<(&str, u32)> =
            found.others.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        assert_eq!(others, expected, "{text} {target}");
    };
    check("hdf5", "zen3", &[("x86_64_v3", 2)]);
    check("", "zen3", &[("x86_64_v3", 4)]);
    check("hdf5", "x86_64", &[]);
    check("hdf5", "neoverse_v1", &[]);
    assert_eq!(RunsOn::of(&index, &Question::default(), "x86_64_v3"), None);
    assert_eq!(RunsOn::of(&index, &Question::default(), "zenn3"), None);
    // What Spack does not know either is a slip.
    let slip = Search::read(&index, "target=x86_64_v33");
    assert_eq!(slip.problems[0].instead.as_deref(), Some("target=x86_64_v3"));
}

proptest! {
    #[test]
    fn finds_the_builds_that_match_separately(
        mut all in sample::builds(),
        text in spec_text(),
    ) {
        // Dependencies have no cycles: a cache with one is rejected when it is read.
        for build in &mut all {
            let hash = build.hash;
            build.dependencies.iter_mut().for_each(|all| all.retain(|one| one.hash < hash));
        }
        let index = pack(About::default(), all).expect("different hashes");
        let graph = IndexGraph::new(&index);
        for dialect in [Dialect::V0, Dialect::V1] {
            let Ok(spec) = Spec::parse(&text, dialect) else { continue };
            let selection = Search::of(spec.clone()).select(&index);
            let mut missing = false;
            for id in (0..index.specs()).map(BuildId) {
                let row = index.row_of(id);
                let in_package = selection
                    .packages
                    .as_ref()
                    .is_none_or(|packages| packages[index.package_of(row).0 as usize]);
                let in_row = selection.rows.as_ref().is_none_or(|rows| rows[row.0 as usize] > 0);
                let alone = Matcher::new(&spec, &graph).answer(id);
                prop_assert_eq!(
                    in_package && in_row && selection.has(id),
                    alone.is_yes(),
                    "{} {:?}", text, index.build(id)
                );
                missing |= matches!(alone, Satisfies::CannotTell(_));
            }
            prop_assert_eq!(selection.missing.is_some(), missing, "{}", text);
        }
    }

    #[test]
    fn reads_any_text(text in ".*", cursor in 0usize..40) {
        for index in [index(), index_of_spack_1()] {
        let search = Search::read(&index, &text);
        search.select(&index);
        for problem in &search.problems {
            prop_assert!(text.get(problem.span.clone()).is_some());
        }
        let offered = complete(&index, &Query::default(), &text, cursor);
        prop_assert!(text.get(offered.replaces).is_some());
        // What remains of a text after the split, with its facets, is the same question.
        let whole = Question::of_text(text.clone());
        let mut parted = Question::default();
        parted.take(split(&index, &text));
        prop_assert_eq!(run(&index, &whole).builds, run(&index, &parted).builds);
        }
    }
}

proptest! {
    #[test]
    fn whatever_is_offered_finds_as_many_builds_as_it_states(
        mut all in sample::builds(),
        text in typed_text(),
        from in prop::sample::select(vec!["", "os=ubuntu24.04", "package=hdf5", "variant=mpi", "q=zlib", "stack=cpu"]),
    ) {
        for build in &mut all {
            let hash = build.hash;
            build.dependencies.iter_mut().for_each(|all| all.retain(|one| one.hash < hash));
        }
        let index = pack(About::default(), all).expect("different hashes");
        let from = query(from);
        let offered = complete(&index, &from, &text, text.len());
        for option in offered.options {
            let mut whole = text.clone();
            whole.replace_range(offered.replaces.clone(), &option.text);
            let builds = run(&index, &typed(&index, &from, &whole).question).builds;
            match option.builds {
                Some(stated) => prop_assert_eq!((builds, stated > 0), (stated, true), "{}", whole),
                None => prop_assert!(whole.ends_with(['=', '%', '^']), "{}", whole),
            }
        }
    }

    #[test]
    fn what_the_parser_accepts_is_asked_as_it_is_written(
        all in sample::builds(),
        text in spec_text(),
    ) {
        let index = pack(About::default(), all).expect("different hashes");
        if let Ok(spec) = Spec::parse(&text, index.dialect()) && !is_plain(&text) {
            let search = Search::read(&index, &text);
            prop_assert_eq!(search.spec().unwrap_or(&spec), &spec);
            prop_assert!(search.understood.is_empty() && search.choices.is_empty());
        }
    }

    #[test]
    fn a_question_has_one_form(all in sample::builds(), text in words_text()) {
        let index = pack(About::default(), all).expect("different hashes");
        let whole = Question::of_text(text.clone());
        let once = Query { question: whole.clone(), ..Query::default() }.normalized(&index);
        let again = address::decode(&address::encode(&once)).0.normalized(&index);
        prop_assert_eq!(&again, &once, "{}", text);
        prop_assert_eq!(run(&index, &whole).builds, run(&index, &once.question).builds, "{}", text);
    }
}

/// Texts at the end of which something may follow.
fn typed_text() -> impl Strategy<Value = String> {
    let begun = prop::sample::select(vec![
        "",
        "hdf5",
        "zlib",
        "hdf5 +mpi",
        "py-torch@1.2:",
        "hdf5 ^zlib",
        "mpi",
    ]);
    let end = prop::sample::select(vec![
        "",
        " ",
        "@",
        "@1",
        "@1.2:",
        " +",
        " ~",
        " +m",
        " m",
        " build_type=",
        " languages=c,",
        " os=",
        " os=u",
        " u",
        " %",
        " %gc",
        " %gcc@",
        " ^",
        " ^z",
        " target=",
        " z",
        "h",
        " c",
    ]);
    (begun, end).prop_map(|(begun, end)| format!("{begun}{end}"))
}

/// Words of all kinds, with some syntax among them.
fn words_text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "hdf5",
        "zlib",
        "torch",
        "py-torch",
        "mpi",
        "debug",
        "1.2",
        "develop",
        "sequoia",
        "ubuntu",
        "linux",
        "zen4",
        "zen3",
        "cuda",
        "cpu",
        "v1",
        "gcc",
        "12.1",
        "fortran",
        "nosuch",
        "+mpi",
        "@1.10",
        "%gcc",
        "^zlib",
        "os=sequoia",
        "*torch*",
        "spack",
        "install",
        "-v",
        "aaaaaaa",
    ]);
    prop::collection::vec(word, 0..4).prop_map(|words| words.join(" "))
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

#[test]
fn removes_each_piece_separately() {
    let index = index();
    let check = |text: &str, expected: &[(&str, &str, &str)]| {
        let meanings = meanings(&index, text);
        let told: Vec<(&str, &str, &str)> =
            meanings.iter().map(|m| (m.field, m.text.as_str(), m.without.as_str())).collect();
        assert_eq!(told, expected, "{text}");
    };
    check("", &[]);
    check("vol hdf", &[("name has", "vol", "hdf"), ("name has", "hdf", "vol")]);
    check(
        "hdf5@1.12:+mpi ^mpich",
        &[
            ("package", "hdf5", "@1.12:+mpi ^mpich"),
            ("version", "@1.12:", "hdf5+mpi ^mpich"),
            ("variant", "+mpi", "hdf5@1.12: ^mpich"),
            ("depends on", "^mpich", "hdf5@1.12:+mpi"),
        ],
    );
}

/// All text derived from a text is a small multiple of its length, so nothing is quadratic.
#[test]
fn bounds_the_work_on_a_pasted_page() {
    let index = index();
    let many: String = (0..20_000).map(|number| format!("word{number} ")).collect();
    for text in ["hdf5 ".repeat(20_000), "hdf5 py ".repeat(10_000), many.clone()] {
        let told: usize =
            meanings(&index, &text).iter().map(|m| m.text.len() + m.without.len()).sum();
        assert!(told <= text.len(), "{told} bytes of {}", text.len());
    }
    assert_eq!(found(&index, &"hdf5 ".repeat(20_000)), found(&index, "hdf5"));
    let search = Search::read(&index, &many);
    let [problem] = &search.problems[..] else { panic!("{:?}", search.problems) };
    assert_eq!(problem.message, "only the first 100 different words are read");
    assert!(many[problem.span.clone()].starts_with("word100 "));
    // The longest spec that is read.
    let variants: String = (0..999).map(|number| format!(" v{number}=x")).collect();
    assert_eq!(meanings(&index, &format!("hdf5{variants}")).len(), 100);
    let unknown: String = (0..400).map(|number| format!(" ^nothing{number}")).collect();
    assert!(Search::read(&index, &format!("hdf5{unknown}")).problems.len() <= 21);
}
