//! Inputs that users bring in place of those that Spack's documentation names: they are read if their meaning is clear;
//! otherwise one sentence says what they are, and what to bring instead.

use std::fs;

use crate::desk::{Desk, HASH, data};

/// The hash of a build of `mirror-v3`.
const ZSTD: &str = "sjijntoe2e26ie4cquahc4oocub4yj5h";

/// Returns the path of a file in the folder of reported files.
fn reported(name: &str) -> String {
    data(&format!("reported/{name}"))
}

/// Checks that a command fails with one problem whose message contains these words.
#[track_caller]
fn says(desk: &Desk, arguments: &[&str], words: &str) {
    let outcome = desk.run(arguments);
    assert_ne!(outcome.code, Some(0), "{}", outcome.out);
    assert!(outcome.err.contains(words), "{}", outcome.err);
    assert_eq!(outcome.err.matches("error:").count(), 1, "{}", outcome.err);
}

/// Checks the headline of an environment, compared with a mirror.
#[track_caller]
fn covers(environment: &str, from: &str, headline: &str) {
    let outcome = Desk::new().run(&["environment", environment, "--from", from]);
    assert!(outcome.out.starts_with(headline), "{}{}", outcome.out, outcome.err);
}

#[test]
fn counts_what_is_in_the_mirror_whatever_its_index_says() {
    let desk = Desk::new();
    let (lacking, unlisted) = (reported("manifest-missing"), reported("not-in-index"));
    let lock = reported("spack.lock");
    covers(&lock, &lacking, "3 of 4 specs are in the cache");
    covers(&lock, &unlisted, "4 of 4 specs are in the cache");
    let outcome = desk.run(&["check", &lacking]);
    assert_eq!(
        (outcome.code, outcome.out.as_str()),
        (Some(0), "5 builds in 1 mirror, no problems, 3 notes\n")
    );
    assert!(
        outcome.err.contains("1 build of the index is without a manifest in the mirror"),
        "{}",
        outcome.err
    );
    let outcome = desk.run(&["check", &unlisted]);
    assert_eq!(
        (outcome.code, outcome.out.as_str()),
        (Some(0), "6 builds in 1 mirror, no problems, 2 notes\n")
    );
    assert!(
        outcome.err.contains("1 build is in the mirror but not in its index"),
        "{}",
        outcome.err
    );
}

#[test]
fn carries_only_files_that_the_mirror_has() {
    let desk = Desk::new();
    for mirror in ["manifest-missing", "not-in-index"] {
        let mirror = reported(mirror);
        desk.run(&["environment", &reported("spack.lock"), "--from", &mirror, "--carry", "list"]);
        let list = desk.read("list");
        let files: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(!files.is_empty());
        for file in files {
            assert!(
                fs::exists(format!("{mirror}/{file}")).expect("a folder"),
                "{file} is not there"
            );
        }
    }
}

#[test]
fn counts_a_build_whose_blob_or_archive_is_gone_as_missing() {
    let desk = Desk::new();
    desk.copy("reported/not-in-index", "mirror");
    let manifests = desk.path("mirror/v3/manifests/spec");
    let manifest = fs::read_dir(manifests.join("pigz")).expect("a folder").next().expect("one");
    let text = fs::read_to_string(manifest.expect("an entry").path()).expect("a manifest");
    // The spec's blob is the last one.
    let (_, rest) = text.rsplit_once("\"checksum\":\"").expect("a digest");
    let digest = &rest[..64];
    fs::remove_file(desk.path(&format!("mirror/blobs/sha256/{}/{digest}", &digest[..2])))
        .expect("a blob");
    let outcome = desk.run(&["check", "mirror"]);
    assert_eq!(outcome.out, "5 builds in 1 mirror, no problems, 4 notes\n", "{}", outcome.err);
    assert!(outcome.err.contains("without a binary or a spec in the mirror"), "{}", outcome.err);
}

#[test]
fn names_the_database_of_an_installation() {
    let words = "this is the database of an installation, not of a cache; `spack buildcache push`";
    says(&Desk::new(), &["check", &reported("installation.json")], words);
}

