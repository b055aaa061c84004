//! Real environments, compared with real caches: the counts, missing specs, nearest builds and satisfying builds are
//! those that Spack's own classes gave.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cache_advice::environment::{Assessment, Written};
use cache_index::build::Place;
use cache_index::environment::Environment;
use cache_index::index::{About, Index, pack};
use cache_ingest::{Collection, is_environment, read_database, read_environment};
use cache_query::Question;
use serde_json::{Value, json};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/environment").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(path(name)).expect("a sample")
}

fn json_of(name: &str) -> Value {
    serde_json::from_slice(&bytes(name)).expect("JSON")
}

#[track_caller]
fn read(bytes: &[u8]) -> Environment {
    read_environment(bytes).unwrap_or_else(|problems| panic!("{}", problems[0]))
}

fn index(name: &str) -> Index {
    let place = Place { release: "develop".to_owned(), stack: "e4s".to_owned() };
    let database = read_database(bytes(name).as_slice(), &place).into_result().expect("a database");
    let mut collection = Collection::default();
    collection.add(name, database.builds).expect("no conflict");
    pack(About::default(), collection.into_builds()).expect("different hashes")
}

fn texts<'v>(values: impl IntoIterator<Item = &'v Value>) -> BTreeSet<&'v str> {
    values.into_iter().filter_map(Value::as_str).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn agrees_with_spack_about_coverage() {
    for name in ["zlib-only", "workstation", "dev-path", "v024-fresh"] {
        let index = index(&format!("{name}/index.json"));
        let environment = read(&bytes(&format!("{name}/spack.lock")));
        let assessment =
            Assessment::new(&index, &environment, &Question::default(), index.dialect());
        let ours = Written { index: &index, environment: &environment, assessment: &assessment };
        let ours = ours.json();
        let theirs = json_of(&format!("{name}/truth.json"));
        let counts = &theirs["counts"];
        assert_eq!(ours["nodes"], counts["nodes"], "{name}");
        assert_eq!(ours["external"], counts["external"], "{name}");
        assert_eq!(ours["cached"], counts["in_cache"], "{name}");
        assert_eq!(json!(list(&ours["missing"]).len()), counts["to_build"], "{name}");
        assert_eq!(json!(assessment.counts_to_run.nodes), counts["linkrun_nodes"], "{name}");
        let missing = list(&ours["missing"]);
        let to_run = missing.iter().filter(|node| node["needed_to_run"] == true);
        assert_eq!(
            texts(to_run.map(|node| &node["hash"])),
            texts(list(&theirs["linkrun_missing"])),
            "{name}"
        );
        for node in list(&theirs["nodes"]) {
            let ours = missing.iter().find(|missing| missing["hash"] == node["hash"]);
            let is_missing = node["in_cache"] == false && node["external"] == false;
            assert_eq!(ours.is_some(), is_missing, "{name}: {}", node["name"]);
            let Some(ours) = ours else { continue };
            assert_eq!(ours["root"], node["root"], "{name}: {}", node["name"]);
            let near = |nearest: &Value| -> Vec<(String, BTreeSet<String>)> {
                let owned = |nearest: &Value| {
                    let differs = texts(list(&nearest["differs"]));
                    let differs = differs.into_iter().map(str::to_owned).collect();
                    (nearest["hash"].to_string(), differs)
                };
                list(nearest).iter().map(owned).collect()
            };
            assert_eq!(near(&ours["nearest"]), near(&node["nearest"]), "{name}: {}", node["name"]);
        }
        for spec in list(&theirs["abstract"]) {
            let ours = list(&ours["specs"]).iter().find(|ours| ours["spec"] == spec["spec"]);
            let ours = ours.unwrap_or_else(|| panic!("{name}: {}", spec["spec"]));
            assert_eq!(ours["certain"], true, "{name}: {}", spec["spec"]);
            assert_eq!(
                texts(list(&ours["hashes"])),
                texts(list(&spec["matches"])),
                "{name}: {}",
                spec["spec"]
            );
        }
    }
}

#[test]
fn knows_what_is_developed_here() {
    let environment = read(&bytes("dev-path/spack.lock"));
    let developed: Vec<&str> = environment
        .nodes
        .iter()
        .filter(|node| node.is_developed())
        .map(|node| node.build.package.as_str())
        .collect();
    assert_eq!(developed, ["zfp"]);
}

#[test]
fn reads_lock_files_from_before_dag_hashes() {
    for (name, theirs) in json_of("legacy/truth.json").as_object().expect("an object") {
        let environment = read(&bytes(&format!("legacy/{name}")));
        assert!(!environment.has_cache_hashes, "{name}");
        let roots: Vec<Value> = environment
            .roots
            .iter()
            .map(|root| {
                let hash = root.hash.expect("a hash");
                let node = environment.nodes.iter().find(|node| node.build.hash == hash);
                let build = &node.expect("a root's node").build;
                json!([root.spec, hash.to_string(), format!("{}@{}", build.package, build.version)])
            })
            .collect();
        assert_eq!(Value::from(roots), theirs["roots"], "{name}");
        let mut nodes: Vec<Value> = environment
            .nodes
            .iter()
            .map(|node| &node.build)
            .map(|build| json!([build.package, build.version, build.hash.to_string()]))
            .collect();
        nodes.sort_by_key(ToString::to_string);
        let mut expected = list(&theirs["nodes"]).to_vec();
        expected.sort_by_key(ToString::to_string);
        assert_eq!(nodes, expected, "{name}");
        let dependencies =
            environment.nodes.iter().flat_map(|n| n.build.dependencies.iter().flatten());
        for dependency in dependencies {
            let is_listed = environment.nodes.iter().any(|n| n.build.hash == dependency.hash);
            assert!(is_listed, "{name}: {} /{}", dependency.package, dependency.hash);
        }
    }
}

