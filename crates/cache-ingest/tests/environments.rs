//! Real environments, compared with real caches: the counts, missing specs, nearest builds and satisfying builds are
//! those that Spack's own classes gave.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cache_advice::environment::{Assessment, Written};
use cache_index::build::Place;
use cache_index::environment::Environment;
use cache_index::index::{About, Index, pack};
use cache_ingest::{
    Collection, is_environment, read_database, read_environment, read_environment_with,
};
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
fn finds_builds_of_another_generation_by_their_content() {
    let index = index("generations/v5.json");
    let environment = read(&bytes("generations/v6.lock"));
    let assessment = Assessment::new(&index, &environment, &Question::default(), index.dialect());
    let written = Written { index: &index, environment: &environment, assessment: &assessment };
    let ours = written.json();
    let same = json_of("generations/same.json");
    let same = same.as_object().expect("pairs");
    assert_eq!((&ours["cached"], &ours["by_content"]), (&json!(0), &json!(same.len())));
    for node in list(&ours["missing"]) {
        let hash = node["hash"].as_str().expect("a hash");
        assert_eq!((&node["by_content"], &node["nearest"]), (&json!([same[hash]]), &json!([])));
    }
    let note = format!(
        "{} missing specs have hashes of Spack 1.3, but the cache has those of Spack 1.0 to 1.2, \
         in which the same build has another hash; {} of them are there by content",
        same.len(),
        same.len()
    );
    assert!(written.notes()[0].starts_with(&note), "{:?}", written.notes());
    assert_eq!(ours["generations"]["environment"], json!(["Spack 1.3"]));
}

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
fn reads_what_included_files_say() {
    #[track_caller]
    fn check(yaml: &str, files: &[(&str, &str)]) -> Environment {
        let mut open = |path: &str| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map(|(_, text)| text.as_bytes().to_vec())
        };
        let read = read_environment_with(yaml.as_bytes(), &mut open);
        read.unwrap_or_else(|problems| panic!("{yaml}: {}", problems[0]))
    }
    let requires = "packages:\n  all:\n    require: [target=x86_64_v4]\n";
    let environment = check(
        "spack:\n  include: [config/packages.yaml]\n  specs: [zlib-ng]\n",
        &[("config/packages.yaml", requires)],
    );
    assert_eq!(
        (&environment.requirements[..], &environment.unread[..]),
        (&["all".to_owned()][..], &[][..])
    );
    // A folder, a file that includes another, relative to itself, and one with a mark.
    let environment = check(
        "spack:\n  include::\n  - path: site\n  - {path: more.yaml, when: 'True'}\n  specs: [$here]\n",
        &[
            ("site/packages.yaml", "packages::\n  hdf5:\n    require:: [+mpi]\n"),
            ("site/include.yaml", "include: [deep/packages.yaml, ../site/packages.yaml]\n"),
            ("site/deep/packages.yaml", requires),
            ("more.yaml", "definitions:\n- here: [zlib, xz]\ndevelop: {xz: {spec: xz@5}}\n"),
        ],
    );
    let specs: Vec<&str> = environment.roots.iter().map(|root| root.spec.as_str()).collect();
    assert_eq!(specs, ["zlib", "xz"]);
    assert_eq!(environment.requirements, ["hdf5", "all"]);
    assert_eq!(environment.developed, ["xz"]);
    assert_eq!(environment.unread, ["site/../site/packages.yaml"]);
    // What is not read is said, and a file that includes itself is read once.
    let environment = check(
        "spack:\n  include:\n  - a.yaml\n  - https://example.org/packages.yaml\n  - $HOME/x.yaml\n  \
         - {path: b.yaml, when: os == \"windows\"}\n  - {git: 'https://example.org/r', paths: [x]}\n  \
         - broken.yaml\n  - {path: never.yaml, when: 'False'}\n  specs: [$elsewhere, zlib]\n",
        &[("a.yaml", "include: [a.yaml]\n"), ("b.yaml", requires), ("broken.yaml", "[")],
    );
    let unread = [
        "https://example.org/packages.yaml",
        "$HOME/x.yaml",
        "b.yaml",
        "https://example.org/r",
        "broken.yaml",
    ];
    assert_eq!(environment.unread, unread);
    assert_eq!(environment.undecided.len(), 1);
    let notes = environment.notes();
    assert!(notes[0].starts_with("Included, but not read: https://example.org/packages.yaml"));
}

