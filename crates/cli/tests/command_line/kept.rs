//! Files that no command overwrites: inputs, and every file that the command could not have written itself.

use std::fs;

use crate::desk::{Desk, HASH, OTHER, data, page};

const NOTES: &str = "my notes\n";

/// Creates a desk with a mirror of layout v2, two cache pages, and a lock file.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.copy("mirror-v2", "mirror");
    desk.write("one.md", page("zlib", HASH, "rhel8"));
    desk.write("other.md", page("hdf5", OTHER, "rhel8"));
    desk.write("notes.txt", NOTES);
    desk
}

/// Checks that a call is refused with these words, and changes nothing.
#[track_caller]
fn refuses(desk: &Desk, call: &[&str], file: &str, words: &str) {
    let before = fs::read(desk.path(file)).expect("a file");
    let outcome = desk.run(call);
    let expected = format!("error: {file}: {words}");
    assert!(matches!(outcome.code, Some(1 | 2)), "{call:?}: {}", outcome.out);
    assert!(outcome.err.starts_with(&expected), "{call:?}: {}", outcome.err);
    assert_eq!(outcome.out, "");
    assert!(fs::read(desk.path(file)).expect("a file") == before, "{call:?}");
}

const INPUT: &str =
    "this is one of the inputs, and would be overwritten; choose another place with";

fn not(kind: &str, option: &str) -> String {
    format!(
        "this is not {kind} that cache-explorer has made, and would be overwritten; \
         choose another place with {option}, or remove it\n"
    )
}

#[test]
fn keeps_the_database_of_a_mirror() {
    let desk = desk();
    let database = "mirror/build_cache/index.json";
    desk.run(&["index", "one.md", "-o", "mirror/one.json"]);
    refuses(&desk, &["index", "mirror", "-o", database], database, &not("an index", "--output"));
    refuses(&desk, &["index", database, "-o", database], database, INPUT);
    // The default is `index.json` in the current folder.
    desk.write("index.json", desk.read(database));
    refuses(&desk, &["index", "mirror"], "index.json", &not("an index", "--output"));
    refuses(&desk, &["index", "index.json"], "index.json", INPUT);
}

#[test]
fn keeps_its_inputs() {
    let desk = desk();
    desk.run(&["index", "one.md", "-o", "one.json"]);
    for call in [
        &["index", "one.json", "other.md", "-o", "one.json"][..],
        &["index", "other.md", "one.json", "-o", "./one.json"],
        &["open", "one.json", "-o", "one.json", "--no-browser"],
    ] {
        let named = call.iter().rfind(|word| word.ends_with("one.json")).expect("a file");
        refuses(&desk, call, named, &format!("{INPUT} --output\n"));
    }
    desk.write("specs.txt", "zlib\n");
    let carry = ["environment", "specs.txt", "--from", "one.json", "--carry"];
    for file in ["specs.txt", "one.json"] {
        refuses(&desk, &[&carry[..], &[file]].concat(), file, &format!("{INPUT} --carry\n"));
    }
}

#[cfg(unix)]
#[test]
fn keeps_an_input_that_is_named_by_a_link() {
    let desk = desk();
    desk.run(&["index", "one.md", "-o", "one.json"]);
    std::os::unix::fs::symlink("one.json", desk.path("link.json")).expect("a link");
    refuses(&desk, &["index", "one.json", "-o", "link.json"], "link.json", INPUT);
    refuses(&desk, &["index", "link.json", "-o", "one.json"], "one.json", INPUT);
}

#[test]
fn keeps_files_of_other_kinds() {
    let desk = desk();
    desk.write("tables/builds.parquet", NOTES);
    desk.write("mine.html", "<!doctype html><title>Mine</title>");
    desk.run(&["index", "one.md"]);
    let carry = ["environment", "other.md", "--from", "one.md", "--carry", "notes.txt"];
    for (call, file, words) in [
        (&["index", "one.md", "-o", "notes.txt"][..], "notes.txt", not("an index", "--output")),
        (
            &["generate", "--builds", "3", "-o", "notes.txt"],
            "notes.txt",
            not("an index", "--output"),
        ),
        (
            &["open", "one.md", "-o", "mine.html", "--no-browser"],
            "mine.html",
            not("a page in a single file", "--output"),
        ),
        (
            &["open", "one.md", "-o", "index.json", "--no-browser"],
            "index.json",
            not("a page in a single file", "--output"),
        ),
        (&["bundle", "-o", "mine.html"], "mine.html", not("a page in a single file", "--output")),
        (
            &["export", "one.md", "--to", "parquet", "-o", "tables"],
            "tables/builds.parquet",
            not("a table", "--output"),
        ),
        (&carry, "notes.txt", not("a list of files", "--carry")),
    ] {
        refuses(&desk, call, file, &words);
    }
    let feed = ["embed", "one.md", "--into", "dist", "--feed", "notes.txt"];
    desk.write("dist/index.html", crate::site::SITE);
    refuses(&desk, &feed, "notes.txt", &not("a feed", "--feed"));
}

#[test]
fn replaces_what_it_has_written() {
    let desk = desk();
    desk.write("empty.json", "");
    desk.write("specs.txt", "zlib\n");
    desk.copy("mirror-v3", "v3");
    for call in [
        &["index", "one.md"][..],
        &["index", "one.md", "-o", "empty.json"],
        &["generate", "--builds", "3", "-o", "made.json"],
        &["export", "one.md", "--to", "parquet", "-o", "tables"],
        &["environment", "specs.txt", "--from", "v3", "--carry", "list"],
        &["environment", "specs.txt", "--from", "one.md", "--carry", "list.json"],
        &["index", &data("mirror-v3"), "--since", "index.json"],
    ] {
        for _ in 0..2 {
            let outcome = desk.run(call);
            assert_eq!(outcome.code, Some(0), "{call:?}: {}", outcome.err);
        }
    }
    // An index that another program has reformatted is still an index.
    let spread = desk.read("made.json").replacen("{\"format\":", "{\n  \"format\": ", 1);
    desk.write("made.json", spread);
    assert_eq!(desk.run(&["index", "one.md", "-o", "made.json"]).code, Some(0));
}
