//! Digests as pages write them, in the policy and for fetched files.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

/// Returns the digest of some bytes, as `sha256-` and base64.
pub(crate) fn digest(bytes: &[u8]) -> String {
    format!("sha256-{}", BASE64.encode(Sha256::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn writes_digests_as_browsers_compare_them() {
        // The text `abc`, from the standard that defines sha256.
        assert_eq!(digest(b"abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }
}
