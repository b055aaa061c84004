//! Mirrors in memory, made from small real ones, valid and invalid.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use proptest::prelude::*;

use crate::problem::Finding;

use super::{Files, Part, carried, find_databases, is_mirror, read_manifest, read_mirror};
use cache_index::build::{Hash, Place};
use cache_index::environment::CarryList;

/// A folder in memory.
#[derive(Clone)]
struct Folder(BTreeMap<String, Vec<u8>>);

impl Files for Folder {
    fn open(&self, path: &str) -> io::Result<Option<Box<dyn Read + '_>>> {
        Ok(self.0.get(path).map(|bytes| Box::new(&bytes[..]) as Box<dyn Read>))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let is_in = |path: &&String| path.strip_prefix(folder).is_some_and(|p| p.starts_with('/'));
        Ok(self.0.keys().filter(is_in).cloned().collect())
    }

    fn length(&self, path: &str) -> Option<u64> {
        Some(self.0.get(path)?.len() as u64)
    }
}

/// Returns one of the small mirrors in the test data.
fn folder(name: &str) -> Folder {
    fn add(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                add(root, &path, files);
            } else {
                let name = path.strip_prefix(root).expect("a path below the root");
                let name = name.display().to_string().replace('\\', "/");
                files.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name);
    let mut files = BTreeMap::new();
    add(&root, &root, &mut files);
    Folder(files)
}

fn place() -> Place {
    Place::whole_release("develop")
}

#[track_caller]
fn parts(folder: &Folder) -> Vec<Part> {
    read_mirror(folder, &place()).into_result().expect("a mirror")
}

const INDEX: &str = "v3/manifests/index/index.manifest.json";

