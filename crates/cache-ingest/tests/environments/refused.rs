//! Files with something wrong in them, and files that are not environments.

use super::*;

#[test]
fn says_what_a_lock_file_lacks() {
    let mut lock = json_of("zlib-only/spack.lock");
    let specs = lock["concrete_specs"].as_object_mut().expect("specs");
    let gone = specs.iter().find(|(_, spec)| spec["name"] == "gmake").expect("gmake").0.clone();
    specs.remove(&gone);
    let problems = read_environment(lock.to_string().as_bytes()).expect_err("a problem");
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    let start = "field concrete_specs: the lock file lacks a spec that another depends on: ";
    assert!(said[0].starts_with(start) && said[0].ends_with(&format!(" depends on gmake/{gone}")));
}

#[test]
fn says_what_is_wrong_and_where() {
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let problems = read_environment(text.as_bytes()).expect_err("a problem");
        assert_eq!(problems[0].to_string(), expected);
    }
    check("", "there is nothing in it");
    check("hdf5@", "line 1: expected a spec, found \"hdf5@\": expected a version after `@`");
    check(
        "{\"a\": 1}",
        "expected a lock file, or the output of spack spec or spack find, found an object",
    );
    check(
        "{\"_meta\": {\"file-type\": \"x\", \"lockfile-version\": 6}}",
        "field _meta.file-type: expected \"spack-lockfile\", found \"x\"",
    );
    check("[1", "line 1 column 2: not valid JSON: EOF while parsing a list");
    check("spack: {specs: 1}", "field spack.specs: expected a list of specs, found 1");
    check(
        "spack:\n  specs: [$nowhere]",
        "field spack.specs: expected a name that is defined above, found \"nowhere\"",
    );
    check(
        "spack:\n  specs:\n  - matrix: [[zlib], ['@1.2'], ['@1.3']]",
        "field spack.specs.matrix: no build satisfies both \"zlib@1.2\" and \"@1.3\"",
    );
    check(
        "spack:\n  specs:\n  - zlib@1.2:\n",
        "field spack.specs: expected a spec or a matrix, and quotes around a spec that ends with a colon, \
         found \"zlib@1.2:\"",
    );
}

#[test]
fn says_what_is_not_an_environment() {
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let problems = read_environment(text.as_bytes()).expect_err("a problem");
        assert_eq!(problems.len(), 1);
        assert!(problems[0].to_string().starts_with(expected), "{}", problems[0]);
    }
    let cache = "this says what a cache or an installation has; expected an environment";
    check("{\"database\": {\"version\": \"8\", \"installs\": {}}}", cache);
    check("<!doctype html>\n<html>", cache);
    let part = "this is a part of a mirror";
    check("{\"version\": 3, \"data\": []}", part);
    check("{\"signing\": \"gpg\"}", part);
    let settings = "these are settings of Spack, which say how to install; expected an environment";
    for text in [
        "packages:\n  all:\n    require: [target=x86_64_v4]\n",
        "# mine\n---\nmirrors:\n  m: s3://bucket\n",
        "concretizer:\n  reuse: true\n",
    ] {
        check(text, settings);
    }
    // Settings above the environment's own key do not make it something else.
    assert_eq!(read(b"config: {}\nspack:\n  specs: [zlib]\n").roots.len(), 1);
}

#[test]
fn says_of_another_text_that_it_is_not_a_list_of_specs() {
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let problems = read_environment(text.as_bytes()).expect_err("a problem");
        let starts = problems.iter().map(|problem| problem.to_string());
        let starts =
            starts.map(|text| text.split(", found \"").next().unwrap_or_default().to_owned());
        assert_eq!(starts.collect::<Vec<_>>(), expected);
    }
    check(
        "# A tool\n\nIt\n@@ 1\n@@ 2\n@@ 3\n@@ 4\n@@ 5\n",
        &[
            "expected a spack.lock, a spack.yaml or a list of specs, but 5 of its 6 lines are not specs",
            "line 4: expected a spec",
            "line 5: expected a spec",
            "line 6: expected a spec",
            "2 more lines are not specs",
        ],
    );
    // Few, or a few among others, are mistakes in a list.
    let line = |number| format!("line {number}: expected a spec");
    let lines = [1, 2, 3, 4].map(line);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    check("@@ 1\n@@ 2\n@@ 3", &lines[..3]);
    check("@@ 1\n@@ 2\n@@ 3\n@@ 4\na\nb\nc\nd", &lines);
}

