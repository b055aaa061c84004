//! Any change to a single field of a real database is either reported or harmless, and every other build is read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use cache_index::build::{Build, Hash, Place};
use cache_ingest::inputs::{
    DamageLimit, FolderEntry, FolderEntryKind, GatheredBuilds, Inputs, Machine, ReadOptions, Source,
};
use cache_ingest::read_database;
use cache_ingest::report::Report;
use serde_json::Value;

/// JSON in which a name may occur twice.
#[derive(Clone)]
enum Tree {
    Leaf(Value),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

impl Tree {
    fn new(value: &Value) -> Tree {
        match value {
            Value::Array(list) => Tree::List(list.iter().map(Tree::new).collect()),
            Value::Object(map) => Tree::Map(
                map.iter().map(|(name, value)| (name.clone(), Tree::new(value))).collect(),
            ),
            leaf => Tree::Leaf(leaf.clone()),
        }
    }

    fn write(&self, text: &mut String) {
        let (open, close, count) = match self {
            Tree::Leaf(value) => return text.push_str(&value.to_string()),
            Tree::List(list) => ('[', ']', list.len()),
            Tree::Map(map) => ('{', '}', map.len()),
        };
        text.push(open);
        for at in 0..count {
            if at > 0 {
                text.push(',');
            }
            match self {
                Tree::Leaf(_) => {}
                Tree::List(list) => list[at].write(text),
                Tree::Map(map) => {
                    text.push_str(&Value::from(map[at].0.as_str()).to_string());
                    text.push(':');
                    map[at].1.write(text);
                }
            }
        }
        text.push(close);
    }

    /// Finds the path of each object; each step of a path is an index.
    fn objects(&self, path: &mut Vec<usize>, found: &mut Vec<(Vec<usize>, usize)>) {
        let children: Vec<&Tree> = match self {
            Tree::Leaf(_) => return,
            Tree::List(list) => list.iter().collect(),
            Tree::Map(map) => {
                found.push((path.clone(), map.len()));
                map.iter().map(|(_, value)| value).collect()
            }
        };
        for (at, child) in children.into_iter().enumerate() {
            path.push(at);
            child.objects(path, found);
            path.pop();
        }
    }

    fn at(&mut self, path: &[usize]) -> &mut Vec<(String, Tree)> {
        let Some((&first, rest)) = path.split_first() else {
            match self {
                Tree::Map(map) => return map,
                _ => panic!("expected an object"),
            }
        };
        match self {
            Tree::List(list) => list[first].at(rest),
            Tree::Map(map) => map[first].1.at(rest),
            Tree::Leaf(_) => panic!("nothing is below a leaf"),
        }
    }
}

/// Changes one field of an object.
type Change = fn(&mut Vec<(String, Tree)>, usize);

/// The ways in which a field is changed.
const CHANGES: [Change; 4] = [
    |map, at| drop(map.remove(at)),
    |map, at| map.insert(at, map[at].clone()),
    |map, at| {
        map[at].1 = match &map[at].1 {
            Tree::Leaf(Value::String(_)) => Tree::Leaf(Value::from(true)),
            Tree::Leaf(Value::Bool(_)) => Tree::Leaf(Value::from("true")),
            Tree::List(_) => Tree::Map(Vec::new()),
            _ => Tree::List(Vec::new()),
        }
    },
    |map, at| map[at].0.push_str("_2"),
];

/// A machine with one file.
struct OneFile<'t>(&'t str);

impl<'t> Machine for OneFile<'t> {
    type File = &'t [u8];

    fn entry_kind(&self, _: &Path) -> FolderEntryKind {
        FolderEntryKind::File
    }

    fn length(&self, _: &Path) -> u64 {
        self.0.len() as u64
    }

    fn open(&self, _: &Path) -> io::Result<&'t [u8]> {
        Ok(self.0.as_bytes())
    }

    fn walk(&self, _: &Path, _: &mut dyn FnMut(io::Result<FolderEntry>) -> bool) {}

    fn fetch(&self, _: &[String], _: &BTreeSet<String>) {}

    fn open_url(&self, _: &str) -> io::Result<&'t [u8]> {
        Err(io::Error::other("there is no network"))
    }

    fn begin(&self, _: u64) {}

    fn reading(&self, _: &str) {}

    fn have_read(&self, _: usize) {}

    fn end(&self) {}
}

