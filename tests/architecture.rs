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
/// Paths are allowed: here they are only the names of files that a user chose.
const NO_PAGE: &[&str] = &["std::fs", "std::net", "std::process", "web_sys::", "window()"];
const DOM: &[&str] = &["web_sys", "js_sys", "wasm_bindgen", "gloo::", "leptos"];
const WINDOW: &[&str] =
    &["gloo::utils", "gloo::events", "gloo::storage", "window()", "document()", "web_sys::window"];

/// The crates that consist of pure functions over plain data.
const LIBRARIES: [&str; 6] = [
    "crates/spack-spec/src",
    "crates/cache-index/src",
    "crates/cache-query/src",
    "crates/cache-advice/src",
    "crates/cache-ingest/src",
    "crates/formats/src",
];

/// The code that runs in the page: that of a first visit, and the rest.
const APP: [&str; 2] = ["src", "crates/pages/src"];

/// Returns the Rust sources under a path.
fn sources(path: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let root = Path::new(ROOT).join(path);
    let mut open = vec![root.clone()];
    while let Some(path) = open.pop() {
        if path != root && TEST_MODULES.iter().any(|name| path.ends_with(name)) {
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
    for place in LIBRARIES.iter().chain(&APP) {
        // Inputs have names, which are paths; the caller opens them.
        forbids(place, &["crates/cache-ingest/src/inputs"], FILES);
    }
    forbids("crates/cache-ingest/src/inputs", &[], &FILES[..FILES.len() - 1]);
}

#[test]
fn uses_no_dom_in_libraries() {
    for place in LIBRARIES {
        forbids(place, &[], DOM);
    }
}

#[test]
fn uses_no_page_in_the_reader() {
    forbids("crates/reader/src", &[], NO_PAGE);
    forbids("crates/reader/src", &["crates/reader/src/main.rs"], DOM);
}

#[test]
fn opens_no_files_in_the_server_for_assistants() {
    forbids("crates/cli/src/command/mcp", &[], &FILES[..FILES.len() - 1]);
}

#[test]
fn uses_the_window_only_in_the_browser_module() {
    forbids("src", &["src/browser", "src/html"], WINDOW);
    forbids("crates/pages/src", &["crates/pages/src/browser"], WINDOW);
}

#[test]
fn asks_nowhere_in_the_views_what_has_arrived() {
    let words = ["IS_HERE", "is_live", "go_live", "Stage::", "Rest::", "Arrived", "has_hashes"];
    forbids("src/view", &[], &words);
    forbids("crates/pages/src", &[], &words);
}

#[test]
fn waits_in_one_module() {
    for place in APP {
        let words = ["gloo::timers", "set_timeout", "spawn_local"];
        forbids(place, &["src/browser/tasks.rs"], &words);
    }
}

#[test]
fn uses_no_readers_in_the_app_and_no_components_in_its_state() {
    for place in APP {
        forbids(place, &[], &["cache_ingest"]);
    }
    forbids("crates/pages/src/browser", &[], &["view!"]);
    forbids("src/explorer", &[], &["crate::view", "view!"]);
    forbids("src/browser", &[], &["crate::view", "view!"]);
    forbids("src/html", &[], &["crate::view"]);
}

#[test]
fn depends_only_on_strsim_in_spack_spec() {
    assert_eq!(dependencies("crates/spack-spec"), ["strsim"]);
}

/// The crates of the browser by when their code is downloaded: with a first visit, after it, when a file is opened.
const DOWNLOADED: [&[(&str, &str)]; 3] = [
    &[
        ("spack-spec", "crates/spack-spec"),
        ("cache-index", "crates/cache-index"),
        ("cache-query", "crates/cache-query"),
        ("site", "."),
    ],
    &[("cache-advice", "crates/cache-advice"), ("cache-explorer-pages", "crates/pages")],
    &[("cache-ingest", "crates/cache-ingest"), ("reader", "crates/reader")],
];

#[test]
fn depends_on_no_crate_that_is_downloaded_later() {
    assert!(dependencies("crates/pages").contains(&"cache-advice".to_owned()), "they are read");
    for (when, crates) in DOWNLOADED.iter().enumerate() {
        let later: Vec<&str> =
            DOWNLOADED[when + 1..].iter().copied().flatten().map(|(name, _)| *name).collect();
        for (_, folder) in *crates {
            let named = dependencies(folder);
            let wrong = named.iter().find(|name| later.contains(&name.as_str()));
            assert_eq!(wrong, None, "{folder} depends on it");
        }
    }
}

/// Returns the names of what a crate depends on, other than for its build script and its tests.
fn dependencies(folder: &str) -> Vec<String> {
    let manifest = Path::new(ROOT).join(folder).join("Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("a manifest");
    let (_, rest) = manifest.split_once("\n[dependencies]\n").expect("dependencies");
    let lines = rest.split("\n[").next().unwrap_or_default().lines();
    let names = lines.filter(|line| !line.starts_with('#'));
    let names = names.filter_map(|line| line.split(['.', ' ']).next()).map(str::to_owned);
    names.filter(|name| !name.is_empty()).collect()
}

/// Returns the folder with the sources of each crate of the workspace.
fn crates() -> Vec<String> {
    let manifest = fs::read_to_string(Path::new(ROOT).join("Cargo.toml")).expect("a manifest");
    let (_, members) = manifest.split_once("members = [").expect("the members");
    let members = members.split(']').next().unwrap_or_default();
    let mut folders = Vec::new();
    for member in members.split(',').map(|member| member.trim().trim_matches('"')) {
        match member.strip_suffix("/*") {
            Some(folder) => {
                let entries =
                    fs::read_dir(Path::new(ROOT).join(folder)).expect("a folder of crates");
                let names = entries.map(|entry| entry.expect("an entry").file_name());
                folders.extend(names.map(|name| format!("{folder}/{}", name.display())));
            }
            None if member == "." => folders.push("src".to_owned()),
            None => folders.push(member.to_owned()),
        }
    }
    // A package of tests or of their vocabulary has its sources in its own folder.
    let sources = folders.iter().map(|folder| match Path::new(ROOT).join(folder).join("src") {
        path if path.is_dir() => format!("{folder}/src"),
        _ => folder.clone(),
    });
    sources.collect()
}

/// The files of a crate, each with the files that it imports from. Both are named by their modules, such as `index::pack`;
/// the root is the empty name.
struct Imports(BTreeMap<String, BTreeSet<String>>);

impl Imports {
    /// Reads the `use` declarations and the paths that start with `crate` or `super`. A name that a module only re-exports
    /// counts as an import from where it is declared.
    fn of(crate_root: &str) -> Imports {
        let root = Path::new(ROOT).join(crate_root);
        let mut codes = BTreeMap::new();
        for path in sources(crate_root) {
            let relative = path.strip_prefix(&root).expect("a path below the root");
            let name = relative.with_extension("").to_str().expect("a readable path").to_owned();
            let module = name.replace('/', "::");
            let module = module.strip_suffix("::mod").unwrap_or(&module);
            let module = if ["lib", "main"].contains(&module) { "" } else { module };
            codes.insert(module.to_owned(), code(&path));
        }
        // By module and re-exported name: where the name comes from.
        let mut exports: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        let mut paths: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
        for (module, code) in &codes {
            for (is_public, path) in used_paths(code) {
                let Some(path) = absolute(module, &path) else { continue };
                let last = path.last().expect("a name").clone();
                match is_public {
                    true => drop(exports.insert((module.clone(), last), path)),
                    false => paths.entry(module).or_default().push(path),
                }
            }
        }
        let declaring = |path: &[String]| {
            let mut path = path.to_vec();
            loop {
                let known = |end: &usize| codes.contains_key(&path[..*end].join("::"));
                let end = (0..=path.len()).rev().find(known).unwrap_or_default();
                let module = path[..end].join("::");
                let export =
                    path.get(end).and_then(|name| exports.get(&(module.clone(), name.clone())));
                match export {
                    Some(export) if *export != path => path = export.clone(),
                    _ => return module,
                }
            }
        };
        let mut imports = BTreeMap::new();
        for module in codes.keys() {
            let from = paths.get(module.as_str()).into_iter().flatten().map(|path| declaring(path));
            // An import of a module from itself is not a circle.
            let is_other = |other: &String| other != module;
            imports.insert(module.clone(), from.filter(is_other).collect());
        }
        Imports(imports)
    }

    /// Returns the imports that close a circle of modules, each with the file that has it. A module includes everything
    /// below it, and is only compared with its siblings: a module and its own parts may know each other.
    fn circles(&self) -> BTreeSet<String> {
        // By module and imported module: the imports of the files that connect the two.
        let mut edges: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        for (module, imported) in &self.0 {
            for other in imported {
                let same =
                    module.split("::").zip(other.split("::")).take_while(|(a, b)| a == b).count();
                let up_to =
                    |name: &str| name.split("::").take(same + 1).collect::<Vec<_>>().join("::");
                let ends = (up_to(module), up_to(other));
                let is_below = |name: &str| name.split("::").count() > same && !name.is_empty();
                if is_below(module) && is_below(other) {
                    edges.entry(ends).or_default().insert(format!("{module} imports {other}"));
                }
            }
        }
        let reaches = |from: &String, to: &String| {
            let mut reached = BTreeSet::from([from]);
            let mut open = vec![from];
            while let Some(module) = open.pop() {
                let next = edges.keys().filter(|(start, _)| start == module).map(|(_, end)| end);
                open.extend(next.filter(|end| reached.insert(end)));
            }
            reached.contains(to)
        };
        let closing = edges.iter().filter(|((from, to), _)| reaches(to, from));
        closing.flat_map(|(_, imports)| imports.iter().cloned()).collect()
    }
}

/// Returns each path after a `use`, with `true` if it is re-exported, and each other path in the crate.
fn used_paths(code: &str) -> Vec<(bool, Vec<String>)> {
    let mut found = Vec::new();
    let mut rest = String::new();
    for statement in code.split_inclusive(';') {
        let start = statement.rfind("use ").filter(|&at| {
            let before = &statement[..at];
            let line = before.rsplit('\n').next().unwrap_or_default().trim();
            line.is_empty() || line.starts_with("pub")
        });
        match start {
            Some(at) => {
                let line = statement[..at].rsplit('\n').next().unwrap_or_default();
                let is_public = line.trim_start().starts_with("pub");
                let tree = statement[at + 4..].trim_end_matches(';');
                flatten(tree, &mut Vec::new(), &mut |path| found.push((is_public, path)));
                rest.push_str(&statement[..at]);
            }
            None => rest.push_str(statement),
        }
    }
    for start in ["crate::", "super::"] {
        for (at, _) in rest.match_indices(start) {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let end = rest[at..].find(|c| !is_part(c)).map_or(rest.len(), |length| at + length);
            let is_whole = !rest[..at].ends_with(is_part);
            let path = rest[at..end].split("::").filter(|name| !name.is_empty());
            if is_whole {
                found.push((false, path.map(str::to_owned).collect()));
            }
        }
    }
    found
}

/// Reads a tree of `use`: `a::{b, c::{self, d}}`.
fn flatten(tree: &str, before: &mut Vec<String>, found: &mut dyn FnMut(Vec<String>)) {
    let tree = tree.trim();
    let length = before.len();
    let (path, group) = match tree.split_once('{') {
        Some((path, group)) => (path, Some(group.strip_suffix('}').unwrap_or(group))),
        None => (tree.split(" as ").next().unwrap_or_default(), None),
    };
    let names = path.split("::").map(str::trim).filter(|name| !name.is_empty() && *name != "self");
    before.extend(names.map(str::to_owned));
    match group {
        None => found(before.clone()),
        Some(group) => {
            let mut depth = 0;
            let mut start = 0;
            for (at, c) in group.char_indices().chain([(group.len(), ',')]) {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        if !group[start..at].trim().is_empty() {
                            flatten(&group[start..at], before, found);
                        }
                        start = at + 1;
                    }
                    _ => {}
                }
            }
        }
    }
    before.truncate(length);
}

/// Returns a path from the root of the crate; `None` for the root itself. A path into another crate looks like one below the
/// module.
fn absolute(module: &str, path: &[String]) -> Option<Vec<String>> {
    let mut base: Vec<String> = match module {
        "" => Vec::new(),
        _ => module.split("::").map(str::to_owned).collect(),
    };
    let rest = match path.first()?.as_str() {
        "crate" => {
            base.clear();
            &path[1..]
        }
        "super" => {
            let ups = path.iter().take_while(|name| *name == "super").count();
            base.truncate(base.len().saturating_sub(ups));
            &path[ups..]
        }
        // A child of the module, as `pub use` in the root names it, or another crate.
        _ => path,
    };
    base.extend(rest.iter().cloned());
    (!base.is_empty()).then_some(base)
}

#[test]
fn imports_in_no_circle() {
    let crates = crates();
    assert!(crates.len() > 13, "{crates:?}");
    for root in crates {
        let circles = Imports::of(&root).circles();
        assert!(circles.is_empty(), "{root}: these close a circle of imports: {circles:#?}");
    }
}

#[test]
fn imports_no_later_module() {
    let imports = Imports::of("crates/cache-query/src");
    assert!(imports.0["run"].contains("lookup"), "imports are found: {:?}", imports.0);
    let queries = ["change", "question", "presentation", "run", "filter", "lookup", "address"];
    for (module, imported) in &imports.0 {
        let is_earlier = module.starts_with("search") || module.starts_with("host");
        let is_query =
            |name: &str| queries.iter().any(|query| name.split("::").next() == Some(query));
        let later = imported.iter().find(|name| is_earlier && is_query(name));
        assert_eq!(later, None, "{module} imports it");
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
