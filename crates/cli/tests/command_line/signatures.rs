//! `check --keys`: who signed the binaries of a mirror.

use std::fs;

use serde_json::Value;

use crate::desk::{Desk, data};

const FIRST: &str = "compiler-wrapper/compiler-wrapper-1.0-gurfv6m3c6kc4fvl3my364a2ae24sp2t";
const GMAKE: &str = "gmake/gmake-4.4.1-rlymfol4dzqdpiyauhmcw3zqgdhzpaxc";

/// Copies the signed mirror, and its keys, to a desk.
fn signed_mirror() -> Desk {
    let desk = Desk::new();
    for entry in walkdir::WalkDir::new(data("signed")) {
        let entry = entry.expect("a file");
        let name = entry.path().strip_prefix(data("signed")).expect("a path below").to_owned();
        let is_used = name.starts_with("mirror") || name.starts_with("keys");
        if is_used && entry.file_type().is_file() {
            desk.write(&name.display().to_string(), fs::read(entry.path()).expect("a file"));
        }
    }
    desk
}

fn other_key() -> Vec<u8> {
    fs::read(data("signed/other.pub")).expect("a key")
}

fn manifest(build: &str) -> String {
    format!("mirror/v3/manifests/spec/{build}.spec.manifest.json")
}

#[test]
fn says_who_signed_each_build() {
    let desk = signed_mirror();
    let key = fs::read_to_string(data("signed/key-id")).expect("an id");
    let key = key.trim();
    let outcome = desk.run(&["check", "mirror", "--keys", "keys"]);
    assert_eq!(outcome.out, "signatures: 2 good, 0 bad, 1 by an unknown key, 1 missing\n");
    assert_eq!(outcome.code, Some(1));
    let lines: Vec<&str> = outcome.err.lines().collect();
    let spec = "mirror: v3/manifests/spec";
    assert_eq!(lines[0], format!("note: good signature by key {key}, 2 times"));
    assert_eq!(lines[1], format!("    {spec}/{FIRST}.spec.manifest.json"));
    assert!(lines[3].starts_with(&format!("error: {spec}/gcc-runtime/")), "{}", lines[3]);
    assert!(lines[3].ends_with("which is not among the given keys"), "{}", lines[3]);
    assert_eq!(lines[4], format!("error: {spec}/{GMAKE}.spec.manifest.json: not signed"));
    assert_eq!(lines[5], "2 problems in 2 builds; the inputs are not fit to publish");

    // With the other key too, and what is not signed allowed, all is well.
    desk.write("keys/deeper/other.gpg", other_key());
    desk.write("keys/README", "The keys of the cache.\n");
    desk.write("keys/.hidden", "-----BEGIN PGP PUBLIC KEY BLOCK-----");
    let outcome = desk.run(&["check", "mirror", "--keys", "keys", "--allow-unsigned"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let summary = "signatures: 3 good, 0 bad, 0 by an unknown key, 1 missing\n";
    assert!(outcome.out.starts_with(summary), "{}", outcome.out);
    assert!(outcome.out.ends_with("4 builds in 1 mirror, no problems\n"), "{}", outcome.out);
    assert!(outcome.err.contains("note: keys/README is not an OpenPGP key"), "{}", outcome.err);
}

#[test]
fn a_changed_manifest_has_a_bad_signature() {
    let desk = signed_mirror();
    desk.write("keys/other.gpg", other_key());
    let file = manifest(FIRST);
    let text = desk.read(&file);
    let (before, _) = text.split_once("\"contentLength\":").expect("a length");
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let length =
        before.len() + text[before.len()..].bytes().position(|b| is_digit(&b)).expect("a digit");
    let mut changed = text.clone().into_bytes();
    changed[length] = if changed[length] == b'1' { b'2' } else { b'1' };
    desk.write(&file, &changed);
    let call = ["check", "mirror", "--keys", "keys", "--allow-unsigned"];
    let outcome = desk.run(&[&call[..], &["--message-format", "json"]].concat());
    assert_eq!(outcome.code, Some(1));
    let lines: Vec<Value> = outcome
        .err
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object on each line"))
        .collect();
    let of = |name: &str| lines.iter().filter(|line| line["signature"] == name).collect::<Vec<_>>();
    assert_eq!((of("good").len(), of("none").len(), of("unknown-signer").len()), (2, 1, 0));
    let [bad] = of("bad")[..] else { panic!("{lines:?}") };
    let key = fs::read_to_string(data("signed/key-id")).expect("an id");
    assert_eq!(bad["level"], "damaged");
    assert_eq!(bad["keys"][0], key.trim());
    assert_eq!(bad["hash"], FIRST.rsplit('-').next().expect("a hash"));
    assert_eq!(bad["input"], "mirror");
    assert_eq!(bad["file"], file.trim_start_matches("mirror/"));
    assert_eq!(lines.last().expect("a summary")["level"], "summary");
}

#[test]
fn specs_of_a_v2_mirror_are_verified() {
    let desk = Desk::new();
    let index = fs::read(data("mirror-v2/build_cache/index.json")).expect("an index");
    desk.write("mirror/build_cache/index.json", index);
    let signed = fs::read(data("signed/cases/plain.asc")).expect("a file");
    let hashes = ["a", "b"].map(|letter| letter.repeat(32));
    desk.write(&format!("mirror/build_cache/x-zlib-1-{}.spec.json.sig", hashes[0]), &signed);
    desk.write(&format!("mirror/build_cache/x-zlib-1-{}.spec.json", hashes[0]), "{}");
    desk.write(&format!("mirror/build_cache/x-zlib-1-{}.spec.json", hashes[1]), "{}");
    let key = data("signed/cases/plain.gpg");
    let outcome = desk.run(&["check", "mirror", "--keys", &key, "--allow-unsigned"]);
    let summary = "signatures: 1 good, 0 bad, 0 by an unknown key, 1 missing\n";
    assert!(outcome.out.starts_with(summary), "{}{}", outcome.out, outcome.err);
    assert!(outcome.err.contains(".spec.json.sig: good signature by key "), "{}", outcome.err);
}

#[test]
fn keys_that_cannot_be_used_are_problems() {
    let desk = signed_mirror();
    desk.write("empty/README", "nothing");
    desk.write("damaged/key.asc", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nxxxx\n");
    for (arguments, expected) in [
        (["mirror", "--keys", "empty"], "empty: there is no OpenPGP key that may sign"),
        (["mirror", "--keys", "none"], "none: No such file"),
        (["mirror", "--keys", "damaged"], "damaged/key.asc: expected an OpenPGP key"),
        (["pages", "--keys", "keys"], "there is no mirror's folder among the inputs"),
    ] {
        desk.write("pages/specs.md", crate::desk::page("zlib", crate::desk::HASH, "rhel8"));
        let outcome = desk.run(&[&["check"], &arguments[..]].concat());
        assert_eq!(outcome.code, Some(1), "{arguments:?}");
        assert!(outcome.err.contains(expected), "{arguments:?}: {}", outcome.err);
    }
}
