//! How much of an environment is in a cache.

use serde_json::{Value, json};

use crate::desk::{Desk, Outcome, data};

fn sample(name: &str) -> String {
    data(&format!("environment/{name}"))
}

fn ask(desk: &Desk, arguments: &[&str]) -> Outcome {
    desk.run(&[&["environment"], arguments].concat())
}

#[test]
fn exits_with_1_if_too_little_is_cached() {
    let desk = Desk::new();
    let (all, cache) = (sample("zlib-only/spack.lock"), sample("zlib-only/index.json"));
    assert_eq!(ask(&desk, &[&all, "--from", &cache, "--require", "100%"]).code, Some(0));
    let (most, cache) = (sample("dev-path/spack.lock"), sample("dev-path/index.json"));
    assert_eq!(ask(&desk, &[&most, "--from", &cache]).code, Some(0));
    assert_eq!(ask(&desk, &[&most, "--from", &cache, "--require", "95"]).code, Some(0));
    assert_eq!(ask(&desk, &[&most, "--from", &cache, "--require", "100%"]).code, Some(1));
    // A condition that depends on the machine cannot be decided.
    desk.write("spack.yaml", "spack:\n  definitions:\n  - {when: 'platform == \"x\"', a: [zlib]}\n  specs: [$a, nosuch]\n");
    let undecided = ask(&desk, &["spack.yaml", "--from", &cache, "--require", "100%"]);
    assert_eq!(undecided.code, Some(2), "{}", undecided.err);
    assert_eq!(ask(&desk, &["nosuch.lock", "--from", &cache]).code, Some(2));
    assert_eq!(ask(&desk, &[&most, "--from", &cache, "--require", "many"]).code, Some(2));
}

#[test]
fn agrees_with_itself_about_an_old_lock_file_in_every_form() {
    let desk = Desk::new();
    let (lock, cache) = (sample("legacy/spack-0.17.lock"), data("database/v6.json"));
    let run = |more: &[&str]| ask(&desk, &[&[&*lock, "--from", &cache], more].concat());
    let out = |form: &str| run(&[form]).out;
    let object: Value = serde_json::from_str(&out("--json")).expect("JSON");
    let counts = ["nodes", "external", "cached"].map(|name| &object[name]);
    assert_eq!(counts, [&json!(11), &json!(1), &json!(8)]);
    let missing: Vec<String> = object["missing"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|node| {
            let [name, hash] = ["name", "hash"].map(|field| node[field].as_str().expect("a text"));
            format!("{name}/{hash}")
        })
        .collect();
    assert_eq!(missing.len(), 2);
    assert!(
        missing[0].starts_with("pkg-config/ubt6b6r")
            && missing[1].starts_with("util-macros/vtqdw4i")
    );
    assert_eq!(out("--missing").lines().collect::<Vec<_>>(), missing);
    assert!(run(&[]).out.starts_with("8 of 10 specs are in the cache"), "{}", run(&[]).out);
    assert!(out("--markdown").starts_with("**8 of 10 specs are in the cache"));
    assert_eq!(out("--csv").matches(",missing,").count(), 2);
    let badge: Value = serde_json::from_str(&out("--badge")).expect("JSON");
    assert_eq!(badge["message"], "80 %");
    assert_eq!(run(&["--require", "80%"]).code, Some(0));
    assert_eq!(run(&["--require", "81%"]).code, Some(1));
    let outcome = desk.run(&["prune-preview", &cache, "--keep", &lock]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.out.starts_with("0 of 8 builds not among what is kept"), "{}", outcome.out);
    // A cache of today has none of it.
    let today = ask(&desk, &[&lock, "--from", &sample("zlib-only/index.json"), "--require", "1%"]);
    assert_eq!(today.code, Some(1));
    let note = "10 missing specs have hashes of Spack before 0.18, but the cache has those of Spack 1.0 to 1.2";
    assert!(today.out.contains(note), "{}", today.out);
}

