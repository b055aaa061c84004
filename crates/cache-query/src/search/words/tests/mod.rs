//! Words in place of syntax, in small caches.

mod questions;

use cache_index::build::{Build, CompilerSource, Dependency, Deptypes, Place};
use cache_index::index::{About, Index, pack};
use cache_index::sample;
use proptest::prelude::*;

use crate::address;
use crate::search::tests::{found, typed};
use crate::search::{Search, more_containing, providers_of, virtual_package};
use crate::{Query, Question, run};

#[test]
fn understands_words_in_place_of_syntax() {
    let index = index_of_words();
    let check = |text: &str, link: &str, expected: &[&str]| {
        let search = Search::read(&index, text);
        let understood: Vec<String> = search
            .understood
            .iter()
            .map(|one| format!("{}: {} {}", one.piece, one.kind, one.text).trim_end().to_owned())
            .collect();
        assert_eq!(understood, expected, "{text}");
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
    check("hdf5 gcc-13", "q=hdf5%25gcc@13", &["gcc-13: compiler %gcc@13"]);
    // A number after Spack's syntax is the version of what is before it, unless only the package has that version.
    check("hdf5 %gcc 13", "q=hdf5%25gcc@13", &["%gcc 13: spec %gcc@13"]);
    check(
        "hdf5 %gcc 13 or newer mpi",
        "q=hdf5%25gcc@13:&variant=mpi",
        &["%gcc 13 or newer: spec %gcc@13:", "mpi: variant +mpi"],
    );
    check("hdf5 ^openmpi 5", "q=hdf5%20%5Eopenmpi@5", &["^openmpi 5: spec ^openmpi@5"]);
    check("hdf5 %gcc 1.14", "q=hdf5@1.14%25gcc", &["1.14: version @1.14"]);
    // Before 1.0, a version after `%gcc` is that of the compiler.
    check("hdf5 1.14 %gcc", "q=hdf5@1.14%25gcc", &["1.14: version @1.14"]);
    check("\"hdf5 mpi\"", "q=hdf5&variant=mpi", &["mpi: variant +mpi"]);
    check("python 3.11", "q=python@3.11", &["3.11: version @3.11"]);
    check("3.11 python", "q=python@3.11", &["3.11: version @3.11"]);
    check("e4s", "stack=e4s", &["e4s: stack e4s"]);
    for text in ["stack=e4s", "stack e4s", "in e4s"] {
        check(text, "stack=e4s", &["e4s: stack e4s"]);
    }
    let url = "https://binaries.spack.io/develop/e4s";
    check(url, "stack=e4s&release=develop", &[&format!("{url}: release and stack develop, e4s")]);
    let of_other_release = "https://binaries.spack.io/v1.0/e4s";
    let problems = Search::read(&index, of_other_release).problems;
    assert_eq!(problems[0].message, "no release `v1.0` here");
    assert_eq!(problems[0].mended.as_deref(), Some("stack=e4s"));
    let place = ["develop: release develop", "e4s: stack e4s", "rhel8: OS os=rhel8"];
    check("develop/e4s rhel8", "stack=e4s&os=rhel8&release=develop", &place);
    check(
        "e4s release develop",
        "stack=e4s&release=develop",
        &["e4s: stack e4s", "develop: release develop"],
    );
    check("hdf5 stack=e4s", "q=hdf5&stack=e4s", &["e4s: stack e4s"]);
    check("Tools", "stack=develop/tools", &["Tools: stack develop/tools"]);
    check("rhel8", "os=rhel8", &["rhel8: OS os=rhel8"]);
    check("x86-64-v3", "target=x86_64_v3", &["x86-64-v3: target target=x86_64_v3"]);
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
    // Parts of names, together with attributes of any package.
    check("vol rhel8", "q=vol&os=rhel8", &["rhel8: OS os=rhel8"]);
    // No build is made for these, which is a problem, so the text stays whole.
    check("hdf5 rocky9", "q=hdf5%20rocky9", &["rocky9: OS os=rocky9"]);
    check("hdf5 Alma 9", "q=hdf5%20Alma%209", &["Alma 9: OS os=almalinux9"]);
    check(
        "hdf5 mpi sonoma",
        "q=hdf5%20mpi%20sonoma",
        &["mpi: variant +mpi", "sonoma: OS os=sonoma"],
    );
    check("vol hdf", "q=vol%20hdf", &[]);
    check("hdf5 vol", "q=hdf5%20vol", &[]);
    // Commands pasted from a shell.
    check("spack install hdf5+mpi", "q=hdf5&variant=mpi", &["spack install:"]);
    check("$ spack spec -I hdf5", "q=hdf5", &["spack spec -I:"]);
    check(
        "spack install --cache-only -j 8 hdf5 +mpi",
        "q=hdf5&variant=mpi",
        &["spack install --cache-only -j 8:"],
    );
    for options in [
        "--use-buildcache only",
        "--use-buildcache=only",
        "--use-buildcache package:only,dependencies:auto -p 4 --test root --only package",
    ] {
        let text = format!("spack -e ours install {options} hdf5 +mpi");
        check(&text, "q=hdf5&variant=mpi", &[&format!("spack install -e ours {options}:")]);
    }
    // An option may have a value in one command and none in another.
    check("spack find -p -l hdf5", "q=hdf5", &["spack find -p -l:"]);
    check("spack find -t e4s hdf5", "q=hdf5", &["spack find -t e4s:"]);
    check("spack buildcache list -l hdf5", "q=hdf5", &["spack buildcache list -l:"]);
    check(
        "spack buildcache install -o hdf5+mpi",
        "q=hdf5&variant=mpi",
        &["spack buildcache install -o:"],
    );
    check(
        "spack buildcache push -j 8 --unsigned ours hdf5",
        "q=hdf5",
        &["spack buildcache push -j 8 --unsigned:"],
    );
    check(
        "spack buildcache check -m https://example.org hdf5",
        "q=hdf5",
        &["spack buildcache check -m https://example.org:"],
    );
    check("spack mirror create -d mirror hdf5", "q=hdf5", &["spack mirror create -d mirror:"]);
    check(
        "spack buildcache keys --install --trust",
        "",
        &["spack buildcache keys --install --trust:"],
    );
    check("spack mirror add ours https://example.org/hdf5", "", &["spack mirror add:"]);
    check("spack find 'hdf5 ^openmpi'", "q=hdf5%20%5Eopenmpi", &["spack find:"]);
    check("spack find hdf5 mpi", "q=hdf5&variant=mpi", &["spack find:", "mpi: variant +mpi"]);
    check("spack find /aaaaaaa", "q=/aaaaaaa", &["spack find:"]);
    // A spec stays a spec, and a word that fits nowhere leaves the text unchanged.
    check("hdf5 ^openmpi", "q=hdf5%20%5Eopenmpi", &[]);
    check("hdf5 -mpi", "q=hdf5&variant=~mpi", &[]);
    check("-mpi", "variant=~mpi", &[]);
    check("- mpi", "variant=~mpi", &[]);
    check("hdf5 nosuch", "q=hdf5%20nosuch", &[]);
    check("hdf5 mpi nosuch", "q=hdf5%20mpi%20nosuch", &[]);
    // With a star on both sides, an exact name is a part of names too.
    check("*hdf5*", "q=%2Ahdf5%2A", &[]);
    assert_eq!(found(&index, "*vol*"), ["hdf5-vol-async@1.7"]);
    assert_eq!(more_containing(&index, "hdf5"), Some(("hdf5".to_owned(), 1)));
    assert_eq!(more_containing(&index, "hdf"), None);
}

#[test]
fn reads_a_compiler_with_its_version() {
    let all = ["gcc@13.2.0", "gcc@12.3.0", "llvm@18.1.3"].into_iter().enumerate().map(
        |(number, compiler)| Build {
            compiler: Some(compiler.to_owned()),
            hash: sample::hash(number),
            ..sample::one(["hdf5", "gcc-runtime", "zlib"][number], "13.1")
        },
    );
    let index = pack(About::default(), all).expect("different hashes");
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(found(&index, text), expected, "{text}");
    };
    // Without a package of that name, a part of names alone.
    check("gcc", &["gcc-runtime@13.1"]);
    for text in ["gcc 13", "gcc13", "gcc-13", "gcc13.2", "%gcc@13"] {
        check(text, &["hdf5@13.1"]);
    }
    check("zlib 13", &["zlib@13.1"]);
    check("zlib clang 18", &["zlib@13.1"]);
}

