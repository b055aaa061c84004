//! The table in README.md of what is read, row by row: each format and version, in each of the forms in which caches are
//! stored and sent. Registries are in `registry`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use cache_index::index::{BuildId, Index};
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::caches::{index_counts, plain_counts};
use crate::desk::{Desk, data, root};

/// A format, the version of it, and a file of it.
struct Row {
    format: &'static str,
    version: &'static str,
    text: String,
}

fn rows() -> Vec<Row> {
    let read = |name: &str| fs::read_to_string(data(name)).expect("a file");
    let v9 = "mirror-v9/blobs/sha256/".to_owned() + &blob_of_version("mirror-v9", 9);
    let mut rows = vec![
        Row { format: "database", version: "5", text: read("database/v5.json") },
        Row { format: "database", version: "6", text: read("database/v6.json") },
        Row { format: "database", version: "7", text: read("database/v7.json") },
        Row { format: "database", version: "8", text: read("database/v8.json") },
        Row { format: "database", version: "9", text: read(&v9) },
    ];
    let page = fs::read_dir(root().join("seeds")).expect("a folder");
    let page = page.map(|entry| entry.expect("a file").path()).min().expect("a page");
    let text = fs::read_to_string(page).expect("a page");
    rows.push(Row { format: "page", version: "", text });
    rows
}

/// Returns the path of the blob that contains the database of this version in a mirror.
pub(crate) fn blob_of_version(mirror: &str, version: u32) -> String {
    let manifest =
        fs::read_to_string(data(&format!("{mirror}/v3/manifests/index/index.manifest.json")));
    let manifest: Value = serde_json::from_str(&manifest.expect("a file")).expect("JSON");
    let media_type = format!("application/vnd.spack.db.v{version}+json");
    let is_it = |blob: &&Value| blob["mediaType"] == media_type.as_str();
    let blob = manifest["data"].as_array().expect("blobs").iter().find(is_it).expect("a blob");
    let digits = blob["checksum"].as_str().expect("a digest");
    format!("{}/{digits}", &digits[..2])
}

pub(crate) fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

fn index(desk: &Desk, input: &str) -> String {
    let outcome = desk.run(&["index", input, "-o", "out.json"]);
    assert_eq!(outcome.code, Some(0), "{input}: {}", outcome.err);
    desk.read("out.json")
}

#[test]
fn every_row_is_read_in_every_form() {
    let desk = Desk::new();
    for Row { format, version, text } in rows() {
        let name = format!("{format}-{version}");
        desk.write(&format!("{name}.json"), &text);
        desk.write(&format!("{name}.json.gz"), gzip(&text));
        desk.write(
            &format!("{name}.json.zst"),
            compress_to_vec(text.as_bytes(), CompressionLevel::Fastest),
        );
        let plain = index_counts(&index(&desk, &format!("{name}.json")));
        if format == "database" {
            assert_eq!(plain, plain_counts(&text), "{name}");
        }
        assert!(plain["specs"] > 0, "{name}");
        for form in ["gz", "zst"] {
            let input = format!("{name}.json.{form}");
            assert_eq!(index_counts(&index(&desk, &input)), plain, "{input}");
        }
        #[cfg(feature = "fetch")]
        if format == "database" {
            let url = crate::caches::serve(desk.path(""));
            for form in ["json", "json.gz", "json.zst"] {
                let input = format!("{url}/{name}.{form}");
                assert_eq!(index_counts(&index(&desk, &input)), plain, "{input}");
            }
        }
    }
}

