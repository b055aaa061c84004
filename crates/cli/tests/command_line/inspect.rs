//! Looking into binaries, and asking about what was found. The contents of the binaries are tested in cache-ingest.

use std::collections::BTreeSet;
#[cfg(feature = "fetch")]
use std::fs;
#[cfg(feature = "fetch")]
use std::path::PathBuf;
#[cfg(feature = "fetch")]
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

#[cfg(feature = "fetch")]
use crate::caches::{answer_with, serve_with};
use crate::desk::{Desk, Outcome, data};
use crate::mcp::{ask, fails};

/// A build of `v2-plain` with a program and a library, and one that has none.
const HELLO: &str = "nfcdvjw2xby23w5xk6ohlhhfsh54bxjy";
const DATA: &str = "6bal6u34ytzr6wj3k4ekhlzfdpp2xz5f";

/// Returns the mirror. Its gcc-runtime has no binary.
fn mirror() -> String {
    data("binaries/v2-plain")
}

/// Looks into the mirror, which has one problem.
fn inspect(desk: &Desk, arguments: &[&str]) -> Outcome {
    let mirror = mirror();
    let outcome = desk.run(&[&["inspect", &mirror], arguments].concat());
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(
        outcome.err.contains("the binary of this build is not in the mirror"),
        "{}",
        outcome.err
    );
    outcome
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[track_caller]
fn has_fields(value: &Value, expected: &[&str]) {
    let fields: BTreeSet<&str> =
        value.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(fields, expected.iter().copied().collect());
}

#[test]
fn prints_a_line_for_each_build() {
    let desk = Desk::new();
    let found = lines(&inspect(&desk, &["--json"]).out);
    assert_eq!(found.len(), 8);
    for build in &found {
        has_fields(
            build,
            &["hash", "digest", "size", "unpacked", "prefix", "files", "objects", "relocation"],
        );
        has_fields(&build["relocation"], &["binaries", "text", "links"]);
        for file in build["files"].as_array().expect("a list") {
            has_fields(file, &["path", "type", "size", "mode", "target"]);
        }
        for object in build["objects"].as_array().expect("a list") {
            has_fields(
                object,
                &["path", "machine", "soname", "needed", "rpath", "requires", "isa"],
            );
        }
    }
    let hello = found.iter().find(|build| build["hash"] == HELLO).expect("the build");
    assert_eq!(hello["objects"][0]["requires"]["GLIBC"], "2.34");
    assert_eq!(hello["size"], 10328);
}

#[test]
fn reads_only_what_is_new() {
    let desk = Desk::new();
    let first = inspect(&desk, &["-o", "facts.json"]);
    assert_eq!(first.out, "facts.json: facts of 8 builds; 8 binaries read, 0 known before\n");
    let facts = desk.read("facts.json");
    let again = inspect(&desk, &["-o", "facts.json", "--known", "facts.json"]);
    assert_eq!(again.out, "facts.json: facts of 8 builds; 0 binaries read, 8 known before\n");
    assert_eq!(desk.read("facts.json"), facts);
    // Both print the same lines.
    let read = inspect(&desk, &["--json"]).out;
    let known = inspect(&desk, &["-o", "2.json", "--known", "facts.json", "--json"]).out;
    let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(sorted(&read), sorted(&known));
}

#[test]
fn goes_on_where_an_interrupted_run_stopped() {
    let desk = Desk::new();
    inspect(&desk, &["-o", "facts.json"]);
    let facts = desk.read("facts.json");
    let mut some: Vec<&str> = facts.lines().take(4).collect();
    let cut = &facts.lines().nth(4).expect("a line")[..200];
    some.push(cut);
    desk.write("other.json.part", some.join("\n"));
    let outcome = inspect(&desk, &["-o", "other.json"]);
    assert_eq!(outcome.out, "other.json: facts of 8 builds; 5 binaries read, 3 known before\n");
    let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(sorted(&desk.read("other.json")), sorted(&facts));
    assert!(!desk.path("other.json.part").exists());
}

#[test]
fn overwrites_nothing_but_facts() {
    // An interrupted run leaves its file next to the output.
    for name in ["notes", "notes.part"] {
        for foreign in ["mine", "one line\nand half of another", "{\"facts\":\"about cats\"}\n"] {
            let desk = Desk::new();
            desk.write(name, foreign);
            let outcome = desk.run(&["inspect", &mirror(), "-o", "notes"]);
            assert_eq!(outcome.code, Some(1));
            let words = format!("{name}: this is not a file of facts");
            assert!(outcome.err.contains(&words), "{}", outcome.err);
            assert_eq!(desk.read(name), foreign);
        }
    }
}

#[test]
fn reports_a_damaged_binary_and_reads_the_others() {
    let desk = Desk::new();
    desk.copy("binaries/v2-plain", "mirror");
    let folder = "mirror/build_cache/linux-debian12-x86_64_v2/gcc-12.2.0/lab-data-1.0";
    let file = std::fs::read_dir(desk.path(folder)).expect("a folder").next();
    let path = file.expect("a file").expect("a file").path();
    std::fs::write(&path, "<html>").expect("written");
    let outcome = desk.run(&["inspect", "mirror", "--json"]);
    assert_eq!(outcome.code, Some(1));
    assert_eq!(lines(&outcome.out).len(), 7);
    let written = desk.run(&["inspect", "mirror", "-o", "facts.json"]);
    assert_eq!(written.out, "facts.json: facts of 7 builds; 7 binaries read, 0 known before\n");
    assert!(outcome.err.contains("the sha256 differs from the stated one"), "{}", outcome.err);
    assert!(outcome.err.contains(DATA), "{}", outcome.err);
}

/// Asking one mirror for the builds of another would report them as damaged.
#[cfg(feature = "fetch")]
#[test]
fn asks_each_server_for_its_own_builds() {
    let desk = Desk::new();
    let serve = |mirror: &str| {
        let (folder, asked) = (PathBuf::from(data(mirror)), Arc::new(Mutex::new(Vec::new())));
        let log = Arc::clone(&asked);
        let url = serve_with(move |path| {
            log.lock().expect("a lock").push(path.to_owned());
            fs::read(folder.join(path)).ok()
        });
        (url, asked)
    };
    let (lab, lab_asked) = serve("binaries/v3-pad128");
    let (others, others_asked) = serve("mirror-1.3");
    let outcome = desk.run(&["inspect", &lab, &others, "--json"]);
    // A copy of this mirror has no binaries.
    assert_eq!(outcome.code, Some(1));
    let absent = "the binary of this build is not in the mirror";
    assert!(!outcome.err.contains(absent), "{}", outcome.err);
    let alone = desk.run(&["inspect", &data("binaries/v3-pad128"), "--json"]);
    assert_eq!(lines(&outcome.out).len(), lines(&alone.out).len());
    let is_about = |asked: &Mutex<Vec<String>>, package: &str| {
        let folder = format!("v3/manifests/spec/{package}/");
        asked.lock().expect("a lock").iter().any(|path| path.starts_with(&folder))
    };
    assert!(is_about(&lab_asked, "lab-zed") && !is_about(&lab_asked, "zlib-ng"));
    assert!(is_about(&others_asked, "zlib-ng") && !is_about(&others_asked, "lab-zed"));
}

#[cfg(feature = "fetch")]
#[test]
fn reports_a_manifest_that_a_server_refuses_and_reads_the_other_binaries() {
    let desk = Desk::new();
    let serve = |refused: &'static str| {
        let folder = PathBuf::from(data("binaries/v3-pad128"));
        answer_with(move |path| match fs::read(folder.join(path)) {
            // Redirects are not followed.
            Ok(_) if path.starts_with(refused) => {
                ("302 Found\r\nLocation: https://elsewhere.example.org/", Vec::new())
            }
            Ok(file) => ("200 OK", file),
            Err(_) => ("404 Not Found", Vec::new()),
        })
    };
    let alone = desk.run(&["inspect", &data("binaries/v3-pad128"), "--json"]);
    let url = serve("v3/manifests/spec/lab-zed/");
    let outcome = desk.run(&["inspect", &url, "--json"]);
    assert_eq!(outcome.code, Some(1));
    assert_eq!(lines(&outcome.out).len(), lines(&alone.out).len() - 1);
    let problem = "v3/manifests/spec/lab-zed/lab-zed-1.0-col36hlyg3las4udaeygiballqlrytz7.spec.manifest.json: \
                   could not be read: could not be fetched: the server says that it is at";
    assert!(outcome.err.contains(problem), "{}", outcome.err);
    // If none can be read, the mirror is the problem.
    let url = serve("v3/manifests/spec/");
    let outcome = desk.run(&["inspect", &url, "-o", "facts.json"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("1 problem; nothing was read"), "{}", outcome.err);
    assert!(!desk.path("facts.json").exists());
}

#[test]
fn reads_the_beginning_for_the_prefix() {
    let desk = Desk::new();
    let found = lines(&inspect(&desk, &["--quick", "--json"]).out);
    assert_eq!(found.len(), 8);
    for build in &found {
        assert!(
            build["prefix"].as_str().is_some_and(|it| it.starts_with("/opt/lab/store-of-24-old/"))
        );
        assert_eq!(build["files"], Value::Array(Vec::new()));
    }
    // Of binaries that were read with `--quick`, everything else must still be read.
    inspect(&desk, &["--quick", "-o", "facts.json"]);
    let outcome = inspect(&desk, &["-o", "facts.json", "--known", "facts.json"]);
    assert_eq!(outcome.out, "facts.json: facts of 8 builds; 8 binaries read, 0 known before\n");
}

/// Asks why a build would not be reused on a machine that fits except for these arguments.
fn why(desk: &Desk, hash: &str, arguments: &[&str]) -> Value {
    let mirror = mirror();
    let before = [
        "why",
        hash,
        "--from",
        &mirror,
        "--host",
        "linux.debian12.zen3",
        "--facts",
        "facts.json",
        "--json",
    ];
    let outcome = desk.run(&[&before[..], arguments].concat());
    serde_json::from_str(&outcome.out).unwrap_or_else(|error| panic!("{error}: {}", outcome.err))
}

fn check_of<'v>(checklist: &'v Value, rule: &str) -> (&'v str, &'v str) {
    let checks = checklist["checks"].as_array().expect("a list");
    let check = checks.iter().find(|check| check["rule"] == rule).expect("the rule");
    (check["status"].as_str().expect("a status"), check["fact"].as_str().expect("a fact"))
}