#[test]
fn finds_all_code_that_runs_on_a_model_of_a_gpu() {
    let all = ["90", "90a", "80"].into_iter().enumerate().map(|(number, arch)| Build {
        variants: ["+cuda", "+mpi", &format!("cuda_arch={arch}")].map(sample::variant).to_vec(),
        hash: sample::hash(number),
        ..sample::one("hdf5", ["1.90", "1.91", "1.80"][number])
    });
    let index = pack(About::default(), all).expect("different hashes");
    let check = |text: &str, link: &str, read_as: &str, expected: &[&str]| {
        let understood = Search::read(&index, text).understood;
        let gpu = understood.iter().find(|one| one.kind == "GPU code").expect("a GPU");
        assert_eq!(gpu.text, read_as, "{text}");
        let query = typed(&index, &Query::default(), text);
        assert_eq!(address::encode(&query), link, "{text}");
        assert_eq!(found(&index, text), expected, "{text}");
    };
    let both = "variant=cuda_arch=90&variant=cuda_arch=90a";
    let read_as = "cuda_arch=90, cuda_arch=90a";
    check("cuda H100", both, read_as, &["hdf5@1.91", "hdf5@1.90"]);
    check("hdf5 H100", &format!("q=hdf5&{both}"), read_as, &["hdf5@1.91", "hdf5@1.90"]);
    check("A100", "variant=cuda_arch=80", "cuda_arch=80", &["hdf5@1.80"]);
    // A facet cannot hold both what is required and alternatives.
    let one = "q=hdf5&variant=cuda_arch=90&variant=mpi&all=variant";
    let read_as = "cuda_arch=90, without cuda_arch=90a";
    check("hdf5 mpi H100", one, read_as, &["hdf5@1.90"]);
    // Several GPUs are alternatives.
    let all = &["hdf5@1.91", "hdf5@1.90", "hdf5@1.80"];
    let any = "variant=cuda_arch=80&variant=cuda_arch=90&variant=cuda_arch=90a";
    check("A100 and H100", any, "cuda_arch=80", all);
    check(
        "hdf5 for A100 and sm_90a",
        "q=hdf5&variant=cuda_arch=80&variant=cuda_arch=90a",
        "cuda_arch=80",
        &["hdf5@1.91", "hdf5@1.80"],
    );
    check("code for A100 or H100", any, "cuda_arch=80", all);
    check("hdf5 for an A100 and H100", &format!("q=hdf5&{any}"), "cuda_arch=80", all);
    let one = "q=hdf5&variant=cuda_arch=80&variant=mpi&all=variant";
    let read_as = "cuda_arch=80, without cuda_arch=90, cuda_arch=90a";
    check("hdf5 mpi A100 H100", one, read_as, &["hdf5@1.80"]);
}

