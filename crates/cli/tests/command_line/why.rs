//! `why`: would Spack reuse a build on a machine? What Spack itself answered, on simulated machines, is in
//! `tests/data/reuse`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::desk::{Desk, HASH, Outcome, data, seeds};

fn read(name: &str) -> Value {
    let text = std::fs::read_to_string(data(&format!("reuse/{name}"))).expect("recorded data");
    serde_json::from_str(&text).expect("JSON")
}

fn why(desk: &Desk, index: &str, arguments: &[&str]) -> Outcome {
    let from = data(&format!("reuse/{index}"));
    desk.run(&[&["why", "--from", &from], arguments].concat())
}

/// Returns all lines of `--all`, by hash.
#[track_caller]
fn all(desk: &Desk, index: &str, arguments: &[&str]) -> BTreeMap<String, Value> {
    let outcome = why(desk, index, &[&["--all"], arguments].concat());
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let lines = outcome.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.map(|line| (line["hash"].as_str().expect("a hash").to_owned(), line)).collect()
}

/// Returns the arguments that describe a recorded machine.
fn on(facts: &Value) -> Vec<String> {
    let [platform, os, target] = ["platform", "os", "target"].map(|fact| facts[fact].as_str());
    let parts = [platform, os, target].map(|part| part.expect("a fact"));
    let mut arguments = vec!["--host".to_owned(), parts.join(".")];
    if let Some(libc) = facts["libc"].as_str() {
        arguments.extend(["--libc".to_owned(), libc.replace("@=", "@")]);
    }
    arguments
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn takes_and_drops_what_spack_takes_and_drops() {
    let desk = Desk::new();
    let mut reused = 0;
    for machine in read("truth.json").as_array().expect("a list") {
        let arguments = on(&machine["facts"]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let lines = all(&desk, "index.json", &arguments);
        assert!(lines.len() > 60, "{}", lines.len());
        let name = &machine["host"];
        for (hash, reasons) in machine["dropped"].as_object().expect("an object") {
            // Externals are recorded too, and have no binary.
            let Some(line) = lines.get(hash) else { continue };
            assert_eq!(line["eligible"], json!(false), "{name} {hash}: {reasons}");
            let rule = line["rule"].as_str().expect("a rule");
            let is_named = texts(reasons).iter().any(|reason| reason.contains(rule));
            assert!(is_named || rule == "os", "{name} {hash}: {rule}, recorded {reasons}");
        }
        for (hash, is_reused) in machine["offered"].as_object().expect("an object") {
            assert_eq!(lines[hash]["eligible"], *is_reused, "{name} {hash}");
            reused += usize::from(is_reused == true);
        }
        // A build that Spack did not drop can at most fail because of its dependencies or its OS.
        for (hash, line) in &lines {
            let is_dropped = !machine["dropped"][hash].is_null();
            let rule = line["rule"].as_str();
            assert!(
                is_dropped || matches!(rule, None | Some("dependencies" | "os")),
                "{name} {line}"
            );
        }
    }
    assert!(reused > 5);
}

#[test]
fn keeps_and_drops_what_spack_keeps_and_drops_with_settings() {
    let desk = Desk::new();
    let of_settings = ["reuse", "include", "exclude", "roots"];
    for case in read("settings-truth.json").as_array().expect("a list") {
        desk.write(
            "concretizer.yaml",
            json!({"concretizer": {"reuse": case["reuse"]}}).to_string(),
        );
        let mut arguments = vec!["--host", "linux.ubuntu22.04.x86_64_v3", "--libc", "2.35"];
        arguments.extend(["--config", "concretizer.yaml"]);
        texts(&case["roots"]).into_iter().for_each(|root| arguments.extend(["--root", root]));
        for (hash, line) in all(&desk, "settings-index.json", &arguments) {
            let is_kept = match &case["kept"] {
                Value::Null => !texts(&case["dropped"]).contains(&hash.as_str()),
                kept => texts(kept).contains(&hash.as_str()),
            };
            let rule = line["rule"].as_str().unwrap_or_default();
            assert_eq!(of_settings.contains(&rule), !is_kept, "{} {line}", case["reuse"]);
        }
    }
}

/// libxml2 for x86_64_v3, linked with glibc 2.35.
const LIBXML2: &str = "4lws4tosmpx55gbfuw4j64pzrk6lskys";

const DEBIAN: [&str; 4] = ["--host", "linux.debian13.zen4", "--libc", "glibc@2.41"];

#[test]
fn the_exit_code_says_whether_a_build_is_eligible() {
    let desk = Desk::new();
    let on = |build: &str, machine: &[&str]| {
        let outcome = why(&desk, "index.json", &[&[build], machine].concat());
        outcome.code
    };
    assert_eq!(on(LIBXML2, &DEBIAN), Some(0));
    assert_eq!(on(&LIBXML2[..7], &DEBIAN), Some(0));
    assert_eq!(on("libxml2", &DEBIAN), Some(0));
    assert_eq!(on("libxml2 target=zen4", &["--host", "linux.debian13.zen3"]), Some(1));
    assert_eq!(on(LIBXML2, &["--host", "linux.debian13.zen4"]), Some(2));
    assert_eq!(on(LIBXML2, &["--host", "linux-debian13-zen4", "--libc", "2.31"]), Some(1));
    assert_eq!(on(LIBXML2, &["--host", "linux.debian13.zen4.glibc@2.41"]), Some(0));
    assert_eq!(on(LIBXML2, &[&DEBIAN[..], &["--libc-path", "/opt/libc"]].concat()), Some(1));
    assert_eq!(on(LIBXML2, &[&DEBIAN[..], &["--spack", "0.23"]].concat()), Some(1));
    assert_eq!(on(HASH, &DEBIAN), Some(1));
    assert_eq!(on("no-such-package", &DEBIAN), Some(1));
    assert_eq!(on("hdf5@@", &DEBIAN), Some(2));
    assert_eq!(on(LIBXML2, &["--host", "zen4"]), Some(2));
    assert_eq!(on(LIBXML2, &[&DEBIAN[..], &["--config", "none.yaml"]].concat()), Some(2));
}

#[test]
fn names_what_is_unknown_and_what_may_have_been_meant() {
    let desk = Desk::new();
    let check = |build: &str, expected: &str| {
        let outcome = why(&desk, "index.json", &[&[build], &DEBIAN[..]].concat());
        assert_eq!((outcome.code, outcome.out.as_str()), (Some(1), expected), "{build}");
    };
    let meant = "no hash begins with `libmxl2`, and no package `libmxl2`: did you mean `libxml2`?";
    check("libmxl2", &format!("not eligible: {meant}\n"));
    check("libmxl2+x", "not eligible: no package `libmxl2`: did you mean `libxml2`?\n");
    let short = &LIBXML2[..5];
    let outcome = why(&desk, "index.json", &[&[short], &DEBIAN[..]].concat());
    let hash = format!("error: no package `{short}` here: did you mean the hash `/{short}`?\n");
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(2), hash.as_str()));
    check("zzzzzz", "not eligible: no hash begins with `zzzzzz`, and no package `zzzzzz` here\n");
    check("/zzzzzz", "not eligible: no build of this cache has a hash that begins with zzzzzz\n");
    check("libxml2@1.99", "not eligible: libxml2 exists only as version 2.13.5\n");
    let json = why(&desk, "index.json", &[&["libmxl2", "--json"], &DEBIAN[..]].concat());
    let note = format!("note: {meant}\n");
    assert_eq!((json.code, json.out.as_str(), json.err.as_str()), (Some(1), "", note.as_str()));
}

