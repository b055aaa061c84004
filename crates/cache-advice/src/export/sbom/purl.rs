//! Addresses of packages (purl), of the type that was proposed for Spack in <https://github.com/package-url/purl-spec/pull/898>:
//! `pkg:spack/builtin/zlib@1.3.1?sha=u463uoum2lujbc2ug4fpbersp4jev2yl`.
//!
//! The type is not registered yet. Readers of addresses take any type.

use std::fmt::Write as _;

use cache_index::build::Hash;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

/// Returns the address of a build.
pub(super) fn purl(
    namespace: Option<&str>,
    name: &str,
    version: Option<&str>,
    hash: Hash,
) -> String {
    let mut purl = "pkg:spack/".to_owned();
    if let Some(namespace) = namespace {
        let _ = write!(purl, "{}/", encoded(namespace));
    }
    purl.extend(encoded(name));
    if let Some(version) = version {
        let _ = write!(purl, "@{}", encoded(version));
    }
    let _ = write!(purl, "?sha={hash}");
    purl
}

/// What is not a letter, a digit or one of `.-_~:`.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_').remove(b'~').remove(b':');

fn encoded(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, ENCODED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_what_would_end_a_part() {
        let hash: Hash = "u463uoum2lujbc2ug4fpbersp4jev2yl".parse().expect("a hash");
        let git = purl(None, "hdf5", Some("git.a/b=1.14@x"), hash);
        assert_eq!(git, format!("pkg:spack/hdf5@git.a%2Fb%3D1.14%40x?sha={hash}"));
        let plain = purl(Some("builtin"), "zlib", Some("1.3.1"), hash);
        assert_eq!(plain, format!("pkg:spack/builtin/zlib@1.3.1?sha={hash}"));
    }
}
