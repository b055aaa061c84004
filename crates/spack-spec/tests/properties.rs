//! Laws that hold for every input, on generated ones.

use std::cmp::Ordering;

use proptest::prelude::*;
use spack_spec::{Dialect, Spec, Version, VersionConstraint};

/// A failure is to become a case of its own, not a file of seeds.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

/// Versions that differ in little, so that comparisons reach every part.
fn version() -> impl Strategy<Value = Version> {
    ("(git\\.[ab]=)?", plain_version())
        .prop_map(|(git, version)| format!("{git}{version}").parse().expect("a version"))
}

fn plain_version() -> impl Strategy<Value = Version> {
    "(0?[1-3]|a|z|Z|rc|alpha|main|develop|9{25})([._-]?(0?[0-2]|b|rc|final|main)){0,3}"
        .prop_map(|text| text.parse().expect("a version"))
}

fn versions() -> impl Strategy<Value = VersionConstraint> {
    let end = plain_version;
    let element = prop_oneof![
        end().prop_map(|v| v.to_string()),
        version().prop_map(|v| format!("={v}")),
        end().prop_map(|v| format!("{v}:")),
        end().prop_map(|v| format!(":{v}")),
        (end(), end()).prop_map(|(a, b)| if a <= b {
            format!("{a}:{b}")
        } else {
            format!("{b}:{a}")
        }),
    ];
    prop::collection::vec(element, 1..5)
        .prop_map(|list| list.join(",").parse().expect("a list of versions"))
}

/// Pieces of specs, most of them good, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "hdf5",
        "builtin.hdf5",
        "a",
        "*",
        "mpi",
        "clang",
        "@1.2",
        "@=1.2",
        "@1.02:1.4,:01.1",
        "@:",
        "@git.main",
        "@git.a/b=develop",
        "@1.2:=1",
        "@",
        "+mpi",
        "~mpi",
        "-x",
        "++y",
        "~~z",
        "+a.b-",
        "api=v110",
        "k=a,b",
        "k:=b,a",
        "k='x y'",
        "k=\"it's\"",
        "k='\\'\"\\\\ ,'",
        "k=a\\",
        "k='a\nb'",
        "k==v",
        "k=*",
        "k=true",
        "k=",
        "k='",
        "l='',none",
        "cflags=-O3",
        "cflags='-I a\\ -g'",
        "ldflags==-O2",
        "os=x",
        "os='a b'",
        "os=*",
        "platform=linux",
        "target=zen3:",
        "target=:,x",
        "arch=linux-ubuntu-zen",
        "arch=None-x-None",
        "namespace=a.b",
        "namespace='a b'",
        "/abc",
        "/AB",
        "%gcc",
        "%gcc@13:",
        "%%gcc",
        "%",
        "^",
        "^mpich",
        "^[virtuals=mpi,a] ",
        "%[deptypes=build] ",
        "%[when='+x' virtuals=c] ",
        "^c,cxx=gcc",
        "%c=* ",
        "]",
        "[",
        "{",
        "é",
        ".",
        ",",
        "a.json",
    ]);
    let space = prop::sample::select(vec![" ", " ", "", "\t"]);
    prop::collection::vec((piece, space), 0..8)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, space)| [piece, space]).collect())
}

fn dialect() -> impl Strategy<Value = Dialect> {
    prop::sample::select(vec![Dialect::V0, Dialect::V1])
}

