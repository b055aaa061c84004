//! Digests as a page writes them: in its policy, and for what it fetches.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

/// The digest of some bytes, as `sha256-` and base64.
pub(crate) fn digest(bytes: &[u8]) -> String {
    format!("sha256-{}", BASE64.encode(Sha256::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn a_digest_is_written_as_browsers_compare_it() {
        // Of the text `abc`, from the standard that defines sha256.
        assert_eq!(digest(b"abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }
}
