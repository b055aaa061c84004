//! The hashes of builds as Spack writes them: 32 characters of base32.

/// The number of characters in a hash.
pub const HASH_LENGTH: usize = 32;

/// The number of characters of a hash that `spack find -l` prints and people copy.
pub const SHORT_HASH_LENGTH: usize = 7;

/// Returns `true` for a hash, or any part of one: characters of Spack's base32, which has no capitals, `0`, `1`, `8` or
/// `9`.
///
/// ```
/// use spack_spec::{is_hash_part, short_hash};
///
/// let hash = "2dqr6c6vbyrynhpwbihghrkuptjuasp4";
/// assert!(is_hash_part(hash) && is_hash_part(short_hash(hash)));
/// assert!(!is_hash_part("1dqr6c6") && !is_hash_part(""));
/// ```
pub fn is_hash_part(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'))
}

/// Returns the first characters of a hash, as `spack find -l` prints them; a shorter text is returned unchanged.
///
/// ```
/// use spack_spec::short_hash;
///
/// assert_eq!(short_hash("2dqr6c6vbyrynhpwbihghrkuptjuasp4"), "2dqr6c6");
/// ```
pub fn short_hash(hash: &str) -> &str {
    hash.get(..SHORT_HASH_LENGTH).unwrap_or(hash)
}