#[track_caller]
fn check_loud_or_faithful(text: &str, dialect: Dialect) -> Result<(), TestCaseError> {
    let reading = Spec::read(text, dialect);
    let mut end = 0;
    for part in &reading.parts {
        prop_assert!(end <= part.span.start && part.span.start <= part.span.end, "{:?}", reading);
        prop_assert!(text.get(part.span.clone()).is_some());
        end = part.span.end;
    }
    for problem in &reading.problems {
        prop_assert!(text.get(problem.span.clone()).is_some(), "{:?}", problem);
        prop_assert!(!problem.in_text(text).is_empty());
    }
    for cursor in 0..=text.len() + 1 {
        let span = Spec::complete(text, cursor, dialect).span;
        prop_assert!(
            text.get(span.clone()).is_some() && span.end <= cursor,
            "{} at {}",
            text,
            cursor
        );
    }
    // What was understood is a spec even where there were problems.
    let spec = reading.spec;
    let exact = format!("{spec:#}");
    match Spec::parse(&exact, dialect) {
        Ok(again) => prop_assert_eq!(&again, &spec, "{} became {}", text, exact),
        Err(error) => prop_assert!(false, "{} became {}", text, error.in_text(&exact)),
    }
    let _ = spec.to_string();
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    // Loud or faithful: a text is an error, or what is printed for it reads back as the same.
    #[test]
    fn specs_are_read_loudly_or_faithfully(text in pieces(), dialect in dialect()) {
        check_loud_or_faithful(&text, dialect)?;
    }

    #[test]
    fn any_text_is_read_loudly_or_faithfully(
        text in "[a-c0-2@:=,.+~%^/\\[\\]'\"\\\\ *_é-]{0,24}",
        dialect in dialect(),
    ) {
        check_loud_or_faithful(&text, dialect)?;
    }

    #[test]
    fn versions_are_totally_ordered(a in version(), b in version(), c in version()) {
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert_eq!(a == b, a.cmp(&b) == Ordering::Equal);
        if a <= b && b <= c {
            prop_assert!(a <= c);
        }
    }

    #[test]
    fn version_lists_print_what_they_read(list in versions()) {
        let printed = list.to_string();
        let again: VersionConstraint = printed.parse().expect("what was printed");
        prop_assert_eq!(&again, &list, "{}", printed);
        prop_assert_eq!(again.to_string(), printed);
    }

    #[test]
    fn version_lists_behave_as_sets(a in versions(), b in versions(), version in version()) {
        let both = a.intersection(&b);
        prop_assert_eq!(both.matches(&version), a.matches(&version) && b.matches(&version));
        prop_assert_eq!(a.intersects(&b), !both.is_empty());
        prop_assert!(both.is_within(&a) && both.is_within(&b));
        if a.is_within(&b) && a.matches(&version) {
            prop_assert!(b.matches(&version));
        }
        prop_assert!(VersionConstraint::from(version.clone()).matches(&version));
    }

    #[test]
    fn any_text_is_a_version_or_an_error(text in "\\PC{0,20}") {
        let _ = text.parse::<Version>();
        let _ = text.parse::<VersionConstraint>();
    }
}

#[test]
fn a_quarter_of_a_megabyte_of_anything_is_read_in_no_time() {
    let started = std::time::Instant::now();
    for piece in [
        "a",
        "a.",
        "a..",
        "-",
        "--",
        "- ",
        "+",
        "+a",
        "@",
        "@a",
        "@a-",
        "@1,",
        "9,",
        "%",
        "%%",
        "% ",
        "%a,",
        "^",
        "^a",
        "^[",
        "]",
        "a=",
        "a='",
        "a=\"",
        "'",
        "\"",
        "\\'",
        "/",
        "/a",
        "a/",
        ".json",
        "-.json",
        "a/.json",
        " ",
        "\u{0}",
        "é",
        ":",
        "=",
        "a=b ",
        "a,",
        "a:",
        "~~",
        "^*",
        "cflags=-a ",
        "@1:a-",
        "git.",
    ] {
        for prefix in ["", "a@", "a k=", "a ^", "a %", "/", "a k='"] {
            let text = format!("{prefix}{}", piece.repeat((1 << 18) / piece.len()));
            for dialect in [Dialect::V0, Dialect::V1] {
                let reading = Spec::read(&text, dialect);
                assert!(reading.problems.iter().all(|problem| problem.in_text(&text).len() < 1000));
                let _ = format!("{:#}", reading.spec);
            }
        }
    }
    // Unoptimized, on a busy machine; one quadratic step would take hours.
    assert!(started.elapsed().as_secs() < 120, "{:?}", started.elapsed());
}
