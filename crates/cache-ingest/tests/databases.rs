//! Small real database files, compared with a plain reading of their JSON.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use cache_index::build::{Build, CompilerSource, Place, VariantValue};
use cache_ingest::{Collection, read_database};
use serde_json::Value;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

fn read(name: &str) -> Vec<Build> {
    let place = Place::whole_release("develop");
    let file = fs::File::open(path(name)).expect("the file");
    read_database(file, &place).into_result().expect("a database without problems").builds
}

fn records(name: &str) -> BTreeMap<String, Value> {
    let text = fs::read_to_string(path(name)).expect("the file");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let installs = file["database"]["installs"].as_object().expect("installs").clone();
    installs.into_iter().collect()
}

/// Returns what can be said about a record in one line without knowing what it means.
fn plain(record: &Value) -> String {
    let spec = &record["spec"];
    let target = &spec["arch"]["target"];
    let target = target["name"].as_str().or(target.as_str()).expect("a target");
    let flags = ["cflags", "cppflags", "cxxflags", "fflags", "ldflags", "ldlibs"];
    let parameters = spec["parameters"].as_object().expect("parameters");
    let set = |value: &Value| value.as_array().is_some_and(|list| !list.is_empty());
    format!(
        "{} {} {} {} {} binary {} external {} variants {} flags {} dependencies {:?}",
        spec["name"].as_str().expect("a name"),
        spec["version"].as_str().expect("a version"),
        spec["arch"]["platform"].as_str().expect("a platform"),
        spec["arch"]["platform_os"].as_str().expect("an os"),
        target,
        record["in_buildcache"],
        spec.get("external").is_some(),
        parameters.keys().filter(|name| !flags.contains(&name.as_str())).count(),
        parameters.iter().filter(|(name, v)| flags.contains(&name.as_str()) && set(v)).count(),
        spec["dependencies"].as_array().map_or(0, Vec::len),
    )
}

fn read_plain(build: &Build) -> String {
    format!(
        "{} {} {} {} {} binary {} external {} variants {} flags {} dependencies {:?}",
        build.package,
        build.version,
        build.platform,
        build.os,
        build.target,
        build.has_binary(),
        build.external,
        build.variants.len(),
        build.flags.len(),
        build.dependencies.as_ref().map_or(0, Vec::len),
    )
}

#[track_caller]
fn check(name: &str, count: usize) {
    let records = records(name);
    let builds = read(name);
    assert_eq!((builds.len(), records.len()), (count, count));
    for build in &builds {
        assert_eq!(read_plain(build), plain(&records[&build.hash.to_string()]));
    }
}

#[test]
fn reads_what_the_json_of_each_version_says() {
    check("database/v7.json", 6);
    check("database/v8.json", 19);
    check("database/v8-older-specs.json", 6);
    check("mirror-v2/build_cache/index.json", 4);
}

#[test]
fn reads_an_older_spec_alike_in_both_versions() {
    let mut collection = Collection::default();
    collection.add("v7", read("database/v7.json")).expect("no conflict");
    collection.add("v8", read("database/v8-older-specs.json")).expect("no conflict");
    assert_eq!(collection.len(), 6);
    assert!(collection.into_builds().all(|b| b.compiler_source == CompilerSource::Annotation));
}

#[test]
fn reads_a_multi_valued_variant_with_one_value_as_a_list() {
    let variants = |name| read(name).into_iter().flat_map(|build| build.variants);
    let multi = variants("database/v7.json").find(|variant| variant.name == "patches");
    assert!(matches!(multi.expect("patches").value, VariantValue::Multi(_)));
}

#[test]
fn reads_the_compiler_for_c() {
    let builds = read("database/v8.json");
    let compiler = |package: &str| {
        let build = builds.iter().find(|build| build.package == package).expect("a build");
        (build.compiler.clone(), build.dependencies.clone().unwrap_or_default().len())
    };
    // The compiler for Fortran is gcc, the one for C is another.
    let (openblas, dependencies) = compiler("openblas");
    assert!(dependencies > 0);
    assert_eq!(openblas.as_deref(), Some("apple-clang@16.0.0"));
    // A spliced build has lost its compiler.
    assert_eq!(compiler("yaksa").0, None);
}
