//! Databases, mirrors and manifests, from disk and over the network, compared with plain counts of their JSON.

use std::collections::BTreeMap;
use std::fs;
#[cfg(feature = "fetch")]
use std::io::Write;
#[cfg(feature = "fetch")]
use std::path::PathBuf;

use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
#[cfg(feature = "fetch")]
use cache_index::mirror::Mirror;
use serde_json::Value;

use crate::desk::{Desk, data};
#[cfg(feature = "fetch")]
use crate::site::SITE;

/// Counts of a cache: for each package, OS and target, the builds with a binary; and the dependencies of all specs.
pub(crate) type Counts = BTreeMap<String, usize>;

/// Counts the records of a database file without knowing what they mean.
pub(crate) fn plain_counts(database: &str) -> Counts {
    let file: Value = serde_json::from_str(database).expect("JSON");
    let mut counts = Counts::new();
    for record in file["database"]["installs"].as_object().expect("records").values() {
        // Up to version 5, specs and dependencies are keyed by their names.
        let named = record["spec"].as_object().expect("a spec").iter().next().expect("a name");
        let is_named = record["spec"].get("name").is_none();
        let spec = if is_named { named.1 } else { &record["spec"] };
        let name = if is_named { Value::from(named.0.as_str()) } else { spec["name"].clone() };
        let edges = &spec["dependencies"];
        let edges = match is_named {
            true => edges.as_object().map_or(0, |edges| edges.len()),
            false => edges.as_array().map_or(0, Vec::len),
        };
        *counts.entry("edges".to_owned()).or_default() += edges;
        *counts.entry("specs".to_owned()).or_default() += 1;
        if record["in_buildcache"] == true {
            let target = &spec["arch"]["target"];
            let target = if target.is_object() { &target["name"] } else { target };
            for value in [&name, &spec["arch"]["platform_os"], target] {
                *counts.entry(value.as_str().expect("a text").to_owned()).or_default() += 1;
            }
        }
    }
    counts
}

/// Counts the same in an index.
pub(crate) fn index_counts(json: &str) -> Counts {
    let index = Index::from_json(json).expect("an index");
    let mut counts = Counts::new();
    for id in (0..index.specs()).map(BuildId) {
        let row = index.row_of(id);
        let edges = index.dependencies(id).map_or(0, |edges| edges.len());
        *counts.entry("edges".to_owned()).or_default() += edges;
        *counts.entry("specs".to_owned()).or_default() += 1;
        if index.has_binary(row) {
            for facet in [Facet::Package, Facet::Os, Facet::Target] {
                *counts.entry(index.text(row, facet).to_owned()).or_default() += 1;
            }
        }
    }
    counts
}

#[track_caller]
pub(crate) fn counts_agree(desk: &Desk, input: &str, database: &str) {
    let at = ["--release", "develop", "--stack", "mine"];
    let outcome = desk.run(&[&["index", input][..], &at].concat());
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{input}");
    assert_eq!(index_counts(&desk.read("index.json")), plain_counts(database), "{input}");
}

#[test]
fn indexes_everything_in_the_files() {
    let desk = Desk::new();
    for (input, database) in [
        ("database/v7.json", "database/v7.json"),
        ("database/v8.json", "database/v8.json"),
        ("database/v8-older-specs.json", "database/v8-older-specs.json"),
        ("mirror-v2", "mirror-v2/build_cache/index.json"),
        (
            "mirror-v3",
            "mirror-v3/blobs/sha256/17/170308147bbcd1f5d3973bf4d4c9356d616c679450dddd8c9345f17984974298",
        ),
    ] {
        let text = fs::read_to_string(data(database)).expect("a file");
        counts_agree(&desk, &data(input), &text);
    }
}

#[test]
fn reads_older_versions_as_far_as_they_agree() {
    let desk = Desk::new();
    let text = fs::read_to_string(data("database/v7.json")).expect("a file");
    for version in [5, 6] {
        let mut file: Value = serde_json::from_str(&text).expect("JSON");
        file["database"]["version"] = version.to_string().into();
        // From version 7 on, hashes of recipes are part of the format.
        for record in file["database"]["installs"].as_object_mut().expect("records").values_mut() {
            record["spec"].as_object_mut().expect("a spec").remove("package_hash");
        }
        desk.write("old.json", file.to_string());
        counts_agree(&desk, "old.json", &file.to_string());
    }
}

