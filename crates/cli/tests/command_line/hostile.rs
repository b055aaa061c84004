//! Malicious inputs: each is rejected quickly with a plain message, and nothing in them reaches the terminal raw.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::desk::{Desk, HASH, page};

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn rejects_an_input_that_is_too_long() {
    let desk = Desk::new();
    let text = page("zlib", HASH, "rhel8");
    desk.write("page.md.gz", gzip(&text));
    let limit = |size: &str| desk.run(&["check", "page.md.gz", "--max-size", size]);
    assert_eq!(limit(&text.len().to_string()).code, Some(0));
    let outcome = limit("100B");
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("longer than the limit of 100 bytes"), "{}", outcome.err);
    assert_eq!(limit("much").code, Some(2));
}

#[test]
fn rejects_an_input_that_decompresses_without_end() {
    let desk = Desk::new();
    desk.write("bomb.gz", gzip(&format!("---\n{}", " ".repeat(40_000_000))));
    // Compressed as densely as gzip allows; a test of the reader covers zstd.
    let outcome = desk.run(&["check", "bomb.gz"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("more than 1000 times as long"), "{}", outcome.err);
}

#[test]
fn rejects_yaml_that_nests_without_end() {
    let desk = Desk::new();
    desk.write("deep.md", format!("---\ntitle: {}\n---\n", "[".repeat(400_000)));
    desk.fails(
        &["index", "deep.md"],
        "error: deep.md: not valid YAML: it nests more than a hundred deep\n\
         1 problem; nothing was written\n",
    );
}

#[test]
fn reads_the_standard_input() {
    let desk = Desk::new();
    let text = page("zlib", HASH, "rhel8");
    for name in ["-", "/dev/stdin"] {
        let outcome = desk.run_with(&["check", name], &text);
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
        assert_eq!(outcome.out, "1 build in 1 cache page, no problems\n");
    }
    let outcome = desk.run_with(&["check", "-"], "# Readme");
    assert!(
        outcome.err.starts_with("error: standard input: expected a cache page"),
        "{}",
        outcome.err
    );
}

#[cfg(unix)]
#[test]
fn skips_pipes_in_folders_with_a_note() {
    let desk = Desk::new();
    desk.write("pages/zlib.md", page("zlib", HASH, "rhel8"));
    let made = Command::new("mkfifo").arg(desk.path("pages/pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    let outcome = desk.run(&["check", "pages"]);
    assert_eq!(outcome.out, "1 build in 1 cache page, no problems, 1 note\n");
    assert_eq!(
        (outcome.code, outcome.err.as_str()),
        (Some(0), "note: pages/pipe: it is a pipe, a socket or a device, and was skipped\n")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn fails_if_the_standard_output_is_full() {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    desk.run(&["index", "page.md"]);
    for arguments in [
        &["check", "page.md"][..],
        &["check", "index.json"],
        &["index", "page.md", "-o", "-"],
        &["stats", "index.json"],
        &["search", "zlib", "--from", "page.md"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let output = Command::new(env!("CARGO_BIN_EXE_cache-explorer"))
            .args(arguments)
            .current_dir(desk.path(""))
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .expect("the command runs");
        let err = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {err}");
        assert!(err.contains("No space left on device"), "{arguments:?}: {err}");
    }
}

#[cfg(unix)]
#[test]
fn escapes_every_name_on_the_terminal() {
    let desk = Desk::new();
    let evil = "x\u{1b}[2J\n::error::\u{202e}y";
    desk.write(&format!("{evil}/page.md"), "# Readme");
    desk.write(
        "manifest.json",
        format!(
            "{{\"develop\": [{{\"label\": \"e4s\", \"url\": {:?}}}]}}",
            "gopher://x\\u001b[2J\\n::error::y"
        )
        .replace("\\\\", "\\"),
    );
    desk.write(&format!("{evil}.md"), page("zlib", HASH, "rhel8"));
    let folder = evil.to_owned();
    let file = format!("{evil}.md");
    for arguments in [
        &["check", folder.as_str()][..],
        &["index", "manifest.json"],
        &["index", &file, "-o", &folder],
        &["index", &file, "-o", "index\u{1b}.json"],
        &["embed", &file, "--into", &folder],
        &["check", "no\u{1b}[2J\nsuch"],
        &["search", "zlib\u{1b}[2J\n::error::", "--from", &file],
    ] {
        let outcome = desk.run(arguments);
        for text in [&outcome.out, &outcome.err] {
            let raw = text.contains(['\u{1b}', '\u{202e}']) || text.contains("\n::");
            assert!(!raw, "{arguments:?}: {text:?}");
        }
        assert!(!outcome.err.is_empty() || !outcome.out.is_empty(), "{arguments:?}");
    }
}

#[test]
fn writes_no_formula_into_a_spreadsheet() {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    let ask =
        |specs: &str| desk.run_with(&["environment", "-", "--from", "page.md", "--csv"], specs).out;
    assert_eq!(
        ask("+mpi\n@1.3\nzlib\n"),
        "spec,builds,certain,group\r\n +mpi,1,true,\r\n @1.3,1,true,\r\nzlib,1,true,\r\n"
    );
}