#[test]
fn rejects_a_machine_whose_target_nobody_knows() {
    let desk = Desk::new();
    let check = |target: &str, hint: &str| {
        let host = format!("linux.debian13.{target}");
        let outcome = why(&desk, "index.json", &[LIBXML2, "--host", &host, "--libc", "2.41"]);
        let expected = format!("error: --host {host}: unknown target `{target}`: {hint}\n");
        assert_eq!((outcome.code, outcome.err), (Some(2), expected));
    };
    check("zen33", "did you mean `zen3`?");
    check("pentagon", "expected one such as zen4");
}

#[test]
fn rejects_what_is_not_a_libc() {
    let arguments = [LIBXML2, "--host", "linux.debian13.zen4", "--libc", "glibc-new"];
    let outcome = why(&Desk::new(), "index.json", &arguments);
    let expected = "error: --libc glibc-new: expected a libc with its version, as in glibc@2.39\n";
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(2), expected));
}

#[test]
fn prints_the_checklist_of_one_build() {
    let desk = Desk::new();
    let machine = ["--host", "linux.ubuntu20.04.zen3", "--libc", "2.31"];
    let outcome = why(&desk, "index.json", &[&[LIBXML2], &machine[..]].concat());
    let lines: Vec<&str> = outcome.out.lines().collect();
    assert_eq!(lines[1], "on linux-ubuntu20.04-zen3 with glibc@2.31 at /usr, Spack 1.2");
    let decides = "libc: linked with glibc@2.35 at /usr; yours is glibc@2.31";
    assert_eq!(lines[3], format!("not eligible: {decides}"));
    assert!(outcome.out.contains("would change it: a machine with glibc 2.35 or newer"));
    assert_eq!(lines.iter().filter(|line| line.starts_with("  passed")).count(), 14);
    let outcome = why(&desk, "index.json", &[&[LIBXML2, "--json"], &machine[..]].concat());
    let object: Value = serde_json::from_str(&outcome.out).expect("JSON");
    assert_eq!((&object["hash"], &object["eligible"]), (&json!(LIBXML2), &json!(false)));
    assert_eq!((&object["rule"], &object["spack"]), (&json!("libc"), &json!("1.2")));
    let checks = object["checks"].as_array().expect("a list");
    let failed = |check: &&Value| check["status"] == "failed";
    let failed: Vec<&Value> = checks.iter().filter(failed).map(|check| &check["rule"]).collect();
    assert_eq!(failed, [&json!("libc"), &json!("dependencies")]);
}

