//! Builds that need something to run that the inputs do not have.

use crate::desk::{Desk, data};

const AT: [&str; 4] = ["--release", "develop", "--stack", "mine"];

#[test]
fn is_a_problem_on_request() {
    let desk = Desk::new();
    let outcome =
        desk.run(&[&["check", "--complete", &data("database/v8.json")][..], &AT].concat());
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains("to run, which has no binary here"), "{}", outcome.err);
}