#[test]
fn agrees_with_itself_about_specs_in_every_form() {
    let desk = Desk::new();
    let cache = sample("workstation/index.json");
    desk.write("config/packages.yaml", "packages:\n  all:\n    require: [target=x86_64_v4]\n");
    desk.write(
        "spack.yaml",
        "spack:\n  include: [config/packages.yaml]\n  specs: [gmake, nosuch@1, zlib-ng]\n  develop: {zlib-ng: {spec: zlib-ng@2}}\n",
    );
    let run = |more: &[&str]| ask(&desk, &[&["spack.yaml", "--from", &cache], more].concat());
    let table = run(&[]).out;
    let head = "1 of 3 specs are satisfied by a build in the cache; 1 developed here\n";
    assert!(
        table.starts_with(head) && table.contains("\n      -  zlib-ng: developed here\n"),
        "{table}"
    );
    assert!(table.contains("\nThe requirements in `packages:` for all are not applied"), "{table}");
    assert!(table.contains("\nDeveloped here: zlib-ng; "), "{table}");
    assert_eq!(run(&["--missing"]).out, "nosuch@1\nzlib-ng\n");
    assert_eq!(run(&["--csv"]).out.lines().filter(|line| line.contains(",0,true,")).count(), 2);
    let badge: Value = serde_json::from_str(&run(&["--badge"]).out).expect("JSON");
    assert_eq!(badge["message"], "33 %");
    assert_eq!(run(&["--require", "33%"]).code, Some(0));
    assert_eq!(run(&["--require", "34%"]).code, Some(1));
}

#[test]
fn writes_an_environment_in_each_form() {
    let desk = Desk::new();
    let (lock, cache) = (sample("dev-path/spack.lock"), sample("dev-path/index.json"));
    let run = |form: &str| {
        let outcome = ask(&desk, &[&lock, "--from", &cache, form]);
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{form}");
        outcome.out
    };
    let object: Value = serde_json::from_str(&run("--json")).expect("JSON");
    assert_eq!(
        (&object["nodes"], &object["external"], &object["cached"]),
        (&json!(22), &json!(2), &json!(19))
    );
    let missing = object["missing"][0].clone();
    assert_eq!(
        (&missing["name"], &missing["root"], &missing["blocks"]),
        (&json!("zfp"), &json!(true), &json!(0))
    );
    let name_and_hash = format!("zfp/{}\n", missing["hash"].as_str().expect("a hash"));
    assert_eq!(run("--missing"), name_and_hash);
    let badge: Value = serde_json::from_str(&run("--badge")).expect("JSON");
    assert_eq!((&badge["schemaVersion"], &badge["message"]), (&json!(1), &json!("95 %")));
    assert!(run("--markdown").starts_with("**19 of 20 specs are in the cache, 4 of 5 that are needed to run; 2 external; 1 developed here**\n"));
    assert_eq!(run("--csv").lines().count(), 23);
    let manifest = run("--cached-manifest");
    assert!(manifest.starts_with("spack:\n  specs:\n  - \"/"), "{manifest}");
    assert_eq!(manifest.lines().count(), 3);
    let table = ask(&desk, &[&lock, "--from", &cache]).out;
    assert!(table.contains("\n1 to build; nothing else waits for it.\n  zfp@1.0.1 /"), "{table}");
}

#[test]
fn writes_a_line_for_each_environment() {
    let desk = Desk::new();
    let cache = sample("zlib-only/index.json");
    let (one, two) = (sample("zlib-only/spack.lock"), sample("workstation/spack.lock"));
    let lines = ask(&desk, &[&one, &two, "--from", &cache]).out;
    assert_eq!(lines.lines().count(), 2, "{lines}");
    assert!(lines.starts_with("100 %  "), "{lines}");
    let json = ask(&desk, &[&one, &two, "--from", &cache, "--json"]).out;
    let names: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["environment"].clone())
        .collect();
    assert_eq!(names, [json!(one), json!(two)]);
    // Two tables are not one, and neither are two files of YAML.
    for form in ["--csv", "--cached-manifest"] {
        let outcome = ask(&desk, &[&one, &two, "--from", &cache, form]);
        let error = format!("error: {form} describes one environment; name one file\n");
        assert_eq!((outcome.code, outcome.err), (Some(2), error));
    }
}

