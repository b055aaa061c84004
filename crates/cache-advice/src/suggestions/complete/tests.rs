//! Completions in small caches.

use cache_index::build::{Build, CompilerSource, Dependency, Deptypes};
use cache_index::index::{About, Index, pack};
use cache_index::sample::{self, small_index as index, without_cycles};
use cache_query::address;
use cache_query::search::{Completion, split};
use cache_query::{Change, Query, Question, apply, run};
use proptest::prelude::*;

use crate::{complete, while_typing};

/// Returns the query after typing a text into another query.
fn typed(index: &Index, from: &Query, text: &str) -> Query {
    apply(from, Change::Type(split(index, text)))
}

/// Returns the query of an address.
fn query(address: &str) -> Query {
    address::decode(address).0
}

#[test]
fn offers_completions_with_their_signs_and_counts() {
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
    // Options that find nothing under the filters are left out.
    check_in(
        "os=ubuntu22.04",
        "hdf5 ",
        "",
        &["api=", "~mpi · 1", "os=", "target=", "platform=", "%"],
    );
    check_in("package=hdf5", "+", "", &["+mpi · 1"]);
    check_in("variant=mpi", "hdf5 ~", "", &["~mpi · 1"]);
    check_in("os=rhel8", "hd", "hd", &[]);
    // There are no completions within a word.
    assert_eq!(complete(&index, &query(""), "hdf5 +mpi", 6).options, []);
}

#[test]
fn ignores_an_unfinished_end() {
    let index = index();
    let check = |text: &str, link: &str| {
        let from = Query::default();
        let offered = complete(&index, &from, text, text.len());
        let finds = |question: &Question| run(&index, question).builds > 0;
        let (after, _) = while_typing(&index, &from, text, &offered, &finds);
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
    // A complete name, although only `~mpi` is there.
    check("hdf5@1.12 mpi", "q=hdf5@1.12&variant=mpi");
    // Nothing begins like this, or it is finished.
    check("hdf5 +zz", "q=hdf5%20%2Bzz");
    check("hdf5 +m ", "q=hdf5%20%2Bm%20");
}

#[test]
fn takes_a_whole_value_after_a_compiler() {
    let of_spack_1 = |number: usize, package: &str, needs: &[usize]| Build {
        hash: sample::hash(number),
        compiler_source: CompilerSource::Dependency,
        dependencies: Some(
            needs
                .iter()
                .map(|&lower| Dependency {
                    package: "gcc".to_owned(),
                    hash: sample::hash(lower),
                    deptypes: Deptypes::BUILD,
                    virtuals: vec!["c".to_owned()],
                })
                .collect(),
        ),
        ..sample::one(package, "13.2.0")
    };
    let all = [of_spack_1(0, "gcc", &[]), of_spack_1(1, "hdf5", &[0])];
    let index = pack(About::default(), all).expect("different hashes");
    let from = Query::default();
    // To Spack, this asks for the OS of the compiler.
    let text = "hdf5%gcc os=ubuntu24.04";
    let offered = complete(&index, &from, text, text.len());
    let (after, read) = while_typing(&index, &from, text, &offered, &|_| true);
    assert_eq!((after.question.text.as_str(), read), (text, text.len()));
}

proptest! {
    #[test]
    fn completes_any_text(text in ".*", cursor in 0usize..40) {
        let offered = complete(&index(), &Query::default(), &text, cursor);
        prop_assert!(text.get(offered.replaces).is_some());
    }

    #[test]
    fn finds_as_many_builds_as_a_completion_states(
        all in sample::builds(),
        text in typed_text(),
        from in prop::sample::select(vec!["", "os=ubuntu24.04", "package=hdf5", "variant=mpi", "q=zlib", "stack=cpu", "not.stack=cpu", "not.os=ubuntu24.04", "stack=cpu&stack=cuda&all=stack"]),
    ) {
        let index = pack(About::default(), without_cycles(all)).expect("different hashes");
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
}

/// Generates texts that can be completed.
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
        " target=:",
        " target=zen3:",
        " target=zen2,z",
        " os=u,",
        " z",
        "h",
        " c",
    ]);
    (begun, end).prop_map(|(begun, end)| format!("{begun}{end}"))
}
