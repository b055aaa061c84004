//! Tables of a cache, as DuckDB reads them: README's questions have the answers that `search` gives.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::harness::Release;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Pages, which list no dependencies, and a database, which does.
const INPUTS: [&str; 2] = ["seeds", "tests/data/database/v8.json"];

/// Returns a Python that has DuckDB, if there is one: that of `tools/setup python`, or another.
fn python() -> Option<PathBuf> {
    let ours = Path::new(ROOT).join(".tools/python/bin/python");
    let has_duckdb = |python: &PathBuf| {
        let output = Command::new(python).args(["-c", "import duckdb"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    [ours, PathBuf::from("python3")].into_iter().find(has_duckdb)
}

fn inputs() -> Vec<String> {
    INPUTS.map(|input| format!("{ROOT}/{input}")).into()
}

/// Returns what a command prints.
#[track_caller]
fn output(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("the command runs");
    assert!(status.success(), "{command:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("UTF-8")
}

/// Returns the builds that a spec finds.
fn search(spec: &str) -> Vec<Value> {
    let mut command = Command::new(Release::command());
    command.args(["search", spec, "--json"]);
    for input in inputs() {
        command.args(["--from", &input]);
    }
    serde_json::from_str(&output(&mut command)).expect("JSON")
}

fn texts(rows: &[Value], field: &str) -> BTreeSet<String> {
    let text = |row: &Value| row[field].as_str().map(str::to_owned);
    rows.iter().map(|row| text(row).expect("a text")).collect()
}

/// A folder with the tables.
struct Tables {
    folder: TempDir,
    python: PathBuf,
}

impl Tables {
    fn new() -> Option<Tables> {
        let Some(python) = python() else {
            println!("skipped: no Python here has DuckDB; `tools/setup python` installs both");
            return None;
        };
        let folder = TempDir::new().expect("a folder");
        let to = ["--to", "parquet", "--output"];
        output(
            Command::new(Release::command())
                .arg("export")
                .args(inputs())
                .args(to)
                .arg(folder.path()),
        );
        Some(Tables { folder, python })
    }

    /// Returns the rows that answer a query.
    fn ask(&self, sql: &str) -> Vec<Value> {
        let script = "import duckdb, json, sys\n\
            answer = duckdb.sql(sys.argv[1])\n\
            print(json.dumps([dict(zip(answer.columns, row)) for row in answer.fetchall()]))";
        let mut command = Command::new(&self.python);
        command.current_dir(self.folder.path()).args(["-c", script, sql]);
        serde_json::from_str(&output(&mut command)).expect("JSON")
    }
}

/// Returns the statements in README's blocks of SQL.
fn questions() -> Vec<String> {
    let readme = std::fs::read_to_string(Path::new(ROOT).join("README.md")).expect("README.md");
    let blocks = readme.split("```sql\n").skip(1).filter_map(|block| block.split("```").next());
    blocks
        .flat_map(|block| block.split_inclusive(';'))
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn answers_the_questions_of_the_readme_as_search_does() {
    let Some(tables) = Tables::new() else { return };
    let [variants, places, dependencies] = &questions()[..] else { panic!("README has three") };

    let found = texts(&tables.ask(variants), "hash");
    assert!(!found.is_empty());
    assert_eq!(found, texts(&search("hdf5 ~mpi"), "hash"));

    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for build in ["platform=linux", "platform=darwin"].into_iter().flat_map(search) {
        for place in build["places"].as_array().expect("places") {
            let side = |side: &str| place[side].as_str().expect("a name").to_owned();
            *counts.entry((side("release"), side("stack"))).or_default() += 1;
        }
    }
    let rows = tables.ask(places);
    let side = |row: &Value, side: &str| row[side].as_str().expect("a name").to_owned();
    let counted: BTreeMap<(String, String), u64> = rows
        .iter()
        .map(|row| {
            ((side(row, "release"), side(row, "stack")), row["builds"].as_u64().expect("it"))
        })
        .collect();
    assert!(counted.len() > 5);
    assert_eq!(counted, counts);

    let found = texts(&tables.ask(dependencies), "hash");
    assert!(!found.is_empty());
    assert_eq!(found, texts(&search("%gmake"), "hash"));
}

#[test]
fn has_every_build_with_what_is_known_about_it() {
    let Some(tables) = Tables::new() else { return };
    let rows = tables.ask("SELECT * FROM 'builds.parquet'");
    let by_hash: BTreeMap<String, &Value> =
        rows.iter().map(|row| (row["hash"].as_str().expect("a hash").to_owned(), row)).collect();
    assert_eq!(by_hash.len(), rows.len());
    let mut builds = search("platform=linux");
    builds.extend(search("platform=darwin"));
    assert_eq!(builds.len(), rows.len());
    for build in builds {
        let row = by_hash[build["hash"].as_str().expect("a hash")];
        for field in ["package", "version", "platform", "os", "target", "namespace", "places"] {
            assert_eq!(row[field], build[field], "{field}");
        }
        let compiler = build["compiler"].as_str().unwrap_or("none");
        assert_eq!(row["compiler"], compiler);
        // In the table, each value of a list is an element of its own.
        let count = |text: &Value| text.as_str().map_or(0, |text| 1 + text.matches(',').count());
        let values: usize = build["variants"].as_array().expect("a list").iter().map(count).sum();
        assert_eq!(row["variants"].as_array().map(Vec::len), Some(values));
        // Pages do not say what a build depends on.
        assert_eq!(row["libc"].is_null(), row["providers"].is_null());
    }
    let unknown = rows.iter().filter(|row| row["libc"].is_null()).count();
    assert_eq!(unknown, 390);
}