/// Returns hdf5 with a dependency on zlib, and another package that depends on both, as Spack records them. The two versions
/// of zlib give all of them different hashes.
fn specs(zlib: &str) -> serde_json::Map<String, Value> {
    let is_old = zlib == "1.3";
    let hash = |letter: &str| if is_old { letter } else { "z" }.repeat(31) + letter;
    let spec = |name: &str, version: &str, letter: &str, on: &[(&str, &str)]| {
        let edge = |(name, letter): &(&str, &str)| {
            json!({"name": name, "hash": hash(letter),
                "parameters": {"deptypes": ["build", "link"], "virtuals": []}})
        };
        let spec = json!({
            "name": name, "version": version, "namespace": "builtin", "package_hash": format!("{name}{version}===="),
            "arch": {"platform": "linux", "platform_os": "ubuntu22.04", "target": "x86_64_v3"},
            "parameters": {"shared": true}, "annotations": {"original_specfile_version": 5},
            "dependencies": on.iter().map(edge).collect::<Vec<_>>(), "hash": hash(letter),
        });
        (hash(letter), spec)
    };
    [
        spec("zlib", zlib, "a", &[]),
        spec("hdf5", "1.14.5", "b", &[("zlib", "a")]),
        spec("netcdf-c", "4.9.2", "c", &[("hdf5", "b"), ("zlib", "a")]),
    ]
    .into_iter()
    .collect()
}

/// Writes a cache with one version of zlib, and an environment with another.
fn caches_and_lock(desk: &Desk) {
    for (file, zlib) in [("old.json", "1.3"), ("new.json", "1.3.1")] {
        let record = |(hash, spec)| {
            let record = json!({"spec": spec, "ref_count": 1, "in_buildcache": true});
            (hash, record)
        };
        let installs: serde_json::Map<String, Value> =
            specs(zlib).into_iter().map(record).collect();
        let cache = json!({"database": {"version": "8", "installs": installs}});
        desk.write(file, cache.to_string());
    }
    let roots = json!([{"hash": "z".repeat(31) + "c", "spec": "netcdf-c"}]);
    let lock = json!({
        "_meta": {"file-type": "spack-lockfile", "lockfile-version": 6, "specfile-version": 5},
        "spack": {"version": "1.2.0", "type": "release"},
        "roots": roots,
        "concrete_specs": specs("1.3.1"),
    });
    desk.write("spack.lock", lock.to_string());
}

#[test]
fn says_which_difference_keeps_specs_out_of_the_cache() {
    let desk = Desk::new();
    caches_and_lock(&desk);
    let run = |more: &[&str]| {
        let outcome =
            ask(&desk, &[&["spack.lock", "--from", "old.json", "--causes"], more].concat());
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
        outcome.out
    };
    let text = run(&[]);
    assert!(text.contains("3 of your 3 specs are missing because of 1 difference\n"), "{text}");
    let cause =
        "  version: 1.3 → 1.3.1 of zlib, compared with zlib/aaaaaaa\n      explains 3 specs";
    assert!(text.contains(cause), "{text}");
    assert!(text.contains("packages:\n  zlib:\n    require: \"@1.3\"\n"), "{text}");
    assert!(text.ends_with("\nWith these, 3 of 3 are in the cache\n"), "{text}");
    let markdown = run(&["--markdown"]);
    assert!(
        markdown.contains("| version: 1.3 → 1.3.1 of zlib, compared with zlib/aaaaaaa | 3 specs, "),
        "{markdown}"
    );
    let object: Value = serde_json::from_str(&run(&["--json"])).expect("JSON");
    assert_eq!(object["nodes"], json!(3));
    let fields: Vec<&Value> =
        object["causes"].as_array().expect("a list").iter().map(|cause| &cause["field"]).collect();
    assert_eq!(fields, [&json!("version"), &json!("recipe")]);
    assert_eq!(object["causes"][0]["explains"], json!(3));
    // The other differences follow from zlib.
    let zlib = "z".repeat(31) + "a";
    assert_eq!(object["follows"]["z".repeat(31) + "c"], json!([zlib]));
}

