//! Damaged mirrors: each problem is reported with its file, and nothing is written.

use std::fs;

use crate::damage::is_reported;
use crate::desk::Desk;

const MANIFEST: &str = "v3/manifests/index/index.manifest.json";
const BLOB: &str =
    "blobs/sha256/17/170308147bbcd1f5d3973bf4d4c9356d616c679450dddd8c9345f17984974298";

#[test]
fn reports_a_missing_blob() {
    let desk = Desk::new();
    desk.copy("mirror-v3", "mirror-v3");
    fs::remove_file(desk.path("mirror-v3").join(BLOB)).expect("a blob");
    is_reported(
        &desk,
        "mirror-v3",
        &format!("mirror-v3: {MANIFEST}: the mirror lacks a file that this manifest names: {BLOB}"),
    );
}

#[test]
fn check_compares_the_specs_of_a_mirror_with_their_manifests() {
    const NAMED: [&str; 2] = ["v3", "blobs"];
    const SPEC: &str =
        "mirror/blobs/sha256/d3/d32511bca70113923df9d230cd47c72bce8e23bbe98b2fb7220faa680fb3cd3c";
    const FILE: &str =
        "v3/manifests/spec/zstd/zstd-1.5.7-sjijntoe2e26ie4cquahc4oocub4yj5h.spec.manifest.json";
    const DAMAGED: &str = "the spec of this build is damaged";
    let blob = &SPEC["mirror/".len()..];
    let desk = || {
        let desk = Desk::new();
        for name in NAMED {
            desk.copy(&format!("signed/named/{name}"), &format!("mirror/{name}"));
        }
        desk
    };
    let spec = fs::read(desk().path(SPEC)).expect("a spec");
    let mut changed = spec.clone();
    changed[0] ^= 1;
    for (content, finding) in [
        (
            [&spec[..], b"x"].concat(),
            "the length differs from the stated one: expected 1049 bytes, found 1050",
        ),
        (
            changed,
            "the sha256 differs from the stated one: expected d32511bca70113923df9d230cd47c72b",
        ),
    ] {
        let desk = desk();
        desk.write(SPEC, content);
        let outcome = desk.run(&["check", "mirror"]);
        assert_eq!((outcome.code, outcome.out.as_str()), (Some(1), ""), "{}", outcome.err);
        let expected = format!("error: mirror: {FILE}: {DAMAGED}: {blob}: {finding}");
        assert!(outcome.err.contains(&expected), "{}", outcome.err);
        let summary = "1 problem in 1 build; the inputs are not fit to publish\n";
        assert!(outcome.err.ends_with(summary), "{}", outcome.err);
        // Making an index needs no specs.
        assert_eq!(desk.run(&["index", "mirror"]).code, Some(0));
    }
    // A mirror may be copied without its specs.
    let desk = desk();
    let outcome = desk.run(&["check", "mirror"]);
    let absent = "note: mirror/v3/manifests/index/index.manifest.json: 2 builds of the index are without a manifest";
    assert!(outcome.err.starts_with(absent), "{}", outcome.err);
    // A user who deleted a binary sees which builds need it.
    let needed = "\nnote: 2 builds, such as gmake/rlymfol4dzqdpiyauhmcw3zqgdhzpaxc, need \
                  gcc-runtime/dfjngkgwdvcbahesq5qvdr52jnheajlr to run, which has no binary here\n";
    assert!(outcome.err.ends_with(needed), "{}", outcome.err);
    assert_eq!(outcome.code, Some(0));
    fs::remove_file(desk.path(SPEC)).expect("a file");
    let outcome = desk.run(&["check", "mirror"]);
    let note = "note: mirror: 1 spec is not in the mirror, and not checked\n";
    assert!(outcome.err.contains(note), "{}", outcome.err);
    assert_eq!(outcome.code, Some(0));
    assert!(outcome.out.ends_with("in 1 mirror, no problems, 5 notes\n"), "{}", outcome.out);
}