#[track_caller]
fn check(folder: &Folder, expected: &[String]) {
    let problems = read_mirror(folder, &place()).into_result().expect_err("problems");
    let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

/// Returns the v3 mirror with one piece of its index manifest replaced.
fn with_index(from: &str, to: &str) -> Folder {
    let mut folder = folder("mirror-v3");
    let text = String::from_utf8(folder.0[INDEX].clone()).expect("a text");
    assert!(text.contains(from), "{from} is not in the manifest");
    folder.0.insert(INDEX.into(), text.replacen(from, to, 1).into_bytes());
    folder
}

#[test]
fn finds_the_database_of_a_v2_mirror() {
    let folder = folder("mirror-v2");
    assert!(is_mirror(&folder).expect("memory"));
    let [part] = &parts(&folder)[..] else { panic!("expected one database") };
    assert_eq!(
        (part.listed.file.as_str(), part.database.builds.len()),
        ("build_cache/index.json", 4)
    );
}

#[test]
fn checks_the_digest_of_a_v2_database() {
    let mut folder = folder("mirror-v2");
    folder.0.insert("build_cache/index.json.hash".into(), b"abc\n".to_vec());
    check(
        &folder,
        &["build_cache/index.json.hash: \
                      expected a sha256 of 64 hexadecimal digits, found \"abc\""
            .into()],
    );
    folder.0.insert("build_cache/index.json.hash".into(), "a".repeat(64).into_bytes());
    let problems = read_mirror(&folder, &place()).into_result().expect_err("problems");
    assert!(problems[0].to_string().starts_with(
        "build_cache/index.json: the sha256 differs from the stated one: expected aaaaaaaa"
    ));
    folder.0.remove("build_cache/index.json.hash");
    assert_eq!(parts(&folder).len(), 1);
}

#[test]
fn reads_the_database_and_sizes_of_a_v3_mirror() {
    let folder = folder("mirror-v3");
    assert!(is_mirror(&folder).expect("memory"));
    let [Part { listed, database }] = &parts(&folder)[..] else { panic!("expected one database") };
    assert_eq!((listed.file.as_str(), database.builds.len()), (INDEX, 6));
    for build in &database.builds {
        assert_eq!(build.size.is_some(), build.has_binary(), "{}", build.package);
    }
    let zstd = database.builds.iter().find(|build| build.package == "zstd").expect("zstd");
    assert_eq!(zstd.size, Some(5267));
}

#[test]
fn reads_a_view_as_a_stack() {
    let mut folder = folder("mirror-v3");
    let view = "v3/manifests/index/mine/index.manifest.json";
    folder.0.insert(view.into(), folder.0[INDEX].clone());
    let parts = parts(&folder);
    let of = |part: &Part| {
        let places = part.database.builds.iter().flat_map(|build| &build.places);
        let stacks: BTreeSet<&str> = places.map(|place| place.stack.as_str()).collect();
        (part.listed.file.clone(), stacks.into_iter().collect::<Vec<_>>().join(" "))
    };
    let expected = [(INDEX, "root"), (view, "mine")].map(|(f, s)| (f.to_owned(), s.to_owned()));
    assert_eq!(parts.iter().map(of).collect::<Vec<_>>(), expected);
    let only = find_databases(&folder, Some("mine")).into_result().expect("a view");
    assert_eq!(only.databases.iter().map(|listed| &listed.file).collect::<Vec<_>>(), [view]);
    let none = find_databases(&folder, Some("other")).into_result().expect_err("no such view");
    assert_eq!(none[0].to_string(), "the mirror has no view \"other\", but mine");
    // A mirror may have only views.
    folder.0.remove(INDEX);
    assert_eq!(self::parts(&folder).len(), 1);
}

#[test]
fn reads_the_newest_known_of_several_databases() {
    /// Checks, for databases of these versions, which one is read and the notes.
    #[track_caller]
    fn check(versions: &[&str], read: Option<&str>, notes: &[&str]) {
        let manifest = String::from_utf8(folder("mirror-v3").0[INDEX].clone()).expect("a text");
        let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
        let mut all = Vec::new();
        let mut mirror = folder("mirror-v3");
        for version in versions {
            let mut element = manifest["data"][0].clone();
            element["mediaType"] = format!("application/vnd.spack.{version}+json").into();
            element["contentLength"] = all.len().into();
            all.push(element);
        }
        let text = serde_json::json!({"version": 3, "data": all}).to_string();
        mirror.0.insert(INDEX.into(), text.into_bytes());
        let found = find_databases(&mirror, None);
        let length = found.value.as_ref().and_then(|m| m.databases[0].stated.as_ref()?.length);
        assert_eq!(length.map(|at| versions[at as usize]), read);
        let said: Vec<String> = found.notes.iter().map(|(note, _)| note.to_string()).collect();
        assert_eq!(said, notes);
    }
    check(&["db.v8"], Some("db.v8"), &[]);
    check(&["db.v8", "db.v9"], Some("db.v9"), &[]);
    check(&["db.v9", "db.v8"], Some("db.v9"), &[]);
    let passed = "a database of version 10 was passed over for one of a version that is known here";
    check(&["db.v10", "db.v9", "db.v8"], Some("db.v9"), &[passed]);
    let later = "a database of version 12 was passed over for one of a version that is known here";
    check(&["db.v12", "db.v11"], Some("db.v11"), &[later]);
    let media = "the media type \"application/vnd.spack.summary.v1+json\" is not known here \
                 and was passed over";
    check(&["summary.v1", "db.v8"], Some("db.v8"), &[media]);
    check(&["summary.v1"], None, &[media]);
}

#[test]
fn leaves_out_a_build_with_a_broken_manifest() {
    let mut folder = folder("mirror-v3");
    let zstd = folder.0.keys().find(|path| path.contains("/zstd/")).expect("zstd").clone();
    folder.0.insert(zstd.clone(), b"{}".to_vec());
    let read = read_mirror(&folder, &place());
    let found: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        ["version", "data"]
            .map(|field| format!("{zstd}: field {field}: expected this field, found none"))
    );
    let builds = &read.value.expect("a mirror")[0].database.builds;
    assert!(builds.len() == 5 && builds.iter().all(|build| build.package != "zstd"));
}

