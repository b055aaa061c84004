//! What can be wrong with a cache: each told with its place, and nothing written.

use std::fs;
use std::path::Path;

use cache_index::index::{BuildId, EdgeTarget, Index};
use walkdir::WalkDir;

use crate::desk::{Desk, HASH, data, page};

/// An index that is there already stays as it is when another one cannot be made.
const GOOD: &str = "{\"good\": true}";

const AT: [&str; 4] = ["--release", "develop", "--stack", "mine"];

/// `index` and `check` tell this and nothing else, and the index that is there stays.
#[track_caller]
fn is_told(desk: &Desk, input: &str, problem: &str) {
    desk.write("index.json", GOOD);
    let problem = format!("error: {problem}\n");
    for verb in ["check", "index"] {
        let outcome = desk.run(&[&[verb, input][..], &AT].concat());
        assert_eq!(outcome.code, Some(1), "{}", outcome.err);
        let told: String = outcome.err.lines().filter(|line| line.starts_with("error: ")).fold(
            String::new(),
            |mut all, line| {
                all.push_str(line);
                all.push('\n');
                all
            },
        );
        assert_eq!(told, problem);
        assert_eq!(desk.read("index.json"), GOOD);
    }
}

fn v8() -> String {
    fs::read_to_string(data("database/v8.json")).expect("a file")
}

/// Copies a folder of the test data to the desk.
fn copied(desk: &Desk, name: &str) {
    let from = data(name);
    for entry in WalkDir::new(&from).into_iter().map(|entry| entry.expect("a file")) {
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(&from).expect("below it");
            let content = fs::read(entry.path()).expect("a file");
            desk.write(&Path::new(name).join(path).display().to_string(), content);
        }
    }
}

const MANIFEST: &str = "v3/manifests/index/index.manifest.json";
const BLOB: &str =
    "blobs/sha256/17/170308147bbcd1f5d3973bf4d4c9356d616c679450dddd8c9345f17984974298";

#[test]
fn a_file_that_was_cut_off_ends_where_it_ends() {
    let desk = Desk::new();
    let text = v8();
    desk.write("cut.json", &text[..text.len() / 2]);
    let column = text.len() / 2;
    is_told(
        &desk,
        "cut.json",
        &format!("cut.json: line 1 column {column}: not valid JSON: EOF while parsing a string"),
    );
}

#[test]
fn json_that_is_none_has_its_place() {
    let desk = Desk::new();
    let text = v8().replacen("\"installs\":", "\n\"installs\";", 1);
    desk.write("bad.json", text);
    is_told(&desk, "bad.json", "bad.json: line 2 column 11: not valid JSON: expected `:`");
}

#[test]
fn a_version_that_is_not_known_is_named() {
    let desk = Desk::new();
    desk.write("newer.json", v8().replacen("\"version\":\"8\"", "\"version\":\"99\"", 1));
    is_told(
        &desk,
        "newer.json",
        "newer.json: field database.version: expected a Spack database of version 5 to 8, \
         found version \"99\"",
    );
}

#[test]
fn a_blob_that_is_not_there_is_named() {
    let desk = Desk::new();
    copied(&desk, "mirror-v3");
    fs::remove_file(desk.path("mirror-v3").join(BLOB)).expect("a blob");
    is_told(
        &desk,
        "mirror-v3",
        &format!("mirror-v3: {MANIFEST}: the mirror has no file {BLOB}, which this manifest names"),
    );
}

#[test]
fn a_blob_that_is_another_one_is_refused() {
    let desk = Desk::new();
    copied(&desk, "mirror-v3");
    let blob = desk.read(&format!("mirror-v3/{BLOB}"));
    // As long as it was, so that only its digest tells.
    desk.write(&format!("mirror-v3/{BLOB}"), blob.replacen("zstd", "zstb", 1));
    let digest = BLOB.rsplit('/').next().expect("a name");
    is_told(
        &desk,
        "mirror-v3",
        &format!(
            "mirror-v3: {MANIFEST}: expected a file with the sha256 {digest}, \
             found e9f40447d3aa30857209ce2dab078b2b8a263e8ad6bdf776b5873148172d53ba"
        ),
    );
}

#[test]
fn a_dependency_that_is_nowhere_is_kept_and_told() {
    let desk = Desk::new();
    let outcome = desk.run(&[&["check", &data("database/v8.json")][..], &AT].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let note = outcome.err.lines().find(|line| line.contains("zlib-ng/")).expect("a note");
    assert!(note.starts_with("note: 1 build depends on zlib-ng/"), "{note}");
    assert!(note.ends_with(", which is in none of the inputs"), "{note}");

    desk.run(&[&["index", &data("database/v8.json")][..], &AT].concat());
    let index = Index::from_json(&desk.read("index.json")).expect("an index");
    let edges = (0..index.specs()).filter_map(|id| index.dependencies(BuildId(id))).flatten();
    let mut unknown: Vec<&str> = edges
        .filter_map(|edge| match edge.target {
            EdgeTarget::Unknown { package, .. } => Some(package),
            EdgeTarget::Build(_) => None,
        })
        .collect();
    unknown.sort_unstable();
    unknown.dedup();
    assert!(unknown.contains(&"zlib-ng"), "{unknown:?}");
}

#[test]
fn two_specs_under_one_hash_name_both_files() {
    let desk = Desk::new();
    desk.write("a/index.json", v8());
    desk.write("b/index.json", v8().replacen("\"name\":\"hdf5\"", "\"name\":\"hdf6\"", 1));
    desk.write("index.json", GOOD);
    let arguments = ["index", "a/index.json", "b/index.json"];
    let outcome = desk.run(&[&arguments[..], &AT].concat());
    assert_eq!(outcome.code, Some(1));
    let told = "differs in package: \"hdf5\" in a/index.json, but \"hdf6\" in b/index.json";
    assert!(outcome.err.contains(told), "{}", outcome.err);
    assert!(outcome.err.ends_with("1 problem; nothing was written\n"), "{}", outcome.err);
    assert_eq!(desk.read("index.json"), GOOD);
}

#[test]
fn two_contents_under_one_hash_name_both_files() {
    let desk = Desk::new();
    desk.write("pages/a.md", page("zlib", HASH, "rhel8"));
    desk.write("pages/b.md", page("zlib", HASH, "sles15"));
    desk.fails(
        &["index", "pages"],
        "error: build 2dqr6c6tz4lpr32hw5pomh7n2pbjpom4 differs in os: \
         \"rhel8\" in pages/a.md, but \"sles15\" in pages/b.md\n\
         1 problem; nothing was written\n",
    );
}

#[test]
fn a_circle_of_dependencies_is_an_error() {
    let desk = Desk::new();
    let text = fs::read_to_string(data("mirror-v2/build_cache/index.json")).expect("a file");
    // The libc then depends on the runtime that depends on it.
    let edges = r#""parameters":{"deptypes":["link"],"virtuals":[]}}],"external":"#;
    let runtime = "in42wi6aphigif2fpckwn2l3ep5z2nv6";
    let edge = format!(r#""dependencies":[{{"name":"gcc-runtime","hash":"{runtime}",{edges}"#);
    desk.write("index.json", text.replacen("\"external\":", &edge, 1));
    let outcome = desk.run(&["check", "index.json", "--release", "develop", "--stack", "mine"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("builds depend on each other in a circle: "), "{}", outcome.err);
}