/// Returns the builds that `index --leave-out-damaged` would publish from a file, or else its messages.
fn gathered(text: &str) -> Result<Vec<Build>, String> {
    let machine = OneFile(text);
    let mut report = Report::default();
    let sources = [Source::from(PathBuf::from("index.json"))];
    let inputs = Inputs::find(machine, &sources, &ReadOptions::default(), &mut report);
    let outcome = inputs.gather(Some(DamageLimit::NONE), &mut report);
    let mut words = Vec::new();
    report.write_for_people(&mut words, None).expect("memory");
    match outcome {
        Ok(gathered) => Ok(gathered.collection.into_builds().collect()),
        Err(undone) if words.is_empty() => panic!("not a word but {undone:?}"),
        Err(_) => Err(String::from_utf8(words).expect("UTF-8")),
    }
}

fn others(builds: &[Build], without: Option<Hash>) -> BTreeSet<(Hash, String, usize)> {
    let others = builds.iter().filter(|build| Some(build.hash) != without);
    let facts = |build: &Build| {
        let dependencies = build.dependencies.as_ref().map_or(0, Vec::len);
        (build.hash, format!("{}@{}", build.package, build.version), dependencies)
    };
    others.map(facts).collect()
}

#[test]
fn loses_at_most_one_build_to_a_changed_field() {
    for (name, records) in [("v7.json", 6), ("v8-older-specs.json", 6), ("v8.json", 4)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/database");
        let text = fs::read_to_string(path.join(name)).expect("a file");
        let place = Place { release: "develop".into(), stack: "root".into() };
        let mut value: Value = serde_json::from_str(&text).expect("JSON");
        // A few records are enough: each is changed in hundreds of ways.
        let installs = value["database"]["installs"].as_object_mut().expect("records");
        let kept: Vec<String> = installs.keys().take(records).cloned().collect();
        installs.retain(|key, _| kept.contains(key));
        let text = value.to_string();
        let whole = read_database(text.as_bytes(), &place).into_result().expect("good").builds;
        let tree = Tree::new(&value);
        let hashes: Vec<Hash> = value["database"]["installs"]
            .as_object()
            .expect("records")
            .keys()
            .map(|key| key.parse().expect("a hash"))
            .collect();
        // The position of the records depends on how serde_json orders names.
        let names = value["database"].as_object().expect("an object").keys();
        let installs = [0, names.into_iter().position(|name| name == "installs").expect("records")];
        let is_record = |path: &[usize]| path.len() > 2 && path[..2] == installs;
        let mut objects = Vec::new();
        tree.objects(&mut Vec::new(), &mut objects);
        for (path, fields) in objects {
            for at in 0..fields {
                for change in CHANGES {
                    let mut changed = tree.clone();
                    change(changed.at(&path), at);
                    let mut text = String::new();
                    changed.write(&mut text);
                    let read = read_database(text.as_bytes(), &place);
                    let is_key = path == installs;
                    let harmed = match &path[..] {
                        _ if is_key => Some(hashes[at]),
                        path if is_record(path) => Some(hashes[path[2]]),
                        _ => None,
                    };
                    // Read as the command does, for one of the files: the reader is the same for all.
                    match (name == "v8.json").then(|| gathered(&text)) {
                        None => {}
                        Some(Ok(builds)) => {
                            assert_eq!(others(&builds, harmed), others(&whole, harmed), "{path:?}");
                        }
                        // If nothing is known about the rest, no part of it is published.
                        Some(Err(words)) => assert!(harmed.is_none() && !words.is_empty()),
                    }
                    let Some(database) = read.value else {
                        assert!(harmed.is_none() && !read.problems.is_empty(), "{path:?} {at}");
                        continue;
                    };
                    assert_eq!(
                        others(&database.builds, harmed),
                        others(&whole, harmed),
                        "{name}: {path:?} {at}"
                    );
                }
            }
        }
    }
}

