//! Compares the reader of the page with the command: the same files must give the same index or the same messages.
//!
//! Here the reader is compiled for this machine, and gets files in memory; tests/opening.rs tests it in browsers.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use cache_index::index::{Index, Part, StatedShard, Statement};
use cache_index::settings::Settings;
use cache_ingest::inputs::EMPTY;
use cache_ingest::mirror::WITHOUT_BINARIES;
use cache_ingest::{read_environment, read_settings};
use reader_core::{
    Bytes, ChosenFiles, OpenOptions, OpenedIndex, Progress, SPECS_NOT_READ, open, open_environment,
    open_settings,
};

use crate::desk::{Desk, HASH, OTHER, data, page, root, seeds};

/// The time that the command's desk sets for its indexes.
const MADE: &str = "2025-11-21T10:10:00Z";

/// Files in memory.
struct Memory(Vec<Vec<u8>>);

impl Bytes for Memory {
    fn read(&self, file: usize, from: u64, to: u64) -> io::Result<Vec<u8>> {
        Ok(self.0[file][from as usize..to as usize].to_vec())
    }

    fn progress(&self, progress: &Progress<'_>) {
        let all: usize = self.0.iter().map(Vec::len).sum();
        assert!(progress.bytes <= 3 * all as u64, "{progress:?} of {all} bytes");
    }
}

/// Adds all files at a path, under `name` and their paths below it.
fn collect(path: &Path, name: &str, files: &mut Vec<(String, Vec<u8>)>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder") {
            let entry = entry.expect("an entry");
            let inner = format!("{name}/{}", entry.file_name().to_string_lossy());
            collect(&entry.path(), &inner, files);
        }
    } else {
        files.push((name.to_owned(), fs::read(path).expect("a file")));
    }
}

/// Reads inputs in a folder with both, and returns how many builds they have, or `None` if they cannot be read.
#[track_caller]
fn compare(folder: &Path, names: &[&str]) -> Option<usize> {
    let desk = Desk::new();
    let out = desk.path("index.json").display().to_string();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cache-explorer"));
    command.arg("index").args(names).args(["-o", &out]).current_dir(folder);
    let output = command.env("SOURCE_DATE_EPOCH", "1763719800").output().expect("the command runs");
    let said = String::from_utf8(output.stderr).expect("UTF-8");

    let mut files = Vec::new();
    for name in names {
        collect(&folder.join(name), name, &mut files);
    }
    let lengths: Vec<(&str, u64)> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.len() as u64)).collect();
    let memory = Memory(files.iter().map(|(_, bytes)| bytes.clone()).collect());
    let chosen = ChosenFiles::new(lengths, memory);
    let wanted =
        OpenOptions { made: MADE.to_owned(), leaves_out_damaged: false, ..OpenOptions::default() };
    match open(chosen, &wanted) {
        Ok(OpenedIndex { parts, builds, notes, .. }) => {
            assert!(output.status.success(), "{names:?}: only the command fails: {said}");
            let index = Index::from_json(&desk.read("index.json")).expect("an index");
            assert!(parts == index.to_parts(), "{names:?}: the indexes differ");
            // Only the page leaves parts of the inputs unread by default.
            let of_page = [WITHOUT_BINARIES, SPECS_NOT_READ].map(|said| format!("note: {said}"));
            let is_of_page = |line: &&str| of_page.iter().any(|note| note == line);
            let notes: Vec<&str> = notes.lines().filter(|line| !is_of_page(line)).collect();
            assert_eq!(notes.join("\n"), as_in_the_page(said.trim_end()), "{names:?}");
            assert_eq!(builds, index.builds_with_binary().count(), "{names:?}");
            Some(builds)
        }
        Err(refused) => {
            assert!(!output.status.success(), "{names:?}: only the reader fails: {refused:?}");
            assert_eq!(refused.problems, as_in_the_page(said.trim_end()), "{names:?}");
            None
        }
    }
}