#[test]
fn tells_a_version_of_cuda_from_a_gpu() {
    let one = |number: usize, package: &str, version: &str, variants: &[&str]| Build {
        hash: sample::hash(number),
        variants: sample::variants_of(variants),
        ..sample::one(package, version)
    };
    let all = [
        one(0, "cuda", "12.4.0", &[]),
        one(1, "py-torch", "2.5.1", &["+cuda", "cuda_arch=80"]),
        one(2, "gcc", "13.2.0", &["+cuda"]),
    ];
    let index = pack(About::default(), all).expect("different hashes");
    let check = |text: &str, expected: &str| {
        assert_eq!(address::encode(&typed(&index, &Query::default(), text)), expected, "{text}");
    };
    check("py-torch cuda 12", "q=py-torch%20%5Ecuda@12");
    check("py-torch cuda 11.8", "q=py-torch%20%5Ecuda@11.8");
    check("py-torch cuda 80", "q=py-torch&variant=cuda_arch=80");
    check("gcc cuda 13", "q=gcc@13&variant=cuda");
}

#[test]
fn finds_what_provides_a_virtual_package() {
    let index = index_of_words();
    assert_eq!(found(&index, "mpi"), ["mpich@4.3.2", "openmpi@5.0.6", "py-mpi4py@4.0.1"]);
    assert_eq!(virtual_package(&index, "mpi"), Some("mpi"));
    assert_eq!(virtual_package(&index, "openmpi"), None);
    assert_eq!(virtual_package(&index, "blas"), None);
    let text = providers_of("mpi");
    assert_eq!(found(&index, &text), ["mpich@4.3.2", "openmpi@5.0.6"]);
    // The address keeps it.
    let query = typed(&index, &Query::default(), &text);
    assert_eq!(query.question.text, text);
    assert_eq!(query.normalized(&index).question.text, text);
}

#[test]
fn reads_the_names_of_stacks_without_hyphens() {
    let stacks = ["tools-sdk", "aws-pcluster-icelake", "e4s-oneapi", "e4s"];
    let all = stacks.into_iter().enumerate().map(|(number, stack)| Build {
        hash: sample::hash(number),
        places: [Place { release: "develop".to_owned(), stack: stack.to_owned() }].into(),
        ..sample::one("hdf5", "1.14")
    });
    let index = pack(About::default(), all).expect("different hashes");
    let check = |text: &str, expected: &str| {
        assert_eq!(address::encode(&typed(&index, &Query::default(), text)), expected, "{text}");
    };
    check("tools sdk", "stack=tools-sdk");
    check("hdf5 tools sdk", "q=hdf5&stack=tools-sdk");
    check("AWS pcluster", "stack=aws-pcluster-icelake");
    check("e4s oneapi", "stack=e4s-oneapi");
    check("aws pcluster icelake", "stack=aws-pcluster-icelake");
    check("hdf5 not tools sdk", "q=hdf5&not.stack=tools-sdk");
    check("hdf5 not.stack=tools-sdk", "q=hdf5&not.stack=tools-sdk");
}

