//! A libc that has symbols of a later version than its own.
//!
//! The glibc 2.34 of Red Hat Enterprise Linux 9.7, and of the systems made from it, has symbols of 2.35. Spack's specs name
//! the system without its minor version and the libc by its own, so a build that is labelled with 2.34 may need them.

use spack_spec::Version;

/// The systems by their names in Spack.
const SYSTEMS: [&str; 7] = ["almalinux", "centos", "ol", "oracle", "rhel", "rocky", "scientific"];
/// Their major version.
const MAJOR: &str = "9";
/// The version of their glibc.
const VERSION: &str = "2.34";
/// The version whose symbols it may have.
const SYMBOLS: &str = "2.35";

/// Returns `true` if a glibc of this version on this operating system may have symbols of a later one.
pub fn is_of_unreliable_libc(os: &str, version: &str) -> bool {
    let is_system = |name: &&str| {
        let minor = os.strip_prefix(name).and_then(|rest| rest.strip_prefix(MAJOR));
        minor.is_some_and(|minor| minor.is_empty() || minor.starts_with('.'))
    };
    version == VERSION && SYSTEMS.iter().any(is_system)
}

/// Returns why a build for an OS, labelled with a libc, may not run with another libc although the labels allow it.
pub fn libc_doubt(built_on: &str, needed: &str, own: Option<&str>) -> Option<String> {
    let label = needed.strip_prefix("glibc@")?.trim_start_matches('=');
    let has_symbols = || {
        let own: Version = own?.split_once('@')?.1.trim_start_matches('=').parse().ok()?;
        Some(own >= SYMBOLS.parse().ok()?)
    };
    (is_of_unreliable_libc(built_on, label) && !has_symbols().unwrap_or(false)).then(|| {
        format!("{needed} of {built_on} has symbols of glibc {SYMBOLS} from {MAJOR}.7 on, which the build may need")
    })
}

#[cfg(test)]
mod tests {
    use super::{is_of_unreliable_libc, libc_doubt};

    #[test]
    fn doubts_what_the_label_does_not_say() {
        #[track_caller]
        fn check(built_on: &str, needed: &str, own: Option<&str>, expected: bool) {
            assert_eq!(
                libc_doubt(built_on, needed, own).is_some(),
                expected,
                "{built_on} {needed} {own:?}"
            );
        }
        for built_on in ["rhel9", "rocky9", "almalinux9", "centos9", "scientific9", "rhel9.7"] {
            check(built_on, "glibc@2.34", Some("glibc@2.34"), true);
            check(built_on, "glibc@2.34", None, true);
            check(built_on, "glibc@2.34", Some("glibc@2.35"), false);
            check(built_on, "glibc@2.34", Some("glibc@2.39"), false);
        }
        for built_on in ["rhel8", "rhel10", "rhel90", "ubuntu22.04", "9", "amzn2023"] {
            check(built_on, "glibc@2.34", Some("glibc@2.34"), false);
        }
        check("rhel9", "glibc@2.28", Some("glibc@2.34"), false);
        assert!(is_of_unreliable_libc("ol9.7", "2.34"));
        assert!(!is_of_unreliable_libc("ol9", "2.35") && !is_of_unreliable_libc("ol90", "2.34"));
    }
}