/// Returns the page's version of the command's messages: the page writes no file, and has no options.
fn as_in_the_page(said: &str) -> String {
    let line = |line: &str| match line.split_once("; nothing was written") {
        Some((problems, _)) => format!("{problems}; nothing was opened"),
        None => line
            .replace(EMPTY, "there is no build with a binary in what was chosen")
            .replace(", which --verbose lists", ""),
    };
    said.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn reads_every_sample_as_the_command_does() {
    let mut builds = 0;
    for folder in ["tests/data", "seeds"] {
        let folder = root().join(folder);
        let mut names: Vec<String> = fs::read_dir(&folder)
            .expect("samples")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        // A manifest lists files next to it, which the page has only if they are chosen too.
        for name in names.iter().filter(|name| *name != "cache_spack_io_index.json") {
            builds += compare(&folder, &[name]).unwrap_or(0);
        }
    }
    assert!(builds > 390, "the samples have {builds} builds");
    assert_eq!(compare(&root(), &["seeds"]), Some(390));
}

#[test]
fn unites_several_inputs_as_the_command_does() {
    let desk = Desk::new();
    desk.write("a.md", page("zlib", HASH, "rhel8"));
    desk.write("b.md", page("zlib", OTHER, "rhel8"));
    desk.write("c/b.md", page("zlib", OTHER, "rhel9"));
    desk.write("c/.hidden/d.md", "nothing that could be read");
    desk.write("empty.json", "");
    desk.write("short.md", page("zlib", "short", "rhel8"));
    assert_eq!(compare(&desk.path(""), &["a.md", "b.md"]), Some(2));
    assert_eq!(compare(&desk.path(""), &["a.md", "b.md", "c"]), None);
    assert_eq!(compare(&desk.path(""), &["a.md", "empty.json", "short.md"]), None);
    assert_eq!(compare(&desk.path(""), &["c"]), Some(1));
}

#[test]
fn the_same_files_have_the_same_id_whenever_they_are_read() {
    let read = |text: String, made: &str| {
        let chosen =
            ChosenFiles::new([("a.md", text.len() as u64)], Memory(vec![text.into_bytes()]));
        let wanted = OpenOptions {
            made: made.to_owned(),
            leaves_out_damaged: false,
            ..OpenOptions::default()
        };
        open(chosen, &wanted).expect("a cache").id
    };
    let id = read(page("zlib", HASH, "rhel8"), MADE);
    assert_eq!(id.len(), 16);
    assert_eq!(read(page("zlib", HASH, "rhel8"), "2026-01-01T00:00:00Z"), id);
    assert_ne!(read(page("zlib", HASH, "rhel9"), MADE), id);
    assert_ne!(read(page("zlib", OTHER, "rhel8"), MADE), id);
}

#[test]
fn goes_on_without_what_is_damaged_only_if_it_may() {
    let text = page("zlib", HASH, "rhel8") + "\n";
    let damaged = text.replacen(&format!("\"hash\": \"{HASH}\""), "\"hash\": \"short\"", 1);
    let files = || {
        let lengths = [("a.md", text.len() as u64), ("b.md", damaged.len() as u64)];
        let memory = vec![text.clone().into_bytes(), damaged.clone().into_bytes()];
        ChosenFiles::new(lengths, Memory(memory))
    };
    let mut wanted =
        OpenOptions { made: MADE.to_owned(), leaves_out_damaged: false, ..OpenOptions::default() };
    let refused = open(files(), &wanted).expect_err("damage");
    assert!(refused.may_leave_out, "{refused:?}");
    wanted.leaves_out_damaged = true;
    let opened = open(files(), &wanted).expect("the rest");
    assert_eq!(opened.builds, 1);
    assert!(opened.notes.contains("1 damaged build was left out"), "{}", opened.notes);
}

/// Reads mirrors of a folder, and looks into their binaries.
#[track_caller]
fn look_inside(files: &[(String, Vec<u8>)]) -> OpenedIndex {
    let lengths = files.iter().map(|(name, bytes)| (name.as_str(), bytes.len() as u64));
    let memory = || Memory(files.iter().map(|(_, bytes)| bytes.clone()).collect());
    let wanted =
        OpenOptions { made: MADE.to_owned(), looks_inside: true, ..OpenOptions::default() };
    open(ChosenFiles::new(lengths, memory()), &wanted).expect("a cache")
}

#[test]
fn looks_into_binaries_as_the_command_does() {
    let folder = root().join("tests/data/binaries");
    let desk = Desk::new();
    for names in [&["v2-plain"][..], &["v3-pad128"], &["v2-plain", "v3-pad128"]] {
        let mut files = Vec::new();
        for name in names {
            collect(&folder.join(name), name, &mut files);
        }
        let opened = look_inside(&files);
        let paths: Vec<String> =
            names.iter().map(|name| folder.join(name).display().to_string()).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        desk.run(&[&["inspect", "-o", "facts.json"], &paths[..]].concat());
        desk.run(&[&["index", "--facts", "facts.json", "-o", "index.json"], &paths[..]].concat());
        let json = desk.read("index.json");
        let mut index = Index::from_json(&json).expect("an index");
        index.take_facts(&json).expect("facts");
        assert!(opened.parts.facts.is_some(), "{names:?}");
        assert!(opened.parts == index.to_parts_with_facts(), "{names:?}: the indexes differ");
        // The page has a script for each part and each shard, and states which there are.
        let scripts: BTreeMap<String, Cow<'_, str>> = opened.scripts().into_iter().collect();
        let stated = Statement::from_json(&scripts[Statement::ID]).expect("a statement");
        for part in Part::ON_DEMAND {
            assert!(stated.part(part).is_some_and(|part| part.file.is_none()), "{part:?}");
        }
        let contents =
            StatedShard::<u32>::read_list(&scripts[Part::Contents.id()]).expect("a list");
        for (number, shard) in contents.iter().enumerate() {
            assert!(shard.part.is_whole(&scripts[&Part::Contents.shard_id(number)]));
        }
    }
}

#[test]
fn says_how_much_there_is_to_look_into() {
    #[track_caller]
    fn check(name: &str, expected: Option<usize>) {
        let mut files = Vec::new();
        collect(&root().join("tests/data").join(name), "mirror", &mut files);
        let lengths = files.iter().map(|(name, bytes)| (name.as_str(), bytes.len() as u64));
        let memory = Memory(files.iter().map(|(_, bytes)| bytes.clone()).collect());
        let opened =
            open(ChosenFiles::new(lengths, memory), &OpenOptions::default()).expect("a cache");
        let inside = opened.inside;
        assert_eq!(inside.map(|inside| inside.binaries), expected, "{name}: {inside:?}");
        assert!(inside.is_none_or(|inside| inside.bytes > 1_000), "{name}: {inside:?}");
    }
    check("binaries/v2-plain", Some(8));
    check("binaries/v3-pad128", Some(18));
    // Mirrors without their binaries, and inputs of other kinds.
    check("mirror-v3", None);
    check("mirror-1.3", None);
    check("database", None);
}

#[test]
fn notes_binaries_that_cannot_be_used_and_reads_the_others() {
    let mut files = Vec::new();
    collect(&root().join("tests/data/binaries/v2-plain"), "mirror", &mut files);
    let (name, bytes) = files
        .iter_mut()
        .find(|(name, _)| name.contains("lab-zed") && name.ends_with(".spack"))
        .expect("a binary");
    let hash = name.trim_end_matches(".spack").rsplit('-').next().expect("a hash").to_owned();
    bytes.truncate(2_000);
    let opened = look_inside(&files);
    assert!(opened.notes.contains(&hash), "{}", opened.notes);
    let facts = opened.parts.facts.as_ref().expect("facts of the others");
    let sizes: serde_json::Value = serde_json::from_str(&facts.by_build).expect("JSON");
    let known = sizes["sizes"].as_array().expect("a list").iter().filter(|size| !size.is_null());
    assert_eq!(known.count(), 7);
}

#[test]
fn reads_an_environment_as_the_command_does() {
    let samples = root().join("tests/data/environment");
    let read = |path: &str, is_environment: bool| {
        let bytes = fs::read(samples.join(path)).expect("a sample");
        let lock = (path.rsplit('/').next().expect("a name"), bytes.len() as u64);
        let chosen = ChosenFiles::new([lock], Memory(vec![bytes.clone()]));
        let wanted = OpenOptions { is_environment, ..OpenOptions::default() };
        (open_environment(&chosen, &wanted), read_environment(&bytes))
    };
    // An address can have specs, but neither groups nor hashes.
    for path in [
        "dev-path/spack.lock",
        "legacy/v1.lock",
        "groups.yaml",
        "find.json",
        "zlib-only/spack.yaml",
    ] {
        let (ours, theirs) = read(path, false);
        let ours = ours.expect("an environment").expect("readable");
        assert_eq!(ours.kept.read(), Ok(theirs.expect("readable")), "{path}");
        let is_address = ours.address.is_some();
        assert_eq!(is_address, path.starts_with("zlib-only"), "{path}");
    }
    let database = "dev-path/index.json";
    assert!(read(database, true).0.is_none());
    // Any text could be a list of specs, so it is only read as one if the user asks for that, or if its name says so.
    let list = ChosenFiles::new([("list", 11)], Memory(vec![b"hdf5\nzlib@\n".to_vec()]));
    assert!(open_environment(&list, &OpenOptions::default()).is_none());
    let wanted = OpenOptions { is_environment: true, ..OpenOptions::default() };
    let refused = open_environment(&list, &wanted).expect("an environment").expect_err("damaged");
    assert!(
        refused.problems.contains("list: line 2: expected a spec, found \"zlib@\""),
        "{}",
        refused.problems
    );
}

#[test]
fn reads_settings_as_the_command_does() {
    #[track_caller]
    fn check(text: &str) -> Result<String, String> {
        let desk = Desk::new();
        desk.write("spack.yaml", text);
        let machine = ["--host", "linux.debian13.zen4", "--summary", "--config", "spack.yaml"];
        let outcome = desk.run(&[&["why", "--from", &seeds()], &machine[..]].concat());
        let bytes = text.as_bytes().to_vec();
        let memory = Memory(vec![bytes.clone()]);
        let chosen = ChosenFiles::new([("spack.yaml", bytes.len() as u64)], memory);
        let read = open_settings(&chosen, "").map_err(|refused| refused.problems);
        assert_eq!(read.is_ok(), outcome.code == Some(0), "{read:?}, {}", outcome.err);
        read.inspect_err(|problems| assert_eq!(*problems, outcome.err.trim_end()))
    }
    let file = data("reuse/spack.yaml");
    let whole = check(&fs::read_to_string(file).expect("a file")).expect("settings");
    let known = cache_query::address::decode(&whole).0.question.preference();
    let bytes = fs::read(data("reuse/spack.yaml")).expect("a file");
    assert_eq!(Ok(known.settings.clone()), read_settings(&bytes, Settings::default()));
    assert_eq!(check("view: true"), Ok(String::new()));
    assert_eq!(check("reuse: false"), Ok("reuse=false".to_owned()));
    let problems = check("concretizer: {reuse: maybe}").expect_err("no such value");
    assert!(problems.contains("expected true, false, dependencies or an object"), "{problems}");
    assert!(check("hdf5").is_err());
    assert!(check("a: [").is_err());
}
