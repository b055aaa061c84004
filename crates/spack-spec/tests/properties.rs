//! Laws that hold for every input, on generated ones.

use std::cmp::Ordering;

use proptest::prelude::*;
use spack_spec::{Version, VersionConstraint};

/// Versions that differ in little, so that comparisons reach every part.
fn version() -> impl Strategy<Value = Version> {
    "(git\\.[ab]=)?(0?[1-3]|a|z|Z|rc|alpha|main|develop|9{25})([._-]?(0?[0-2]|b|rc|final|main)){0,3}"
        .prop_map(|text| text.parse().expect("a version"))
}

fn versions() -> impl Strategy<Value = VersionConstraint> {
    let end = || version().prop_filter("ranges have plain ends", |v| v.git_reference().is_none());
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
    #[test]
    fn versions_are_totally_ordered(a in version(), b in version(), c in version()) {
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert_eq!(a == b, a.cmp(&b) == Ordering::Equal);
        if a <= b && b <= c {
            prop_assert!(a <= c);
        }
    }

    #[test]
    fn version_lists_print_what_they_read(list in versions()) {
        let printed = list.to_string();
        let again: VersionConstraint = printed.parse().expect("what was printed");
        prop_assert_eq!(&again, &list, "{}", printed);
        prop_assert_eq!(again.to_string(), printed);
    }

    #[test]
    fn version_lists_behave_as_sets(a in versions(), b in versions(), version in version()) {
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
    fn any_text_is_a_version_or_an_error(text in "\\PC{0,20}") {
        let _ = text.parse::<Version>();
        let _ = text.parse::<VersionConstraint>();
    }
}
