//! What is reported about a text, and what is suggested instead.

use cache_index::build::{Build, Places};
use cache_index::index::{About, pack};
use cache_index::sample;

use super::{index, index_of_spack_1};
use crate::search::{Search, similar_package};

#[test]
fn suggests_what_would_be_found() {
    let index = index();
    let check = |text: &str, expected: &[(&str, Option<&str>)]| {
        let problems = Search::read(&index, text).problems;
        let reported: Vec<(&str, Option<&str>)> =
            problems.iter().map(|p| (p.message.as_str(), p.instead.as_deref())).collect();
        assert_eq!(reported, expected, "{text}");
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
    check(
        "os=ubuntu",
        &[("no os `ubuntu`: did you mean `ubuntu22.04` or `ubuntu24.04`?", Some("os=ubuntu24.04"))],
    );
    check("hdf5@", &[("expected a version after `@`", None)]);
    check(
        "release=develp hdf5",
        &[("no release `develp`: did you mean `develop`?", Some("release=develop"))],
    );
    check("hdf5 stack=frobnicate", &[("no stack `frobnicate` here", None)]);
    check(
        "^hdf5 not ^py-torch",
        &[("builds cannot be searched for by what they do not depend on", None)],
    );
    check(
        "which packages use hdf5 but not py-torch",
        &[("builds cannot be searched for by what they do not depend on", None)],
    );
    check(
        "what frobnicates hdf5 or py-torch",
        &[("one search cannot ask for either of hdf5 and py-torch", None)],
    );
    // Words that say nothing are not what is missing.
    check(
        "any emacs for zen4?",
        &[("no package, variant, version, OS, target or stack `emacs` here", None)],
    );
    check(
        "hdf5-1.14.5",
        &[("no package `hdf5-1.14.5`: did you mean `hdf5@1.14.5`?", Some("hdf5@1.14.5"))],
    );
    check("PyTorch+cuda", &[("no package `PyTorch`: did you mean `py-torch`?", Some("py-torch"))]);
    check("/24FNGVD", &[("hashes are in lower case: did you mean `/24fngvd`?", Some("/24fngvd"))]);
    for (filter, instead) in [
        ("variant=mpi", "+mpi"),
        ("variant=~mpi", "~mpi"),
        ("variant=mpi,~cxx", "+mpi ~cxx"),
        ("variant=build_type=Release", "build_type=Release"),
        ("provider=mpi=openmpi", "^[virtuals=mpi] openmpi"),
    ] {
        let message = format!("`{filter}` asks for a variant: did you mean `{instead}`?");
        check(&format!("hdf5 {filter}"), &[(message.as_str(), Some(instead))]);
    }
    for (text, problem) in [
        ("hdf5==1.14", "`hdf5==1.14` asks for a variant: did you mean `hdf5@1.14`?"),
        ("hdf5=1.14", "`hdf5=1.14` asks for a variant: did you mean `hdf5@1.14`?"),
    ] {
        check(text, &[(problem, Some("hdf5@1.14"))]);
    }
}

#[test]
fn suggests_a_compiler_for_a_version_that_the_package_does_not_have() {
    let one = |number, package: &str, version: &str, compiler: &str| Build {
        hash: sample::hash(number),
        compiler: Some(compiler.to_owned()),
        ..sample::one(package, version)
    };
    let system = one(2, "gcc", "11.4.0", "gcc@13.2.0");
    let of_system = Build { external: true, places: Places::default(), ..system };
    let all =
        [one(0, "gcc", "13.2.0", "gcc@11.4.0"), one(1, "hdf5", "1.14", "gcc@11.4.0"), of_system];
    let index = pack(About::default(), all).expect("different hashes");
    let check = |text: &str, expected: Option<&str>| {
        let problems = Search::read(&index, text).problems;
        let mended = problems.first().and_then(|problem| problem.mend(text));
        assert_eq!(mended.as_deref(), expected, "{text}");
    };
    check("gcc@11.4.0", Some("%gcc@11.4.0"));
    check("gcc@11", Some("%gcc@11"));
    check("gcc@13", None);
    check("gcc@12", None);
    check("hdf5@1.12", None);
}

#[test]
fn suggests_a_package_for_a_name_that_none_has() {
    let index = index();
    assert_eq!(similar_package(&index, "HDF5").as_deref(), Some("hdf5"));
    assert_eq!(similar_package(&index, "hdf6").as_deref(), Some("hdf5"));
    assert_eq!(similar_package(&index, "nothing-like-it"), None);
}

#[test]
fn suggests_what_spack_reads_alike() {
    let index = index();
    let check = |text: &str, expected: Option<&str>| {
        let suggestion = Search::read(&index, text).suggestion(&index, text);
        assert_eq!(suggestion.as_deref(), expected, "{text}");
    };
    check("hdf5 +mpi", None);
    check("HDF5", Some("hdf5"));
    check("pytorch", Some("py-torch"));
    check("pytorch cuda", Some("py-torch+cuda"));
    check("'hdf5 +mpi'", Some("hdf5+mpi"));
    check("hdf5 mpi", Some("hdf5+mpi"));
    let hash = "24fngvdpd5ymwetv4fqw5ufrghn4ztre";
    // No build here has it, but its package and version point to others.
    let found = format!("hdf5@1.14.5/{hash}");
    check(&format!("hdf5-1.14.5-{hash}"), Some(&found));
    check(&format!("/opt/spack/linux-zen4/hdf5-1.14.5-{hash}/bin"), Some(&found));
    check(
        &format!("build_cache/linux-rhel8-zen4-gcc-13.2.0-hdf5-1.14.5-{hash}.spec.json.sig"),
        Some(&found),
    );
}

#[test]
fn points_out_what_applies_to_the_compiler() {
    let index = index_of_spack_1();
    let check = |text: &str, expected: &[&str]| {
        let problems = Search::read(&index, text).problems;
        let marked: Vec<&str> = problems.iter().map(|p| &text[p.span.clone()]).collect();
        assert_eq!(marked, expected, "{text}");
    };
    check("hdf5 %gcc os=ubuntu24.04", &["os=ubuntu24.04"]);
    check("hdf5 %gcc@13 ~mpi cflags=-O2", &["~mpi", "cflags=-O2"]);
    // As Spack wrote lists before 1.0; gcc has no such variant.
    check("hdf5 %gcc~mpi", &["~mpi"]);
    check("hdf5@1.14.5%gcc@13.2.0+mpi", &["+mpi"]);
    check("hdf5 %gcc ^gcc os=ubuntu24.04", &[]);
    for (text, mended) in [
        ("hdf5 %gcc os=ubuntu24.04", "hdf5 os=ubuntu24.04 %gcc"),
        ("hdf5+mpi%gcc@13 target=zen3 os=rhel8", "hdf5+mpi target=zen3 os=rhel8 %gcc@13"),
        ("hdf5 %c,cxx=gcc@13 ~mpi ^zlib@1.3", "hdf5 ~mpi %c,cxx=gcc@13 ^zlib@1.3"),
        ("%gcc os=rhel8", "os=rhel8 %gcc"),
    ] {
        let problems = Search::read(&index, text).problems;
        let all: Vec<_> = problems.iter().filter_map(|problem| problem.mended.as_deref()).collect();
        assert!(all.contains(&mended), "{text}: {all:?}");
    }
}

#[test]
fn knows_targets_without_builds() {
    let index = index();
    let search = Search::read(&index, "hdf5 target=zen3");
    let [problem] = &search.problems[..] else { panic!("{:?}", search.problems) };
    assert_eq!(problem.message, "no build is made for zen3");
    assert_eq!((problem.target, problem.instead.as_deref()), (Some("zen3"), None));
    // A target that Spack does not know is a typing error.
    let typo = Search::read(&index, "target=x86_64_v33");
    assert_eq!(typo.problems[0].instead.as_deref(), Some("target=x86_64_v3"));
}
