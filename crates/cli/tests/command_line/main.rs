//! The command as a user or a script calls it: arguments in; files, text and an exit code out.
//!
//! `desk` has the vocabulary of the tests, and `python` other people's programs that check files. `api` tests the interface
//! for programs, `brought` what users bring, `buckets` mirrors in buckets, `caches` databases, mirrors and manifests,
//! `mirrors` the names and URLs of mirrors, `listed` mirrors on servers that list their folders, `formats` every format in
//! every form, `tls` servers, `registry` caches in registries, `joined` indexes as inputs, `damage` what can be wrong with
//! inputs, `kept` files that no command overwrites, `mcp` what assistants ask, `pages` the pages of packages, `reader` the
//! page's reader, `recipes` what recipes say, `sbom` lists of software, `search` queries, `sign_in` passwords for several
//! registries, `signatures` who signed a mirror, `site` what happens to a built site, `since` what a publication says about
//! the one before, `watch` the feeds of what is watched, `interrupted` commands that do not run to their end, `hostile`
//! malicious inputs.

mod api;
mod brought;
#[cfg(feature = "fetch")]
mod buckets;
mod caches;
mod changes;
mod complete;
mod damage;
mod damaged_mirrors;
mod desk;
mod environment;
mod explore;
mod facts;
mod formats;
mod hostile;
mod inspect;
#[cfg(unix)]
mod interrupted;
mod joined;
mod kept;
#[cfg(feature = "fetch")]
mod listed;
mod mcp;
mod mirrors;
#[cfg(unix)]
mod outputs;
mod pages;
mod python;
mod reader;
mod recipes;
#[cfg(feature = "fetch")]
mod registry;
mod sbom;
mod search;
#[cfg(feature = "fetch")]
mod sign_in;
#[cfg(feature = "signatures")]
mod signatures;
mod since;
mod site;
#[cfg(feature = "fetch")]
mod tls;
mod watch;
mod why;

use std::fs;
use std::process::{Command, Stdio};

use cache_index::index::Index;

use crate::desk::{Desk, HASH, OTHER, data, page, seeds};

#[test]
fn indexes_many_pages_as_one_file() {
    let desk = Desk::new();
    let outcome = desk.run(&["index", &seeds()]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    assert!(outcome.out.starts_with("index.json: 390 builds in "), "{}", outcome.out);
    let index = Index::from_json(&desk.read("index.json")).expect("an index");
    assert_eq!(index.specs(), 390);
    assert_eq!(index.about().made.as_deref(), Some("2025-11-21T10:10:00Z"));
    assert_eq!(index.about().source.as_deref(), Some("5 cache pages"));
}

#[test]
fn writes_the_index_where_asked() {
    let desk = Desk::new();
    let outcome = desk.run(&["index", &seeds(), "-o", "-"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    desk.run(&["index", &seeds(), "--output", "other.json"]);
    assert_eq!(outcome.out, desk.read("other.json"));
    let outcome = desk.run(&["index", &seeds(), "-o", "missing/index.json"]);
    assert_eq!(outcome.code, Some(1));
    let words = "error: missing/index.json: could not be written: No such file or directory";
    assert!(outcome.err.starts_with(words), "{}", outcome.err);
}

#[test]
fn checks_every_problem_of_every_file() {
    let desk = Desk::new();
    desk.write("a.md", page("zlib", HASH, "rhel8").replacen("\"size\": \"-\"", "\"size\": 0.5", 1));
    desk.write("b.md", page("zlib", "short", "rhel8").replacen(": 1,", ": 7,", 1));
    desk.write("c.md", page("zlib", OTHER, "rhel8"));
    desk.fails(
        &["check", "."],
        "error: ./a.md: line 6, record 1 (2dqr6c6tz4lpr32hw5pomh7n2pbjpom4), field size: \
         expected \"-\" or a whole number of bytes, found 0.5\n\
         error: ./b.md: line 6, record 1 (short), field hash: \
         not a hash: expected a hash of 32 characters, found 5, in \"short\"\n\
         error: ./b.md: line 5, field meta.num_specs: \
         the page states another number than its spec_details have: 7 instead of 1\n\
         3 problems in 2 builds; the inputs are not fit to publish\n",
    );
    desk.succeeds(&["check", "c.md"], "1 build in 1 cache page, no problems\n");
}

#[test]
fn skips_what_describes_a_folder() {
    let desk = Desk::new();
    fs::create_dir(desk.path("pages")).expect("a folder");
    desk.write("pages/zlib.md", page("zlib", HASH, "rhel8"));
    desk.write("pages/README.md", "# Our caches\n");
    desk.write("pages/LICENSE", "Do as you like\n");
    let outcome = desk.run(&["check", "pages"]);
    let skipped = "note: pages/LICENSE: skipped\nnote: pages/README.md: skipped\n";
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), skipped));
    assert_eq!(outcome.out, "1 build in 1 cache page, no problems, 2 notes\n");
    desk.write("pages/other.md", "# Not a cache\n");
    assert_eq!(desk.run(&["check", "pages"]).code, Some(1));
}

