//! The property of specs, on texts composed of pieces of specs.

use proptest::prelude::*;

/// Failures are not recorded in seed files: each should become a test case.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

/// Pieces of specs, most of them valid, in any order.
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

proptest! {
    #![proptest_config(config())]

    #[test]
    fn reads_pieces_of_specs_loudly_or_faithfully(text in pieces()) {
        properties::spec(text.as_bytes());
    }

    #[test]
    fn reads_any_text_loudly_or_faithfully(
        text in "[a-c0-2@:=,.+~%^/\\[\\]'\"\\\\ *_é-]{0,24}",
    ) {
        properties::spec(text.as_bytes());
    }
}