#[test]
fn says_that_hashes_of_another_generation_are_the_one_cause() {
    let desk = Desk::new();
    let [lock, cache] =
        ["v6.lock", "v5.json"].map(|name| data(&format!("environment/generations/{name}")));
    let causes = ["--from", &cache, "--causes"];
    let text = ask(&desk, &[&[lock.as_str()][..], &causes].concat()).out;
    let cause = "  generation of hashes: Spack 1.0 to 1.2 → Spack 1.3 on ";
    assert!(text.contains("are missing because of 1 difference\n"), "{text}");
    assert!(text.contains(cause), "{text}");
    let json = ask(&desk, &[&[lock.as_str()][..], &causes, &["--json"]].concat()).out;
    let object: Value = serde_json::from_str(&json).expect("JSON");
    let [cause] = &object["causes"].as_array().expect("a list")[..] else { panic!("{object}") };
    assert_eq!(cause["field"], json!("spec_format"));
    assert_eq!((&cause["old"], &cause["new"]), (&json!("5"), &json!("6")));
}

#[test]
fn says_which_difference_brought_new_builds() {
    let desk = Desk::new();
    caches_and_lock(&desk);
    let run = |more: &[&str]| {
        let outcome = desk.run(&[&["changes", "old.json", "new.json", "--causes"], more].concat());
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
        outcome.out
    };
    let text = run(&[]);
    assert!(text.contains("3 of 3 new builds are explained by 1 difference\n"), "{text}");
    assert!(text.contains("  version: 1.3 → 1.3.1 of zlib\n      explains 3 new builds"), "{text}");
    let object: Value = serde_json::from_str(&run(&["--json"])).expect("JSON");
    assert_eq!(object["causes"][0]["old"], json!("1.3"));
    assert_eq!(object["additions"], json!([]));
    assert!(run(&["--markdown"]).contains("| version: 1.3 → 1.3.1 of zlib | 3 new builds, "));
}

#[test]
fn answers_specs_without_a_lock_file() {
    let desk = Desk::new();
    let cache = sample("workstation/index.json");
    let outcome =
        desk.run_with(&["environment", "-", "--from", &cache, "--json"], "zlib-ng\nnosuch@1.2\n");
    let object: Value = serde_json::from_str(&outcome.out).expect("JSON");
    assert_eq!((&object["nodes"], &object["missing"]), (&json!(0), &json!([])));
    let specs = object["specs"].as_array().expect("a list");
    assert_eq!(specs.len(), 2);
    assert_eq!((&specs[1]["spec"], &specs[1]["hashes"]), (&json!("nosuch@1.2"), &json!([])));
}

#[test]
fn cannot_tell_what_share_of_nothing_is_cached() {
    let desk = Desk::new();
    let cache = sample("zlib-only/index.json");
    desk.write("empty.yaml", "spack:\n  specs: []\n");
    let ask =
        |arguments: &[&str]| ask(&desk, &[&["empty.yaml", "--from", &cache], arguments].concat());
    let required = ask(&["--require", "95%"]);
    let expected = "The environment lists no specs, so there is nothing to find in the cache\n";
    assert_eq!((required.code, required.out.as_str()), (Some(2), expected));
    assert_eq!(ask(&[]).code, Some(0));
    let badge: Value = serde_json::from_str(&ask(&["--badge"]).out).expect("JSON");
    assert_eq!(badge["message"], "no specs");
}

