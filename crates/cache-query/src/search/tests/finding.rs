//! What a text finds, compared with evaluating each build separately.

use cache_index::build::{Build, Dependency, Deptypes};
use cache_index::index::{About, BuildId, Index, pack};
use cache_index::sample;
use proptest::prelude::*;
use spack_spec::{Matcher, Satisfies};

use super::{found, index, index_of_spack_1, spec_text, without_cycles};
use crate::search::graph::IndexGraph;
use crate::search::{Dialect, MissingData, Problem, Search, Spec, TextMeaning, meanings};

#[test]
fn finds_what_spack_finds() {
    let index = index();
    let check = |text: &str, expected: &[&str]| assert_eq!(found(&index, text), expected, "{text}");
    let all = ["hdf5@1.14.5", "hdf5@1.12.3", "hdf5-vol-async@1.7", "py-torch@2.4.1"];
    check("", &all);
    check("  ", &all);
    // A complete name means that package, part of a name all packages that contain it.
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
    // With constraints, a name is always a complete name.
    check("hdf +mpi", &[]);
    check(&format!("/{}", &sample::hash(3).to_string()[..31]), &all[3..]);
    check("/aaaaaa7", &[]);
    check(&sample::hash(3).to_string(), &all[3..]);
}

#[test]
fn finds_nothing_that_the_data_does_not_decide() {
    let index = index();
    let missing = |text: &str| Search::read(&index, text).select(&index).missing;
    assert_eq!(missing("hdf5 ^mpich"), Some(MissingData::Dependencies));
    assert_eq!(missing("builtin.hdf5"), Some(MissingData::Namespace));
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
    let check = |builds: Vec<Build>, text: &str, found: &[&str], missing: Option<MissingData>| {
        let index = pack(About::default(), builds).expect("an index");
        // Read from JSON, as a page loads it.
        let index = Index::from_json(&index.to_json()).expect("an index");
        assert_eq!(self::found(&index, text), found, "{text}");
        assert_eq!(Search::read(&index, text).select(&index).missing, missing, "{text}");
    };
    let listing = || {
        vec![
            one(0, "mpich", Some(&["mpi"])),
            one(1, "zlib-ng", Some(&["zlib-api"])),
            one(2, "gcc-runtime", Some(&["fortran-rt", "libgfortran@5"])),
            one(3, "hdf5", Some(&[])),
        ]
    };
    check(listing(), "zlib-api", &["zlib-ng@1.0"], None);
    check(listing(), "mpi@3:", &["mpich@1.0"], None);
    check(listing(), "libgfortran@5", &["gcc-runtime@1.0"], None);
    check(listing(), "libgfortran@4", &[], None);
    check(listing(), "blas", &[], None);
    check(listing(), "mpi+cuda", &[], Some(MissingData::Providers));
    // A build that does not list them may provide it, too.
    let older = [listing(), vec![one(4, "openmpi", None)]].concat();
    check(older, "zlib-api", &["zlib-ng@1.0"], Some(MissingData::Providers));
}

#[test]
fn finds_the_builds_with_one_of_several_hashes() {
    let index = index();
    let [one, two] = [0, 3].map(|number| sample::hash(number).to_string());
    for text in [format!("{one} {two}"), format!("/{one} /{two}"), format!("/{two} {one}")] {
        let search = Search::read(&index, &text);
        assert_eq!(search.problems, [], "{text}");
        assert_eq!(search.understood[0].kind, "builds with one of these hashes:", "{text}");
        assert_eq!(found(&index, &text), ["hdf5@1.14.5", "py-torch@2.4.1"], "{text}");
    }
    // No hash begins like this, although a hash could.
    let words = Search::read(&index, "lossless compression");
    assert!(!matches!(words.asked, super::super::TextMeaning::Hashes(_)), "{words:?}");
}

#[test]
fn finds_providers_that_builds_use_as_such() {
    let index = index_of_spack_1();
    let check = |text: &str, builds: &[&str], missing: Option<MissingData>| {
        assert_eq!(found(&index, text), builds, "{text}");
        assert_eq!(Search::read(&index, text).select(&index).missing, missing, "{text}");
    };
    let providers = Some(MissingData::Providers);
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

    let undecided = |text: &str, missing| {
        let problem = Problem::undecided(&index, text, Dialect::V1, missing);
        (text[problem.span].to_owned(), problem.message)
    };
    let check = |text: &str, missing, place: &str| {
        assert_eq!(undecided(text, missing), (place.to_owned(), format!("cannot tell: {missing}")));
    };
    check("hdf5 ^mpi@3:", MissingData::Providers, "mpi");
    check("zlib-api", MissingData::Providers, "zlib-api");
    check("hdf5+mpi ^zlib", MissingData::Dependencies, "^");
    check("hdf5+mpi ++pic", MissingData::Dependencies, "++pic");
    check("builtin.hdf5", MissingData::Namespace, "builtin.");
    check("hdf5 cflags=-O3", MissingData::Flags, "cflags=-O3");
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

/// All text derived from a text is a small multiple of its length, so nothing is quadratic.
#[test]
fn bounds_the_work_on_a_pasted_page() {
    let index = index();
    let many: String = (0..20_000).map(|number| format!("word{number} ")).collect();
    for text in ["hdf5 ".repeat(20_000), "hdf5 py ".repeat(10_000), many.clone()] {
        let written: usize =
            meanings(&index, &text).iter().map(|m| m.text.len() + m.without.len()).sum();
        assert!(written <= text.len(), "{written} bytes of {}", text.len());
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

#[test]
fn reads_a_long_text_in_the_time_that_its_length_takes() {
    // `not` is part of a name.
    let names = ["hdf5", "py-annotated-types"].into_iter().enumerate();
    let all = names
        .map(|(number, name)| Build { hash: sample::hash(number), ..sample::one(name, "1.0") });
    let index = pack(About::default(), all).expect("different hashes");
    for word in ["not ", "-- "] {
        let search = Search::read(&index, &format!("hdf5 {}", word.repeat(50_000)));
        assert!(matches!(search.asked, TextMeaning::Words(_)), "{word}: {:?}", search.asked);
    }
    // The name of a folder with thousands of beginnings of names and versions.
    let hash = "2".repeat(32);
    let search = Search::read(&index, &format!("x{}-{hash}", "-1".repeat(4_000)));
    assert_eq!(search.understood[0].text, format!("/{hash}"));
}

proptest! {
    #[test]
    fn finds_the_builds_that_match_separately(
        all in sample::builds(),
        text in spec_text(),
    ) {
        let index = pack(About::default(), without_cycles(all)).expect("different hashes");
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
}