#[test]
fn puts_databases_and_mirrors_into_the_named_place() {
    let desk = Desk::new();
    let at = ["--release", "develop", "--stack", "mine"];
    let check = |input: &str, out: &str, notes: usize| {
        let outcome = desk.run(&[&["check", &data(input)][..], &at].concat());
        assert_eq!((outcome.code, outcome.out.as_str()), (Some(0), out), "{}", outcome.err);
        assert_eq!(outcome.err.lines().filter(|line| line.starts_with("note: ")).count(), notes);
    };
    check("database/v8.json", "14 builds in 1 database, no problems, 1 note\n", 1);
    check("database/v7.json", "4 builds in 1 database, no problems, 1 note\n", 1);
    // The binaries are missing from both mirrors, and the specs from the second.
    check("mirror-v2", "3 builds in 1 mirror, no problems, 1 note\n", 1);
    check("mirror-v3", "4 builds in 1 mirror, no problems, 2 notes\n", 2);
}

#[test]
fn needs_no_place_for_commands_that_only_read() {
    let desk = Desk::new();
    let database = data("database/v8.json");
    let checked = desk.run(&["check", &database]);
    assert_eq!(
        (checked.code, checked.out.ends_with("no problems, 1 note\n")),
        (Some(0), true),
        "{}",
        checked.err
    );
    let found = desk.run(&["search", "hdf5", "--from", &database, "--json"]);
    let builds: Value = serde_json::from_str(&found.out).expect("JSON");
    assert_ne!(builds.as_array().map(Vec::len), Some(0));
}