#[test]
fn lists_apart_what_is_to_be_built_first() {
    let desk = Desk::new();
    let (lock, cache) = (sample("workstation/spack.lock"), sample("zlib-only/index.json"));
    for form in [&[][..], &["--markdown"]] {
        let arguments = [&[&*lock, "--from", &cache], form].concat();
        let out = ask(&desk, &arguments).out;
        let number = |text: &str, before: &str| -> usize {
            let (_, rest) = text.split_once(before).expect(before);
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().expect("a number")
        };
        let (first, then) = out.split_once("Then the other ").expect("two lists");
        let missing = |text: &str| text.lines().filter(|line| is_missing(line)).count();
        assert_eq!(missing(first), number(first, "Build these "), "{out}");
        assert_eq!(missing(then), number(&out, "Then the other "), "{out}");
    }
}

/// Returns `true` if a line, or a row of a table, is about a missing spec.
fn is_missing(line: &str) -> bool {
    let is_row = line.starts_with("| ") && line.contains('@');
    is_row || line.starts_with("  ") && line.contains(" /") && !line.contains("nearest:")
}

#[test]
fn reports_where_an_environment_is_damaged() {
    let desk = Desk::new();
    let cache = sample("zlib-only/index.json");
    desk.write("spack.lock", "{\"_meta\": {\"file-type\": \"spack-lockfile\"}, \"roots\": []}");
    let outcome = ask(&desk, &["spack.lock", "--from", &cache]);
    assert_eq!(outcome.code, Some(2));
    assert_eq!(
        outcome.err,
        "error: spack.lock: field _meta.lockfile-version: expected this field, found none\n"
    );
}

#[test]
fn previews_what_no_kept_environment_needs() {
    let desk = Desk::new();
    let (lock, cache) = (sample("dev-path/spack.lock"), sample("dev-path/index.json"));
    let preview = |arguments: &[&str]| desk.run(&[&["prune-preview", &cache], arguments].concat());
    let kept = preview(&["--keep", &lock]);
    assert_eq!((kept.code, kept.err.as_str()), (Some(0), ""));
    assert!(kept.out.ends_with("nothing was deleted\n"), "{}", kept.out);
    let object: Value =
        serde_json::from_str(&preview(&["--keep", &lock, "--json"]).out).expect("JSON");
    assert_eq!(object["kept"], json!(19), "{object}");
    let other = sample("zlib-only/spack.lock");
    let object: Value =
        serde_json::from_str(&preview(&["--keep", &other, "--json"]).out).expect("JSON");
    let unneeded = object["unneeded"].as_array().expect("a list").len();
    assert!(unneeded > 0 && object["kept"].as_u64().expect("a number") < 19, "{object}");
    desk.write("gone.txt", "/zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\n");
    let gone = preview(&["--keep", "gone.txt", "--keep", &lock]);
    assert_eq!(gone.out, kept.out);
    assert_eq!(gone.err, "note: gone.txt keeps nothing: this cache has no build of it\n");
    desk.write("specs.txt", "zlib\n");
    assert_eq!(
        preview(&["--keep", "specs.txt"]).err,
        "error: specs.txt: expected a lock file or a list of hashes, found specs, which have no hashes to keep\n"
    );
}

