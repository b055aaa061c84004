//! A libc that has symbols of a later version than its own.
//!
//! The glibc 2.34 of Red Hat Enterprise Linux 9.7, and of the systems made from it, has symbols of 2.35. Spack's specs name
//! the system without its minor version and the libc by its own, so a build that is labelled with 2.34 may need them.

use spack_spec::Version;

/// The systems by their names in Spack.
const SYSTEMS: [&str; 6] = ["almalinux", "centos", "ol", "oracle", "rhel", "rocky"];
/// Their major version.
const MAJOR: &str = "9";
/// What their libc is labelled with.
const LABEL: &str = "glibc@2.34";
/// The version whose symbols it may have.
const SYMBOLS: &str = "2.35";

/// Returns why a build for an OS, labelled with a libc, may not run with another libc although the labels allow it.
pub fn libc_doubt(built_on: &str, needed: &str, own: Option<&str>) -> Option<String> {
    let is_system = SYSTEMS.iter().any(|name| {
        let version = built_on.strip_prefix(name).and_then(|rest| rest.strip_prefix(MAJOR));
        version.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    let label = needed.replace("@=", "@");
    let has_symbols = || {
        let own: Version = own?.split_once('@')?.1.trim_start_matches('=').parse().ok()?;
        Some(own >= SYMBOLS.parse().ok()?)
    };
    (is_system && label == LABEL && !has_symbols().unwrap_or(false)).then(|| {
        format!("{needed} of {built_on} has symbols of glibc {SYMBOLS} from {MAJOR}.7 on, which the build may need")
    })
}

#[cfg(test)]
mod tests {
    use super::libc_doubt;

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
        for built_on in ["rhel9", "rocky9", "almalinux9", "centos9", "rhel9.7"] {
            check(built_on, "glibc@2.34", Some("glibc@2.34"), true);
            check(built_on, "glibc@2.34", None, true);
            check(built_on, "glibc@2.34", Some("glibc@2.35"), false);
            check(built_on, "glibc@2.34", Some("glibc@2.39"), false);
        }
        for built_on in ["rhel8", "rhel10", "rhel90", "ubuntu22.04", "9", "amzn2023"] {
            check(built_on, "glibc@2.34", Some("glibc@2.34"), false);
        }
        check("rhel9", "glibc@2.28", Some("glibc@2.34"), false);
    }
}