/// Writes a repository in OCI's image layout, with an image for each build of a database. The spec files have this version.
/// Returns the database without the specs that are in no image.
fn write_images(desk: &Desk, folder: &str, database: &str, version: u64) -> String {
    const TAG: &str = "org.opencontainers.image.ref.name";
    let write = |content: &Value| {
        let bytes = content.to_string().into_bytes();
        let digest: String =
            Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        desk.write(&format!("{folder}/blobs/sha256/{digest}"), &bytes);
        json!({"digest": format!("sha256:{digest}"), "size": bytes.len()})
    };
    let mut file: Value = serde_json::from_str(database).expect("JSON");
    let installs = file["database"]["installs"].as_object_mut().expect("records");
    let mut met = BTreeSet::new();
    let mut manifests = Vec::new();
    for (hash, record) in installs.iter().filter(|(_, record)| record["in_buildcache"] == true) {
        // The build first, then all that it depends on.
        let (mut nodes, mut left) = (Vec::new(), vec![hash.clone()]);
        let mut seen = BTreeSet::from([hash.clone()]);
        while let Some(next) = left.pop() {
            let Some(record) = installs.get(&next) else { continue };
            nodes.push(record["spec"].clone());
            let edges = record["spec"]["dependencies"].as_array().into_iter().flatten();
            let hashes = edges.map(|edge| edge["hash"].as_str().expect("a hash").to_owned());
            left.extend(hashes.filter(|hash| seen.insert(hash.clone())));
        }
        met.extend(seen);
        let spec = json!({"_meta": {"version": version}, "nodes": nodes});
        let config = write(&json!({"spec": spec, "archive_size": 5}));
        let mut manifest = write(&json!({"schemaVersion": 2, "config": config, "layers": []}));
        let name = record["spec"]["name"].as_str().expect("a name");
        manifest["annotations"] = json!({TAG: format!("{name}-1-{hash}.spack")});
        manifests.push(manifest);
    }
    let index = json!({"schemaVersion": 2, "manifests": manifests});
    desk.write(&format!("{folder}/index.json"), index.to_string());
    desk.write(&format!("{folder}/oci-layout"), "{\"imageLayoutVersion\": \"1.0.0\"}");
    installs.retain(|hash, _| met.contains(hash));
    file.to_string()
}

#[test]
fn images_with_spec_files_of_every_version_are_read() {
    let desk = Desk::new();
    let read = |name: &str| fs::read_to_string(data(name)).expect("a file");
    let v9 = read(&format!("mirror-v9/blobs/sha256/{}", blob_of_version("mirror-v9", 9)));
    for (version, database) in
        [(4, read("database/v7.json")), (5, read("database/v8.json")), (6, v9)]
    {
        let folder = format!("images-{version}");
        let expected = plain_counts(&write_images(&desk, &folder, &database, version));
        assert!(expected["specs"] > 1, "{version}");
        assert_eq!(index_counts(&index(&desk, &folder)), expected, "{version}");
    }
}

#[test]
fn manifests_and_indexes_are_read_in_every_form() {
    let desk = Desk::new();
    desk.write("v8.json", fs::read(data("database/v8.json")).expect("a file"));
    let manifest = r#"{"develop": [{"label": "root", "url": "v8.json"}]}"#;
    let made = index(&desk, "v8.json");
    for (name, text) in [("manifest", manifest.to_owned()), ("index", made.clone())] {
        desk.write(&format!("{name}.json"), &text);
        desk.write(&format!("{name}.json.gz"), gzip(&text));
        let zstd = compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        desk.write(&format!("{name}.json.zst"), zstd);
        for form in ["json", "json.gz", "json.zst"] {
            let input = format!("{name}.{form}");
            assert_eq!(index_counts(&index(&desk, &input)), index_counts(&made), "{input}");
        }
        #[cfg(feature = "fetch")]
        {
            let url = crate::caches::serve(desk.path(""));
            for form in ["json", "json.gz", "json.zst"] {
                let input = format!("{url}/{name}.{form}");
                assert_eq!(index_counts(&index(&desk, &input)), index_counts(&made), "{input}");
            }
        }
    }
    // Each version of the format of indexes has files that are never changed.
    for golden in ["format-1/databases", "format-2/every-field"] {
        let input = root().join(format!("crates/cache-index/tests/golden/{golden}.json"));
        let text = fs::read_to_string(&input).expect("an index");
        let read = index(&desk, &input.display().to_string());
        assert_eq!(index_counts(&read), index_counts(&text), "{golden}");
    }
}

