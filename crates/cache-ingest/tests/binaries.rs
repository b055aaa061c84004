//! Real binaries are read as `tar`, `readelf` and Spack's own files describe them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use cache_index::facts::{EntryKind, Facts};
use cache_ingest::binary::read_binary;
use cache_ingest::compression::SizeLimit;
use cache_ingest::decompress;
use cache_ingest::digest::{Fingerprint, Sha256Text};
use serde_json::Value;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/binaries")
}

/// Returns what was recorded about the builds of a mirror.
fn inspected(mirror: &str) -> Vec<Value> {
    let file = File::open(data().join(format!("inspected-{mirror}.json.gz"))).expect("a file");
    let mut text = String::new();
    decompress(file, SizeLimit::default()).expect("gzip").read_to_string(&mut text).expect("UTF-8");
    // Python wrote bytes that are not UTF-8 as halves of surrogate pairs, which only it reads.
    serde_json::from_str(&text.replace(r"\udc", r"\\x")).expect("JSON")
}

/// Returns the tarballs of a mirror by their digests.
fn tarballs(folder: &Path, found: &mut BTreeMap<String, PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            tarballs(&path, found);
        } else {
            let bytes = fs::read(&path).expect("a file");
            let mut digesting = cache_ingest::digest::DigestReader::new(&bytes[..]);
            digesting.read_to_end(&mut Vec::new()).expect("memory");
            let (digest, _) = digesting.digest().expect("memory");
            found.insert(digest.as_str().to_owned(), path);
        }
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(text).collect()
}

fn machine(readelf: &str) -> &str {
    match readelf {
        "Advanced Micro Devices X86-64" => "x86_64",
        "Intel 80386" => "i386",
        other => panic!("{other}"),
    }
}

/// Compares every recorded fact of a build.
#[track_caller]
fn compare(facts: &Facts, recorded: &Value) {
    let name = &recorded["name"];
    assert_eq!(Some(facts.size), recorded["tarball_size"].as_u64(), "{name}");
    assert_eq!(Some(facts.unpacked), recorded["unpacked_size"].as_u64(), "{name}");
    assert_eq!(Some(facts.prefix.as_str()), recorded["prefix"].as_str(), "{name}");

    let is_recorded = |path: &str| path != ".spack/repos" && !path.starts_with(".spack/repos/");
    let files = facts.files.iter().filter(|entry| is_recorded(&entry.path));
    let found: Vec<_> = files
        .map(|entry| {
            let kind = match entry.kind {
                EntryKind::File => "file",
                EntryKind::Dir => "dir",
                EntryKind::Symlink => "symlink",
                EntryKind::Hardlink => "hardlink",
            };
            (
                entry.path.clone(),
                kind.to_owned(),
                entry.mode.to_string(),
                entry.size,
                entry.target.clone(),
            )
        })
        .collect();
    let recorded_files = recorded["files"].as_array().expect("a list");
    let expected: Vec<_> = recorded_files
        .iter()
        .map(|file| {
            let field = |name: &str| text(&file[name]).unwrap_or_default();
            let size = file["size"].as_u64().unwrap_or_default();
            (field("path"), field("type"), field("mode"), size, text(&file["link"]))
        })
        .collect();
    assert_eq!(found, expected, "{name}");
    let left_out = facts.files.iter().filter(|entry| !is_recorded(&entry.path)).count();
    assert_eq!(Some(left_out as u64), recorded["files_left_out"].as_u64(), "{name}");

    let elf: Vec<_> = recorded_files.iter().filter(|file| file.get("elf").is_some()).collect();
    let paths: Vec<_> = elf.iter().filter_map(|file| file["path"].as_str()).collect();
    let found: Vec<_> = facts.objects.iter().map(|object| object.path.as_str()).collect();
    assert_eq!(found, paths, "{name}");
    for (object, file) in facts.objects.iter().zip(elf) {
        let elf = &file["elf"];
        let of = format!("{name} {}", object.path);
        assert_eq!(object.machine, machine(elf["machine"].as_str().expect("a machine")), "{of}");
        assert_eq!(object.needed, texts(&elf["needed"]), "{of}");
        assert_eq!(object.soname, text(&elf["soname"]), "{of}");
        assert_eq!(object.rpath, text(&elf["rpath"]), "{of}");
        assert_eq!(object.interpreter, text(&elf["interpreter"]), "{of}");
        let requires = serde_json::to_value(&object.requires).expect("a map");
        assert_eq!(requires, elf["requires"], "{of}");
        assert_eq!(object.isa.join(", "), text(&elf["isa"]).unwrap_or_default(), "{of}");
        assert!(!object.is_unclear, "{of}");
    }
    let requires = serde_json::to_value(facts.requires()).expect("a map");
    assert_eq!(requires, recorded["requires_versions_max"], "{name}");

    let (relocation, written) = (&facts.relocation, &recorded["binary_distribution"]);
    assert_eq!(Some(relocation.root.as_str()), written["buildpath"].as_str(), "{name}");
    assert_eq!(relocation.sbang, text(&written["sbang_install_path"]), "{name}");
    let prefixes = serde_json::to_value(&relocation.prefixes).expect("a map");
    assert_eq!(prefixes, written["hash_to_prefix"], "{name}");
    let sorted = |list: &Value| texts(list).into_iter().collect::<BTreeSet<_>>();
    let set = |list: &[String]| list.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(set(&relocation.binaries), sorted(&written["relocate_binaries"]), "{name}");
    assert_eq!(set(&relocation.text), sorted(&written["relocate_textfiles"]), "{name}");
    assert_eq!(set(&relocation.links), sorted(&written["relocate_links"]), "{name}");
}

#[track_caller]
fn check(mirror: &str, expected: usize) {
    let mut found = BTreeMap::new();
    tarballs(&data().join(mirror), &mut found);
    let mut compared = 0;
    for recorded in inspected(mirror) {
        let digest = recorded["tarball_sha256"].as_str().expect("a digest");
        // The test data leaves out the tarballs of gcc-runtime.
        let Some(path) = found.get(digest) else { continue };
        let digest = Sha256Text::new(digest).expect("a digest");
        let stated =
            Fingerprint { digest: digest.clone(), length: recorded["tarball_size"].as_u64() };
        let read = read_binary(File::open(path).expect("a file"), Some(&stated)).expect("a binary");
        assert_eq!(read.digest, digest);
        compare(&read.facts, &recorded);
        compared += 1;
    }
    assert_eq!(compared, expected);
}

#[test]
fn reads_padded_binaries_of_the_current_layout() {
    check("v3-pad128", 18);
}

#[test]
fn reads_binaries_of_the_earlier_layout() {
    check("v2-plain", 8);
}
