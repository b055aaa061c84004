//! Publishing what was found in binaries.

use std::fs;

use serde_json::Value;

use crate::desk::{Desk, data};
use crate::site::SITE;

/// Returns a desk with a site and a mirror's facts, and the path of the mirror.
fn desk() -> (Desk, String) {
    let desk = Desk::new();
    desk.write("dist/index.html", SITE);
    desk.write("dist/explorer.html", SITE);
    let mirror = data("binaries/v2-plain");
    // One build in the mirror has no binary.
    assert_eq!(desk.run(&["inspect", &mirror, "-o", "facts.json"]).code, Some(1));
    (desk, mirror)
}

/// Returns the names of the files with parts of the index whose names begin with `start`.
fn parts(desk: &Desk, start: &str) -> Vec<String> {
    let files = fs::read_dir(desk.path("dist")).expect("a folder");
    let names = files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(start)).collect();
    names.sort();
    names
}

#[track_caller]
fn succeeds(desk: &Desk, arguments: &[&str]) -> String {
    let outcome = desk.run(arguments);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    outcome.err
}

fn json(desk: &Desk, name: &str) -> Value {
    serde_json::from_str(&desk.read(&format!("dist/{name}"))).expect("JSON")
}

#[test]
fn publishes_facts_beside_the_page_until_they_are_left_out() {
    let (desk, mirror) = desk();
    let plain = ["embed", &mirror, "--into", "dist"];
    succeeds(&desk, &plain);
    let before = ["dist/index.html", "dist/explorer.html"].map(|page| desk.read(page));
    assert_eq!(parts(&desk, "index-").len(), 0);

    let said = succeeds(&desk, &[&plain[..], &["--facts", "facts.json"]].concat());
    assert!(!said.contains("no facts"), "{said}");
    let page = desk.read("dist/index.html");
    for (id, files) in [("index-facts", 1), ("index-contents", 2), ("index-files", 2)] {
        let names = parts(&desk, id);
        assert_eq!(names.len(), files, "{names:?}");
        assert!(!page.contains(&format!("id=\"{id}")), "{id} is in the page");
        // The page names only the list, and the list names the others.
        let listed = names.iter().find(|name| page.contains(*name)).expect("a name in the page");
        for other in names.iter().filter(|name| *name != listed) {
            let list = json(&desk, listed);
            assert_eq!(list[0]["part"]["file"], **other);
        }
    }
    let shard = parts(&desk, "index-files").into_iter().map(|name| json(&desk, &name));
    let shard = shard.map(|json| json.to_string()).find(|json| json.contains("names"));
    let shard = shard.expect("a shard with names");
    assert!(shard.contains("ello-script/bin"), "{shard}");
    // The single file has everything.
    let single = desk.read("dist/explorer.html");
    for id in ["index-facts", "index-contents", "index-contents-0", "index-files-0"] {
        assert!(single.contains(&format!("id=\"{id}\">")), "{id}");
    }

    succeeds(&desk, &plain);
    assert_eq!(["dist/index.html", "dist/explorer.html"].map(|page| desk.read(page)), before);
    assert_eq!(parts(&desk, "index-").len(), 0);
}

#[test]
fn keeps_facts_in_an_index() {
    let (desk, mirror) = desk();
    succeeds(&desk, &["index", &mirror, "-o", "plain.json"]);
    assert!(!desk.read("plain.json").contains("\"facts\""));
    succeeds(&desk, &["index", &mirror, "--facts", "facts.json", "-o", "index.json"]);
    succeeds(&desk, &["embed", "index.json", "--into", "dist"]);
    let of_index = parts(&desk, "index-");
    assert_eq!(of_index.len(), 5);
    succeeds(&desk, &["embed", &mirror, "--facts", "facts.json", "--into", "dist"]);
    assert_eq!(parts(&desk, "index-"), of_index);
    // Other programs, and older versions of this one, read the same builds with facts and without.
    let builds = |index: &str| desk.run(&["search", "--json", "", "--from", index]).out;
    assert_eq!(builds("index.json"), builds("plain.json"));
}

#[test]
fn says_what_is_wrong_with_facts() {
    let (desk, mirror) = desk();
    desk.write("other.json", "{\"format\": 2}");
    let wrong = |facts: &str, words: &str| {
        let outcome = desk.run(&["index", &mirror, "--facts", facts, "-o", "index.json"]);
        assert_eq!(outcome.code, Some(1));
        assert!(outcome.err.contains(words), "{}", outcome.err);
        assert!(!desk.path("index.json").exists());
    };
    wrong("other.json", "other.json: line 1: expected facts");
    wrong("none.json", "none.json: ");
    desk.write("none-yet.json", "{\"facts\":1}\n");
    let said = succeeds(&desk, &["index", &mirror, "--facts", "none-yet.json", "-o", "i.json"]);
    assert!(said.contains("none-yet.json: 8 builds have no facts there"), "{said}");
    let outcome = desk.run(&["index", &mirror, "--facts", "facts.json", "-o", "facts.json"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("one of the inputs"), "{}", outcome.err);
}

#[test]
fn keeps_facts_where_an_index_is_merged_with_others() {
    let (desk, mirror) = desk();
    succeeds(&desk, &["index", &mirror, "--facts", "facts.json", "-o", "first.json"]);
    let other = data("binaries/v3-pad128");
    succeeds(&desk, &["index", "first.json", &other, "-o", "merged.json"]);
    let hashes = |index: &str| -> Vec<String> {
        let out = desk.run(&["search", "file:bin/*", "--from", index, "--json"]).out;
        let builds: Vec<Value> = serde_json::from_str(&out).expect("JSON");
        builds.iter().map(|build| build["hash"].to_string()).collect()
    };
    let first = hashes("first.json");
    assert!(!first.is_empty());
    assert_eq!(hashes("merged.json"), first);
    // Facts that are given for the other inputs are added to those.
    desk.run(&["inspect", &other, "-o", "other.json"]);
    let merge = ["index", "first.json", &other, "--facts", "other.json", "-o", "both.json"];
    succeeds(&desk, &merge);
    let both = hashes("both.json");
    assert!(both.len() > first.len(), "{both:?}");
    assert!(first.iter().all(|hash| both.contains(hash)));
    // The facts of a page are left out, and the output says so.
    succeeds(&desk, &["embed", "first.json", "--into", "dist"]);
    for page in ["dist/index.html", "dist/explorer.html"] {
        for inputs in [&[page][..], &[page, &other]] {
            let outcome = desk.run(&[&["index", "-o", "of-page.json"][..], inputs].concat());
            let said = format!("note: {page}: what was found in binaries is not read from a page");
            assert!(outcome.err.contains(&said), "{}", outcome.err);
        }
    }
    let outcome = desk.run(&["index", "merged.json", "-o", "again.json"]);
    assert!(!outcome.err.contains("is not read from a page"), "{}", outcome.err);
    // What cannot be read is reported, and nothing is written.
    let damaged = desk.read("first.json").replace("\"types\":\"", "\"types\":\"?");
    desk.write("damaged.json", damaged);
    let outcome = desk.run(&["index", "damaged.json", &other, "-o", "none.json"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains("damaged.json: "), "{}", outcome.err);
    assert!(!desk.path("none.json").exists());
}