#[test]
fn checks_the_blob() {
    let mut mirror = folder("mirror-v3");
    let blob = mirror.0.keys().find(|path| path.starts_with("blobs/")).expect("a blob").clone();
    let digits = blob.rsplit('/').next().expect("a name").to_string();
    let length = mirror.0[&blob].len();
    mirror.0.get_mut(&blob).expect("a blob").push(b' ');
    let problems = read_mirror(&mirror, &place()).into_result().expect_err("problems");
    let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let longer = length + 1;
    assert_eq!(
        found[0],
        format!(
            "{INDEX}: the length differs from the stated one: expected {length} bytes, found {longer}"
        )
    );
    assert!(found[1].starts_with(&format!(
        "{INDEX}: the sha256 differs from the stated one: expected {digits}, "
    )));
    mirror.0.remove(&blob);
    check(&mirror, &[format!("{INDEX}: the mirror lacks a file that this manifest names: {blob}")]);
    let mut truncated = folder("mirror-v3");
    truncated.0.get_mut(&blob).expect("a blob").truncate(100);
    let problems = read_mirror(&truncated, &place()).into_result().expect_err("problems");
    assert_eq!(problems.len(), 3, "{problems:?}");
}

#[test]
fn checks_manifests() {
    #[track_caller]
    fn check_index(from: &str, to: &str, expected: &str) {
        check(&with_index(from, to), &[format!("{INDEX}: {expected}")]);
    }
    check_index(
        "\"version\":3",
        "\"version\":4",
        "field version: expected a manifest of version 3, found version 4",
    );
    check_index(
        "\"sha256\"",
        "\"md5\"",
        "field data.checksumAlgorithm: expected \"sha256\", found \"md5\"",
    );
    check_index(
        "\"checksum\":\"",
        "\"checksum\":\"../../",
        "field data.checksum: expected a sha256 of 64 hexadecimal digits, found \
         \"../../170308147bbcd1f5d3973bf4d4c9356d616c679450dddd8c9345f1\"…",
    );
    check_index("]\n}", "]", "line 11 column 1: not valid JSON: EOF while parsing an object");
}

#[test]
fn reports_a_mirror_without_an_index() {
    let mut mirror = folder("mirror-v3");
    mirror.0.remove(INDEX);
    assert!(is_mirror(&mirror).expect("memory"));
    let no_index = "the mirror has no index; `spack buildcache update-index` makes it";
    check(&mirror, &[no_index.into()]);
    let mut older = folder("mirror-v2");
    older.0.remove("build_cache/index.json");
    assert!(is_mirror(&older).expect("memory"));
    check(&older, &[no_index.into()]);
    mirror.0.clear();
    assert!(!is_mirror(&mirror).expect("memory"));
}

#[test]
fn reads_a_signed_manifest() {
    let text = String::from_utf8(folder("mirror-v3").0[INDEX].clone()).expect("a text");
    let signed = format!(
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{text}\n\
         -----BEGIN PGP SIGNATURE-----\n\niQIz\n-----END PGP SIGNATURE-----\n"
    );
    assert_eq!(read_manifest(signed.as_bytes()), read_manifest(text.as_bytes()));
    let cut = signed.split("-----BEGIN PGP SIGNATURE").next().expect("a start");
    let read = read_manifest(cut.as_bytes());
    assert_eq!(read.value, None);
    assert_eq!(read.problems[0].finding, Finding::CutOff);
}

