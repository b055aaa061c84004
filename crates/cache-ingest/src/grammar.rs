//! What Spack's grammar of specs allows as a name and as a version.
//!
//! A text that it does not allow cannot be asked for, and means something else when it is typed: `--help` is an option,
//! `^` the start of a dependency, `1:2` a range, `;id` a command of the shell. Spack writes no such name or version, so
//! a record that has one is damaged or made to deceive.

/// Returns `true` for the name of a package, a platform or a virtual package: letters, digits and `_`, and `-` and `.`
/// after the first of them.
pub(crate) fn is_name(text: &str) -> bool {
    starts_well(text) && text.bytes().all(|byte| is_word(byte) || b"-.".contains(&byte))
}

/// Returns `true` for a version: as a name, or a reference to git with the version that it stands for:
/// `git.releases/v1=1.14.5`. Before a whole commit, Spack needs no `git.`.
pub(crate) fn is_version(text: &str) -> bool {
    let (reference, version) = match text.split_once('=') {
        Some((reference, version)) => (reference, Some(version)),
        None => (text, None),
    };
    let is_part = |byte: u8| is_word(byte) || b"-./".contains(&byte);
    let is_reference = match reference.strip_prefix("git.") {
        Some(reference) => starts_well(reference) && reference.bytes().all(is_part),
        None if version.is_none() => return is_name(text),
        None => is_commit(reference),
    };
    is_reference && version.is_none_or(is_name)
}

/// Returns `true` for the whole hash of a commit.
fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn starts_well(text: &str) -> bool {
    text.bytes().next().is_some_and(is_word)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_spack_writes_is_allowed() {
        for name in ["hdf5", "py-torch", "7zip", "_x", "a.b", "R", "libgfortran"] {
            assert!(is_name(name), "{name}");
        }
        for version in [
            "1.14.5",
            "develop",
            "2021.4.0",
            "1.2-rc1",
            "9e",
            "git.develop=develop-2.0",
            "git.0123456789012345678901234567890123456789=1.14.5",
            "git.releases/v0.23",
            "0123456789abcdef0123456789abcdef01234567",
            "0123456789abcdef0123456789abcdef01234567=develop",
        ] {
            assert!(is_version(version), "{version}");
        }
    }

    #[test]
    fn what_would_be_another_thing_is_not() {
        for text in [
            "",
            ";id",
            "--help",
            "^",
            "1:2",
            "a b",
            "$(touch x)",
            "a@1",
            "%gcc",
            "ä",
            "-1",
            "a/b",
            "<b>",
        ] {
            assert!(!is_name(text) && !is_version(text), "{text}");
        }
        for version in ["git.", "git.-x", "git.a=", "git.a=1:2", "git.a b", "1=2", "0123abc=2"] {
            assert!(!is_version(version), "{version}");
        }
    }
}