#[test]
fn lists_the_files_of_a_mirror_to_carry() {
    let desk = Desk::new();
    let mirror = data("mirror-v3");
    let specs = [json!({
        "name": "compiler-wrapper",
        "version": "1.0",
        "hash": "gurfv6m3c6kc4fvl3my364a2ae24sp2t",
        "namespace": "builtin",
        "arch": { "platform": "linux", "platform_os": "ubuntu22.04", "target": "x86_64" },
        "parameters": {},
        "annotations": { "original_specfile_version": 5 },
    })];
    desk.write("find.json", json!(specs).to_string());
    let carry = |from: &str, list: &str| {
        let outcome = ask(&desk, &["find.json", "--from", from, "--carry", list]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        outcome.out
    };
    let list = carry(&mirror, "-");
    let manifest = "\nv3/manifests/spec/compiler-wrapper/compiler-wrapper-1.0-gurfv6m3c6kc4fvl3my364a2ae24sp2t.spec.manifest.json\n";
    assert!(list.starts_with("# ") && list.contains(manifest), "{list}");
    assert!(
        list.contains(
            "\nblobs/sha256/17/170308147bbcd1f5d3973bf4d4c9356d616c679450dddd8c9345f17984974298\n"
        ),
        "{list}"
    );
    assert!(!list.contains("spec/gmake"), "{list}");
    assert!(carry(&mirror, "carry.json").contains("1 of 1 spec"));
    let object: Value = serde_json::from_str(&desk.read("carry.json")).expect("JSON");
    assert!(object["bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{object}");
    // An index does not have the names of blobs.
    desk.run(&["index", &mirror, "-o", "index.json"]);
    let list = carry("index.json", "-");
    assert!(list.contains(manifest) && !list.contains("\nblobs/"), "{list}");
    assert!(list.contains("# not listed: the blobs of 1 binary"), "{list}");
    // The hash of a build says what is installed, and the name of a package does not.
    desk.write("hashes.txt", "compiler-wrapper/gurfv6m\nzlib\n");
    let outcome = ask(&desk, &["hashes.txt", "--from", &mirror, "--carry", "-"]);
    assert!(outcome.out.contains(manifest), "{}", outcome.out);
    let unlisted = "the files of 1 spec of hashes.txt: only a lock file";
    assert!(outcome.out.contains(&format!("\n# not listed: {unlisted}")), "{}", outcome.out);
    let note = format!("note: --carry does not list {unlisted}");
    assert!(outcome.err.contains(&note), "{}", outcome.err);
}

#[test]
fn says_which_cached_specs_work_on_a_machine() {
    let desk = Desk::new();
    let (lock, cache) = (sample("zlib-only/spack.lock"), sample("zlib-only/index.json"));
    let on = |file: &str, host: &str, more: &[&str]| {
        ask(&desk, &[&[file, "--from", &cache, "--host", host], more].concat())
    };
    let run = |host: &str, more: &[&str]| on(&lock, host, more);
    let works = run("Ubuntu 24.04, Zen 3", &[]).out;
    let all =
        "\nAll 2 specs that are needed to run and in the cache work on linux-ubuntu24.04-zen3.\n";
    assert!(works.ends_with(all), "{works}");
    let mac = "macOS 15, M2";
    let none = "\nNone of the 2 specs that are needed to run and in the cache works on darwin-sequoia-m2.\n";
    let reason = "2  does not run: built for linux; yours is darwin\n";
    let out = run(mac, &[]).out;
    assert!(out.ends_with(&format!("{none}      {reason}")), "{out}");
    let markdown = run(mac, &["--markdown"]).out;
    assert!(markdown.ends_with(&format!("\n{none}\n- {reason}")), "{markdown}");
    let object: Value = serde_json::from_str(&run(mac, &["--json"]).out).expect("JSON");
    let machine = &object["machine"];
    assert_eq!(machine["host"], "darwin.sequoia.m2");
    let counts = ["cached_to_run", "work", "unknown"].map(|name| &machine[name]);
    assert_eq!(counts, [&json!(2), &json!(0), &json!(0)]);
    assert_eq!(machine["do_not_work"].as_array().map(Vec::len), Some(2));
    assert_eq!(run("zen3", &[]).code, Some(2));
    // The libc that the note suggests can be given.
    let unknown = run("linux.rocky9.zen4", &[]);
    assert!(unknown.err.contains("--host linux.rocky9.zen4.glibc@2.34"), "{}", unknown.err);
    let known = run("linux.rocky9.zen4.glibc@2.34", &[]);
    assert!(known.out.contains("works on linux-rocky9-zen4."), "{}", known.out);
    // For a file of specs, it is enough that some build works.
    desk.write("specs.txt", "zlib-ng\nhdf5\n");
    let check = |host: &str, expected: &str| {
        let out = on("specs.txt", host, &[]).out;
        assert!(out.ends_with(expected), "{out}");
    };
    check("Ubuntu 24.04, Zen 3", "A build that satisfies it works on linux-ubuntu24.04-zen3.\n");
    check(mac, "No build that satisfies it is known to work on darwin-sequoia-m2.\n");
}
