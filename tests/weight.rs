//! The sizes of what is downloaded, apart from the index: by a first visit before the page can be used, and by a person who
//! opens a Spack database or mirror.

use std::process::Command;
use std::sync::LazyLock;

use crate::harness::Release;

/// The maximum total size of the files that the first answer needs, in bytes under brotli; `make weigh` prints what they
/// are. It differs by up to 600 bytes between builds of the same sources, with and without incremental compilation.
const FIRST_VISIT: usize = 300_000;

/// The same for the part of the reader that a database or a mirror needs.
const READER: usize = 220_000;

/// The sizes of the release's files. Compressing them takes seconds.
static TABLE: LazyLock<String> = LazyLock::new(|| {
    let mut command = Command::new(Release::command());
    let output = command.arg("stats").arg(Release::folder()).output().expect("the command runs");
    String::from_utf8(output.stdout).expect("a text")
});

/// Adds up the sizes under brotli in these rows of the table of the release.
#[track_caller]
fn check(rows: &[&str], budget: usize) {
    let table = &*TABLE;
    let size = |name: &&str| {
        let row = table.lines().find(|line| line.trim_start().starts_with(name));
        let brotli = row.and_then(|row| row.split_whitespace().last()?.parse::<usize>().ok());
        brotli.unwrap_or_else(|| panic!("expected a weight of {name}, found: {table}"))
    };
    let weight: usize = rows.iter().map(size).sum();
    assert!(weight <= budget, "{rows:?} weigh {weight} bytes, more than {budget}:\n{table}");
}

#[test]
fn keeps_a_first_visit_within_its_budget() {
    check(&["before the first answer"], FIRST_VISIT);
}

#[test]
fn keeps_opening_a_mirror_within_its_budget() {
    check(&["reader.js", "reader_bg.wasm"], READER);
}