proptest! {
    #[test]
    fn reads_any_damage_without_panicking(
        file in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        length in 0..40_usize,
        new in proptest::collection::vec(any::<u8>(), 0..8),
    ) {
        for name in ["mirror-v2", "mirror-v3"] {
            let mut folder = folder(name);
            let path = folder.0.keys().nth(file.index(folder.0.len())).expect("a file").clone();
            let bytes = folder.0.get_mut(&path).expect("a file");
            let at = at.index(bytes.len());
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, new.iter().copied());
            let _ = read_mirror(&folder, &place());
        }
    }

    #[test]
    fn reads_any_manifest_without_panicking(text in ".{0,200}") {
        let _ = read_manifest(text.as_bytes());
        let _ = read_manifest(format!("-----BEGIN PGP SIGNED MESSAGE-----\n{text}").as_bytes());
        let _ = read_manifest(format!("{{\"version\": 3, \"data\": [{text}]}}").as_bytes());
    }
}

fn paths(list: &CarryList) -> Vec<&str> {
    list.files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn lists_the_files_of_builds_in_a_v3_mirror() {
    let hash: Hash = "gurfv6m3c6kc4fvl3my364a2ae24sp2t".parse().expect("a hash");
    let absent: Hash = "a".repeat(32).parse().expect("a hash");
    let list = carried(&folder("mirror-v3"), &BTreeSet::from([hash, absent])).expect("a list");
    let manifest = format!(
        "v3/manifests/spec/compiler-wrapper/compiler-wrapper-1.0-{hash}.spec.manifest.json"
    );
    let files = paths(&list);
    assert!(files.contains(&manifest.as_str()), "{files:?}");
    assert!(files.contains(&"v3/layout.json"), "{files:?}");
    assert!(files.contains(&"v3/manifests/index/index.manifest.json"), "{files:?}");
    assert!(!files.iter().any(|path| path.contains("spec/gmake")), "{files:?}");
    assert!(list.files.iter().all(|file| file.size.is_some()), "{list:?}");
    // Of its blobs, the sample has only that of the index; those of the build are named, and not listed.
    assert_eq!(files.iter().filter(|path| path.starts_with("blobs/sha256/")).count(), 1);
    let absent_blobs = list.unknown.iter().filter(|sentence| sentence.starts_with("blobs/"));
    assert_eq!(absent_blobs.count(), 2, "{:?}", list.unknown);
    let names = |text: &str| list.unknown.iter().any(|sentence| sentence.contains(text));
    assert!(names(&manifest) && names(&absent.to_string()), "{:?}", list.unknown);
}

#[test]
fn lists_the_files_of_builds_in_a_v2_mirror() {
    let hash = "7akk5me4sxxyyjygvo4adkbyh7jxkdy3";
    let other = "gurfv6m3c6kc4fvl3my364a2ae24sp2t";
    let stem = "linux-debian12-x86_64_v4-gcc-12.2.0-lz4-1.10.0";
    let archive = format!("build_cache/linux-debian12-x86_64_v4/gcc-12.2.0/lz4-1.10.0/{stem}");
    let needed = [
        "build_cache/_pgp/ABCD.pub".to_owned(),
        "build_cache/index.json".to_owned(),
        "build_cache/index.json.hash".to_owned(),
        format!("build_cache/{stem}-{hash}.spec.json.sig"),
        format!("{archive}-{hash}.spack"),
    ];
    let others =
        [format!("build_cache/{stem}-{other}.spec.json"), format!("{archive}-{other}.spack")];
    let files = needed.iter().chain(&others).map(|path| (path.clone(), b"12345".to_vec()));
    let mut folder = Folder(files.collect());
    let hash: Hash = hash.parse().expect("a hash");
    let list = carried(&folder, &BTreeSet::from([hash])).expect("a list");
    let mut expected: Vec<&str> = needed.iter().map(String::as_str).collect();
    expected.sort_unstable();
    assert_eq!(paths(&list), expected);
    assert_eq!((list.bytes(), list.unknown.len()), (25, 0));
    folder.0.remove(&needed[4]);
    let list = carried(&folder, &BTreeSet::from([hash])).expect("a list");
    assert_eq!(list.unknown, [format!("/{hash}: this mirror has its spec, and no archive")]);
}
