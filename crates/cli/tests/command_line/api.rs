//! `embed --api`: the interface of a site for programs. Python's jsonschema validates it, where `tools/setup python` has
//! installed it.

use std::collections::BTreeMap;
use std::fs;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::desk::{Desk, HASH, OTHER, data, page, root, seeds};
use crate::python::{self, Python};
use crate::site::SITE;

const EMBED: [&str; 5] = ["embed", "cache", "--into", "dist", "--api"];

/// Creates a desk with a built site.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("dist/index.html", SITE);
    desk
}

#[track_caller]
fn embed(desk: &Desk, input: &str) {
    let outcome = desk.run(&["embed", input, "--into", "dist", "--api"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
}

fn object(desk: &Desk, name: &str) -> Value {
    serde_json::from_str(&desk.read(name)).expect("JSON")
}

/// Returns the files in a folder of the interface, with the times when they were last written.
fn times(desk: &Desk, folder: &str) -> BTreeMap<String, SystemTime> {
    let files =
        fs::read_dir(desk.path(folder)).expect("a folder").map(|file| file.expect("a file"));
    let time = |file: &fs::DirEntry| file.metadata().and_then(|it| it.modified()).expect("a time");
    files.map(|file| (file.file_name().to_string_lossy().into_owned(), time(&file))).collect()
}

/// Validates every file with a definition of the schema, and the schema itself.
const VALIDATE: &str = "
import json, pathlib, sys
from jsonschema import Draft202012Validator
schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
Draft202012Validator.check_schema(schema)
folder, count = pathlib.Path(sys.argv[2]), 0
for pattern, name in ('index.json', 'index'), ('packages.json', 'packages'), ('package/*.json', 'package'), ('badge/*.json', 'badge'):
    validator = Draft202012Validator({**schema, 'anyOf': [{'$ref': f'#/$defs/{name}'}]})
    for file in sorted(folder.glob(pattern)):
        validator.validate(json.loads(file.read_text()))
        count += 1
print(count)
";

#[test]
fn writes_what_its_schema_describes() {
    let Some(Python) = python::with("jsonschema") else { return };
    let schema = root().join("docs/api.schema.json").display().to_string();
    for input in
        [seeds(), data("mirror-v3"), data("mirror-1.3"), data("environment/dev-path/index.json")]
    {
        let desk = desk();
        embed(&desk, &input);
        let api = desk.path("dist/api").display().to_string();
        let outcome = desk.call(python::command().args(["-c", VALIDATE, &schema, &api]), "");
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{input}");
        let files = 2 + 2 * times(&desk, "dist/api/package").len();
        assert_eq!(outcome.out.trim(), files.to_string(), "{input}");
    }
}

#[test]
fn says_what_is_there_of_each_package() {
    let desk = desk();
    embed(&desk, &data("mirror-v3"));
    let index = object(&desk, "dist/api/index.json");
    assert_eq!((&index["api"], &index["builds"]), (&json!(1), &json!(4)), "{index}");
    let packages = object(&desk, "dist/api/packages.json");
    let packages = packages["packages"].as_array().expect("a list");
    let zstd = packages.iter().find(|it| it["package"] == "zstd").expect("zstd");
    assert_eq!(
        (&zstd["newest"], &zstd["file"]),
        (&json!("1.5.7"), &json!("api/package/zstd.json"))
    );
    let zstd = object(&desk, "dist/api/package/zstd.json");
    let build = &zstd["builds"][0];
    assert_eq!(build["hash"], "sjijntoe2e26ie4cquahc4oocub4yj5h");
    assert!(build["spec"].as_str().is_some_and(|spec| spec.starts_with("zstd@1.5.7")), "{build}");
    // The fields that decide whether the build runs and is reused.
    for field in ["libc", "target", "os", "spec_format", "signature", "dependencies"] {
        assert!(!build[field].is_null(), "{field}: {build}");
    }
    let dependency = &build["dependencies"][0];
    assert!(dependency["version"].is_string() && dependency["cached"].is_boolean(), "{dependency}");
    let commands = zstd["recommended"]["commands"].to_string();
    assert!(
        commands.contains("spack install --cache-only /sjijntoe2e26ie4cquahc4oocub4yj5h"),
        "{commands}"
    );
    let badge = object(&desk, "dist/api/badge/zstd.json");
    let expected =
        json!({"schemaVersion": 1, "label": "zstd", "message": "1.5.7 · 1 build", "color": "blue"});
    assert_eq!(badge, expected);
    // Each build is on a line, and only one file says when the cache was published.
    let text = desk.read("dist/api/package/zstd.json");
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(desk.read("dist/api/index.json").contains("2025-11-21T10:10:00Z"));
    assert!(
        !text.contains("2025-11-21") && !desk.read("dist/api/packages.json").contains("2025-11-21")
    );
}

#[test]
fn touches_only_what_differs_and_removes_only_its_own() {
    let desk = desk();
    desk.write("cache/a.md", page("zlib", HASH, "rhel8"));
    desk.write("cache/b.md", page("hdf5", OTHER, "rhel8"));
    assert_eq!(desk.run(&EMBED).code, Some(0));
    let first = times(&desk, "dist/api/package");
    assert_eq!(first.keys().collect::<Vec<_>>(), ["hdf5.json", "zlib.json"]);
    desk.write("dist/api/package/notes.txt", "ours");
    // Later, one package has changed and one is new.
    desk.write("cache/b.md", page("hdf5", OTHER, "rhel9"));
    desk.write("cache/c.md", page("curl", "4rseveu6q45rfj5ffuyyp4jehmrgveef", "rhel8"));
    assert_eq!(desk.run(&EMBED).code, Some(0));
    let second = times(&desk, "dist/api/package");
    assert_eq!(second["zlib.json"], first["zlib.json"]);
    assert!(second["hdf5.json"] > first["hdf5.json"] && second.contains_key("curl.json"));
    // Then a package is gone.
    fs::remove_file(desk.path("cache/a.md")).expect("removed");
    assert_eq!(desk.run(&EMBED).code, Some(0));
    let third = times(&desk, "dist/api/package");
    assert_eq!(third.keys().collect::<Vec<_>>(), ["curl.json", "hdf5.json", "notes.txt"]);
    assert_eq!(
        times(&desk, "dist/api/badge").keys().collect::<Vec<_>>(),
        ["curl.json", "hdf5.json"]
    );
    let left = fs::read_dir(desk.path("dist")).expect("a folder").count();
    assert_eq!(left, 3, "only the page, the interface and what leads to it");
    // Without the option, the command says that the interface is out of date.
    let outcome = desk.run(&EMBED[..4]);
    let note = "note: dist/api/index.json: stays as it was; --api would bring it up to date\n";
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), note));
}

