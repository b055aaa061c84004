//! The rule for one build, on facts as binaries have them.

use std::collections::BTreeSet;

use cache_index::build::Hash;
use cache_index::facts::{self, Facts, Object, PathUse, Room};
use proptest::prelude::*;

use super::*;

const HASH: &str = "23dhitblzvsolk24z4rg7kcxo3pvrqhu";
const RELATIVE: &str = "linux-x86_64_v2/a-1.0-23dhitblzvsolk24z4rg7kcxo3pvrqhu";
const ROOT: &str = "/opt/lab/store-of-24-abc";

fn hash() -> Hash {
    HASH.parse().expect("a hash")
}

/// Returns the facts of a build with one library, which has these paths, and these run paths.
fn facts(uses: &[(bool, Option<u8>)], rpath: Option<&str>) -> Facts {
    let strings: BTreeSet<PathUse> = uses
        .iter()
        .map(|&(is_prefix, suffix)| PathUse { build: is_prefix.then(hash), suffix })
        .collect();
    let object = Object {
        path: "lib/liba.so".to_owned(),
        format: "elf".to_owned(),
        rpath: rpath.map(|below| format!("{ROOT}/{below}")),
        strings,
        ..Object::default()
    };
    Facts {
        objects: vec![object],
        relocation: facts::Relocation {
            root: ROOT.to_owned(),
            prefixes: [(hash(), format!("{ROOT}/{RELATIVE}"))].into(),
            binaries: vec!["lib/liba.so".to_owned()],
            ..facts::Relocation::default()
        },
        ..Facts::default()
    }
}

#[track_caller]
fn check(facts: &Facts, to: &str, expected: &str) {
    let to = Destination { patchelf: Some(false), ..Destination::new(to) };
    let outcome = relocate(facts, &to, |_| Some(to.prefix(RELATIVE)));
    let text = match outcome {
        Relocation::Yes { .. } => "yes".to_owned(),
        Relocation::Unknown(obstacle) => format!("unknown: {obstacle}"),
        Relocation::No(obstacle) => format!("no: {obstacle}"),
    };
    assert_eq!(text, expected);
}

/// Returns a root with this many characters and this end.
fn root(length: usize, end: &str) -> String {
    let start = "/opt/lab/";
    format!("{start}{}{end}", "i".repeat(length - start.len() - end.len()))
}

#[test]
fn moves_texts_anywhere_that_scripts_can_run() {
    let facts = facts(&[], None);
    for length in [16, 24, 117] {
        check(&facts, &root(length, "zz"), "yes");
    }
    check(
        &facts,
        &root(118, "zz"),
        "no: nothing can be installed there: bin/sbang in it would have a path of 128 characters, and 127 are possible",
    );
}

#[test]
fn says_what_would_let_a_build_be_moved() {
    #[track_caller]
    fn check(to: Destination, expected: &str) {
        let facts = facts(&[(true, None)], None);
        let obstacle = match relocate(&facts, &to, |_| Some(to.prefix(RELATIVE))) {
            Relocation::No(obstacle) => obstacle,
            other => panic!("{other:?}"),
        };
        assert_eq!(obstacle.would_allow(), expected);
        let (package, hash) = ("a".to_owned(), Some(hash()));
        let above = Obstacle::Dependency { package, hash, obstacle: Box::new(obstacle) };
        assert_eq!(above.would_allow(), expected);
    }
    let of_build = "a shorter install tree, or a build with a greater padded_length";
    check(Destination::new(&root(25, "zz")), of_build);
    check(Destination::new(&root(117, "zz")), of_build);
    check(Destination::new(&root(117, "zz")).padded(160), of_build);
    // No build can be moved there, however it was made.
    let of_root = "a shorter install tree, whose root has at most 117 characters";
    check(Destination::new(&root(118, "zz")), of_root);
    let padded = format!("{of_root} without its padding");
    check(Destination::new(&root(118, "zz")).padded(160), &padded);
}

#[test]
fn moves_no_path_in_a_binary_to_a_longer_one() {
    let facts = facts(&[(true, None)], None);
    check(&facts, &root(24, "zz"), "yes");
    check(
        &facts,
        &root(25, "zz"),
        "no: made with a path of 79 characters, which would have 80; 1 file cannot be changed, such as lib/liba.so",
    );
}

#[test]
fn keeps_the_ends_of_strings() {
    let shrunk = "no: made with a path of 24 characters, which would have 23: too little less for a string that ends with it; 1 file \
                  cannot be changed, such as lib/liba.so";
    check(&facts(&[(false, Some(0))], None), &root(23, "zz"), shrunk);
    check(&facts(&[(false, Some(6))], None), &root(23, "zz"), shrunk);
    check(&facts(&[(false, None)], None), &root(23, "zz"), "yes");
    // The last character of the root is all that has to stay.
    check(&facts(&[(false, Some(6))], None), &root(23, "zc"), "yes");
    check(&facts(&[(false, Some(0))], None), &root(23, "zc"), shrunk);
    check(&facts(&[(false, Some(0))], None), &root(17, "zz"), &shrunk.replace("23", "17"));
    check(&facts(&[(false, Some(0))], None), &root(16, "zz"), "yes");
    // The prefix of a package ends with its hash, wherever it is.
    check(&facts(&[(true, Some(0))], None), &root(23, "zz"), "yes");
}

