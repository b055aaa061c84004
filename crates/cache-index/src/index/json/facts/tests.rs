//! What is written about binaries can be read again, and answers as the facts themselves do.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::build::Hash;
use crate::facts::{Demands, Entry, EntryKind, Facts, FileTerm, ListedFile, Mode, Object};
use crate::index::BuildId;
use crate::sample;

/// A path with few distinct names, so that builds have the same.
fn path() -> impl Strategy<Value = String> {
    let folder = prop::sample::select(vec!["", "bin/", "lib/", "lib/python3.11/site-packages/"]);
    let name = prop::sample::select(vec!["h5dump", "libz.so", "libz.so.1", "six.py", "größe"]);
    (folder, name).prop_map(|(folder, name)| format!("{folder}{name}"))
}

fn entry() -> impl Strategy<Value = Entry> {
    let kind = prop::sample::select(vec![
        EntryKind::File,
        EntryKind::Dir,
        EntryKind::Symlink,
        EntryKind::Hardlink,
    ]);
    (path(), kind, 0u64..4, any::<bool>()).prop_map(|(path, kind, size, is_program)| {
        let is_file = kind == EntryKind::File;
        let is_link = matches!(kind, EntryKind::Symlink | EntryKind::Hardlink);
        Entry {
            path,
            kind,
            size: if is_file { size << 33 } else { 0 },
            mode: match kind {
                EntryKind::File if is_program => Mode(0o755),
                EntryKind::Symlink => Mode(0o777),
                _ => Mode(0o644),
            },
            target: is_link.then(|| "lib/<x>".to_owned()),
        }
    })
}

/// The facts of some of at most forty builds, each path once, in any order.
fn facts() -> impl Strategy<Value = BTreeMap<Hash, Facts>> {
    let glibc = prop::collection::vec(prop::sample::select(vec!["2.4", "2.17", "2.34"]), 0..3);
    let files = prop::collection::vec(entry(), 0..9);
    let libraries = prop::sample::subsequence(vec!["libc.so.6", "libz.so.1", "<lib>"], 0..=3);
    let libraries = prop::collection::vec(libraries, 0..9);
    let files = (files, glibc, libraries).prop_map(|(mut files, glibc, libraries)| {
        files.sort_by(|one, other| one.path.cmp(&other.path));
        files.dedup_by(|one, other| one.path == other.path);
        let object = |version: &str| Object {
            requires: [("GLIBC".to_owned(), version.to_owned())].into(),
            ..Object::default()
        };
        let with_needs = |(file, needed): (&Entry, Vec<&str>)| Object {
            path: file.path.clone(),
            needed: needed.into_iter().rev().map(str::to_owned).collect(),
            ..Object::default()
        };
        let with_needs = files.iter().zip(libraries).map(with_needs);
        let objects = glibc.into_iter().map(object).chain(with_needs).collect();
        Facts {
            size: 7,
            unpacked: 9,
            prefix: "/opt/x".to_owned(),
            files,
            objects,
            ..Facts::default()
        }
    });
    prop::collection::btree_map((0..40usize).prop_map(sample::hash), files, 0..30)
}

fn stated<K: Clone>(shards: &[Shard<K>]) -> Vec<StatedShard<K>> {
    let part = |text: &str| crate::index::StatedPart::of(text, String::new(), None);
    let stated =
        |shard: &Shard<K>| StatedShard { from: shard.from.clone(), part: part(&shard.text) };
    shards.iter().map(stated).collect()
}

/// Returns the files of a build according to the shards.
fn listed(texts: &FactsTexts, build: BuildId) -> Option<Vec<ListedFile>> {
    let shard = shard_of(&stated(&texts.contents), build)?;
    let shard = ShardOfBuilds::read(&texts.contents[shard].text).expect("what was written");
    let files = shard.of(build).expect("good numbers")?;
    Some(files.into_iter().cloned().collect())
}

/// Returns the builds that have a matching file, according to the shards.
fn found(index: &Index, texts: &FactsTexts, term: &FileTerm) -> Vec<u32> {
    let mut builds = Vec::new();
    let beginnings: Vec<&str> = texts.files.iter().map(|shard| shard.from.as_str()).collect();
    for shard in shards_about(&beginnings, term) {
        let shard = ShardOfNames::read(&texts.files[shard].text, index).expect("what was written");
        builds.extend(
            shard.found(term).iter().flat_map(|(_, builds)| builds.iter()).map(|build| build.0),
        );
    }
    builds.sort_unstable();
    builds.dedup();
    builds
}