#[test]
fn keeps_somebody_elses_file_and_changes_nothing_then() {
    let theirs = "{\"name\": \"zlib\"}\n";
    for name in [
        "index.json",
        "packages.json",
        "package/zlib.json",
        "package/other.json",
        "badge/zlib.json",
    ] {
        let desk = desk();
        desk.write("cache/a.md", page("zlib", HASH, "rhel8"));
        desk.write(&format!("dist/api/{name}"), theirs);
        let outcome = desk.run(&EMBED);
        assert_eq!(outcome.code, Some(1), "{name}");
        let words = format!("error: dist/api/{name}: this is not a ");
        assert!(outcome.err.starts_with(&words), "{}", outcome.err);
        assert_eq!(desk.read(&format!("dist/api/{name}")), theirs);
        assert_eq!(desk.read("dist/index.html"), SITE);
    }
    // No new feed is written to the path where a file of the interface will be.
    let desk = desk();
    desk.write("cache/a.md", page("zlib", HASH, "rhel8"));
    let feed = ["--feed", "dist/api/package/zlib.json"];
    assert_eq!(desk.run(&[&EMBED[..], &feed].concat()).code, Some(1));
    assert!(!desk.path("dist/api").exists());
}

#[test]
fn keeps_what_somebody_else_says_to_language_models() {
    let desk = desk();
    desk.write("cache/a.md", page("zlib", HASH, "rhel8"));
    desk.write("dist/llms.txt", "# Ours\n");
    let outcome = desk.run(&EMBED);
    let words = "note: dist/llms.txt: was not made by cache-explorer, and stays as it is; add this line: \
                 - [api/index.json](api/index.json): the cache as a whole";
    assert!(outcome.code == Some(0) && outcome.err.starts_with(words), "{}", outcome.err);
    assert!(desk.path("dist/api/index.json").exists());
    assert_eq!(desk.read("dist/llms.txt"), "# Ours\n");
    let (_, line) = outcome.err.split_once("line: ").expect("a line");
    desk.write("dist/llms.txt", format!("# Ours\n{line}"));
    let outcome = desk.run(&EMBED);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
}