#[test]
fn expands_specs_as_spack_does() {
    let cases = json_of("expansion.json");
    for case in list(&cases["cases"]) {
        let yaml = case["yaml"].as_str().expect("a text");
        let ours = read_environment(yaml.as_bytes());
        if yaml.contains("when:") && !yaml.contains("when: 'True'") {
            // Spack evaluated this on the machine that it ran on.
            assert!(!ours.expect("readable").undecided.is_empty(), "{yaml}");
            continue;
        }
        if case["error"].is_string() {
            assert!(ours.is_err(), "{yaml}");
            continue;
        }
        let ours = ours.unwrap_or_else(|problems| panic!("{yaml}: {}", problems[0]));
        let specs: Vec<&str> = ours.roots.iter().map(|root| root.spec.as_str()).collect();
        assert_eq!(json!(specs), case["specs"], "{yaml}");
        assert_eq!(ours.undecided, [""; 0], "{yaml}");
    }
}

#[test]
fn keeps_the_groups_of_specs() {
    let environment = read(&bytes("groups.yaml"));
    let roots: Vec<(&str, Option<&str>)> =
        environment.roots.iter().map(|root| (root.spec.as_str(), root.group.as_deref())).collect();
    let expected = [
        ("cmake", Some("tools")),
        ("zstd", Some("tools")),
        ("hdf5@1.14.5~mpi", Some("apps")),
        ("zfp", Some("apps")),
        ("lz4", Some("default")),
    ];
    assert_eq!(roots, expected);
}

#[test]
fn replaces_toolchains() {
    let yaml = "spack:\n  toolchains:\n    mine:\n    - {spec: '%c=gcc@12', when: '%c'}\n  specs: [hdf5 %mine, 'zlib %minetoo']\n";
    let environment = read(yaml.as_bytes());
    let specs: Vec<&str> = environment.roots.iter().map(|root| root.spec.as_str()).collect();
    assert_eq!(specs, ["hdf5 %[when='%c'] c=gcc@12", "zlib %minetoo"]);
}

#[test]
fn names_the_packages_that_have_requirements() {
    let yaml = "spack:\n  packages:\n    all:\n      require: target=x86_64_v3\n    hdf5:\n      \
                require: [+mpi]\n    zlib:\n      buildable: false\n  specs: [hdf5]\n";
    let environment = read_environment(yaml.as_bytes()).expect("readable");
    assert_eq!(environment.requirements, ["all", "hdf5"]);
    let note = environment.says_of_requirements().expect("a note");
    assert!(note.contains("for all, hdf5 are not applied"), "{note}");
    let without = read_environment(b"spack:\n  packages: {}\n  specs: [hdf5]\n").expect("readable");
    assert_eq!(without.says_of_requirements(), None);
}

#[test]
fn reads_what_spack_prints() {
    let environment = read(&bytes("find.json"));
    let names: Vec<&str> = environment.nodes.iter().map(|n| n.build.package.as_str()).collect();
    assert_eq!(names, ["hdf5", "cmake", "papi"]);
    let lock = json_of("zlib-only/spack.lock");
    let nodes: Vec<&Value> = lock["concrete_specs"].as_object().expect("nodes").values().collect();
    let spec = json!({"spec": {"_meta": {"version": 5}, "nodes": nodes}}).to_string();
    let twice = format!("{spec}\n{spec}");
    assert_eq!(read(twice.as_bytes()).nodes.len(), nodes.len());
    assert_eq!(read(twice.as_bytes()).roots.len(), 2);
}

#[test]
fn reads_a_list_of_specs() {
    let text = "# what we need\nhdf5+mpi  # for IO\n\n- zlib@1.3: %gcc@12\n";
    let environment = read(text.as_bytes());
    let specs: Vec<&str> = environment.roots.iter().map(|root| root.spec.as_str()).collect();
    assert_eq!(specs, ["hdf5+mpi", "zlib@1.3: %gcc@12"]);
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
fn refuses_a_matrix_that_is_too_large() {
    let row = format!("[{}]", vec!["zlib"; 100].join(","));
    let yaml = format!("spack:\n  specs:\n  - matrix: [{row}, {row}, {row}]");
    let problems = read_environment(yaml.as_bytes()).expect_err("too many");
    assert_eq!(
        problems[0].to_string(),
        "field spack.specs.matrix: expected a matrix of at most 100000 specs"
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