#[test]
fn check_reads_the_specs_of_a_mirror_without_manifests() {
    const FILE: &str = "build_cache/linux-debian12-x86_64_v2-gcc-12.2.0-lab-zed-1.0-dpxuhqon5tdn6av6oh35bmdiqnr3qwru.spec.json";
    const HASH: &str = "dpxuhqon5tdn6av6oh35bmdiqnr3qwru";
    const SIGNED: &str = "build_cache/linux-debian12-x86_64_v4-gcc-12.2.0-lz4-1.10.0-7akk5me4sxxyyjygvo4adkbyh7jxkdy3.spec.json.sig";
    let check = |sample: &str, file: &str, change: &dyn Fn(&str) -> String, finding: &str| {
        let desk = Desk::new();
        desk.copy(&format!("{sample}/build_cache"), "mirror/build_cache");
        let whole = desk.run(&["check", "mirror"]);
        assert_eq!(whole.code, Some(0), "{}", whole.err);
        let path = format!("mirror/{file}");
        desk.write(&path, change(&desk.read(&path)));
        let outcome = desk.run(&["check", "mirror"]);
        assert_eq!((outcome.code, outcome.out.as_str()), (Some(1), ""), "{}", outcome.err);
        let expected =
            format!("error: mirror: {file}: the spec of this build is damaged: {finding}");
        assert!(outcome.err.contains(&expected), "{}", outcome.err);
        let summary = "1 problem in 1 build; the inputs are not fit to publish\n";
        assert!(outcome.err.ends_with(summary), "{}", outcome.err);
        // Making an index needs no specs.
        assert_eq!(desk.run(&["index", "mirror"]).code, Some(0));
    };
    let half = |text: &str| text[..text.len() / 2].to_owned();
    let plain = "binaries/v2-plain";
    check(plain, FILE, &half, "not valid JSON: EOF while parsing");
    check(plain, FILE, &|_| "no".to_owned(), "not valid JSON: ");
    check(plain, FILE, &|_| String::new(), "there is nothing in it");
    check(plain, FILE, &|_| "{}".to_owned(), "expected this field, found none");
    let other = |text: &str| text.replace(HASH, &HASH.replacen("dp", "pd", 1));
    let finding = "expected the hash that the record is listed under, found \"pdxuhqon5tdn6av6oh35bmdiqnr3qwru\"";
    check(plain, FILE, &other, finding);
    let nameless = |text: &str| text.replacen("\"name\"", "\"n{me\"", 1);
    check(plain, FILE, &nameless, "expected this field, found none");
    check("signed/named", SIGNED, &half, "the file ends here, within a value: it was cut off");
}

#[test]
fn does_not_miss_what_is_only_damaged() {
    #[track_caller]
    fn check(desk: &Desk, file: &str, change: impl FnOnce(&str) -> String, error: &str) {
        desk.write(file, change(&desk.read(file)));
        let outcome = desk.run(&["check", "mirror"]);
        assert_eq!(outcome.code, Some(1), "{}", outcome.err);
        assert!(outcome.err.contains(error), "{}", outcome.err);
        for wrong in ["not in its index", "in none of the inputs", "cut off"] {
            assert!(!outcome.err.contains(wrong), "{wrong}: {}", outcome.err);
        }
    }
    let desk = Desk::new();
    desk.copy("binaries/v2-plain/build_cache", "mirror/build_cache");
    fs::remove_file(desk.path("mirror/build_cache/index.json.hash")).expect("a file");
    // Damages the record of a build that others depend on.
    let number = |text: &str| {
        text.replacen(
            "\"name\":\"lab-zed\",\"version\":\"1.0\"",
            "\"name\":\"lab-zed\",\"version\":7",
            1,
        )
    };
    check(&desk, "mirror/build_cache/index.json", number, "expected a text, found 7");
    let desk = Desk::new();
    desk.copy("mirror-v3", "mirror");
    let unclosed = |text: &str| {
        let (before, after) = text.rsplit_once('"').expect("a text");
        format!("{before}x{after}")
    };
    let error = "not valid JSON: expected the end of a value";
    check(&desk, &format!("mirror/{BLOB}"), unclosed, error);
}

#[test]
fn rejects_a_blob_with_another_digest() {
    let desk = Desk::new();
    desk.copy("mirror-v3", "mirror-v3");
    let blob = desk.read(&format!("mirror-v3/{BLOB}"));
    // The length is the same, so only the digest differs.
    desk.write(&format!("mirror-v3/{BLOB}"), blob.replacen("zstd", "zstb", 1));
    let digest = BLOB.rsplit('/').next().expect("a name");
    is_reported(
        &desk,
        "mirror-v3",
        &format!(
            "mirror-v3: {BLOB}, named by {MANIFEST}: the sha256 differs from the stated one: expected {digest}, \
             found e9f40447d3aa30857209ce2dab078b2b8a263e8ad6bdf776b5873148172d53ba"
        ),
    );
}

#[test]
fn a_mirror_of_another_version_is_reported() {
    let desk = Desk::new();
    desk.copy("mirror-v3", "mirror-v3");
    desk.write("mirror-v3/v3/layout.json", "{\"signing\": \"gpg\", \"version\": 4}");
    is_reported(
        &desk,
        "mirror-v3",
        "mirror-v3: v3/layout.json: field version: expected a mirror of version 3, found version 4",
    );
    desk.copy("mirror-v3", "mirror-v3");
    let manifest = desk.read(&format!("mirror-v3/{MANIFEST}"));
    let odd = manifest.replace("\"none\"", "\"lzma2\"");
    assert_ne!(odd, manifest);
    desk.write(&format!("mirror-v3/{MANIFEST}"), odd);
    is_reported(
        &desk,
        "mirror-v3",
        &format!(
            "mirror-v3: {MANIFEST}: field data.compression: expected the compression none, gzip or \
             zstd, found \"lzma2\""
        ),
    );
}