#[test]
fn reads_a_mirror_by_the_path_of_its_parts() {
    let desk = Desk::new();
    desk.copy("mirror-v2", "v2");
    desk.copy("reported/not-in-index", "three");
    for part in
        ["v2/build_cache", "three/v3", "three/blobs", "three/v3/manifests", "three/blobs/sha256"]
    {
        let outcome = desk.run(&["check", part]);
        assert_eq!(outcome.code, Some(0), "{part}: {}", outcome.err);
        assert!(outcome.out.contains("in 1 mirror, no problems"), "{part}: {}", outcome.out);
    }
    desk.copy("reported/not-in-index/blobs", "alone/blobs");
    desk.copy("reported/not-in-index/v3", "other/v3");
    for part in ["alone/blobs", "alone", "other/v3"] {
        says(&desk, &["check", part], "this is a part of a mirror");
    }
}

#[test]
fn reads_a_database_with_a_byte_order_mark() {
    let outcome = Desk::new().run(&["check", &reported("bom.json")]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.out.ends_with("in 1 database, no problems\n"), "{}", outcome.out);
}

#[test]
fn says_what_a_file_is_that_is_not_read() {
    let desk = Desk::new();
    let files: [(&str, &[u8], &str); 6] = [
        ("index.json.xz", b"\xfd7zXZ\0\0\x04\xe6", "this is compressed with xz"),
        ("mirror.zip", b"PK\x03\x04\x14\0\0", "this is an archive (zip)"),
        ("index.json.bz2", b"BZh91AY&SY", "this is compressed with bzip2"),
        ("wide.json", b"\xff\xfe{\0", "this is text in UTF-16"),
        (
            "zlib.spec.yaml",
            b"spec:\n- zlib:\n    version: 1.2.11\n    arch: x\n",
            "this is the spec of a build in YAML",
        ),
        ("spack.yaml", b"spack:\n  specs: [zlib]\n", "this is an environment"),
    ];
    for (name, bytes, words) in files {
        desk.write(name, bytes);
        says(&desk, &["check", name], words);
    }
    desk.write("sources/_source-cache/archive/ab/abc.tar.gz", "x");
    desk.write("sources/zlib/zlib-1.3.tar.gz", "x");
    says(&desk, &["check", "sources"], "this is a mirror of sources, which has no binaries");
    let mirror = data("mirror-v3");
    for name in ["index.json.xz", "mirror.zip", "zlib.spec.yaml"] {
        let outcome = desk.run(&["environment", name, "--from", &mirror]);
        assert!(outcome.err.contains("this is "), "{}", outcome.err);
    }
    says(
        &desk,
        &["environment", &reported("find-without-hashes.json"), "--from", &mirror],
        "this output of `spack find --json` has no hashes",
    );
}

#[test]
fn reads_what_spack_prints() {
    let desk = Desk::new();
    let mirror = data("mirror-v3");
    let found =
        format!("-- linux-rhel9-zen4 / gcc@13 ----\n{ZSTD} zstd@1.5.7\n==> 1 installed package\n");
    desk.write("find", found);
    covers(&desk.path("find").display().to_string(), &mirror, "1 of 1 spec is satisfied");
    for (name, count) in
        [("deps.txt", 6), ("tree_deps.txt", 5), ("spec_I.txt", 3), ("keeplist.txt", 77)]
    {
        let outcome = desk.run(&["environment", &reported(name), "--from", &mirror]);
        assert!(
            outcome.out.starts_with(&format!("0 of {count} specs are satisfied")),
            "{}",
            outcome.out
        );
    }
    let outcome = desk.run(&["environment", &reported("zlib.spec.json.sig"), "--from", &mirror]);
    assert!(
        outcome.out.starts_with("0 of 1 specs are in the cache"),
        "{}{}",
        outcome.out,
        outcome.err
    );
}

#[test]
fn keeps_the_builds_of_a_list_of_hashes() {
    let desk = Desk::new();
    desk.write("keep", format!("/{ZSTD}\n"));
    let outcome = desk.run(&["prune-preview", &data("mirror-v3"), "--keep", "keep", "--json"]);
    assert!(outcome.out.contains("\"kept\":1"), "{}{}", outcome.out, outcome.err);
}

