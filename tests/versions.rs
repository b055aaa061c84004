//! The version of the project is stated in Cargo.toml, and everything else that has one agrees.

use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const RECIPE: &str =
    "packaging/spack/spack_repo/cache_explorer/packages/spack_cache_explorer/package.py";

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(name)).expect("a file")
}

/// Returns the text between two others, for each line that contains both.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
    let lines = text.lines();
    lines
        .filter_map(|line| line.split_once(before)?.1.split_once(after))
        .map(|(it, _)| it)
        .collect()
}

#[test]
fn agrees_on_the_version_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    let manifest = read("Cargo.toml");
    // The version of the workspace, and the versions that its crates require of each other.
    let stated = between(&manifest, "\nversion = \"", "\"");
    assert!(stated.is_empty());
    for required in between(&manifest, "path = \"crates/", "\" }") {
        if let Some((_, required)) = required.split_once("version = \"") {
            assert_eq!(required, version, "Cargo.toml");
        }
    }
    let said = Command::new(Path::new(ROOT).join("tools/version")).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&said.stdout).trim_end(), version, "tools/version");
    // The wheel takes its version from Cargo.toml.
    let project = read("pyproject.toml");
    assert!(project.contains("\ndynamic = [\"version\"]\n") && !project.contains("\nversion ="));
    let recipe = read(RECIPE);
    assert_eq!(between(&recipe, "    version(\"", "\"").first(), Some(&version), "the recipe");
    assert_eq!(between(&recipe, "/releases/download/v", "/"), [version], "the recipe's URL");
    let changes = read("CHANGELOG.md");
    let released: Vec<&str> = changes.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(released.first(), Some(&"Unreleased"));
    assert_eq!(released.get(1), Some(&version), "CHANGELOG.md");
}

#[test]
fn prints_what_the_changelog_says_about_the_release() {
    let notes = Command::new(Path::new(ROOT).join("tools/version")).arg("notes").output();
    let notes = String::from_utf8(notes.expect("it runs").stdout).expect("UTF-8");
    assert!(notes.contains("The first release.") && !notes.contains("Unreleased"), "{notes}");
}