#[test]
fn moves_run_paths_with_patchelf() {
    let facts = facts(&[], Some("linux-x86_64_v2/b-1/lib"));
    check(&facts, &root(24, "zz"), "yes");
    check(
        &facts,
        &root(25, "zz"),
        "no: the run paths of 1 file become longer, which needs patchelf",
    );
    let to = Destination::new(&root(25, "zz"));
    let outcome = relocate(&facts, &to, |_| None);
    assert_eq!(outcome, Relocation::Yes { needs_patchelf: true });
    // Spack takes the beginning of the new root for the old one.
    let outcome = relocate(&facts, &Destination::new(&format!("{ROOT}-2")), |_| None);
    assert!(
        matches!(outcome, Relocation::No(Obstacle::CannotGrow { old: 24, new: 26, .. })),
        "{outcome:?}"
    );
}

#[test]
fn pads_roots_as_spack_does() {
    #[track_caller]
    fn check(length: usize, expected: &str) {
        let to = Destination::new("/opt/lab/qa/").padded(length);
        assert_eq!(to.root, expected);
        assert_eq!(to.unpadded, "/opt/lab/qa");
        assert_eq!(
            Destination::new(expected).unpadded.len(),
            if length < 38 { expected.len() } else { 11 }
        );
    }
    check(0, "/opt/lab/qa");
    check(12, "/opt/lab/qa");
    check(15, "/opt/lab/qa/__s");
    check(38, "/opt/lab/qa/__spack_path_placeholder__");
    check(39, "/opt/lab/qa/__spack_path_placeholder___");
    check(40, "/opt/lab/qa/__spack_path_placeholder__/_");
}

#[test]
fn cannot_tell_of_what_was_not_looked_at() {
    let mut facts = facts(&[], None);
    facts.objects[0].is_unclear = true;
    check(&facts, &root(24, "zz"), "unknown: 1 program or library could not be looked at in full");
    // It stays where it is.
    check(&facts, ROOT, "yes");
}

/// Returns an answer without what only the facts themselves say.
fn kind(outcome: &Relocation) -> String {
    match outcome {
        Relocation::Yes { needs_patchelf } => format!("yes {needs_patchelf}"),
        Relocation::Unknown(Obstacle::Unclear { files }) => format!("unclear {files}"),
        Relocation::No(Obstacle::CannotGrow { .. } | Obstacle::NoRoom { .. }) => "grow".to_owned(),
        Relocation::No(Obstacle::CannotShrink { .. } | Obstacle::EndsDiffer { .. }) => {
            "shrink".to_owned()
        }
        Relocation::No(Obstacle::NoPatchelf { .. }) => "no patchelf".to_owned(),
        other => format!("{other:?}"),
    }
}

/// The facts of a build with up to four libraries.
fn any_facts() -> impl Strategy<Value = Facts> {
    let place = (any::<bool>(), prop::option::of(0u8..7));
    let run_path = prop::sample::select(vec![
        "linux-x86_64_v2/b-1/lib".to_owned(),
        format!("{RELATIVE}/lib"),
        format!("{RELATIVE}/lib:/usr/lib:{ROOT}/{RELATIVE}/lib64"),
    ]);
    let library = (
        prop::collection::vec(place, 0..3),
        prop::option::of(run_path),
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.9),
    );
    prop::collection::vec(library, 0..5).prop_map(|libraries| {
        let mut all = facts(&[], None);
        all.objects.clear();
        all.relocation.binaries.clear();
        for (number, (uses, rpath, is_unclear, is_relocated)) in libraries.into_iter().enumerate() {
            let mut object = facts(&uses, rpath.as_deref()).objects.remove(0);
            object.path = format!("lib/lib{number}.so");
            object.is_unclear = is_unclear;
            if is_relocated {
                all.relocation.binaries.push(object.path.clone());
            }
            all.objects.push(object);
        }
        all
    })
}

proptest! {
    #[test]
    fn says_by_the_room_of_a_binary_what_its_facts_say(
        facts in any_facts(),
        length in 12usize..40,
        end in prop::sample::select(vec!["zz", "zc", "bc", "abc", "24-abc"]),
        is_below_the_old in prop::bool::weighted(0.1),
        patchelf in prop::sample::select(vec![None, Some(false)]),
    ) {
        let root = if is_below_the_old { format!("{ROOT}/{end}") } else { root(length.max(16), end) };
        let to = Destination { patchelf, ..Destination::new(&root) };
        let room = Room::of(&facts, |_, _| Some(RELATIVE.to_owned())).expect("it has a root");
        let by_facts = relocate(&facts, &to, |_| Some(to.prefix(RELATIVE)));
        prop_assert_eq!(kind(&relocate_by_room(&room, &to)), kind(&by_facts), "{:?}", room);
    }
}