#[test]
fn every_layout_of_mirrors_is_read() {
    let desk = Desk::new();
    for (mirror, builds, stacks) in [
        ("mirror-v2", 3, &[""][..]),
        ("mirror-v3", 4, &[""]),
        ("mirror-1.3", 6, &["compression", "io", "root"]),
        ("mirror-v9", 6, &["compression", "root"]),
        ("oci-layout", 6, &[""]),
    ] {
        let index = Index::from_json(&index(&desk, &data(mirror))).expect("an index");
        let found = (0..index.specs()).filter_map(|id| index.build(BuildId(id)));
        let found = found.filter(|build| build.has_binary()).count();
        let named: Vec<String> = index.all_places().map(|place| place.stack).collect();
        assert_eq!(
            (found, named),
            (builds, stacks.iter().map(ToString::to_string).collect()),
            "{mirror}"
        );
    }
}

#[test]
fn a_view_is_read_by_its_name() {
    let desk = Desk::new();
    let outcome = desk.run(&["check", &data("mirror-1.3"), "--view", "io"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let outcome = desk.run(&["check", &data("mirror-1.3"), "--view", "oi"]);
    assert!(
        outcome.err.contains("the mirror has no view \"oi\", but compression, io"),
        "{}",
        outcome.err
    );
}

#[test]
fn a_database_of_version_9_says_what_provides_a_virtual_package() {
    let desk = Desk::new();
    index(&desk, &data("mirror-v9"));
    let found = desk.run(&["search", "zlib-api", "--from", "out.json", "--json"]);
    let builds: Value = serde_json::from_str(&found.out).expect("JSON");
    let packages: Vec<&str> = builds
        .as_array()
        .expect("builds")
        .iter()
        .filter_map(|build| build["package"].as_str())
        .collect();
    assert!(packages.contains(&"zlib-ng"), "{}", found.out);
}

#[test]
fn the_databases_of_a_mirror_that_are_for_older_spacks_are_checked() {
    let desk = Desk::new();
    desk.copy("mirror-v9", "mirror");
    let check = || desk.run(&["check", "mirror"]);
    assert_eq!(check().code, Some(0), "{}", check().err);
    let older = format!("blobs/sha256/{}", blob_of_version("mirror-v9", 8));
    desk.write(&format!("mirror/{older}"), "cut off");
    let manifest = "v3/manifests/index/index.manifest.json";
    assert_eq!(check().code, Some(1));
    assert!(
        check().err.contains(&format!("mirror: {older}, named by {manifest}: ")),
        "{}",
        check().err
    );
    assert!(check().err.contains("found 7"), "{}", check().err);
    fs::remove_file(desk.path(&format!("mirror/{older}"))).expect("a file");
    let missing = format!("mirror: {manifest}: the mirror lacks a file that this manifest names");
    assert_eq!(check().code, Some(1));
    assert!(check().err.contains(&missing), "{}", check().err);
    // Neither of these matters to an index, which is made from the newest database.
    index(&desk, "mirror");
}

#[test]
fn the_readme_lists_what_is_tested_here() {
    let readme = fs::read_to_string(Path::new(&root()).join("README.md")).expect("a file");
    for words in ["versions 5 to 9", "v2 and v3", "gzip", "zstd", "oci://"] {
        assert!(readme.contains(words), "{words}");
    }
    // Every row names sample files, which must exist, or says that there is no real one.
    let (_, table) = readme.split_once("| format | file | written by |").expect("the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<&str>> =
        rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect();
    assert!(rows.len() > 15, "{rows:?}");
    for row in rows {
        let [format, files, origin] = row[..] else { panic!("{row:?}") };
        let named: Vec<&str> = files.split('`').skip(1).step_by(2).collect();
        for name in &named {
            let there = Path::new(&data(name)).exists() || Path::new(&root()).join(name).exists();
            assert!(there, "{format}: there is no {name}");
        }
        let is_shown = !named.is_empty() || files == "the files above";
        assert!(is_shown || origin.starts_with("no real one"), "{format}: {files}, {origin}");
    }
}