#[test]
fn reads_the_data_of_cache_spack_io() {
    let desk = Desk::new();
    let packages = format!(
        r#"{{"zlib": {{"uid": "zlib", "url": "x", "releases": ["develop"], "specs": ["{HASH}"]}}}}"#
    );
    let specs = format!(
        r#"{{"{HASH}": {{"hash": "{HASH}", "version": "1.3", "variants": ["+pic"], "platform": "linux", "os": "rhel9",
        "target": "zen4", "dependencies": [], "stacks": ["e4s"], "releases": ["develop"]}}}}"#
    );
    desk.write("api/package_data.json", &packages);
    says(&desk, &["check", "api"], "expected package_data.json.gz and specs_data.json.gz together");
    desk.write("api/specs_data.json", &specs);
    for inputs in [&["api"][..], &["api/package_data.json", "api/specs_data.json"]] {
        let outcome = desk.run(&[&["check"][..], inputs].concat());
        assert_eq!(
            outcome.out, "1 build in 1 set of package data, no problems\n",
            "{}",
            outcome.err
        );
    }
    desk.write("gz/package_data.json.gz", &packages);
    desk.write("gz/specs_data.json.gz", &specs);
    let outcome = desk.run(&["index", "gz/specs_data.json.gz"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(desk.read("index.json").contains("https://binaries.spack.io"));
}

/// A mirror on a web server is only asked what it has if the answer decides what is installed or copied.
#[cfg(feature = "fetch")]
#[test]
fn asks_mirrors_on_other_machines_which_builds_they_have() {
    let desk = Desk::new();
    let lock = reported("spack.lock");
    for (mirror, before) in [("manifest-missing", "4 of 4"), ("not-in-index", "3 of 4")] {
        let folder = reported(mirror);
        let url = crate::caches::serve(folder.clone().into());
        let indexed = desk.run(&["environment", &lock, "--from", &url]);
        assert!(indexed.out.starts_with(before), "{mirror}: {}", indexed.out);
        let missing =
            |from: &str| desk.run(&["environment", &lock, "--from", from, "--missing"]).out;
        assert_eq!(missing(&url), missing(&folder), "{mirror}");
        let carry = |from: &str| {
            let outcome = desk.run(&["environment", &lock, "--from", from, "--carry", "list"]);
            let list = desk.read("list");
            let files = list.lines().filter(|line| !line.starts_with('#')).map(str::to_owned);
            (outcome.out, files.collect::<Vec<String>>(), outcome.err)
        };
        let ((out, files, err), (from_folder, expected, _)) = (carry(&url), carry(&folder));
        assert_eq!((out, files), (from_folder, expected), "{mirror}");
        let is_said = err.contains("1 build of the index is without a manifest in the mirror");
        assert_eq!(is_said, mirror == "manifest-missing", "{err}");
    }
    // A copy of a mirror with nothing but its database says nothing about its builds.
    desk.copy("reported/manifest-missing", "bare");
    fs::remove_dir_all(desk.path("bare/v3/manifests/spec")).expect("a folder");
    let url = crate::caches::serve(desk.path("bare"));
    let outcome = desk.run(&["environment", &lock, "--from", &url, "--missing"]);
    assert_eq!((outcome.out.as_str(), outcome.err.as_str()), ("", ""));
}

/// The same for a mirror in the layout of Spack up to version 0.23, whose files have other names.
#[cfg(feature = "fetch")]
#[test]
fn asks_mirrors_of_layout_2_on_other_machines_which_builds_they_have() {
    let desk = Desk::new();
    let stem = |package: &str| -> String {
        let names = fs::read_dir(data("mirror-v2/build_cache")).expect("a folder");
        let names =
            names.map(|file| file.expect("a file").file_name().into_string().expect("UTF-8"));
        let named = |name: &String| {
            name.contains(&format!("-12.2.0-{package}-")) && name.ends_with(".spec.json")
        };
        let name = names.into_iter().find(named).expect("its spec");
        name.trim_end_matches(".spec.json").to_owned()
    };
    let packages = [("lz4", "1.10.0"), ("gmake", "4.4.1"), ("gcc-runtime", "12.2.0")];
    let lock = data(&format!("mirror-v2/build_cache/{}.spec.json", stem("lz4")));
    let build = |mirror: &str| {
        desk.copy("mirror-v2", mirror);
        for (package, version) in packages {
            let stem = stem(package);
            let arch = stem.split("-gcc-").next().expect("an architecture");
            let folder = format!("{mirror}/build_cache/{arch}/gcc-12.2.0/{package}-{version}");
            desk.write(&format!("{folder}/{stem}.spack"), "archive");
        }
    };
    let compare = |mirror: &str, missing: usize, note: &str| {
        let folder = desk.path(mirror).display().to_string();
        let url = crate::caches::serve(desk.path(mirror));
        let ask = |from: &str| {
            let missing = desk.run(&["environment", &lock, "--from", from, "--missing"]).out;
            let carry = desk.run(&["environment", &lock, "--from", from, "--carry", "list"]);
            let list = desk.read("list");
            let files = list.lines().filter(|line| !line.starts_with('#')).map(str::to_owned);
            (missing, carry.out, files.collect::<Vec<String>>(), carry.err)
        };
        let (here, afar) = (ask(&folder), ask(&url));
        assert_eq!((&afar.0, &afar.1, &afar.2), (&here.0, &here.1, &here.2), "{mirror}");
        assert_eq!(afar.0.lines().count(), missing, "{mirror}: {}", afar.0);
        assert!(afar.3.contains(note), "{mirror}: {}", afar.3);
    };
    build("whole");
    compare("whole", 0, "");
    build("without-spec");
    fs::remove_file(desk.path(&format!("without-spec/build_cache/{}.spec.json", stem("gmake"))))
        .expect("a file");
    compare("without-spec", 1, "1 build of the index is without a spec in the mirror");
    build("without-archive");
    let names = fs::read_dir(desk.path("without-archive/build_cache")).expect("a folder");
    let folders = names.map(|it| it.expect("an entry").path()).filter(|path| path.is_dir());
    for folder in folders {
        drop(fs::remove_dir_all(folder.join("gcc-12.2.0/gmake-4.4.1")));
    }
    compare("without-archive", 1, "without a binary or a spec in the mirror");
    // The binary was pushed, but the database does not offer it.
    build("not-in-index");
    let index = desk.read("not-in-index/build_cache/index.json");
    let mut index: serde_json::Value = serde_json::from_str(&index).expect("JSON");
    let hash = stem("lz4").rsplit('-').next().expect("a hash").to_owned();
    index["database"]["installs"][&hash]["in_buildcache"] = serde_json::json!(false);
    desk.write("not-in-index/build_cache/index.json", index.to_string());
    fs::remove_file(desk.path("not-in-index/build_cache/index.json.hash")).expect("a file");
    compare("not-in-index", 0, "");
    // A copy without archives, or with nothing but its database, says nothing about its builds.
    desk.copy("mirror-v2", "bare");
    compare("bare", 0, "");
    for package in packages {
        let file = format!("bare/build_cache/{}.spec.json", stem(package.0));
        fs::remove_file(desk.path(&file)).expect("a file");
    }
    let url = crate::caches::serve(desk.path("bare"));
    let outcome = desk.run(&["environment", &lock, "--from", &url, "--missing"]);
    assert_eq!((outcome.out.as_str(), outcome.err.as_str()), ("", ""));
}

/// A hash among other lines is still read as a hash: no package has such a name.
#[test]
fn takes_hashes_in_a_list_for_what_they_are() {
    let desk = Desk::new();
    let mirror = data("mirror-v3");
    let lines = [
        format!("{ZSTD} # the newest\n"),
        format!("{ZSTD}\nzlib-of-nobody\n"),
        format!("zstd/{ZSTD}\n"),
        format!("zstd@1:/{ZSTD}\n"),
    ];
    for text in &lines {
        desk.write("list", text);
        let outcome = desk.run(&["environment", "list", "--from", &mirror]);
        assert!(outcome.out.starts_with("1 of "), "{text}: {}{}", outcome.out, outcome.err);
        let outcome = desk.run(&["prune-preview", &mirror, "--keep", "list", "--json"]);
        let is_kept = outcome.out.contains("\"kept\":1");
        assert_eq!(is_kept, !text.contains("nobody"), "{text}: {}{}", outcome.out, outcome.err);
    }
}

#[test]
fn reads_a_list_of_hashes_that_are_cut_short() {
    let desk = Desk::new();
    let mirror = data("mirror-v3");
    let hashes = ["sjijnto", "rlymfol", "gurfv6m", "dfjngkg"];
    desk.write("short", hashes.join("\n"));
    let all = hashes.len();
    let headline = format!("{all} of {all} specs are satisfied");
    covers(&desk.path("short").display().to_string(), &mirror, &headline);
    let outcome = desk.run(&["prune-preview", &mirror, "--keep", "short", "--json"]);
    assert!(outcome.out.contains(&format!("\"kept\":{all}")), "{}{}", outcome.out, outcome.err);
    // What a line of `spack find -l` begins with.
    desk.write("found", format!("-- linux / gcc ----\n{} zstd@1.5.7\n", &ZSTD[..7]));
    let outcome = desk.run(&["prune-preview", &mirror, "--keep", "found", "--json"]);
    assert!(outcome.out.contains("\"kept\":1"), "{}{}", outcome.out, outcome.err);
    desk.write("names", "openmpi\nopenssl\nh5utils\n");
    says(
        &desk,
        &["prune-preview", &mirror, "--keep", "names"],
        "found specs, which have no hashes",
    );
}

#[test]
fn reads_the_specs_that_commands_install() {
    let desk = Desk::new();
    let mirror = data("mirror-v3");
    desk.write(
        "install.sh",
        "#!/bin/sh\nmodule load gcc\nspack -e dev install -j 8 zstd @1.5.7 zlib-ng\nspack add no-such\n",
    );
    let outcome = desk.run(&["environment", "install.sh", "--from", &mirror]);
    assert!(
        outcome.out.starts_with("1 of 3 specs are satisfied"),
        "{}{}",
        outcome.out,
        outcome.err
    );
    assert!(outcome.out.contains("  zstd@1.5.7\n"), "{}", outcome.out);
    assert!(outcome.out.contains("not decided: the options of these commands"), "{}", outcome.out);
    desk.write("activate.txt", "spack env activate .\nspack concretize -f\nspack install\n");
    says(
        &desk,
        &["environment", "activate.txt", "--from", &mirror],
        "these commands of Spack name no specs; bring the spack.lock",
    );
    desk.write("variable.txt", "spack install $SPEC\n");
    says(&desk, &["environment", "variable.txt", "--from", &mirror], "line 1");
}

#[test]
fn says_where_settings_belong_that_are_given_as_a_cache() {
    let desk = Desk::new();
    for (name, text) in [
        ("packages.yaml", "# Site\npackages:\n  all:\n    require: target=zen4\n"),
        ("config.yaml", "config:\n  install_tree:\n    root: /opt/spack\n"),
        ("concretizer.yaml", "concretizer:\n  reuse: true\n"),
        ("mirrors.yaml", "mirrors:\n  site: https://cache.example.com\n"),
    ] {
        desk.write(name, text);
        says(
            &desk,
            &["check", name],
            "these are settings of Spack, which say how to install and not what a cache has; give them to `why` with \
             --config, and a mirrors.yaml to any command with --mirrors",
        );
    }
}

#[test]
fn reads_a_mirror_once_however_many_of_its_parts_are_given() {
    let desk = Desk::new();
    desk.copy("mirror-v2", "two");
    desk.copy("reported/not-in-index", "three");
    let specs = fs::read_dir(desk.path("three/v3/manifests/spec")).expect("a folder");
    let names = specs.map(|entry| entry.expect("one").file_name().into_string().expect("UTF-8"));
    let mut parts: Vec<String> =
        names.map(|name| format!("three/v3/manifests/spec/{name}")).collect();
    assert!(parts.len() > 3);
    parts.extend(["three/blobs", "three"].map(str::to_owned));
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let outcome = desk.run(&[&["check"], &parts[..]].concat());
    assert_eq!(outcome.out, "6 builds in 1 mirror, no problems, 2 notes\n", "{}", outcome.err);
    let outcome = desk.run(&[&["check", "two/build_cache"], &parts[..]].concat());
    assert!(
        outcome.out.ends_with(" builds in 2 mirrors, no problems, 2 notes\n"),
        "{}",
        outcome.out
    );
}
