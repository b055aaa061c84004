//! `--username` with several registries: the password is for one of them, and the others never get it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::desk::{Desk, Outcome, data};
use crate::registry::{Asked, PASSWORD, serve_tokens};

/// Returns the URL of the repository of a registry.
fn url(host: &str) -> String {
    format!("oci+http://{host}/stack/cache")
}

/// Returns the names and passwords that a registry got.
fn given(asked: &Asked) -> Vec<String> {
    let asked = asked.lock().expect("a log");
    let basic = asked.iter().filter_map(|(_, said)| said.strip_prefix("Basic "));
    let pairs = basic.map(|pair| STANDARD.decode(pair).expect("base64"));
    pairs.map(|pair| String::from_utf8(pair).expect("a text")).collect()
}

#[track_caller]
fn refuses_several(outcome: &Outcome) {
    assert_ne!(outcome.code, Some(0));
    let words = "error: --username is for one registry, and there are several";
    assert!(outcome.err.starts_with(words), "{}", outcome.err);
    assert!(!outcome.err.contains(PASSWORD), "{}", outcome.err);
}

/// Signing in with the name `me`, and the password on the standard input.
const ME: [&str; 2] = ["--username", "me"];

#[test]
fn asks_no_registry_if_there_are_several() {
    let desk = Desk::new();
    let ((a, asked_a), (b, asked_b)) = (serve_tokens(), serve_tokens());
    desk.write("mirrors.yaml", format!("mirrors: {{b: {{url: {}}}}}\n", url(&b)));
    let mirror = data("mirror-v2");
    let (a, b) = (url(&a), url(&b));
    for call in [
        &["check", &a, &b][..],
        &["changes", &a, &b],
        &["check", &a, "--mirrors", "mirrors.yaml"],
        &["index", &a, "--since", &b],
        &["index", &mirror, &a, "--since", &b],
    ] {
        refuses_several(&desk.run_with(&[call, &ME].concat(), PASSWORD));
    }
    for asked in [&asked_a, &asked_b] {
        assert!(asked.lock().expect("a log").is_empty());
    }
    // Both may be in the same registry.
    let outcome = desk.run_with(&[&["changes", &a, &a], &ME[..]].concat(), PASSWORD);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let outcome = desk.run_with(&[&["index", &mirror, "--since", &b], &ME[..]].concat(), PASSWORD);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
}

#[test]
fn a_mirror_with_its_own_password_gets_that_one() {
    let desk = Desk::new();
    let ((a, asked_a), (b, asked_b)) = (serve_tokens(), serve_tokens());
    desk.write(
        "mirrors.yaml",
        format!("mirrors: {{b: {{url: {}, access_pair: [us, ours]}}}}\n", url(&b)),
    );
    let call = ["check", &url(&a), "--mirrors", "mirrors.yaml"];
    let outcome = desk.run_with(&[&call, &ME[..]].concat(), PASSWORD);
    // The registry of the mirror knows only the other name and password.
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains(&format!("{b} shows it only to those who sign in")));
    assert_eq!(given(&asked_a), [format!("me:{PASSWORD}")]);
    let given = given(&asked_b);
    assert!(!given.is_empty() && given.iter().all(|pair| pair == "us:ours"), "{given:?}");
}
