//! Damaged caches: each problem is reported with its position, and nothing is written.

use std::fs;

use cache_index::index::{BuildId, EdgeTarget, Index, LeftOut};
use serde_json::{Value, json};

use crate::desk::{Desk, HASH, OTHER, data, page};

/// An existing index stays unchanged if a new one cannot be made.
const GOOD: &str = "{\"format\":2,\"good\":true}";

const AT: [&str; 4] = ["--release", "develop", "--stack", "mine"];

/// Checks that `index` and `check` report only this problem, and that the existing index stays.
#[track_caller]
pub(crate) fn is_reported(desk: &Desk, input: &str, problem: &str) {
    desk.write("index.json", GOOD);
    let problem = format!("error: {problem}\n");
    for verb in ["check", "index"] {
        let outcome = desk.run(&[&[verb, input][..], &AT].concat());
        assert_eq!(outcome.code, Some(1), "{}", outcome.err);
        let reported: String = outcome.err.lines().filter(|line| line.starts_with("error: ")).fold(
            String::new(),
            |mut all, line| {
                all.push_str(line);
                all.push('\n');
                all
            },
        );
        assert_eq!(reported, problem);
        assert_eq!(desk.read("index.json"), GOOD);
    }
}

fn v8() -> String {
    fs::read_to_string(data("database/v8.json")).expect("a file")
}

#[test]
fn reports_where_a_file_was_cut_off() {
    let desk = Desk::new();
    let text = v8();
    desk.write("cut.json", &text[..text.len() / 2]);
    let column = text.len() / 2 + 1;
    let reported = format!(
        "cut.json: line 1 column {column}: the file ends here, within a value: it was cut off"
    );
    is_reported(&desk, "cut.json", &reported);
    // It is unknown what is missing, so nothing can be left out.
    assert_eq!(desk.run(&["index", "cut.json", "--leave-out-damaged"]).code, Some(1));
}

#[test]
fn reports_where_json_is_invalid() {
    let desk = Desk::new();
    let text = v8().replacen("\"installs\":", "\n\"installs\";", 1);
    desk.write("bad.json", text);
    is_reported(&desk, "bad.json", "bad.json: line 2 column 11: not valid JSON: expected `:`");
}

#[test]
fn rejects_a_version_that_is_too_old() {
    let desk = Desk::new();
    desk.write("older.json", v8().replacen("\"version\":\"8\"", "\"version\":\"4\"", 1));
    is_reported(
        &desk,
        "older.json",
        "older.json: field database.version: expected a Spack database of version 5 to 9, \
         found version \"4\"",
    );
}