proptest! {
    #[test]
    fn lists_the_files_of_builds_and_finds_builds_by_files(
        builds in sample::builds(),
        facts in facts(),
    ) {
        let mut index = crate::index::pack(Default::default(), builds).expect("different hashes");
        let of = |hash: Hash| facts.get(&hash);
        let known = index.add_facts(&of).expect("the first");
        let all = (0..index.specs()).map(BuildId);
        let of_build = |build| index.hash(build).and_then(of);
        prop_assert_eq!(known, all.clone().filter_map(of_build).count());
        let Some(texts) = index.facts() else { return Ok(()) };
        let numbers = FactsByBuild::read(&texts.by_build, &index).expect("what was written");
        for build in all.clone() {
            let facts = of_build(build);
            let is_listed = |entry: &&Entry| entry.kind != EntryKind::Dir;
            let needed = |entry: &Entry| {
                let objects = facts.into_iter().flat_map(|facts| &facts.objects);
                let mut of_path = objects.filter(|object| object.path == entry.path);
                of_path.next().map(|object| object.needed.clone()).unwrap_or_default()
            };
            let listed_file =
                |entry: &Entry| ListedFile { entry: entry.clone(), needed: needed(entry) };
            let files = facts.map(|facts| facts.files.iter().filter(is_listed).map(listed_file).collect());
            let files: Option<Vec<ListedFile>> = files;
            let count = files.as_ref().map(|files| files.len() as u32);
            prop_assert_eq!(numbers.of(build).files, count);
            prop_assert_eq!(numbers.demands(build).cloned(), facts.and_then(Demands::of));
            prop_assert_eq!(listed(texts, build).filter(|_| facts.is_some()), files);
        }
        for text in [
            "file:h5dump", "file:bin/h5dump", "file:libz.so*", "file:*.so", "file:l?bz.so",
            "file:lib/libz.so.1", "import:six", "file:größe", "file:none",
        ] {
            let (terms, _) = FileTerm::take(text);
            let has = |build: &BuildId| of_build(*build).is_some_and(|it| FileTerm::all_found(&terms, it).is_some());
            let expected: Vec<u32> = all.clone().filter(has).map(|build| build.0).collect();
            prop_assert_eq!(found(&index, texts, &terms[0]), expected, "{}", text);
        }
        // Written as one text and read again, it is the same.
        let json = index.to_json_with_facts();
        let mut again = Index::from_json(&json).expect("what was just written");
        prop_assert_eq!(again.facts(), None);
        again.take_facts(&json).expect("what was just written");
        prop_assert_eq!(again.facts(), Some(texts));
        prop_assert!(!json.contains('<'));
        // Another index takes it over, and adding the same again changes nothing.
        let (json, texts) = (index.to_json(), Some(texts.clone()));
        let mut other = Index::from_json(&json).expect("what was just written");
        other.take_binaries(&index.facts_by_hash().expect("what was just written"));
        prop_assert_eq!(other.facts(), texts.as_ref());
        prop_assert_eq!(other.add_facts(&of), Ok(known));
        prop_assert_eq!(other.facts(), texts.as_ref());
    }

    #[test]
    fn reads_or_rejects_any_numbers(
        changes in prop::collection::vec(prop::collection::vec(0u32..5, 0..4), 0..4),
        skipped in prop::collection::vec(any::<u32>(), 0..4),
        needed in prop::collection::vec(prop::collection::vec(0u32..3, 0..3), 0..4),
        set in prop::collection::vec(0u32..4, 0..4),
        sets in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..4), 0..4),
    ) {
        let names = serde_json::json!({"shared": [0, 1, 0], "rest": ["a", "b", "c"]});
        let contents = serde_json::json!({
            "first": 1, "paths": names, "types": "fxl", "sizes": [1, 2], "targets": ["a"],
            "skipped": skipped, "builds": changes, "libraries": ["a", "b"], "needed": needed,
        });
        if let Ok(shard) = ShardOfBuilds::read(&contents.to_string()) {
            for build in shard.builds() {
                let _ = shard.of(build);
            }
        }
        let files = serde_json::json!({"names": names, "set": set, "sets": sets});
        let index = sample::small_index();
        if let Ok(shard) = ShardOfNames::read(&files.to_string(), &index) {
            for (_, builds) in shard.with("") {
                prop_assert!(builds.iter().all(|build| build.0 < index.specs()));
            }
        }
    }
}

#[test]
fn divides_long_lists_into_shards() {
    let files = |build: u32| {
        let entry = |number: u32| Entry {
            path: format!("share/doc/{number}-{}-is-a-file-with-a-long-name", build / 5),
            kind: EntryKind::File,
            size: u64::from(number),
            mode: Mode(0o644),
            target: None,
        };
        Facts { files: (0..900).map(entry).collect(), ..Facts::default() }
    };
    let all: Vec<Facts> = (0..90).map(files).collect();
    let builds = || (0..).zip(all.iter().map(|facts| line::FilesOfBuild::Found(facts).lines()));
    let contents = contents::shards(builds());
    let names = files::shards(builds());
    assert!(contents.len() > 2 && names.len() > 2, "{} {}", contents.len(), names.len());
    let longest = contents.iter().map(|shard| shard.text.len());
    let longest = longest.chain(names.iter().map(|shard| shard.text.len())).max();
    assert!(longest < Some(300_000), "{longest:?}");
    assert!(names.is_sorted_by(|one, other| one.from < other.from));
    // The start of a shard is only as long as it must be to find the shard.
    assert!(names.iter().all(|shard| shard.from.len() < 20), "{:?}", names[1].from);
}