#[test]
fn refuses_to_expand_too_much() {
    #[track_caller]
    fn check(yaml: &str, expected: &str) {
        let problems = read_environment(yaml.as_bytes()).expect_err("too much");
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(said, [expected]);
    }
    let row = format!("[{}]", vec!["zlib"; 100].join(","));
    let many = "expected at most 100,000 specs, but this stands for more";
    check(
        &format!("spack:\n  specs:\n  - matrix: [{row}, {row}, {row}]"),
        &format!("field spack.specs: {many}"),
    );
    // Each definition stands for twice as many specs as the one before; number 17 stands for 131,072.
    let double = |lines: usize| {
        let line = |at: usize| format!("  - d{}: [$d{at}, $d{at}]\n", at + 1);
        let lines: String = (0..lines).map(line).collect();
        format!("spack:\n  definitions:\n  - d0: [zlib]\n{lines}")
    };
    for lines in [17, 24, 200, 20_000] {
        let yaml = format!("{}  specs: [$d{lines}]\n", double(lines));
        check(&yaml, &format!("field spack.definitions.d17: {many}"));
        // Nothing uses them.
        let yaml = format!("{}  specs: [zlib]\n", double(lines));
        assert_eq!(read(yaml.as_bytes()).roots.len(), 1);
    }
    let yaml = format!("{}  specs: [$d16, $^d16, $d0]\n", double(16));
    check(&yaml, &format!("field spack.specs: {many}"));
    assert_eq!(read(format!("{}  specs: [$d16]\n", double(16)).as_bytes()).roots.len(), 1 << 16);
    // A long chain of short definitions.
    let line = |at: usize| format!("  - d{}: [$d{at}]\n", at + 1);
    let lines: String = (0..50_000).map(line).collect();
    let yaml = format!("spack:\n  definitions:\n  - d0: [zlib]\n{lines}  specs: [$d50000]\n");
    assert_eq!(read(yaml.as_bytes()).roots.len(), 1);
    // Few specs, but long ones; many that are compared with many; and names that stand for much.
    let long = "expected specs that combine to at most 100,000,000 characters";
    let rows: String = (0..20_000).map(|at| format!("[+a{at}],")).collect();
    check(
        &format!("spack:\n  specs:\n  - matrix: [[zlib],{rows}]"),
        &format!("field spack.specs: {long}"),
    );
    let row = format!("[{}]", vec!["zlib"; 30_000].join(","));
    check(
        &format!("spack:\n  specs:\n  - {{matrix: [{row}], exclude: {row}}}"),
        &format!("field spack.specs: {long}"),
    );
    let names = "%t ".repeat(10_000);
    let meaning = "%gcc ".repeat(10_000);
    check(
        &format!("spack:\n  toolchains: {{t: '{meaning}'}}\n  specs: ['zlib {names}']\n"),
        &format!("field spack.specs: {long}"),
    );
}

#[test]
fn tells_environments_from_caches() {
    #[track_caller]
    fn check(bytes: &[u8], name: &str, expected: bool) {
        assert_eq!(is_environment(bytes, name), expected, "{name}");
    }
    for name in ["zlib-only/spack.lock", "v024-fresh/spack.lock", "groups.yaml", "find.json"] {
        check(&bytes(name), name, true);
    }
    for name in json_of("legacy/truth.json").as_object().expect("an object").keys() {
        check(&bytes(&format!("legacy/{name}")), name, true);
    }
    check(&bytes("zlib-only/index.json"), "index.json", false);
    check(b"{\"spec\": {\"_meta\": {\"version\": 5}, \"nodes\": []}}", "spec.json", true);
    check(b"{\"format\":3,\"about\":{}}", "index.json", false);
    check(b"---\ntitle: x\n---\n", "specs.md", false);
    check(b"hdf5+mpi\nzlib\n", "specs.txt", true);
    check(b"hdf5+mpi\nzlib\n", "specs.md", false);
    check(b"# Read me\n", "readme.txt", false);
    check(b"This is a text, and not a list.\n", "notes.txt", false);
    check(b"", "empty.txt", false);
    check(b"{\"_meta\": {\"file-type\": \"spack-lo", "cut.lock", true);
}