#[test]
fn keeps_and_reports_an_unknown_dependency() {
    let desk = Desk::new();
    let outcome = desk.run(&[&["check", "--verbose", &data("database/v8.json")][..], &AT].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.err.starts_with("note: dependencies are in none of the inputs, 9 times\n"));
    let note = outcome.err.lines().find(|line| line.contains("zlib-ng/")).expect("a note").trim();
    assert!(note.contains(" depends on zlib-ng/") && !note.starts_with("1 build"), "{note}");
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
fn names_both_files_of_two_specs_with_one_hash() {
    let desk = Desk::new();
    desk.write("a/index.json", v8());
    desk.write("b/index.json", v8().replacen("\"name\":\"hdf5\"", "\"name\":\"hdf6\"", 1));
    desk.write("index.json", GOOD);
    let arguments = ["index", "a/index.json", "b/index.json"];
    let outcome = desk.run(&[&arguments[..], &AT].concat());
    assert_eq!(outcome.code, Some(1));
    let reported = "differs in package: \"hdf5\" in a/index.json, but \"hdf6\" in b/index.json";
    assert!(outcome.err.contains(reported), "{}", outcome.err);
    let undone = "1 problem in 1 build; nothing was written \
                  (--leave-out-damaged goes on without what is damaged)\n";
    assert!(outcome.err.ends_with(undone), "{}", outcome.err);
    assert_eq!(desk.read("index.json"), GOOD);
}

#[test]
fn names_both_files_of_two_contents_with_one_hash() {
    let desk = Desk::new();
    desk.write("pages/a.md", page("zlib", HASH, "rhel8"));
    desk.write("pages/b.md", page("zlib", HASH, "sles15"));
    desk.fails(
        &["index", "pages"],
        "error: build 2dqr6c6tz4lpr32hw5pomh7n2pbjpom4 differs in os: \
         \"rhel8\" in pages/a.md, but \"sles15\" in pages/b.md\n\
         1 problem in 1 build; nothing was written \
         (--leave-out-damaged goes on without what is damaged)\n",
    );
}

#[test]
fn rejects_a_cycle_of_dependencies() {
    let desk = Desk::new();
    let text = fs::read_to_string(data("mirror-v2/build_cache/index.json")).expect("a file");
    // This makes the libc depend on the runtime that depends on it.
    let edges = r#""parameters":{"deptypes":["link"],"virtuals":[]}}],"external":"#;
    let runtime = "in42wi6aphigif2fpckwn2l3ep5z2nv6";
    let edge = format!(r#""dependencies":[{{"name":"gcc-runtime","hash":"{runtime}",{edges}"#);
    desk.write("index.json", text.replacen("\"external\":", &edge, 1));
    let outcome = desk.run(&["check", "index.json", "--release", "develop", "--stack", "mine"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("builds depend on each other in a cycle: "), "{}", outcome.err);
}

/// Returns the names of the builds with a binary in the index.
fn built(desk: &Desk) -> Vec<String> {
    let index = Index::from_json(&desk.read("index.json")).expect("an index");
    let builds = (0..index.specs()).filter_map(|id| index.build(BuildId(id)));
    builds.filter(|build| build.has_binary()).map(|build| build.package).collect()
}

#[test]
fn leaves_out_what_is_damaged_if_asked_to() {
    let desk = Desk::new();
    desk.write("whole.json", v8());
    assert_eq!(desk.run(&["index", "whole.json"]).code, Some(0));
    let whole = built(&desk);
    desk.write("damaged.json", v8().replacen("\"name\":\"hdf5\"", "\"naem\":\"hdf5\"", 1));
    let part = format!("written: that is {:.2}%, more than ", 100.0 / whole.len() as f64);
    for limit in ["--leave-out-damaged=1%", "--leave-out-damaged=0%"] {
        let outcome = desk.run(&["index", "damaged.json", limit]);
        assert_eq!(outcome.code, Some(1));
        assert!(outcome.err.contains(&part));
    }
    let outcome = desk.run(&["index", "damaged.json", "--leave-out-damaged=10%"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.err.starts_with("left out: damaged.json: record "), "{}", outcome.err);
    assert!(
        outcome.err.ends_with(
            ", field spec.name: expected this field, found none\n1 damaged build was left out\n"
        ),
        "{}",
        outcome.err
    );
    let left: Vec<String> = whole.iter().filter(|name| *name != "hdf5").cloned().collect();
    assert!(left.len() < whole.len());
    assert_eq!(built(&desk), left);
    let index = Index::from_json(&desk.read("index.json")).expect("an index");
    let why = "field spec.name: expected this field, found none".to_owned();
    assert_eq!(index.about().left_out, [LeftOut { why, builds: 1 }]);
    let checked = desk.run(&["check", "damaged.json"]);
    assert_eq!(checked.code, Some(1));
}

#[test]
fn leaves_out_what_two_inputs_contradict() {
    let desk = Desk::new();
    desk.write("pages/a.md", page("zlib", HASH, "rhel8"));
    desk.write("pages/b.md", page("zlib", HASH, "sles15"));
    desk.write("pages/c.md", page("lz4", OTHER, "rhel8"));
    let outcome = desk.run(&["index", "pages", "--leave-out-damaged"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(built(&desk), ["lz4"]);
    fs::remove_file(desk.path("pages/c.md")).expect("a page");
    let outcome = desk.run(&["index", "pages", "--leave-out-damaged"]);
    assert!(outcome.err.ends_with("nothing was written: no build is left\n"), "{}", outcome.err);
}

#[test]
fn groups_problems_by_kind() {
    let desk = Desk::new();
    // In two files, because the root's index and a stack's have the same records.
    let damaged = v8().replace("\"namespace\"", "\"namespaces\"");
    desk.write("a.json", &damaged);
    desk.write("b.json", &damaged);
    let outcome = desk.run(&["check", "a.json", "b.json"]);
    assert_eq!(outcome.code, Some(1));
    let lines: Vec<&str> = outcome.err.lines().collect();
    assert_eq!(lines[0], "error: field spec.namespace: expected this field, found none, 19 times");
    assert!(lines[1].starts_with("    a.json: record 1 ("), "{}", lines[1]);
    assert!(lines[1].ends_with(") (and in 1 other input)"), "{}", lines[1]);
    assert_eq!(lines[4], "    and 16 more, which --verbose lists");
    assert_eq!(lines[5], "19 problems in 19 builds; the inputs are not fit to publish");
    assert_eq!(lines.len(), 6);
    let all = desk.run(&["check", "a.json", "b.json", "--verbose"]);
    assert_eq!(all.err.lines().count(), 21);
}

#[test]
fn writes_a_json_object_per_line_for_programs() {
    let desk = Desk::new();
    desk.write("a.json", v8().replace("\"namespace\"", "\"namespaces\""));
    let outcome = desk.run(&["check", "a.json", "--message-format", "json"]);
    let objects: Vec<Value> =
        outcome.err.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (summary, problems) = objects.split_last().expect("a summary");
    assert_eq!(
        (&summary["level"], &summary["damaged"], problems.len()),
        (&json!("summary"), &json!(19), 19)
    );
    let first = &problems[0];
    assert_eq!(
        [&first["level"], &first["input"], &first["record"], &first["field"]],
        [&json!("damaged"), &json!("a.json"), &json!(1), &json!("spec.namespace")]
    );
    assert_eq!(first["hash"].as_str().map(str::len), Some(32));
}

#[test]
fn notes_what_is_new_or_rejects_it_if_strict() {
    let desk = Desk::new();
    let text = v8()
        .replacen("\"version\":\"8\"", "\"version\":\"99\"", 1)
        .replace("\"namespace\"", "\"abi\":1,\"namespace\"");
    desk.write("new.json", text);
    let outcome = desk.run(&["index", "new.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(
        outcome.err.lines().next(),
        Some(
            "note: new.json: this database is of version 99, newer than 9, which is the newest \
             known here; it was read as one of that version"
        )
    );
    let note = outcome.err.lines().nth(1).expect("a note");
    let words = "note: the field spec.abi is not known here and was passed over, 19 times, \
                 first in new.json: record 1 (";
    assert!(note.starts_with(words), "{note}");
    let strict = desk.run(&["index", "new.json", "--strict"]);
    assert_eq!(strict.code, Some(1));
    assert!(strict.err.ends_with("2 problems; nothing was written\n"), "{}", strict.err);
}

#[test]
fn a_dependency_of_another_name_is_reported() {
    let desk = Desk::new();
    let text = fs::read_to_string(data("mirror-v2/build_cache/index.json")).expect("a file");
    let wrong = text.replacen(
        "\"dependencies\":[{\"name\":\"gcc-runtime\"",
        "\"dependencies\":[{\"name\":\"gcc\"",
        1,
    );
    assert_ne!(wrong, text);
    desk.write("index.json", wrong);
    let outcome = desk.run(&["check", "index.json"]);
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome.err.contains(", but the build with that hash is gcc-runtime"),
        "{}",
        outcome.err
    );
}

#[test]
fn names_and_versions_that_spack_cannot_ask_for_are_damaged() {
    let desk = Desk::new();
    for (from, to) in [
        ("\"name\":\"hdf5\"", "\"name\":\";id\""),
        ("\"name\":\"hdf5\"", "\"name\":\"--help\""),
        ("\"version\":\"16.0.0\"", "\"version\":\"1:2\""),
    ] {
        let text = v8().replacen(from, to, 1);
        assert_ne!(text, v8(), "{from}");
        desk.write("v8.json", text);
        let outcome = desk.run(&["check", "v8.json"]);
        assert_eq!(outcome.code, Some(1));
        let words =
            "expected letters, digits, `_`, `-` and `.`, as in Spack's names and versions, found ";
        assert!(outcome.err.contains(words), "{}", outcome.err);
        let outcome = desk.run(&["index", "v8.json", "--leave-out-damaged"]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    }
}

#[test]
fn a_second_database_in_a_file_is_reported() {
    let desk = Desk::new();
    let text = v8();
    let twice =
        format!("{},\"database\":{{}}}}", text.trim_end().strip_suffix('}').expect("an object"));
    desk.write("twice.json", twice);
    is_reported(
        &desk,
        "twice.json",
        "twice.json: field database: expected this field once, found it twice",
    );
}