#[test]
fn counts_what_each_rule_shuts_out() {
    let desk = Desk::new();
    let outcome = why(&desk, "index.json", &[&["--summary"], &DEBIAN[..]].concat());
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let counts = outcome.out.lines().nth(1).expect("a line");
    assert!(
        counts.contains(" eligible; not eligible, by the first rule that each fails: ")
            && counts.contains("platform "),
        "{counts}"
    );
}

#[test]
fn cannot_tell_of_cache_pages() {
    let desk = Desk::new();
    let pages = seeds();
    let ask = |arguments: &[&str]| desk.run(&[&["why", "--from", &pages], arguments].concat());
    let machine = ["--host", "linux.ubuntu24.04.zen4", "--libc", "2.39"];
    let outcome = ask(&[&["--all"], &machine[..]].concat());
    let lines = outcome.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let lines: Vec<Value> = lines.collect();
    assert_eq!(lines.len(), 390);
    assert!(lines.iter().all(|line| line["eligible"] != true));
    let unknown = lines.iter().filter(|line| line["eligible"].is_null());
    assert!(unknown.clone().count() > 0 && unknown.clone().all(|line| line["rule"] == "libc"));
    let outcome = ask(&[&["py-safetensors", "--json"], &machine[..]].concat());
    assert_eq!(outcome.code, Some(2), "{}", outcome.err);
    assert!(outcome.out.contains("does not say which libc"), "{}", outcome.out);
}

/// Returns the deciding rules for builds of zlib, by the first letter of their hashes.
fn windows(desk: &Desk, arguments: &[&str]) -> BTreeMap<char, String> {
    let lines = all(desk, "windows-index.json", arguments);
    let rule = |line: &Value| line["rule"].as_str().unwrap_or("eligible").to_owned();
    lines.iter().map(|(hash, line)| (hash.chars().next().unwrap_or_default(), rule(line))).collect()
}

#[test]
fn takes_what_spack_arch_prints_on_windows() {
    let desk = Desk::new();
    for host in ["windows-windows10.0.20348-x86_64", "windows.windows10.0.20348.x86_64"] {
        for libc in [&[][..], &["--libc", "2.39"]] {
            let found = windows(&desk, &[&["--host", host], libc].concat());
            let expected = [('b', "eligible"), ('c', "os"), ('d', "os"), ('e', "platform")];
            let expected = BTreeMap::from(expected.map(|(hash, rule)| (hash, rule.to_owned())));
            assert_eq!(found, expected, "{host}");
        }
    }
    let outcome = why(&desk, "index.json", &["--all", "--host", "linux-rhel9.4.1-x86_64"]);
    let note = "note: the libc is not known; rhel9.4.1 ships 2.34: --libc 2.34\n";
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), note));
}

