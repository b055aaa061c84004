//! Builds as a Spack database, with the fields that Spack writes.

use std::io::{self, Write};

use cache_index::build::{Build, Variant, VariantValue};
use serde_json::{Map, Value, json};

/// Writes a database of version 8.
pub fn write_database(
    mut out: impl Write,
    builds: impl IntoIterator<Item = Build>,
) -> io::Result<()> {
    out.write_all(b"{\"database\":{\"version\":\"8\",\"installs\":{")?;
    for (number, build) in builds.into_iter().enumerate() {
        let between = if number > 0 { "," } else { "" };
        write!(out, "{between}\"{}\":{}", build.hash, record(&build))?;
    }
    out.write_all(b"}}}")?;
    out.flush()
}

fn record(build: &Build) -> Value {
    let mut parameters = Map::new();
    for Variant { name, value } in &build.variants {
        let value = match value {
            VariantValue::Bool(value) => json!(value),
            VariantValue::Single(value) => json!(value),
            VariantValue::Multi(values) => json!(values),
        };
        parameters.insert(name.clone(), value);
    }
    for flag in ["cflags", "cppflags", "cxxflags", "fflags", "ldflags", "ldlibs"] {
        parameters.insert(flag.to_owned(), json!([]));
    }
    let edges = build.dependencies.iter().flatten().map(|edge| {
        let deptypes: Vec<&str> = edge.deptypes.names().collect();
        json!({
            "name": edge.package,
            "hash": edge.hash.to_string(),
            "parameters": {"deptypes": deptypes, "virtuals": edge.virtuals},
        })
    });
    json!({
        "spec": {
            "name": build.package,
            "version": build.version,
            "arch": {"platform": build.platform, "platform_os": build.os, "target": build.target},
            "namespace": "builtin",
            "parameters": parameters,
            "package_hash": build.hash.to_string() + "aaaaaaaaaaaaaaaaaaaaaaaa====",
            "dependencies": edges.collect::<Vec<_>>(),
            "annotations": {"original_specfile_version": 5},
            "hash": build.hash.to_string(),
        },
        "ref_count": 0,
        "in_buildcache": build.has_binary(),
    })
}