fn change_of<'v>(checklist: &'v Value, rule: &str) -> &'v str {
    let checks = checklist["checks"].as_array().expect("a list");
    let check = checks.iter().find(|check| check["rule"] == rule).expect("the rule");
    check["change"].as_str().expect("something would change it")
}

#[test]
fn says_what_a_binary_needs_and_where_it_can_be_moved() {
    let desk = Desk::new();
    inspect(&desk, &["-o", "facts.json"]);
    let of = why(&desk, HELLO, &["--libc", "2.36"]);
    let fact = "needs GLIBC_2.34; its label says 2.36; yours is 2.36";
    assert_eq!(check_of(&of, "binary"), ("passed", fact));
    let of = why(&desk, HELLO, &["--libc", "2.31"]);
    let fact = "needs GLIBC_2.34; its label says 2.36; yours is 2.31: does not run";
    assert_eq!(check_of(&of, "binary"), ("failed", fact));

    let of = why(&desk, DATA, &["--libc", "2.36", "--install-tree", "/opt/spack"]);
    // The build itself can be moved; the sample does not have the binary of a dependency that it needs to run.
    let fact = "needs gcc-runtime/wt6hcv6: its binary is not in the cache";
    assert_eq!(check_of(&of, "relocation"), ("unknown", fact));
    let long = format!("/opt/{}", "x".repeat(40));
    let of = why(&desk, HELLO, &["--libc", "2.36", "--install-tree", &long]);
    let (status, fact) = check_of(&of, "relocation");
    assert_eq!(status, "failed");
    assert!(
        fact.contains("files cannot be changed") || fact.contains("1 file cannot be changed"),
        "{fact}"
    );
    let change = "a shorter install tree, or a build with a greater padded_length";
    assert_eq!(change_of(&of, "relocation"), change);
    let too_long = format!("/opt/{}", "x".repeat(113));
    let of = why(&desk, DATA, &["--libc", "2.36", "--install-tree", &too_long]);
    assert_eq!(check_of(&of, "relocation").0, "failed");
    // This is true of every build.
    let change = "a shorter install tree, whose root has at most 117 characters";
    assert_eq!(change_of(&of, "relocation"), change);
}

