//! Checks the statements of ARCHITECTURE.md that Cargo does not enforce, in the sources.
//!
//! Only code counts: comments, unit tests and their helpers are ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Modules that are only compiled for tests: files and folders.
const TEST_MODULES: [&str; 4] = ["tests.rs", "tests", "twin.rs", "sample.rs"];

const FILES: &[&str] = &["std::fs", "std::net", "std::process", "use std::path"];
/// Paths are names of files that a person chose.
const NO_PAGE: &[&str] = &["std::fs", "std::net", "std::process", "web_sys::", "window()"];
const DOM: &[&str] = &["web_sys", "js_sys", "wasm_bindgen", "gloo::", "leptos"];
const WINDOW: &[&str] =
    &["gloo::utils", "gloo::events", "gloo::storage", "window()", "document()", "web_sys::window"];

/// Returns the Rust sources under a path.
fn sources(path: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(ROOT).join(path)];
    while let Some(path) = open.pop() {
        if TEST_MODULES.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder that can be read");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    assert!(!found.is_empty(), "{path} has no sources");
    found
}

/// Returns the code of a file, without comments and unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source file");
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn forbids(place: &str, except: &[&str], words: &[&str]) {
    for path in sources(place) {
        let is_excepted = except.iter().any(|part| path.starts_with(Path::new(ROOT).join(part)));
        let code = code(&path);
        for word in words.iter().filter(|_| !is_excepted) {
            assert!(!code.contains(word), "{} mentions {word}", path.display());
        }
    }
}

#[test]
fn uses_no_files_and_no_network_in_libraries() {
    for place in
        ["crates/spack-spec/src", "crates/cache-index/src", "crates/cache-ingest/src", "src"]
    {
        // Inputs have names, which are paths; the caller opens them.
        forbids(place, &["crates/cache-ingest/src/inputs"], FILES);
    }
    forbids("crates/cache-ingest/src/inputs", &[], &FILES[..FILES.len() - 1]);
}

#[test]
fn uses_no_dom_in_libraries() {
    for place in ["crates/spack-spec/src", "crates/cache-index/src", "crates/cache-ingest/src"] {
        forbids(place, &[], DOM);
    }
}

#[test]
fn uses_no_page_in_the_reader() {
    forbids("crates/reader/src", &[], NO_PAGE);
    forbids("crates/reader/src", &["crates/reader/src/main.rs"], DOM);
}

#[test]
fn uses_the_window_only_in_the_browser_module() {
    forbids("src", &["src/browser"], WINDOW);
}

#[test]
fn uses_no_readers_in_the_app_and_no_components_in_its_state() {
    forbids("src", &[], &["cache_ingest"]);
    forbids("src/explorer", &[], &["crate::view", "view!"]);
    forbids("src/browser", &[], &["crate::view", "view!"]);
}

#[test]
fn has_no_dependencies_in_spack_spec() {
    let manifest = Path::new(ROOT).join("crates/spack-spec/Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("a manifest");
    assert!(!manifest.lines().any(|line| line.starts_with("[dependencies")), "{manifest}");
}

/// Returns the top-level modules of cache-index, each with the modules that it imports.
fn modules() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(ROOT).join("crates/cache-index/src");
    let name = |path: &Path| {
        let first = path.strip_prefix(&root).ok()?.components().next()?;
        Some(first.as_os_str().to_str()?.trim_end_matches(".rs").to_owned())
    };
    let mut modules: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources("crates/cache-index/src") {
        let module = name(&path).expect("a path below the root");
        if module == "lib" {
            continue;
        }
        let code = code(&path);
        let imports = modules.entry(module.clone()).or_default();
        for import in code.split("crate::").skip(1) {
            let names = match import.strip_prefix('{') {
                Some(list) => list.split('}').next().unwrap_or_default(),
                None => import,
            };
            for name in names.split(',').take(if import.starts_with('{') { usize::MAX } else { 1 })
            {
                let end = |c: char| !(c.is_ascii_lowercase() || c == '_');
                let name = name.trim().split(end).next().unwrap_or_default();
                if !name.is_empty() && name != module {
                    imports.insert(name.to_owned());
                }
            }
        }
    }
    modules
}

#[test]
fn imports_in_one_direction_in_cache_index() {
    let modules = modules();
    assert!(modules["query"].contains("search"), "imports are found: {modules:?}");
    // Remove modules that import none of the remaining ones, until nothing changes.
    let mut left: BTreeSet<&String> = modules.keys().collect();
    loop {
        let is_free = |name: &&String| !modules[*name].iter().any(|import| left.contains(import));
        let free: Vec<&String> = left.iter().copied().filter(is_free).collect();
        if free.is_empty() {
            break;
        }
        left.retain(|name| !free.contains(name));
    }
    assert!(
        left.is_empty(),
        "these modules import each other in a cycle: {left:?} in {modules:#?}"
    );
}

#[test]
fn imports_no_later_module() {
    let modules = modules();
    for (module, later) in [
        ("build", &["index", "search", "query"][..]),
        ("facet", &["index", "search", "query"]),
        ("order", &["index", "search", "query"]),
        ("index", &["search", "query", "address"]),
        ("search", &["query", "address"]),
        ("query", &["address"]),
    ] {
        for later in later {
            assert!(!modules[module].contains(*later), "{module} imports {later}");
        }
    }
}

/// Returns the texts between backticks in a table cell.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn finds_every_file_and_test_that_the_document_names() {
    let document =
        fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).expect("the document");
    let mut tests = 0;
    let mut folder = String::new();
    for line in document.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        // The map: paths in the first column, `…` for the crate above.
        if cells.len() == 5 {
            for path in quoted(cells[1]) {
                let path = path.replace('…', &folder);
                assert!(Path::new(ROOT).join(&path).exists(), "{path} does not exist");
                if path.matches('/').count() == 1 {
                    folder = path;
                }
            }
        }
        // The decisions: a test in the last column.
        for test in quoted(cells[cells.len() - 2]) {
            let Some((path, name)) = test.split_once("::") else { continue };
            let source = fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_default();
            assert!(source.contains(&format!("fn {name}(")), "{path} has no test {name}");
            tests += 1;
        }
    }
    assert!(tests > 10, "found only {tests} tests");
}
