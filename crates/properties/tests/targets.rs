//! Each property has a fuzz target, and `make fuzz` runs every target, beginning with samples.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns what follows each occurrence of `before`, until `after`.
fn between<'t>(text: &'t str, before: &str, after: char) -> BTreeSet<&'t str> {
    text.split(before).skip(1).filter_map(|rest| rest.split(after).next()).collect()
}

#[test]
fn make_fuzz_runs_each_property() {
    let lib = read("crates/properties/src/lib.rs");
    // A name with parentheses is that of a function that shares its name with a module.
    let properties: BTreeSet<&str> =
        between(&lib, "//! | [`", '`').iter().map(|name| name.trim_end_matches("()")).collect();
    assert!(properties.len() > 20, "{properties:?}");
    let manifest = read("fuzz/Cargo.toml");
    let bins = manifest.split_once("[[bin]]").expect("there are targets").1;
    assert_eq!(between(bins, "\nname = \"", '"'), properties);
    for name in &properties {
        let target = read(&format!("fuzz/fuzz_targets/{name}.rs"));
        assert!(target.contains(&format!("properties::{name}(bytes)")), "{target}");
    }
    // The recipe asks `cargo fuzz list` for the targets, so that none is forgotten.
    let makefile = read("Makefile");
    let recipe = makefile.split_once("\nfuzz:").expect("a recipe").1;
    let recipe = recipe.split("\n\n").next().expect("a recipe");
    assert!(recipe.contains("in $$(cargo fuzz list)"), "{recipe}");
    assert!(recipe.contains("--test damaged"), "{recipe}");
    let samples = read("crates/properties/tests/damaged/main.rs")
        + &read("crates/properties/tests/damaged/formats.rs");
    assert_eq!(between(&samples, "check(\"", '"'), properties);
}
