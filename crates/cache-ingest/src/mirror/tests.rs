//! Mirrors in memory, made of the small real ones, right and wrong.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use proptest::prelude::*;

use super::v3::read_manifest;
use super::{Files, is_mirror, read_mirror};
use cache_index::build::Place;

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
}

/// One of the small mirrors that the tests bring along.
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

const INDEX: &str = "v3/manifests/index/index.manifest.json";

#[track_caller]
fn check(folder: &Folder, expected: &[String]) {
    let problems = read_mirror(folder, &place()).expect_err("problems");
    let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

/// The v3 mirror with one piece of its index manifest replaced.
fn with_index(from: &str, to: &str) -> Folder {
    let mut folder = folder("mirror-v3");
    let text = String::from_utf8(folder.0[INDEX].clone()).expect("a text");
    assert!(text.contains(from), "{from} is not in the manifest");
    folder.0.insert(INDEX.into(), text.replacen(from, to, 1).into_bytes());
    folder
}

#[test]
fn a_v2_mirror_has_one_database() {
    let folder = folder("mirror-v2");
    assert!(is_mirror(&folder).expect("memory"));
    let mirror = read_mirror(&folder, &place()).expect("a mirror");
    let [(file, database)] = &mirror.databases[..] else { panic!("expected one database") };
    assert_eq!((file.as_str(), database.builds.len()), ("build_cache/index.json", 4));
}

#[test]
fn the_digest_of_a_v2_database_is_checked() {
    let mut folder = folder("mirror-v2");
    folder.0.insert("build_cache/index.json.hash".into(), b"abc\n".to_vec());
    check(
        &folder,
        &["build_cache/index.json.hash: \
                      expected a sha256 of 64 hexadecimal digits, found \"abc\""
            .into()],
    );
    folder.0.insert("build_cache/index.json.hash".into(), "a".repeat(64).into_bytes());
    let problems = read_mirror(&folder, &place()).expect_err("problems");
    assert!(
        problems[0]
            .to_string()
            .starts_with("build_cache/index.json: expected a file with the sha256 aaaaaaaa")
    );
    folder.0.remove("build_cache/index.json.hash");
    assert!(read_mirror(&folder, &place()).is_ok());
}

#[test]
fn a_v3_mirror_has_a_database_and_sizes() {
    let folder = folder("mirror-v3");
    assert!(is_mirror(&folder).expect("memory"));
    let mirror = read_mirror(&folder, &place()).expect("a mirror");
    let [(file, database)] = &mirror.databases[..] else { panic!("expected one database") };
    assert_eq!((file.as_str(), database.builds.len()), (INDEX, 6));
    for build in &database.builds {
        assert_eq!(build.size.is_some(), build.has_binary(), "{}", build.package);
    }
    let zstd = database.builds.iter().find(|build| build.package == "zstd").expect("zstd");
    assert_eq!(zstd.size, Some(5267));
    assert_eq!(mirror.unlisted, []);
}

#[test]
fn what_was_pushed_after_the_index_was_made_is_told() {
    let mut folder = folder("mirror-v3");
    let zstd = folder.0.keys().find(|path| path.contains("/zstd/")).expect("zstd").clone();
    let new = zstd.replace("sjijntoe", "aaaaaaaa");
    folder.0.insert(new, folder.0[&zstd].clone());
    let mirror = read_mirror(&folder, &place()).expect("a mirror");
    let unlisted: Vec<String> = mirror.unlisted.iter().map(ToString::to_string).collect();
    assert_eq!(unlisted, ["aaaaaaaa2e26ie4cquahc4oocub4yj5h"]);
}

#[test]
fn a_view_is_a_database_of_its_own() {
    let mut folder = folder("mirror-v3");
    let view = "v3/manifests/index/mine/index.manifest.json";
    folder.0.insert(view.into(), folder.0[INDEX].clone());
    let mirror = read_mirror(&folder, &place()).expect("a mirror");
    let files: Vec<&str> = mirror.databases.iter().map(|(file, _)| file.as_str()).collect();
    assert_eq!(files, [INDEX, view]);
}

#[test]
fn the_blob_is_checked() {
    let mut mirror = folder("mirror-v3");
    let blob = mirror.0.keys().find(|path| path.starts_with("blobs/")).expect("a blob").clone();
    let digits = blob.rsplit('/').next().expect("a name").to_string();
    let length = mirror.0[&blob].len();
    mirror.0.get_mut(&blob).expect("a blob").push(b' ');
    let problems = read_mirror(&mirror, &place()).expect_err("problems");
    let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let longer = length + 1;
    assert_eq!(
        found[0],
        format!("{INDEX}: expected a file of {length} bytes, found {longer} bytes")
    );
    assert!(found[1].starts_with(&format!("{INDEX}: expected a file with the sha256 {digits}, ")));
    mirror.0.remove(&blob);
    check(&mirror, &[format!("{INDEX}: the mirror has no file {blob}, which this manifest names")]);
    let mut truncated = folder("mirror-v3");
    truncated.0.get_mut(&blob).expect("a blob").truncate(100);
    let problems = read_mirror(&truncated, &place()).expect_err("problems");
    assert_eq!(problems.len(), 3, "{problems:?}");
}

#[test]
fn manifests_are_checked() {
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
fn a_mirror_without_an_index_is_told_so() {
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
fn a_signed_manifest_reads_like_the_manifest_in_it() {
    let text = String::from_utf8(folder("mirror-v3").0[INDEX].clone()).expect("a text");
    let signed = format!(
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{text}\n\
         -----BEGIN PGP SIGNATURE-----\n\niQIz\n-----END PGP SIGNATURE-----\n"
    );
    assert_eq!(read_manifest(&signed), read_manifest(&text));
    let cut = signed.split("-----BEGIN PGP SIGNATURE").next().expect("a start");
    assert!(read_manifest(cut).is_err());
}

proptest! {
    #[test]
    fn no_damage_makes_the_reader_panic(
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
    fn no_text_makes_a_manifest_panic(text in ".{0,200}") {
        let _ = read_manifest(&text);
        let _ = read_manifest(&format!("-----BEGIN PGP SIGNED MESSAGE-----\n{text}"));
        let _ = read_manifest(&format!("{{\"version\": 3, \"data\": [{text}]}}"));
    }
}