#[test]
fn names_what_is_not_an_input() {
    let desk = Desk::new();
    fs::create_dir(desk.path("empty")).expect("a folder");
    desk.write("zero", "");
    desk.write("latin", b"---\ntitle: caf\xe9\n---");
    desk.write("readme.md", "# Read me\n");
    desk.write("layout.json", "{\"signing\": \"gpg\"}");
    let check = |input: &str, problem: &str| {
        let expected = format!("error: {input}: {problem}\n1 problem; nothing was written\n");
        desk.fails(&["index", input], &expected);
        assert!(!desk.path("index.json").exists());
    };
    check("empty", "there is nothing to read in it");
    check("zero", "there is nothing in it");
    check("latin", "expected UTF-8, found other bytes at byte 14");
    check(
        "readme.md",
        "expected a cache page (which starts with a line `---`), a Spack database, \
         a mirror or a manifest of mirrors, found \"# Read me\"",
    );
    check(
        "layout.json",
        "this is a part of a mirror; expected the folder of the mirror, \
         which has build_cache or v3 in it",
    );
    check("missing", "No such file or directory (os error 2)");
}

#[test]
fn generates_a_valid_cache() {
    let desk = Desk::new();
    let made = ["generate", "--builds", "300", "--pages", "pages", "-o", "made.json"];
    let outcome = desk.run(&made);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let outcome = desk.run(&["check", "pages", "made.json"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    assert!(outcome.out.starts_with("300 builds in "), "{}", outcome.out);
    assert!(outcome.out.ends_with(" cache pages and 1 index, no problems\n"), "{}", outcome.out);
    assert!(desk.run(&["index", "pages"]).code == Some(0));
    let read = Index::from_json(&desk.read("index.json")).expect("an index");
    let made = Index::from_json(&desk.read("made.json")).expect("an index");
    assert_eq!((read.specs(), read.rows()), (made.specs(), made.rows()));
    desk.fails(
        &["generate", "--builds", "3", "--pages", "pages"],
        "error: pages: expected a new folder, but it exists\n",
    );
    assert_eq!(desk.run(&["generate", "--builds", "3"]).code, Some(2));
}

#[test]
fn accepts_a_reader_that_stops_early() {
    let desk = Desk::new();
    desk.run(&["generate", "--builds", "5000", "-o", "index.json"]);
    desk.run(&["generate", "--builds", "100", "-o", "small.json"]);
    for arguments in [
        &["search", "os=ubuntu24.04", "--from", "index.json"][..],
        &["stats", "small.json"],
        &["generate", "--builds", "5000", "-o", "-"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cache-explorer"))
            .args(arguments)
            .current_dir(desk.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn shows_the_size_of_each_part() {
    let desk = Desk::new();
    desk.run(&["generate", "--builds", "300", "--dependencies", "-o", "index.json"]);
    let outcome = desk.run(&["stats", "index.json"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let row = |name: &str| -> Vec<String> {
        let is_it = |line: &&str| {
            let rest = line.strip_prefix(name).unwrap_or_default().trim_start();
            rest.starts_with(|c: char| c.is_ascii_digit())
        };
        let line = outcome.out.lines().find(is_it).expect("a row");
        line.split_whitespace().map(String::from).collect()
    };
    let parts = Index::from_json(&desk.read("index.json")).expect("an index").to_parts();
    let length = |part: Option<String>| part.map_or(0, |part| part.len()).to_string();
    assert_eq!(row("hashes")[1], (300 * 32 + 2).to_string());
    assert_eq!(row("columns")[1], parts.columns.len().to_string());
    assert_eq!(row("dependencies")[1], length(parts.dependencies));
    assert_eq!(row("all")[1], desk.read("index.json").len().to_string());
    assert!(outcome.out.starts_with("300 builds and "), "{}", outcome.out);
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    assert_eq!(desk.run(&["stats", "page.md"]).code, Some(1));
    // The dependencies of builds may be listed without a binary.
    desk.run(&["index", &data("mirror-v3")]);
    let index = Index::from_json(&desk.read("index.json")).expect("an index");
    let builds = index.builds_with_binary().count();
    let others = index.specs() as usize - builds;
    let counts = format!("{builds} builds, {others} specs without a binary, and ");
    let outcome = desk.run(&["stats", "index.json"]);
    assert!(others > 1 && outcome.out.starts_with(&counts), "{}", outcome.out);
}

#[test]
fn shows_the_size_of_what_the_first_answer_needs() {
    let desk = Desk::new();
    let page = "<head><link rel=\"stylesheet\" href=\"./a.css\"><link rel=\"icon\" href=\"i.svg\"></head>\
                <body><script src=\"l.js\"></script></body>";
    desk.write("dist/index.html", page);
    desk.write("dist/a.css", "p { color: red }".repeat(100));
    desk.write("dist/l.js", "start()");
    desk.write("dist/i.svg", "<svg/>");
    let outcome = desk.run(&["stats", "dist"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let bytes = |name: &str| -> usize {
        let line = outcome.out.lines().find(|line| line.trim_start().starts_with(name));
        let rest = line.expect("a row").trim_start().trim_start_matches(name);
        rest.split_whitespace().next().and_then(|bytes| bytes.parse().ok()).expect("a number")
    };
    assert_eq!((bytes("index.html"), bytes("a.css"), bytes("l.js")), (page.len(), 1600, 7));
    assert_eq!(bytes("before the first answer"), page.len() + 1600 + 7);
    assert_eq!(bytes("after it"), bytes("i.svg"));
    desk.write("dist/index.html", page.replace("l.js", "gone.js"));
    assert_eq!(desk.run(&["stats", "dist"]).code, Some(1));
}

#[test]
fn puts_the_location_of_the_mirrors_into_the_page() {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    desk.run(&["index", "page.md", "--mirror-url", "https://mirror.example.org/"]);
    let index = Index::from_json(&desk.read("index.json")).expect("an index");
    assert_eq!(index.about().mirror_url(), Some("https://mirror.example.org"));
    desk.run(&["index", "page.md"]);
    let index = Index::from_json(&desk.read("index.json")).expect("an index");
    assert_eq!(index.about().mirror_url(), Some("https://binaries.spack.io"));
}

#[test]
fn puts_the_title_and_its_address_into_the_index() {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    let about = || {
        let index = Index::from_json(&desk.read("index.json")).expect("an index");
        (index.about().title().to_owned(), index.about().about_url().map(str::to_owned))
    };
    desk.run(&["index", "page.md"]);
    assert_eq!(about(), ("Spack build cache".to_owned(), None));
    let url = "https://example.org/e4s";
    desk.run(&["index", "page.md", "--title", "E4S", "--about-url", url]);
    assert_eq!(about(), ("E4S".to_owned(), Some(url.to_owned())));
    let output = desk.run(&["index", "page.md", "--about-url", "javascript:alert(1)"]);
    assert_eq!(output.code, Some(2));
}

#[test]
fn fetches_nothing_without_encryption() {
    let desk = Desk::new();
    desk.fails(
        &["index", "http://example.org/index.json"],
        "error: \"http://example.org/index.json\" is not encrypted; expected https://\n\
         1 problem; nothing was written\n",
    );
}

#[test]
fn explains_every_command() {
    let desk = Desk::new();
    let help = desk.run(&["--help"]);
    assert_eq!(help.code, Some(0));
    for verb in ["index", "check", "embed", "bundle", "seal", "search", "stats", "generate"] {
        assert!(help.out.contains(&format!("\n  {verb} ")), "{}", help.out);
    }
    assert_eq!(desk.run(&["index"]).code, Some(2));
    for limit in ["--leave-out-damaged=1", "--leave-out-damaged=101%"] {
        assert_eq!(desk.run(&["index", "x", limit]).code, Some(2));
    }
}
