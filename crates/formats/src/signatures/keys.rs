//! The keys that signatures may be made with.
//!
//! Every given key is trusted; its self-signatures only decide what it may be used for, and when, and the newest one
//! counts. A subkey counts if its primary key says that it may sign, and the subkey confirms that. Signatures of third
//! parties are ignored, for trust as well as for revocations.

use std::fmt;

use pgp::composed::{PublicOrSecret, SignedPublicKey, SignedPublicSubKey};
use pgp::packet::{
    PublicKey, PublicSubkey, RevocationCode, Signature, SignatureType, SubpacketData,
};
use pgp::types::{Duration, KeyDetails, Tag, Timestamp};

use super::issuers::issuers;
use crate::brief;

const BEGIN: &[u8] = b"-----BEGIN PGP ";

/// All keys that may have signed.
#[derive(Debug, Default)]
pub struct Keyring {
    signers: Vec<Signer>,
}

/// A key or subkey that may sign.
#[derive(Debug)]
pub(super) struct Signer {
    key: Key,
    /// The first second at which it has expired.
    end: Option<u64>,
    revoked: Revoked,
}

#[derive(Debug)]
enum Key {
    Primary(PublicKey),
    Subkey(PublicSubkey),
}

/// The time from which a key is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Revoked {
    Never,
    /// It was replaced or retired at this time.
    From(u64),
    /// Others may have it, so that no signature can be trusted, whatever time it states.
    Always,
}

/// What is wrong with a file among keys, or a block in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyProblem {
    /// It is something else.
    NotAKey,
    /// It is damaged, in the words of the library.
    Damaged(String),
    /// There is no key in it that can be read.
    Missing,
    /// None of the keys in it may sign.
    MayNotSign,
}

impl fmt::Display for KeyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyProblem::NotAKey => f.write_str("is not an OpenPGP key"),
            KeyProblem::Damaged(error) => write!(f, "expected an OpenPGP key: {error}"),
            KeyProblem::Missing => {
                f.write_str("expected an OpenPGP key, found none that can be read")
            }
            KeyProblem::MayNotSign => f.write_str("no key in it may sign"),
        }
    }
}

impl Keyring {
    /// Returns `true` if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.signers.is_empty()
    }

    /// Adds the keys of a file: binary, or with any number of armored blocks. Returns what is wrong with each block
    /// that cannot be used.
    pub fn add(&mut self, bytes: &[u8]) -> Vec<KeyProblem> {
        let windows = bytes.windows(BEGIN.len()).enumerate();
        let starts: Vec<usize> =
            windows.filter(|(_, window)| *window == BEGIN).map(|(at, _)| at).collect();
        let is_armored = starts.iter().any(|&start| {
            bytes[start..].starts_with(b"-----BEGIN PGP PUBLIC KEY BLOCK")
                || bytes[start..].starts_with(b"-----BEGIN PGP PRIVATE KEY BLOCK")
        });
        if is_armored {
            let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
            let blocks = starts.iter().zip(ends).map(|(&start, end)| &bytes[start..end]);
            blocks.filter_map(|block| self.add_block(block).err()).collect()
        } else if bytes.first().is_some_and(|&first| is_key_packet(first)) {
            self.add_block(bytes).err().into_iter().collect()
        } else {
            vec![KeyProblem::NotAKey]
        }
    }

    fn add_block(&mut self, bytes: &[u8]) -> Result<(), KeyProblem> {
        let damaged = |error: pgp::errors::Error| KeyProblem::Damaged(brief(&error));
        let (keys, _) = PublicOrSecret::from_reader_many(bytes).map_err(damaged)?;
        let before = self.signers.len();
        let mut read = 0;
        for key in keys {
            match key.map_err(damaged)? {
                PublicOrSecret::Public(key) => self.add_key(key),
                // Only its public part is used.
                PublicOrSecret::Secret(key) => self.add_key(key.to_public_key()),
            }
            read += 1;
        }
        match self.signers.len() > before {
            true => Ok(()),
            false if read == 0 => Err(KeyProblem::Missing),
            false => Err(KeyProblem::MayNotSign),
        }
    }

    fn add_key(&mut self, key: SignedPublicKey) {
        let SignedPublicKey { primary_key, details, public_subkeys } = key;
        let by_itself = |signature: &Signature| match signature.typ() {
            Some(SignatureType::Key | SignatureType::KeyRevocation) => {
                signature.verify_key(&primary_key).is_ok()
            }
            _ => false,
        };
        let of_users = details.users.iter().flat_map(|user| {
            let is_own = |signature: &&Signature| {
                signature.is_certification()
                    && signature.verify_certification(&primary_key, Tag::UserId, &user.id).is_ok()
            };
            user.signatures.iter().filter(is_own)
        });
        let direct = details.direct_signatures.iter().filter(|signature| by_itself(signature));
        // Without a statement by its owner, the purpose of a key is unknown.
        let Some(statement) = newest(of_users.chain(direct)) else { return };
        let revocations = details.revocation_signatures.iter().filter(|it| by_itself(it));
        let revoked = Revoked::by(revocations);
        let end = end_of(&primary_key, statement.key_expiration_time());
        for SignedPublicSubKey { key, signatures } in public_subkeys {
            let is_own = |kind: SignatureType| {
                let (key, primary_key) = (&key, &primary_key);
                move |signature: &&Signature| {
                    signature.typ() == Some(kind)
                        && signature.verify_subkey_binding(primary_key, key).is_ok()
                }
            };
            let bindings = signatures.iter().filter(is_own(SignatureType::SubkeyBinding));
            let Some(binding) = newest(bindings) else { continue };
            let agrees = binding.embedded_signature().is_some_and(|signature| {
                signature.verify_primary_key_binding(&key, &primary_key).is_ok()
            });
            if !binding.key_flags().sign() || !agrees {
                continue;
            }
            let own =
                Revoked::by(signatures.iter().filter(is_own(SignatureType::SubkeyRevocation)));
            let own_end = end_of(&key, binding.key_expiration_time());
            self.signers.push(Signer {
                end: own_end.into_iter().chain(end).min(),
                revoked: own.or(revoked),
                key: Key::Subkey(key),
            });
        }
        if may_sign(statement) {
            self.signers.push(Signer { key: Key::Primary(primary_key), end, revoked });
        }
    }

    /// Returns the keys that a signature may have been made with.
    pub(super) fn candidates<'k>(
        &'k self,
        signature: &'k Signature,
    ) -> impl Iterator<Item = &'k Signer> {
        let named = issuers(signature);
        self.signers.iter().filter(move |signer| named.is_empty() || named.contains(&signer.id()))
    }
}

