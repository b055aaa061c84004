//! `check --keys`: who signed the binaries of a mirror.

use std::fs;

use serde_json::Value;

use crate::desk::{Desk, data};

const FIRST: &str = "compiler-wrapper/compiler-wrapper-1.0-gurfv6m3c6kc4fvl3my364a2ae24sp2t";
const GMAKE: &str = "gmake/gmake-4.4.1-rlymfol4dzqdpiyauhmcw3zqgdhzpaxc";

/// Copies the signed mirror, and its keys, to a desk.
fn signed_mirror() -> Desk {
    let desk = Desk::new();
    for name in ["mirror", "keys"] {
        desk.copy(&format!("signed/{name}"), name);
    }
    desk
}

/// Copies the mirror that has the specs of its builds, in both layouts, and its key.
fn mirror_with_specs() -> Desk {
    let desk = Desk::new();
    for name in ["blobs", "build_cache", "v3"] {
        desk.copy(&format!("signed/named/{name}"), &format!("mirror/{name}"));
    }
    desk.copy("signed/named/keys", "keys");
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
    assert_eq!(
        outcome.out,
        "signatures: 2 good, 0 bad, 1 by an unknown key, 1 missing; 2 of the good ones without a spec to compare the name with\n"
    );
    assert_eq!(outcome.code, Some(1));
    let lines: Vec<&str> = outcome.err.lines().collect();
    let spec = "mirror: v3/manifests/spec";
    let good = format!("note: good signature by key {key}, of a spec that is not in this mirror");
    assert_eq!(lines[0], format!("{good}, 2 times"));
    assert_eq!(lines[1], format!("    {spec}/{FIRST}.spec.manifest.json"));
    assert!(lines[3].starts_with(&format!("error: {spec}/gcc-runtime/")), "{}", lines[3]);
    assert!(lines[3].ends_with("which is not among the given keys"), "{}", lines[3]);
    assert_eq!(lines[4], format!("error: {spec}/{GMAKE}.spec.manifest.json: not signed"));
    assert_eq!(lines[5], "note: mirror: 4 specs are not in the mirror, and not checked");
    assert!(lines[6].starts_with("note: 1 mirror: none of the binaries is here"), "{}", lines[6]);
    assert_eq!(lines[7], "2 problems in 2 builds; the inputs are not fit to publish");

    // With the other key too, and with unsigned files allowed, there are no problems.
    desk.write("keys/deeper/other.gpg", other_key());
    desk.write("keys/README", "The keys of the cache.\n");
    desk.write("keys/.hidden", "-----BEGIN PGP PUBLIC KEY BLOCK-----");
    let outcome = desk.run(&["check", "mirror", "--keys", "keys", "--allow-unsigned"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let summary = "signatures: 3 good, 0 bad, 0 by an unknown key, 1 missing; 3 of the good";
    assert!(outcome.out.starts_with(summary), "{}", outcome.out);
    assert!(
        outcome.out.ends_with("4 builds in 1 mirror, no problems, 6 notes\n"),
        "{}",
        outcome.out
    );
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

const ZSTD: &str = "zstd/zstd-1.5.7-sjijntoe2e26ie4cquahc4oocub4yj5h";
const LZ4: &str = "mirror/build_cache/linux-debian12-x86_64_v4-gcc-12.2.0-lz4-1.10.0-7akk5me4sxxyyjygvo4adkbyh7jxkdy3";
/// The blob with the spec of zstd.
const SPEC: &str =
    "mirror/blobs/sha256/d3/d32511bca70113923df9d230cd47c72bce8e23bbe98b2fb7220faa680fb3cd3c";
const CHECK: [&str; 5] = ["check", "mirror", "--keys", "keys", "--allow-unsigned"];

#[test]
fn a_signature_counts_for_the_build_that_was_signed() {
    let desk = mirror_with_specs();
    let outcome = desk.run(&CHECK);
    let summary = "signatures: 3 good, 0 bad, 0 by an unknown key, 0 missing\n";
    assert!(outcome.out.starts_with(summary), "{}{}", outcome.out, outcome.err);
    assert!(outcome.err.contains(".spec.json.sig"), "{}", outcome.err);

    // One build in the place of another, with its good signature, in both layouts.
    let v3 = manifest(GMAKE);
    let v2 = format!("{}.spec.json.sig", LZ4.replace("7akk", "aaaa"));
    desk.write(&v3, desk.read(&manifest(ZSTD)));
    desk.write(&v2, desk.read(&format!("{LZ4}.spec.json.sig")));
    let outcome = desk.run(&CHECK);
    assert_eq!(outcome.code, Some(1));
    let summary = "signatures: 2 good, 2 bad, 0 by an unknown key, 0 missing\n";
    assert!(outcome.out.starts_with(summary), "{}{}", outcome.out, outcome.err);
    for (file, build) in [(&v3, &ZSTD[ZSTD.len() - 32..]), (&v2, &LZ4[LZ4.len() - 32..])] {
        let line = outcome.err.lines().find(|line| line.contains(&file["mirror/".len()..]));
        let line = line.unwrap_or_default();
        assert!(line.ends_with(&format!("signed it for another build, /{build}")), "{line}");
    }
}

#[test]
fn a_spec_that_was_changed_is_not_the_one_that_was_signed() {
    for (spec, expected) in [
        (
            Some("{}"),
            "blobs/sha256/d3/d32511bca70113923df9d230cd47c72bce8e23bbe98b2fb7220faa680fb3cd3c: ",
        ),
        (Some(&*"x".repeat(1049)), "expected d32511bc"),
        (None, "good signature by key"),
    ] {
        let desk = mirror_with_specs();
        match spec {
            Some(text) => desk.write(SPEC, text),
            None => fs::remove_file(desk.path(SPEC)).expect("a file"),
        }
        let outcome = desk.run(&CHECK);
        assert_eq!(outcome.code, Some(i32::from(spec.is_some())), "{}", outcome.err);
        assert!(outcome.err.contains(expected), "{expected}: {}", outcome.err);
    }
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