/// An index that was made with facts knows where its builds can be moved, without the file of facts.
#[test]
fn knows_from_an_index_where_a_build_runs_and_can_be_moved() {
    let desk = Desk::new();
    inspect(&desk, &["-o", "facts.json"]);
    desk.run(&["index", &mirror(), "--facts", "facts.json", "-o", "index.json"]);
    let by_index = |hash: &str, from: &str, more: &[&str]| {
        let call = ["why", hash, "--from", from, "--host", "linux.debian12.zen3", "--json"];
        let outcome = desk.run(&[&call[..], more].concat());
        (serde_json::from_str::<Value>(&outcome.out).unwrap_or_default(), outcome.err)
    };
    let long = format!("/opt/{}", "x".repeat(40));
    let (of, _) = by_index(HELLO, "index.json", &["--install-tree", &long]);
    // The build was made in a root of 24 characters, in a deeper layout.
    let fact = "its paths have room for an install tree whose root has at most 44 characters; yours has 45";
    assert_eq!(check_of(&of, "relocation"), ("failed", fact));
    assert_eq!(of["eligible"], false);
    // The settings can state the install tree too.
    desk.write("config.yaml", format!("config:\n  install_tree:\n    root: {long}\n"));
    let (of, _) = by_index(HELLO, "index.json", &["--config", "config.yaml"]);
    assert_eq!(check_of(&of, "relocation"), ("failed", fact));
    // So does a path among the words that describe the machine.
    let words = format!("Debian 12 zen3 {long}");
    let call = ["why", HELLO, "--from", "index.json", "--host", &words, "--json"];
    let of = serde_json::from_str(&desk.run(&call).out).unwrap_or_default();
    assert_eq!(check_of(&of, "relocation"), ("failed", fact));
    // The index also knows what a binary needs of the machine.
    let (of, _) = by_index(HELLO, "index.json", &["--libc", "2.31"]);
    let fact = "needs GLIBC_2.34; its label says 2.36; yours is 2.31: does not run";
    assert_eq!(check_of(&of, "binary"), ("failed", fact));
    let (_, note) = by_index(HELLO, &mirror(), &["--config", "config.yaml"]);
    assert!(note.contains("the install tree is not considered"), "{note}");
    let (_, error) = by_index(HELLO, &mirror(), &["--install-tree", &long]);
    assert!(error.contains("--install-tree: nothing is known of the binaries"), "{error}");
}

