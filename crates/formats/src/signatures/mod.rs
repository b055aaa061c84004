//! Signatures of OpenPGP: the keys that may have signed, and the verdict on one file.
//!
//! OpenPGP itself is left to the crate `pgp`; here are the rules for what counts as good:
//!
//! | rule | `gpg --verify` |
//! | --- | --- |
//! | every signature of a file is good, not only one | the same |
//! | the key was valid at the time of the signature; it may have expired since | accepts any signature by an expired key |
//! | a key that was revoked is not trusted at all, unless it was only replaced or retired, and later | accepts it with a warning |
//! | a signature with an end to its validity is good until then | the same |
//! | MD5 and SHA-1 are not accepted, since text can be made to fit them | rejects MD5 |
//! | nothing but the signed text and its signatures is in the file | accepts what follows |
//!
//! The text that is verified is the one that `cache_ingest` reads from the file, so that two readers cannot see
//! different texts in one file.

mod issuers;
mod keys;
mod verify;

use std::fmt;

use cache_index::build::Hash;

pub use self::keys::{KeyProblem, Keyring};
pub use self::verify::verify;

/// What is known of a file's signatures. Keys are named by their ids.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SignatureVerdict {
    /// All are good, by these keys.
    Good {
        /// The keys.
        keys: Vec<String>,
    },
    /// All are good, by these keys; the build is known only by the name of the file, because its spec is not there.
    GoodWithoutSpec {
        /// The keys.
        keys: Vec<String>,
    },
    /// There are none.
    Unsigned,
    /// One was made with a key that is not in the keyring. Its id is unknown if the signature does not name it.
    UnknownSigner {
        /// The key.
        key: Option<String>,
    },
    /// One is not good.
    Bad(Fault),
}

/// Why a signature is not good.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The file or the signature is not written as it should be.
    Malformed(String),
    /// The key did not sign this text.
    OtherText {
        /// The key.
        key: String,
    },
    /// These keys signed it for the build with this hash.
    OtherBuild {
        /// The keys.
        keys: Vec<String>,
        /// The build.
        build: Hash,
    },
    /// The spec that the signed text points to is damaged.
    BadSpec(String),
    /// The key was created after the signature.
    KeyTooNew {
        /// The key.
        key: String,
    },
    /// The key had expired before the signature.
    KeyExpired {
        /// The key.
        key: String,
    },
    /// The key was revoked.
    KeyRevoked {
        /// The key.
        key: String,
    },
    /// The signature was valid for a limited time, which has passed.
    Expired {
        /// The key.
        key: String,
    },
    /// The hash function is not secure.
    WeakHash {
        /// The hash function.
        name: String,
    },
}

impl SignatureVerdict {
    /// Returns the name for programs.
    pub fn name(&self) -> &'static str {
        match self {
            SignatureVerdict::Good { .. } | SignatureVerdict::GoodWithoutSpec { .. } => "good",
            SignatureVerdict::Unsigned => "none",
            SignatureVerdict::UnknownSigner { .. } => "unknown-signer",
            SignatureVerdict::Bad(_) => "bad",
        }
    }

    /// Returns the ids of the keys that the verdict is about, if they are known.
    pub fn keys(&self) -> Option<Vec<&str>> {
        match self {
            SignatureVerdict::Good { keys }
            | SignatureVerdict::GoodWithoutSpec { keys }
            | SignatureVerdict::Bad(Fault::OtherBuild { keys, .. }) => {
                Some(keys.iter().map(String::as_str).collect())
            }
            SignatureVerdict::UnknownSigner { key } => key.as_deref().map(|key| vec![key]),
            SignatureVerdict::Bad(
                Fault::OtherText { key }
                | Fault::KeyTooNew { key }
                | Fault::KeyExpired { key }
                | Fault::KeyRevoked { key }
                | Fault::Expired { key },
            ) => Some(vec![key]),
            SignatureVerdict::Unsigned
            | SignatureVerdict::Bad(
                Fault::Malformed(_) | Fault::BadSpec(_) | Fault::WeakHash { .. },
            ) => None,
        }
    }
}

impl fmt::Display for SignatureVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureVerdict::Good { keys } => {
                write!(f, "good signature by key {}", keys.join(" and key "))
            }
            SignatureVerdict::GoodWithoutSpec { keys } => {
                let keys = keys.join(" and key ");
                write!(f, "good signature by key {keys}, of a spec that is not in this mirror")
            }
            SignatureVerdict::Unsigned => f.write_str("not signed"),
            SignatureVerdict::UnknownSigner { key: Some(key) } => {
                write!(f, "signed by key {key}, which is not among the given keys")
            }
            SignatureVerdict::UnknownSigner { key: None } => {
                f.write_str("signed by none of the given keys")
            }
            SignatureVerdict::Bad(fault) => write!(f, "bad signature: {fault}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Malformed(message) => f.write_str(message),
            Fault::OtherText { key } => write!(f, "key {key} signed another text"),
            Fault::OtherBuild { keys, build } => {
                write!(f, "key {} signed it for another build, /{build}", keys.join(" and key "))
            }
            Fault::BadSpec(message) => write!(f, "the spec that was signed: {message}"),
            Fault::KeyTooNew { key } => write!(f, "it is older than key {key}, which made it"),
            Fault::KeyExpired { key } => write!(f, "key {key} had expired when it was made"),
            Fault::KeyRevoked { key } => write!(f, "key {key} was revoked"),
            Fault::Expired { key } => write!(f, "it has expired, as key {key} wanted"),
            Fault::WeakHash { name } => write!(f, "it uses {name}, which is not secure"),
        }
    }
}
