//! Laws that hold for every input, tested on generated input.

use std::cmp::Ordering;
#[cfg(unix)]
use std::process::Command;

use proptest::prelude::*;
#[cfg(unix)]
use spack_spec::shell_word;
use spack_spec::{Dialect, Spec, Version, VersionConstraint};

/// Failures are not recorded in seed files: each becomes a test case of its own.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

/// Generates versions that differ only slightly, so that comparisons reach every part.
fn version() -> impl Strategy<Value = Version> {
    ("(git\\.[ab]=)?", plain_version())
        .prop_map(|(git, version)| format!("{git}{version}").parse().expect("a version"))
}

fn plain_version() -> impl Strategy<Value = Version> {
    "(0?[1-3]|a|z|Z|rc|alpha|main|develop|9{25})([._-]?(0?[0-2]|b|rc|final|main)){0,3}"
        .prop_map(|text| text.parse().expect("a version"))
}

fn versions() -> impl Strategy<Value = VersionConstraint> {
    let end = plain_version;
    let element = prop_oneof![
        end().prop_map(|v| v.to_string()),
        version().prop_map(|v| format!("={v}")),
        end().prop_map(|v| format!("{v}:")),
        end().prop_map(|v| format!(":{v}")),
        (end(), end()).prop_map(|(a, b)| if a <= b {
            format!("{a}:{b}")
        } else {
            format!("{b}:{a}")
        }),
    ];
    prop::collection::vec(element, 1..5)
        .prop_map(|list| list.join(",").parse().expect("a list of versions"))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn orders_versions_totally(a in version(), b in version(), c in version()) {
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert_eq!(a == b, a.cmp(&b) == Ordering::Equal);
        if a <= b && b <= c {
            prop_assert!(a <= c);
        }
    }

    #[test]
    fn parses_the_version_lists_it_prints(list in versions()) {
        let printed = list.to_string();
        let again: VersionConstraint = printed.parse().expect("what was printed");
        prop_assert_eq!(&again, &list, "{}", printed);
        prop_assert_eq!(again.to_string(), printed);
    }

    #[test]
    fn treats_version_lists_as_sets(a in versions(), b in versions(), version in version()) {
        let both = a.intersection(&b);
        prop_assert_eq!(both.matches(&version), a.matches(&version) && b.matches(&version));
        prop_assert_eq!(a.intersects(&b), !both.is_empty());
        prop_assert!(both.is_within(&a) && both.is_within(&b));
        if a.is_within(&b) && a.matches(&version) {
            prop_assert!(b.matches(&version));
        }
        prop_assert!(VersionConstraint::from(version.clone()).matches(&version));
    }

    #[test]
    fn parses_or_rejects_any_version(text in "\\PC{0,20}") {
        let _ = text.parse::<Version>();
        let _ = text.parse::<VersionConstraint>();
    }
}

/// Generates texts from characters that are special to a shell, and from any others.
#[cfg(unix)]
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof!["[-a1~=:^%@+,/ \t\r\n$`'\"\\\\;&|<>()*?!#{}\\[\\]]{0,8}", "[^\u{0}]{0,8}",]
}

#[cfg(unix)]
proptest! {
    #![proptest_config(config())]

    #[test]
    fn quotes_words_for_a_shell(texts in prop::collection::vec(hostile(), 1..20)) {
        let words: Vec<_> = texts.iter().map(|text| shell_word(text)).collect();
        let printed = Command::new("sh")
            .args(["-c", &format!("printf '%s\\0' {}", words.join(" "))])
            .output()
            .expect("a POSIX shell");
        prop_assert_eq!(String::from_utf8_lossy(&printed.stderr), "");
        let expected: String = texts.iter().map(|text| format!("{text}\0")).collect();
        prop_assert_eq!(String::from_utf8_lossy(&printed.stdout), expected);
    }
}

/// A step that takes quadratic time would take hours here, so this test ends only if there is no such step.
#[test]
fn reads_long_input_in_linear_time() {
    for piece in [
        "a",
        "a.",
        "a..",
        "-",
        "--",
        "- ",
        "+",
        "+a",
        "@",
        "@a",
        "@a-",
        "@1,",
        "9,",
        "%",
        "%%",
        "% ",
        "%a,",
        "^",
        "^a",
        "^[",
        "]",
        "a=",
        "a='",
        "a=\"",
        "'",
        "\"",
        "\\'",
        "/",
        "/a",
        "a/",
        ".json",
        "-.json",
        "a/.json",
        " ",
        "\u{0}",
        "é",
        ":",
        "=",
        "a=b ",
        "a,",
        "a:",
        "~~",
        "^*",
        "cflags=-a ",
        "@1:a-",
        "git.",
    ] {
        for prefix in ["", "a@", "a k=", "a ^", "a %", "/", "a k='"] {
            let text = format!("{prefix}{}", piece.repeat((1 << 18) / piece.len()));
            for dialect in [Dialect::V0, Dialect::V1] {
                let reading = Spec::read(&text, dialect);
                assert!(reading.problems.iter().all(|problem| problem.in_text(&text).len() < 1000));
                let _ = format!("{:#}", reading.spec);
            }
        }
    }
}
