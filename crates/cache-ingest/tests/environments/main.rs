//! Real environments, compared with real caches: the counts, missing specs, nearest builds and satisfying builds are
//! those that Spack's own classes gave.

mod files;
mod refused;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cache_advice::environment::{Assessment, AssessmentReport, Share};
use cache_index::build::Place;
use cache_index::environment::{Environment, EnvironmentTexts};
use cache_index::index::{About, Index, pack};
use cache_ingest::{
    Collection, IncludedFile, is_environment, read_database, read_environment,
    read_environment_with,
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
        let ours =
            AssessmentReport { index: &index, environment: &environment, assessment: &assessment };
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
            // Which of them comes first is our choice.
            let near = |nearest: &Value| -> BTreeSet<(String, BTreeSet<String>)> {
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
fn finds_builds_of_another_generation_by_their_content() {
    let index = index("generations/v5.json");
    let environment = read(&bytes("generations/v6.lock"));
    let assessment = Assessment::new(&index, &environment, &Question::default(), index.dialect());
    let written =
        AssessmentReport { index: &index, environment: &environment, assessment: &assessment };
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
fn takes_nothing_that_is_developed_from_a_cache() {
    let yaml = b"spack:\n  specs: [zlib-ng, gmake]\n  develop:\n    zlib-ng: {spec: zlib-ng@=2.2.1, path: ./z}\n";
    let environment = read(yaml);
    let index = index("workstation/index.json");
    let assessment = Assessment::new(&index, &environment, &Question::default(), index.dialect());
    let written =
        AssessmentReport { index: &index, environment: &environment, assessment: &assessment };
    assert!(written.headline().ends_with("1 developed here"), "{}", written.headline());
    let json = written.json();
    assert_eq!(
        (&json["specs"][0]["hashes"], &json["specs"][0]["developed"]),
        (&json!([]), &json!(true))
    );
    assert_eq!(written.missing().lines().next(), Some("zlib-ng"));
}