/// Returns the first second at which a key has expired.
fn end_of(key: &impl KeyDetails, validity: Option<Duration>) -> Option<u64> {
    let validity = u64::from(validity?.as_secs());
    (validity > 0).then(|| seconds(key.created_at()) + validity)
}

impl Signer {
    /// Returns its id, in hexadecimal digits.
    pub(super) fn id(&self) -> String {
        let id = match &self.key {
            Key::Primary(key) => key.legacy_key_id(),
            Key::Subkey(key) => key.legacy_key_id(),
        };
        id.to_string().to_uppercase()
    }

    /// Returns `true` if it made a signature of a text.
    pub(super) fn made(&self, signature: &Signature, text: &[u8]) -> bool {
        match &self.key {
            Key::Primary(key) => signature.verify(key, text).is_ok(),
            Key::Subkey(key) => signature.verify(key, text).is_ok(),
        }
    }

    /// Returns `true` if it existed at a time.
    pub(super) fn existed(&self, time: u64) -> bool {
        let created = match &self.key {
            Key::Primary(key) => key.created_at(),
            Key::Subkey(key) => key.created_at(),
        };
        seconds(created) <= time
    }

    /// Returns `true` if it had expired at a time.
    pub(super) fn had_expired(&self, time: u64) -> bool {
        self.end.is_some_and(|end| end <= time)
    }

    /// Returns `true` if what it signed at a time is not trusted because it was revoked.
    pub(super) fn was_revoked(&self, time: u64) -> bool {
        match self.revoked {
            Revoked::Never => false,
            Revoked::From(from) => from <= time,
            Revoked::Always => true,
        }
    }
}

impl Revoked {
    fn by<'s>(revocations: impl Iterator<Item = &'s Signature>) -> Revoked {
        let each = revocations.map(|revocation| match revocation.revocation_reason_code() {
            Some(RevocationCode::KeySuperseded | RevocationCode::KeyRetired) => {
                revocation.created().map_or(Revoked::Always, |at| Revoked::From(seconds(at)))
            }
            _ => Revoked::Always,
        });
        each.fold(Revoked::Never, Revoked::or)
    }

    /// Returns the stricter of two.
    fn or(self, other: Revoked) -> Revoked {
        match (self, other) {
            (Revoked::Always, _) | (_, Revoked::Always) => Revoked::Always,
            (Revoked::From(one), Revoked::From(other)) => Revoked::From(one.min(other)),
            (Revoked::Never, other) => other,
            (one, Revoked::Never) => one,
        }
    }
}

/// Returns `true` if a key may sign text. A key that does not state its purpose may sign.
fn may_sign(statement: &Signature) -> bool {
    let subpackets = statement.config().into_iter().flat_map(|config| config.hashed_subpackets());
    let mut flags = subpackets.filter(|it| matches!(it.data, SubpacketData::KeyFlags(_)));
    flags.next().is_none() || statement.key_flags().sign()
}

/// Returns the newest signature; of those made at the same time, the first.
fn newest<'s>(signatures: impl Iterator<Item = &'s Signature>) -> Option<&'s Signature> {
    let newer = |one: &'s Signature, other: &'s Signature| {
        if other.created() > one.created() { other } else { one }
    };
    signatures.reduce(newer)
}

/// Returns `true` for the first byte of a binary key: the packet of a public or a secret key.
fn is_key_packet(first: u8) -> bool {
    const SECRET: u8 = 5;
    const PUBLIC: u8 = 6;
    let tag = if first & 0x40 == 0 { first >> 2 & 0xf } else { first & 0x3f };
    first & 0x80 != 0 && matches!(tag, SECRET | PUBLIC)
}

pub(super) fn seconds(time: Timestamp) -> u64 {
    u64::from(time.as_secs())
}