#[test]
fn finds_builds_by_their_files() {
    let desk = Desk::new();
    inspect(&desk, &["-o", "facts.json"]);
    let mirror = mirror();
    desk.run(&["index", &mirror, "--facts", "facts.json", "-o", "index.json"]);
    #[track_caller]
    fn check(desk: &Desk, mirror: &str, text: &str, expected: &[&str]) {
        // The facts are in a file, or in the index.
        let by_file = ["search", text, "--from", mirror, "--facts", "facts.json", "--json"];
        let by_index = ["search", text, "--from", "index.json", "--json"];
        let [by_file, by_index] = [&by_file[..], &by_index].map(|call| desk.run(call));
        assert_eq!(by_file.out, by_index.out, "{text}");
        let builds: Value = serde_json::from_str(&by_file.out).expect("JSON");
        let names = builds.as_array().expect("a list").iter();
        let names: Vec<&str> = names.filter_map(|build| build["package"].as_str()).collect();
        assert_eq!(names, expected, "{text}: {}", by_file.err);
    }
    check(&desk, &mirror, "file:hello", &["lab-hello"]);
    check(&desk, &mirror, "file:libzed.so*", &["lab-zed"]);
    check(&desk, &mirror, "lab-zed file:lib/*.a", &["lab-zed"]);
    check(&desk, &mirror, "file:lib/*.a file:libzed.so*", &["lab-zed"]);
    // The same for many lines on the standard input, and for an assistant.
    let lines = "file:hello\nlab-zed file:hello\nlab-zed@ file:hello\nlab-zed";
    let call = ["search", "--stdin", "--from", "index.json"];
    let of_index = desk.run_with(&call, lines).out;
    let call = ["search", "--stdin", "--from", &mirror, "--facts", "facts.json"];
    assert_eq!(desk.run_with(&call, lines).out, of_index);
    let answers: Vec<Value> =
        of_index.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers[0]["hashes"], json!([HELLO]));
    assert_eq!(answers[1]["hashes"], json!([]));
    assert_eq!(answers[2]["position"], 7, "{}", answers[2]);
    assert_eq!(answers[3]["hashes"].as_array().map(Vec::len), Some(1));
    // A stack that is not there is the reason, with files too.
    let unknown = "no stack `x` here\nstack=x\n^^^^^^^";
    let outcome = desk.run(&["search", "stack=x file:hello", "--from", "index.json"]);
    assert_eq!((outcome.code, outcome.err), (Some(1), format!("error: {unknown}\n")));
    let spec = json!({"spec": "stack=x file:hello"});
    assert_eq!(fails(&desk, &["index.json"], "search", &spec), unknown);
    let spec = json!({"spec": "file:hello"});
    let said = ask(&desk, &["index.json"], "search", &spec);
    assert_eq!(said["builds"][0]["hash"], HELLO);
    assert_eq!(said["builds"][0]["files"], json!(["bin/hello"]));
    desk.run(&["index", &mirror, "-o", "plain.json"]);
    let error = fails(&desk, &["plain.json"], "search", &spec);
    assert!(error.contains("nobody has looked into the binaries"), "{error}");
    // If only the beginning of a binary was read, its files are not known.
    let facts = desk.read("facts.json");
    desk.write("facts.json", facts.replace("\"found\":{", "\"found\":{\"is_partial\":true,"));
    let call = ["search", "file:hello", "--from", &mirror, "--facts", "facts.json"];
    let outcome = desk.run(&call);
    assert_eq!(outcome.out, "");
    assert!(outcome.err.contains("were not looked into"), "{}", outcome.err);
    let call = ["search", "--stdin", "--from", &mirror, "--facts", "facts.json"];
    let line: Value = serde_json::from_str(&desk.run_with(&call, "file:hello").out).expect("JSON");
    assert_eq!(line["error"], "there may be more: 8 builds were not looked into");
    assert_eq!(line["certain"], json!([]));
    let outcome = desk.run(&["search", "file:hello", "--from", &mirror]);
    assert!(outcome.err.contains("--facts names it"), "{}", outcome.err);
}

