//! The sizes of what is downloaded, apart from the index: by a first visit before the page can be used, and by a user who
//! opens a file of their own.

use std::process::Command;
use std::sync::LazyLock;

use crate::harness::Release;

/// The maximum total size of the files that the first answer needs, in bytes under brotli; `make weigh` prints them. The
/// size differs by up to 600 bytes between builds of the same sources for which Cargo was called in different ways, and by
/// 1,800 between builds whose code is only in another order.
const FIRST_VISIT: usize = 245_000;

/// The same for the parts of the reader that are downloaded to open a file of any kind.
const READER: usize = 248_000;

/// The parts of the reader that each kind of file needs, besides its first module. `tests/opening.rs` checks that exactly
/// these are fetched.
pub(crate) const KINDS: [(&str, &[&str]); 15] = [
    ("database", &["cache", "database", "record"]),
    ("database with gzip", &["cache", "database", "gzip", "record"]),
    ("database with zstd", &["cache", "database", "record", "zstd"]),
    ("local database", &["cache", "database", "record"]),
    ("mirror", &["cache", "database", "mirror", "record"]),
    ("copy of a repository", &["cache", "database", "mirror", "oci", "record"]),
    ("cache pages", &["cache", "page", "yaml"]),
    ("index", &["cache", "index"]),
    ("spack.lock", &["cache", "environment", "lock", "problems", "record"]),
    ("spack.yaml", &["environment", "manifest", "spec", "yaml"]),
    ("list of specs", &["environment", "spec"]),
    ("settings", &["settings", "spec", "yaml"]),
    ("damaged database", &["cache", "database", "problems", "record"]),
    ("damaged cache page", &["cache", "page", "problems", "yaml"]),
    ("damaged spack.lock", &["cache", "environment", "lock", "problems", "record"]),
];

/// The parts of the reader that looking into the binaries of a mirror needs, and the maximum size of what is downloaded for
/// it.
pub(crate) const INSIDE: &[&str] =
    &["cache", "database", "gzip", "inside", "mirror", "oci", "record", "yaml"];
const READER_INSIDE: usize = 369_000;

/// The sizes of the release's files. Compressing them takes seconds.
static TABLE: LazyLock<String> = LazyLock::new(|| {
    let folder = Release::copy();
    let mut command = Command::new(Release::command());
    let output = command.arg("stats").arg(folder.path()).output().expect("the command runs");
    String::from_utf8(output.stdout).expect("a text")
});

/// Adds up the sizes under brotli in these rows of the table of the release.
#[track_caller]
fn check<S: AsRef<str> + std::fmt::Debug>(rows: &[S], budget: usize) {
    let table = &*TABLE;
    let size = |name: &S| {
        let name = name.as_ref();
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
fn keeps_opening_any_kind_of_file_within_its_budget() {
    for (_, parts) in KINDS {
        check(&files_of_reader(parts), READER);
    }
    check(&files_of_reader(INSIDE), READER_INSIDE);
}

fn files_of_reader(parts: &[&str]) -> Vec<String> {
    let always = ["reader.js", "reader_bg.wasm"].map(str::to_owned).into_iter();
    always.chain(parts.iter().map(|part| format!("reader_{part}.wasm"))).collect()
}
