//! Finds who made a signature, according to the signature itself.

use pgp::packet::Signature;

/// Returns the ids of the keys that a signature names as its issuers.
pub(super) fn issuers(signature: &Signature) -> Vec<String> {
    let fingerprints = signature.issuer_fingerprint();
    let of_fingerprint = |fingerprint: &&pgp::types::Fingerprint| {
        let digits = fingerprint.to_string().to_uppercase();
        match fingerprint {
            pgp::types::Fingerprint::V4(_) => digits[digits.len() - 16..].to_owned(),
            _ => digits[..16].to_owned(),
        }
    };
    if fingerprints.is_empty() {
        signature.issuer_key_id().iter().map(|id| id.to_string().to_uppercase()).collect()
    } else {
        fingerprints.iter().map(of_fingerprint).collect()
    }
}