#[test]
fn checks_what_was_found_against_labels() {
    let desk = Desk::new();
    inspect(&desk, &["-o", "facts.json"]);
    let mirror = mirror();
    let outcome = desk.run(&["check", &mirror, "--facts", "facts.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let writers = "8 builds from /opt/lab/store-of-24-old (24 characters), 5 of them with paths that cannot grow\n";
    assert!(outcome.out.starts_with(writers), "{}", outcome.out);
    let outcome = desk.run(&["check", &mirror, "--facts", "facts.json", "--padding", "128"]);
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome.err.contains("builds cannot be moved to a root of 128 characters")
            || outcome.err.contains("which would have"),
        "{}",
        outcome.err
    );
    // Of a binary whose beginning alone was read, it is not known whether it differs.
    inspect(&desk, &["-o", "quick.json", "--quick"]);
    let outcome = desk.run(&["check", &mirror, "--facts", "quick.json"]);
    assert!(outcome.err.contains("note: 8 builds were not looked into\n"), "{}", outcome.err);
}

#[test]
fn keeps_what_is_known_if_no_binary_is_there() {
    let desk = Desk::new();
    desk.copy("binaries/v2-plain", "mirror");
    // A nightly job is the same from the first night on.
    let nightly = || desk.run(&["inspect", "mirror", "-o", "facts.json", "--known", "facts.json"]);
    let first = nightly();
    assert!(
        first.out.starts_with("facts.json: facts of 8 builds; 8 binaries read"),
        "{}",
        first.err
    );
    let facts = desk.read("facts.json");
    let binaries = desk.path("mirror/build_cache/linux-debian12-x86_64_v2");
    std::fs::remove_dir_all(binaries).expect("removed");
    let second = nightly();
    assert_eq!(second.code, Some(1));
    assert!(
        second.err.ends_with("; no binary can be used, so nothing was written\n"),
        "{}",
        second.err
    );
    assert_eq!(desk.read("facts.json"), facts);
}