#[test]
fn takes_the_places_from_a_manifest() {
    let desk = Desk::new();
    let manifest = data("cache_spack_io_index.json");
    desk.fails(
        &["index", &manifest],
        &format!(
            "error: {manifest}: \"s3://old-binaries/build_cache/index.json\": neither a path nor an \
             https:// URL; call the command with `--map s3://old-binaries/=TO`, where TO is the folder or the \
             https:// URL of these files\n\
             1 problem; nothing was written\n"
        ),
    );
    let map = format!("s3://old-binaries/={}/", data("mirror-v2"));
    let outcome = desk.run(&["index", &manifest, "--map", &map]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let index = Index::from_json(&desk.read("index.json")).expect("an index");
    assert_eq!(index.about().source.as_deref(), Some("3 databases and 1 mirror"));

    // Problems that the same option solves are one group, with the option in a form that can be copied.
    let stack = |number| {
        format!(r#"{{"label": "s{number}", "url": "s3://spack-binaries/v1/s{number}/index.json"}}"#)
    };
    let stacks: Vec<String> = (0..21).map(stack).collect();
    desk.write("cache.json", format!(r#"{{"v1": [{}]}}"#, stacks.join(", ")));
    desk.fails(
        &["check", "cache.json"],
        "error: neither a path nor an https:// URL; call the command with \
         `--map s3://spack-binaries/=https://binaries.spack.io/`, 21 times\n    \
         cache.json: \"s3://spack-binaries/v1/s0/index.json\"\n    \
         cache.json: \"s3://spack-binaries/v1/s1/index.json\"\n    \
         cache.json: \"s3://spack-binaries/v1/s2/index.json\"\n    \
         and 18 more, which --verbose lists\n\
         21 problems; the inputs are not fit to publish\n",
    );
}

/// Serves a folder on this machine until the test ends, and returns its URL.
#[cfg(feature = "fetch")]
pub(crate) fn serve(folder: PathBuf) -> String {
    serve_with(move |path| fs::read(folder.join(path)).ok())
}

/// Answers requests on this machine until the test ends, each with what `file` returns for its path, as it was requested.
/// Returns the URL.
#[cfg(feature = "fetch")]
pub(crate) fn serve_with(file: impl Fn(&str) -> Option<Vec<u8>> + Send + 'static) -> String {
    answer_with(move |path| match file(path) {
        Some(body) => ("200 OK", body),
        None => ("404 Not Found", Vec::new()),
    })
}

/// Does the same as [`serve_with`], with any status.
#[cfg(feature = "fetch")]
pub(crate) fn answer_with(
    answer: impl Fn(&str) -> (&'static str, Vec<u8>) + Send + 'static,
) -> String {
    use std::io::{BufRead, BufReader};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let request = lines.next().unwrap_or_default();
            let path = request.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
            let (status, body) = answer(path);
            lines.find(String::is_empty);
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let _ = (&stream).write_all(&[head.as_bytes(), &body].concat());
        }
    });
    url
}

#[cfg(feature = "fetch")]
#[test]
fn reads_a_mirror_from_its_url_as_from_its_folder() {
    let desk = Desk::new();
    for mirror in ["mirror-v2", "mirror-v3"] {
        let url = serve(data(mirror).into());
        let builds = |from: &str| -> Vec<Value> {
            let outcome = desk.run(&["search", "platform=linux", "--json", "--from", from]);
            assert_eq!(outcome.code, Some(0), "{}", outcome.err);
            let mut builds: Vec<Value> = serde_json::from_str(&outcome.out).expect("JSON");
            // A server does not list views, which are stacks.
            builds.iter_mut().for_each(|build| build["places"] = Value::Null);
            builds
        };
        let from_url = builds(&format!("{url}/"));
        assert!(!from_url.is_empty());
        assert_eq!(from_url, builds(&data(mirror)), "{mirror}");
        assert_eq!(desk.run(&["index", &url]).code, Some(0));
        let index = Index::from_json(&desk.read("index.json")).expect("an index");
        let place = index.all_places().next().expect("a place");
        assert_eq!(Mirror::of(&place, index.about()).url, Some(url));
    }
    let nothing = serve(desk.path("nothing"));
    let outcome = desk.run(&["index", &nothing]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("404"), "{}", outcome.err);
}

#[cfg(feature = "fetch")]
#[test]
fn fetches_the_cache_that_a_manifest_describes() {
    let desk = Desk::new();
    let blob = fs::read(data(
        "mirror-v3/blobs/sha256/17/170308147bbcd1f5d3973bf4d4c9356d616c679450dddd8c9345f17984974298",
    ));
    let blob_path =
        "blobs/sha256/17/170308147bbcd1f5d3973bf4d4c9356d616c679450dddd8c9345f17984974298";
    desk.write(&format!("cache/{blob_path}"), blob.expect("a blob"));
    desk.write("cache/v7.json", fs::read(data("database/v7.json")).expect("a database"));
    let manifest = format!(
        r#"{{"develop": [{{"label": "mine", "url": "s3://mine/{blob_path}"}}],
            "v0.24": [{{"label": "root", "url": "v7.json"}}, {{"label": "e4s", "url": "v7.json"}}]}}"#
    );
    desk.write("cache/index.json", manifest);
    let url = serve(desk.path("cache"));
    let map = format!("s3://mine/={url}/");
    let arguments = ["check", &format!("{url}/index.json"), "--map", &map];
    let outcome = desk.run(&arguments);
    assert_eq!(
        (outcome.code, outcome.out.as_str()),
        (Some(0), "8 builds in 3 databases, no problems, 1 note\n")
    );

    desk.write(&format!("cache/{blob_path}"), "{}");
    let outcome = desk.run(&arguments);
    assert!(
        outcome
            .err
            .contains(&format!("error: {url}/{blob_path}: the sha256 differs from the stated"))
    );
    fs::remove_file(desk.path("cache").join(blob_path)).expect("a blob");
    desk.write("dist/index.html", SITE);
    desk.fails(
        &["embed", &format!("{url}/index.json"), "--map", &map, "--into", "dist"],
        &format!(
            "error: {url}/{blob_path}: could not be fetched: the server answers 404 Not Found\n\
             1 problem; nothing was written\n"
        ),
    );
    assert_eq!(desk.read("dist/index.html"), SITE);
}

#[test]
fn a_build_says_who_signed_its_manifest() {
    let desk = Desk::new();
    let outcome = desk.run(&["index", &data("signed/mirror")]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let index = Index::from_json(&desk.read("index.json")).expect("an index");
    let builds = (0..index.specs()).filter_map(|id| index.build(BuildId(id)));
    let signed: BTreeMap<String, String> = builds
        .filter_map(|build| Some((build.package, build.signature?.text().to_owned())))
        .collect();
    let first = fs::read_to_string(data("signed/key-id")).expect("an id");
    let first = first.trim();
    assert_eq!(signed.len(), 4, "{signed:?}");
    assert_eq!((signed["compiler-wrapper"].as_str(), signed["zstd"].as_str()), (first, first));
    assert_eq!(signed["gmake"], "none");
    let other = &signed["gcc-runtime"];
    assert!(other.len() == 16 && other != first, "{other}");
    // If a source says nothing about signatures, neither does the index.
    desk.run(&["index", &data("database/v8.json")]);
    assert!(!desk.read("index.json").contains("signature"));
}