#[test]
fn asks_of_all_packages_on_the_page_of_one() {
    let index = index_of_words();
    let on_page = address::decode("package=hdf5").0;
    let check = |text: &str, expected: &str| {
        assert_eq!(address::encode(&typed(&index, &on_page, text)), expected, "{text}");
    };
    check("who uses openmpi", "q=%5Eopenmpi");
    check("reverse dependencies of openmpi", "q=%5Eopenmpi");
    check("which packages use openmpi", "q=%5Eopenmpi");
    check("with openmpi", "q=%5Eopenmpi&package=hdf5");
}

proptest! {
    #[test]
    fn gives_each_question_one_form(all in sample::builds(), text in words_text()) {
        let index = pack(About::default(), all).expect("different hashes");
        let whole = Question::of_text(text.clone());
        let once = Query { question: whole.clone(), ..Query::default() }.normalized(&index);
        let again = address::decode(&address::encode(&once)).0.normalized(&index);
        prop_assert_eq!(&again, &once, "{}", text);
        prop_assert_eq!(run(&index, &whole).builds, run(&index, &once.question).builds, "{}", text);
    }
}

#[test]
fn says_that_a_dependency_cannot_be_excluded() {
    let problems = Search::read(&index_of_words(), "builds without python").problems;
    let said: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(said, ["builds cannot be searched for by what they do not depend on"]);
}

#[test]
fn says_that_dependencies_cannot_be_searched() {
    let one = |number: usize, package: &str, variants: &[&str]| Build {
        hash: sample::hash(number),
        variants: sample::variants_of(variants),
        dependencies: None,
        ..sample::one(package, "1.0")
    };
    let all = vec![one(0, "hdf5", &[]), one(1, "petsc", &["+hdf5"])];
    let index = pack(About::default(), all).expect("different hashes");
    let link = |text: &str| address::encode(&typed(&index, &Query::default(), text));
    for text in ["depends on hdf5", "what needs hdf5", "builds that use hdf5"] {
        assert_eq!(link(text), "q=%5Ehdf5", "{text}");
    }
    assert_eq!(link("petsc using hdf5"), "q=petsc&variant=hdf5");
}

/// Creates a cache with several of everything, and with dependencies.
fn index_of_words() -> Index {
    let one = |package: &str, version: &str, os: &str, stack: &str, variants: &[&str]| Build {
        os: os.to_owned(),
        variants: sample::variants_of(variants),
        places: [Place { release: "develop".to_owned(), stack: stack.to_owned() }].into(),
        dependencies: Some(Vec::new()),
        ..sample::one(package, version)
    };
    let mut all = vec![
        one("openmpi", "5.0.6", "rhel8", "e4s", &[]),
        one("mpich", "4.3.2", "rhel8", "e4s", &[]),
        one("hdf5", "1.14.5", "rhel8", "e4s", &["+mpi", "build_type=Release"]),
        one("hdf5", "1.14.5", "ubuntu22.04", "e4s", &["+mpi", "build_type=Release"]),
        one("hdf5", "1.12.3", "ubuntu24.04", "tutorial", &["~mpi", "build_type=Debug"]),
        one("hdf5-vol-async", "1.7", "rhel8", "develop/tools", &[]),
        one("python", "3.11.9", "rhel8", "e4s", &["+shared"]),
        one("python", "3.12.1", "rhel8", "e4s", &["+shared"]),
        one("gcc", "13.2.0", "rhel8", "e4s", &[]),
        one("py-mpi4py", "4.0.1", "rhel8", "e4s", &[]),
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

/// Generates words of all kinds, with some syntax among them.
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

#[test]
fn tells_direct_dependencies_from_all() {
    let on = |package: &str, number: usize| Dependency {
        package: package.to_owned(),
        hash: sample::hash(number),
        deptypes: Deptypes::from_bits(2).expect("bits below 16"),
        virtuals: Vec::new(),
    };
    let build = |number: usize, package: &str, on: Vec<Dependency>| Build {
        hash: sample::hash(number),
        compiler_source: CompilerSource::Dependency,
        dependencies: Some(on),
        ..sample::one(package, "1.0")
    };
    let builds = [
        build(1, "zlib", Vec::new()),
        build(2, "hdf5", vec![on("zlib", 1)]),
        build(3, "netcdf-c", vec![on("hdf5", 2)]),
    ];
    let index = pack(About::default(), builds).expect("an index");
    for text in [
        "which builds use zlib directly",
        "directly depends on zlib",
        "direct dependents of zlib",
        "packages that depend directly on zlib",
    ] {
        let query = typed(&index, &Query::default(), text);
        assert_eq!(query.question.text, "%zlib", "{text}");
        assert_eq!(run(&index, &query.question).builds, 1, "{text}");
    }
    assert_eq!(typed(&index, &Query::default(), "uses zlib").question.text, "^zlib");
}