/// Reads an `llms.txt` with the parser of those who proposed the format, and prints the titles of its links.
const READ_LLMS: &str = "
import pathlib, sys
from llms_txt import parse_llms_file
file = parse_llms_file(pathlib.Path(sys.argv[1]).read_text())
assert file.title and file.summary and file.info and list(file.sections) == ['Files'], file
print(*(link.title for link in file.sections['Files']))
";

#[test]
fn leads_language_models_to_its_files() {
    let desk = desk();
    let more =
        ["--title", "Our [cache]\n> of\n# builds", "--site-url", "https://example.org/cache/"];
    let call = ["embed", &data("mirror-v3"), "--into", "dist", "--api"];
    for _ in 0..2 {
        let outcome = desk.run(&[&call[..], &more[..]].concat());
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    }
    let text = desk.read("dist/llms.txt");
    // The format of llmstxt.org: a title, a summary, and lists of links under headings.
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "# Our \\[cache\\] > of # builds");
    assert!(lines[2].starts_with("> A build cache of Spack: "), "{text}");
    let headings: Vec<&&str> = lines.iter().filter(|line| line.starts_with('#')).collect();
    assert_eq!(headings[1..], [&"## Files"]);
    let links = text.split("](https://example.org/cache/").skip(1);
    let files: Vec<&str> = links.filter_map(|rest| rest.split(')').next()).collect();
    assert_eq!(files.len(), 3, "{text}");
    for file in files {
        assert!(desk.path("dist").join(file).is_file(), "{file}");
    }
    if let Some(Python) = python::with("llms_txt") {
        let file = desk.path("dist/llms.txt").display().to_string();
        let outcome = desk.call(python::command().args(["-c", READ_LLMS, &file]), "");
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
        assert!(outcome.out.starts_with("api/index.json api/packages.json api/package/"));
    }
    // To install a build, its key must be trusted, and a blank must be filled in.
    assert!(text.contains("`spack buildcache keys --install --trust`"), "{text}");
    assert!(text.contains("Where a command has `MIRROR_URL`, "), "{text}");
    // The text names only fields that exist.
    let example = desk.read("dist/api/packages.json") + &desk.read("dist/api/package/zstd.json");
    let example = example + &desk.read("dist/api/index.json");
    for field in text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|it| it.chars().all(|c| "_".contains(c) || c.is_ascii_lowercase()))
    {
        assert!(example.contains(&format!("\"{field}\":")), "{field}");
    }
}

#[test]
fn leaves_out_packages_whose_names_no_file_can_have() {
    let desk = desk();
    desk.write("cache/a.md", page("zlib", HASH, "rhel8"));
    desk.write("cache/b.md", page("../../up", OTHER, "rhel8"));
    let outcome = desk.run(&EMBED);
    let note = "note: ../../up: no file can have this name, so the package has none of its own\n";
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), note));
    assert_eq!(times(&desk, "dist/api/package").keys().collect::<Vec<_>>(), ["zlib.json"]);
    let packages = object(&desk, "dist/api/packages.json");
    assert_eq!(packages["packages"][0]["file"], Value::Null, "{packages}");
}

#[cfg(unix)]
#[test]
fn leaves_everything_unchanged_on_a_full_disk() {
    let desk = desk();
    desk.write("cache/a.md", page("zlib", HASH, "rhel8"));
    assert_eq!(desk.run(&EMBED).code, Some(0));
    let before = [desk.read("dist/api/package/zlib.json"), desk.read("dist/index.html")];
    // A limit of one block on the size of files simulates a full disk.
    desk.run(&["generate", "--builds", "3000", "-o", "large.json"]);
    let call = "ulimit -f 1; trap '' XFSZ; exec \"$0\" embed large.json --into dist --api";
    let command = env!("CARGO_BIN_EXE_cache-explorer");
    let outcome = desk.call(std::process::Command::new("sh").args(["-c", call, command]), "");
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains("could not be written: File too large"), "{}", outcome.err);
    assert_eq!([desk.read("dist/api/package/zlib.json"), desk.read("dist/index.html")], before);
    assert_eq!(times(&desk, "dist/api/package").len(), 1);
    assert_eq!(fs::read_dir(desk.path("dist")).expect("a folder").count(), 3);
}