#[test]
fn counts_each_group_and_its_requirements() {
    let environment = read(
        b"spack:\n  definitions:\n  - apps: [zlib-ng, hdf5+mpi]\n  specs:\n  - group: v3\n    specs: [$apps]\n    \
          override:\n      packages:\n        all:\n          require: [target=x86_64_v3]\n  - group: v4\n    \
          specs: [$apps, zlib-ng]\n",
    );
    let index = index("workstation/index.json");
    let assessment = Assessment::new(&index, &environment, &Question::default(), index.dialect());
    let written = Written { index: &index, environment: &environment, assessment: &assessment };
    let specs = list(&written.json()["specs"]).to_vec();
    let specs: Vec<Value> = specs.iter().map(|spec| json!([spec["group"], spec["spec"]])).collect();
    let expected = [["v3", "zlib-ng"], ["v3", "hdf5+mpi"], ["v4", "zlib-ng"], ["v4", "hdf5+mpi"]]
        .map(|it| json!(it));
    assert_eq!(specs, expected);
    assert!(written.headline().contains(" of 4 specs are satisfied"), "{}", written.headline());
    assert_eq!(environment.requirements, ["all"]);
}

#[test]
fn takes_nothing_that_is_developed_from_a_cache() {
    let yaml = b"spack:\n  specs: [zlib-ng, gmake]\n  develop:\n    zlib-ng: {spec: zlib-ng@=2.2.1, path: ./z}\n";
    let environment = read(yaml);
    let index = index("workstation/index.json");
    let assessment = Assessment::new(&index, &environment, &Question::default(), index.dialect());
    let written = Written { index: &index, environment: &environment, assessment: &assessment };
    assert!(written.headline().ends_with("1 developed here"), "{}", written.headline());
    let json = written.json();
    assert_eq!(
        (&json["specs"][0]["hashes"], &json["specs"][0]["developed"]),
        (&json!([]), &json!(true))
    );
    assert_eq!(written.missing().lines().next(), Some("zlib-ng"));
}

#[test]
fn passes_over_the_marks_of_names() {
    #[track_caller]
    fn check(yaml: &str, expected: &[&str]) {
        let environment = read(yaml.as_bytes());
        let specs: Vec<&str> = environment.roots.iter().map(|root| root.spec.as_str()).collect();
        assert_eq!(specs, expected);
    }
    check("spack:\n  specs:: [zlib-ng]\n", &["zlib-ng"]);
    check("spack:\n  definitions::\n  - x: [zlib-ng, hdf5]\n  specs: [$x]\n", &["zlib-ng", "hdf5"]);
    check("spack::\n  specs: [zlib-ng]\n", &["zlib-ng"]);
    let requires = read(b"spack:\n  packages::\n    all::\n      require:: [x]\n  specs: [zlib]\n");
    assert_eq!(requires.requirements, ["all"]);
}

#[test]
fn reads_no_spec_that_nothing_uses() {
    let yaml = "spack:\n  definitions:\n  - packages: [nano@8.2, cmake@3.30.5]\n  - licensed:\n    \
                - matlab@R2021a key=$MATLAB_INSTALL_KEY mode=automated\n  specs:\n  - matrix:\n    - [$packages]\n    \
                - ['%gcc@14.2.0']\n    - [target=zen3, target=zen2]\n";
    let specs: Vec<String> =
        read(yaml.as_bytes()).roots.into_iter().map(|root| root.spec).collect();
    let expected = [
        "nano@8.2 target=zen3",
        "nano@8.2 target=zen2",
        "cmake@3.30.5 target=zen3",
        "cmake@3.30.5 target=zen2",
    ];
    assert_eq!(specs, expected.map(|spec| format!("{spec} %gcc@14.2.0")));
    let used = read_environment(yaml.replace("[$packages]", "[$licensed]").as_bytes());
    assert!(
        used.expect_err("a problem")[0]
            .to_string()
            .starts_with("field spack.definitions.licensed: expected a spec")
    );
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
    let notes = environment.notes();
    assert!(notes[0].contains("for all, hdf5 are not applied"), "{notes:?}");
    let without = read_environment(b"spack:\n  packages: {}\n  specs: [hdf5]\n").expect("readable");
    assert_eq!(without.notes(), [""; 0]);
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

/// Comparing each hash with all before it would take minutes.
#[test]
fn reads_a_hundred_thousand_pasted_hashes_each_once() {
    let digits = |number: usize| format!("{number:032b}").replace('0', "a").replace('1', "b");
    let hashes: String = (0..100_000).map(|number| format!("/{}\n", digits(number))).collect();
    assert_eq!(read(hashes.repeat(2).as_bytes()).roots.len(), 100_000);
    let found: String =
        (0..100_000).map(|number| format!("{} zlib@1.3\n", digits(number))).collect();
    assert_eq!(read(found.repeat(2).as_bytes()).roots.len(), 100_000);
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
    // Each stands for twice as many as the one before, the one with the number 17 for 131,072.
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
    // A long chain, of which each is short.
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