#[test]
fn takes_a_machine_in_words() {
    let desk = Desk::new();
    let on = |host: &str| why(&desk, "index.json", &[LIBXML2, "--host", host]);
    let outcome = on("Debian 13 zen 4");
    assert_eq!(
        outcome.err,
        "note: read --host as linux-debian13-zen4\n\
         note: assumed: libc glibc@2.41: debian13 ships it\n"
    );
    assert_eq!(outcome.code, Some(0), "{}", outcome.out);
    // What the user states counts more than what the distribution ships.
    let older = why(&desk, "index.json", &[LIBXML2, "--host", "Debian 13 zen4", "--libc", "2.31"]);
    assert_eq!(
        (older.code, older.err.as_str()),
        (Some(1), "note: read --host as linux-debian13-zen4\n")
    );
    let report = "* **Spack:** 0.23.1 (3fd83a4)\n* **Python:** 3.13.5\n* **Platform:** linux-debian13-zen4\n";
    let read = "note: read --host as linux-debian13-zen4, with Spack 0.23\n";
    assert_eq!(on(report).err.lines().next(), Some(read.trim_end()));
    let two_lines = on("0.23.1\nlinux-debian13-zen4");
    assert!(two_lines.out.contains("Spack 0.23"), "{}", two_lines.out);
    let newer = why(&desk, "index.json", &[LIBXML2, "--host", report, "--spack", "1.1"]);
    assert!(newer.out.contains("Spack 1.1"), "{}", newer.out);
    assert_eq!(
        on("Debian 13").err,
        "error: --host Debian 13: expected target too, as in `Debian 13, zen4`\n"
    );
    assert_eq!(
        on("Debian 13 frobnicator").err,
        "error: --host Debian 13 frobnicator: expected target too, as in `Debian 13, zen4`; not understood: frobnicator\n"
    );
}

#[test]
fn judges_gpu_code_by_the_rules_of_its_vendor() {
    let desk = Desk::new();
    let record = json!({"database": {"version": "8", "installs": {HASH: {"spec": {
        "name": "magma", "version": "2.8.0", "namespace": "builtin", "hash": HASH,
        "arch": {"platform": "linux", "platform_os": "debian13", "target": "zen4"},
        "parameters": {"cuda": true, "cuda_arch": ["80"], "cflags": [], "cppflags": [], "cxxflags": [],
            "fflags": [], "ldflags": [], "ldlibs": []},
        "package_hash": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx====",
        "annotations": {"original_specfile_version": 5},
    }, "ref_count": 0, "in_buildcache": true}}}});
    desk.write("index.json", record.to_string());
    let on = |gpu: &str| {
        let arguments =
            ["why", HASH, "--from", "index.json", "--host", "Debian 13 zen4", "--gpu", gpu];
        desk.run(&arguments)
    };
    let says = |gpu: &str, words: &str| {
        let outcome = on(gpu);
        assert!(outcome.out.contains(words), "{gpu}: {}{}", outcome.out, outcome.err);
    };
    says("A40", "\nruns on your GPU: cuda_arch=80 runs on A40 (compute capability 8.6) (https://");
    says("H100", "\nruns on your GPU only through PTX: cuda_arch=80 needs to be compiled from PTX");
    says("V100", "\ndoes not run on your GPU: cuda_arch=80 does not run on V100");
    says("gfx90a", "\ndoes not run on your GPU: its GPU code is for NVIDIA, and gfx90a is not");
    let machine =
        ["--from", "index.json", "--host", "Debian 13 zen4", "--libc", "2.41", "--gpu", "V100"];
    let summary = desk.run(&[&["why", "--summary"][..], &machine].concat()).out;
    let of_gpu = "1 of 1 build eligible; GPU code of eligible builds, or of what they need: does not run on your GPU 1\n";
    assert!(summary.ends_with(of_gpu), "{summary}");
    let all = desk.run(&[&["why", "--all"][..], &machine].concat()).out;
    let line: Value = serde_json::from_str(&all).expect("a line of JSON");
    assert_eq!(line["gpu"], "no", "{all}");
    let wrong = on("abacus");
    let expected = "error: --gpu abacus: expected a GPU such as H100, sm_90, MI250X or gfx90a\n";
    assert_eq!((wrong.code, wrong.err.as_str()), (Some(2), expected));
}

