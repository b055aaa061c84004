//! Made-up caches, sizes, and the command line itself.

use std::process::{Command, Stdio};

use cache_index::index::Index;

use crate::{Desk, HASH, page};

#[test]
fn what_is_made_up_is_a_cache_like_any_other() {
    let desk = Desk::new();
    let made = ["generate", "--builds", "300", "--pages", "pages", "-o", "made.json"];
    let outcome = desk.run(&made);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let outcome = desk.run(&["check", "pages", "made.json"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    assert!(
        outcome.out.starts_with("made.json: an index of 300 specs, no problems\n300 builds in ")
    );
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
fn a_reader_that_has_seen_enough_is_no_problem() {
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
            .current_dir(desk.0.path())
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
fn stats_weighs_each_part() {
    let desk = Desk::new();
    desk.run(&["generate", "--builds", "300", "-o", "index.json"]);
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
    assert_eq!(row("hashes")[1], (300 * 32 + 2).to_string());
    assert_eq!(row("all")[1], desk.read("index.json").len().to_string());
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    assert_eq!(desk.run(&["stats", "page.md"]).code, Some(1));
}

#[test]
fn the_command_line_is_explained() {
    let desk = Desk::new();
    let help = desk.run(&["--help"]);
    assert_eq!(help.code, Some(0));
    for verb in ["index", "check", "embed", "bundle", "search", "stats", "generate"] {
        assert!(help.out.contains(&format!("\n  {verb} ")), "{}", help.out);
    }
    assert_eq!(desk.run(&["index"]).code, Some(2));
    assert_eq!(desk.run(&["index", "x", "--release", "develop"]).code, Some(2));
}
