//! The size of what a first visit downloads before the page can be used, apart from the index.

use std::process::Command;

use crate::harness::Release;

/// The maximum total size of the files that the first answer needs, in bytes under brotli; `make weigh` prints what they
/// are. It differs by up to 600 bytes between builds of the same sources, with and without incremental compilation.
const BUDGET: usize = 300_000;

#[test]
fn keeps_a_first_visit_within_its_budget() {
    let mut command = Command::new(Release::command());
    let output = command.arg("stats").arg(Release::folder()).output().expect("the command runs");
    let table = String::from_utf8(output.stdout).expect("a text");
    let row = table.lines().find(|line| line.starts_with("before the first answer"));
    let brotli = row.and_then(|row| row.split_whitespace().last()?.parse::<usize>().ok());
    let weight = brotli.unwrap_or_else(|| panic!("expected a weight, found: {table}"));
    assert!(weight <= BUDGET, "a first visit weighs more than {BUDGET} bytes:\n{table}");
}
