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
    // Up to version 5, a spec is under its name, and so are dependencies.
    let by_name = record["spec"].as_object().and_then(|it| it.iter().next()).expect("a spec");
    let is_named = record["spec"].get("name").is_none();
    let (name, spec) = match is_named {
        true => (by_name.0.as_str(), by_name.1),
        false => (record["spec"]["name"].as_str().expect("a name"), &record["spec"]),
    };
    let dependencies = &spec["dependencies"];
    let dependencies = match is_named {
        true => dependencies.as_object().map_or(0, serde_json::Map::len),
        false => dependencies.as_array().map_or(0, Vec::len),
    };
    let target = &spec["arch"]["target"];
    let target = target["name"].as_str().or(target.as_str()).expect("a target");
    let flags = ["cflags", "cppflags", "cxxflags", "fflags", "ldflags", "ldlibs"];
    let parameters = spec["parameters"].as_object().expect("parameters");
    let set = |value: &Value| value.as_array().is_some_and(|list| !list.is_empty());
    format!(
        "{} {} {} {} {} binary {} external {} variants {} flags {} dependencies {:?}",
        name,
        spec["version"].as_str().expect("a version"),
        spec["arch"]["platform"].as_str().expect("a platform"),
        spec["arch"]["platform_os"].as_str().expect("an os"),
        target,
        record["in_buildcache"],
        spec.get("external").is_some(),
        parameters.keys().filter(|name| !flags.contains(&name.as_str())).count(),
        parameters.iter().filter(|(name, v)| flags.contains(&name.as_str()) && set(v)).count(),
        dependencies,
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
    check("database/v5.json", 9);
    check("database/v6.json", 11);
    check("database/v7.json", 6);
    check("database/v8.json", 19);
    check("database/v8-older-specs.json", 6);
    check("mirror-v2/build_cache/index.json", 4);
}

#[test]
fn reads_what_depends_on_what_in_version_5() {
    let builds = read("database/v5.json");
    let pinentry = builds.iter().find(|build| build.package == "pinentry").expect("a build");
    assert_eq!(pinentry.compiler.as_deref(), Some("apple-clang@12.0.0"));
    let edges: Vec<String> =
        pinentry.dependencies.iter().flatten().map(|edge| edge.package.clone()).collect();
    assert_eq!(edges, ["libassuan", "libgpg-error"]);
    let python = builds.iter().find(|build| build.package == "python").expect("a build");
    assert!(python.external && !python.has_binary());
    assert_eq!(
        python.found_at.as_ref().and_then(|at| at.prefix.as_deref()),
        Some("/opt/python/cp38-cp38")
    );
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
    // A spliced build has lost its compiler, and names the build that it was made from.
    assert_eq!(compiler("yaksa").0, None);
    let spliced = |package: &str| {
        let build = builds.iter().find(|build| build.package == package).expect("a build");
        build.spliced_from.map(|hash| hash.to_string())
    };
    assert_eq!(spliced("openblas"), None);
    assert!(spliced("yaksa").is_some());
}

#[test]
fn takes_no_installation_for_a_cache() {
    for version in [5, 6, 7, 8] {
        let name = format!("database/v{version}.json");
        let mut file: Value =
            serde_json::from_str(&fs::read_to_string(path(&name)).expect("the file"))
                .expect("JSON");
        for record in file["database"]["installs"].as_object_mut().expect("installs").values_mut() {
            let record = record.as_object_mut().expect("a record");
            record.remove("in_buildcache");
            record.extend([
                ("installed".to_owned(), true.into()),
                ("path".to_owned(), "/opt".into()),
            ]);
        }
        let text = file.to_string();
        let read = read_database(text.as_bytes(), &Place::whole_release("develop"));
        let said: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 1, "{version}: {said:?}");
        assert!(said[0].starts_with("this is the database of an installation"), "{said:?}");
    }
}

/// Outsiders choose how long the lists of a record are; the time to read them grows only in proportion.
#[test]
fn reads_records_with_fifty_thousand_of_anything() {
    let mut database: Value =
        serde_json::from_str(&fs::read_to_string(path("database/v8.json")).expect("the file"))
            .expect("JSON");
    let hash = "outjvrmt5ota6hhezqke3iduo4ucjqpy";
    let known = database["database"]["installs"][hash]["spec"].clone();
    let dependency = known["dependencies"][0].clone();
    let number = |text: &str, at: usize| format!("{text}{at}");
    let mut check = |field: &str, value: Value, count: &dyn Fn(&Build) -> usize| {
        let mut spec = known.clone();
        match field {
            "dependencies" => spec[field] = value,
            _ => spec["parameters"] = value,
        }
        database["database"]["installs"][hash]["spec"] = spec;
        let place = Place::whole_release("develop");
        let read = read_database(database.to_string().as_bytes(), &place).into_result();
        let builds = read.expect("a database without problems").builds;
        let build = builds.iter().find(|build| build.hash.to_string() == hash).expect("the build");
        assert_eq!(count(build), 50_000, "{field}");
    };
    let flags: serde_json::Map<String, Value> =
        (0..50_000).map(|at| (number("v", at), Value::Bool(true))).collect();
    check("variants", Value::Object(flags), &|build| build.variants.len());
    let values: Vec<Value> = (0..50_000).map(|at| Value::String(number("v", at))).collect();
    let one = Value::Object([("fabrics".to_owned(), Value::Array(values))].into_iter().collect());
    check("values", one, &|build| match &build.variants[..] {
        [variant] => match &variant.value {
            VariantValue::Multi(values) => values.len(),
            _ => 0,
        },
        _ => 0,
    });
    let edge = |at: usize| {
        let mut edge = dependency.clone();
        edge["name"] = Value::String(number("package-", at));
        edge
    };
    let edges = (0..50_000).map(edge).collect();
    check("dependencies", Value::Array(edges), &|build| {
        build.dependencies.as_ref().map_or(0, Vec::len)
    });
}