/// Returns the checks of the rule about mirrors, by package.
#[track_caller]
fn fetched(desk: &Desk, arguments: &[&str]) -> BTreeMap<String, Value> {
    let machine = ["--host", "linux.ubuntu24.04.x86_64_v3", "--libc", "2.39", "--json"];
    let outcome =
        why(desk, "mirrors-index.json", &[&["platform=linux"], &machine[..], arguments].concat());
    assert!(!outcome.err.contains("error"), "{}", outcome.err);
    let lines = outcome.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let check = |line: Value| {
        let package = line["spec"].as_str().expect("a spec").split('@').next().map(str::to_owned);
        let checks = line["checks"].as_array().expect("checks").clone();
        let check = checks.into_iter().find(|check| check["rule"] == "mirror");
        (package.expect("a name"), check.unwrap_or_default())
    };
    lines.map(check).collect()
}

#[test]
fn fetches_what_spack_fetches_from_mirrors_that_include_or_exclude_binaries() {
    let desk = Desk::new();
    let cases = read("mirrors-truth.json");
    for case in cases.as_array().expect("a list") {
        let entry = &case["entry"];
        // Pushing is decided by the same rules.
        let mut turned = entry.clone();
        if let Some(turned) = turned.as_object_mut() {
            turned.extend([("fetch", "push"), ("push", "fetch")].map(|(to, from)| {
                (to.to_owned(), entry.get(from).cloned().unwrap_or(Value::Null))
            }));
        }
        for (entry, way) in [(entry, "fetch"), (&turned, "push")] {
            desk.write("mirrors.yaml", json!({"mirrors": {"m": entry}}).to_string());
            let checks = fetched(&desk, &["--config", "mirrors.yaml"]);
            assert_eq!(checks.len(), 21, "{}", case["name"]);
            let with = |status: &str| -> Vec<&str> {
                let found = checks.iter().filter(|(_, check)| check["status"] == status);
                found.map(|(package, _)| package.as_str()).collect()
            };
            assert_eq!(with("passed"), texts(&case[way]), "{} {way}", case["name"]);
            assert_eq!(with("unknown"), [""; 0], "{} {way}", case["name"]);
        }
    }
}

#[test]
fn says_which_list_of_which_mirror_leaves_a_build_out() {
    let desk = Desk::new();
    desk.write(
        "mirrors.yaml",
        "mirrors:\n  site:\n    url: file:///srv/m\n    exclude_binary: [hdf5, '@1.0']\n",
    );
    let machine = ["--host", "linux.ubuntu24.04.x86_64_v3", "--libc", "2.39"];
    let hdf5 = why(
        &desk,
        "mirrors-index.json",
        &[&["hdf5", "--config", "mirrors.yaml"], &machine[..]].concat(),
    );
    assert_eq!((hdf5.code, hdf5.err.as_str()), (Some(1), ""));
    let line = "exclude_binary of the mirror site lists hdf5, @1.0 (your mirrors)";
    assert!(hdf5.out.contains(line), "{}", hdf5.out);
    // The lists test each spec alone: what needs hdf5 is still fetched, and so is what hdf5 needs.
    let checks = fetched(&desk, &["--config", "mirrors.yaml"]);
    assert_eq!(checks["zlib-ng"]["status"], "passed");
    // If no mirror has such lists, nothing is said about mirrors.
    assert!(fetched(&desk, &[]).values().all(Value::is_null));
}

#[test]
fn knows_that_spack_lists_no_registry_without_tls() {
    let desk = Desk::new();
    let index = data("reuse/mirrors-index.json");
    let url = "oci+http://localhost:5000/site/cache";
    assert_eq!(desk.run(&["index", &index, "--url", url]).code, Some(0));
    let outcome = desk.run(&[
        "why",
        "zlib-ng",
        "--from",
        "index.json",
        "--host",
        "linux.ubuntu24.04.x86_64_v3",
        "--libc",
        "2.39",
    ]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    for words in [
        "not eligible: mirror: Spack never lists what is in a mirror at oci+http://",
        "would change it: a lock file with its hash, from which Spack installs it all the same",
    ] {
        assert!(outcome.out.contains(words), "{}", outcome.out);
    }
    // The same image is listed over TLS.
    assert_eq!(
        desk.run(&["index", &index, "--url", "oci://example.org/site/cache", "-o", "tls.json"])
            .code,
        Some(0)
    );
    let outcome = desk.run(&[
        "why",
        "zlib-ng",
        "--from",
        "tls.json",
        "--host",
        "linux.ubuntu24.04.x86_64_v3",
        "--libc",
        "2.39",
    ]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.out);
}