/// Returns a database of these records by their hashes.
fn database(version: &Value, records: &[(&str, &str)]) -> String {
    let records: Vec<String> =
        records.iter().map(|(hash, record)| format!("\"{hash}\":{record}")).collect();
    let records = records.join(",");
    format!(r#"{{"database":{{"version":{version},"installs":{{{records}}}}}}}"#)
}

/// Returns a hash that differs from all real ones.
fn other_hash(number: usize) -> String {
    format!("{}{}", "a".repeat(31), ["b", "c"][number])
}

#[test]
fn reads_a_changed_record_alike_after_those_it_resembles() {
    for name in ["v7.json", "v8-older-specs.json", "v8.json"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/database");
        let text = fs::read_to_string(path.join(name)).expect("a file");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let version = &value["database"]["version"];
        let place = Place { release: "develop".into(), stack: "root".into() };
        let records = value["database"]["installs"].as_object().expect("records");
        let edges = |record: &Value| record["spec"]["dependencies"].as_array().map_or(0, Vec::len);
        let has_edges = records.iter().filter(|(_, record)| edges(record) > 1);
        for (hash, record) in has_edges.take(2) {
            let original = record.to_string();
            let earlier = [0, 1].map(|number| original.replace(hash, &other_hash(number)));
            let tree = Tree::new(record);
            let mut objects = Vec::new();
            tree.objects(&mut Vec::new(), &mut objects);
            let mut texts = vec![original.clone()];
            for (path, fields) in objects {
                for at in 0..fields {
                    for change in CHANGES {
                        let mut changed = tree.clone();
                        change(changed.at(&path), at);
                        let mut text = String::new();
                        changed.write(&mut text);
                        texts.push(text);
                    }
                }
            }
            // Changes that show only in the text, not in a tree.
            for (from, to) in [
                ("\"ref_count\":", "\"ref_count\":1"),
                ("\"ref_count\":", "\"ref_count\":-"),
                ("\"name\":", " \"name\"\n:\t"),
                ("\"name\":\"", "\"name\":\"\\u0061"),
                ("\"package_hash\":\"", "\"package_hash\":\"\\n"),
                ("\"hash\":\"", "\"h\\u0061sh\":\""),
                ("}]", "},]"),
                ("{\"", "{,\""),
                (":true", ":truth"),
                (":[]", ":[}"),
            ] {
                texts.extend([original.replace(from, to), original.replacen(from, to, 1)]);
            }
            for text in texts {
                let alone = database(version, &[(hash, &text)]);
                let after = database(
                    version,
                    &[(&other_hash(0), &earlier[0]), (&other_hash(1), &earlier[1]), (hash, &text)],
                );
                let read = |text: &str| {
                    let read = read_database(text.as_bytes(), &place);
                    let findings: Vec<String> =
                        read.problems.iter().map(|it| it.finding.to_string()).collect();
                    let builds = read.value.map_or_else(Vec::new, |database| database.builds);
                    let builds: Vec<Build> = builds
                        .into_iter()
                        .filter(|build| build.hash.to_string() == *hash)
                        .collect();
                    (builds, findings, read.notes.iter().count())
                };
                assert_eq!(read(&after), read(&alone), "{name}: {text}");
            }
        }
    }
}

#[test]
fn keeps_nothing_of_a_damaged_record() {
    let record = |hash: &str, version: &str, dependency: &str| {
        format!(
            r#"{{"spec":{{"name":"{dependency}-user","version":{version},"arch":{{"platform":"linux","platform_os":"rhel8","target":"zen4"}},"namespace":"builtin","parameters":{{"{dependency}":true}},"package_hash":"{dependency}","dependencies":[{{"name":"{dependency}","hash":"{}","parameters":{{"deptypes":["link"],"virtuals":["{dependency}-api"]}}}}],"annotations":{{"original_specfile_version":5}},"hash":"{hash}"}},"ref_count":0,"in_buildcache":true}}"#,
            "z".repeat(32)
        )
    };
    let (one, two) = (other_hash(0), other_hash(1));
    let good = record(&one, r#""1.0""#, "zlib");
    let bad = record(&two, "true", "bzip2");
    let parts = |records: &[(&str, &str)]| {
        let text = database(&Value::from("8"), records);
        let machine = OneFile(&text);
        let mut report = Report::default();
        let sources = [Source::from(PathBuf::from("index.json"))];
        let inputs = Inputs::find(machine, &sources, &ReadOptions::default(), &mut report);
        let gathered = inputs.gather(Some(DamageLimit::NONE), &mut report);
        let gathered = GatheredBuilds { left_out: Vec::new(), ..gathered.expect("builds") };
        let (index, _) = gathered.pack(None, "now".to_owned()).expect("an index");
        index.to_json()
    };
    assert_eq!(parts(&[(&two, &bad), (&one, &good)]), parts(&[(&one, &good)]));
}
