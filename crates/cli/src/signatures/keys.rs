//! The keys that signatures may be made with.
//!
//! A key that is given is trusted; its self-signatures only decide what it may be used for, and when. Of several, the
//! newest counts. A subkey counts if its key says that it may sign, and it agrees. Third parties are not asked: neither
//! for trust nor for revocations.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use pgp::composed::{PublicOrSecret, SignedPublicKey, SignedPublicSubKey};
use pgp::packet::{
    PublicKey, PublicSubkey, RevocationCode, Signature, SignatureType, SubpacketData,
};
use pgp::types::{Duration, KeyDetails, Tag, Timestamp};
use walkdir::WalkDir;

use super::issuers::issuers;
use crate::report::Report;

/// The longest file that is searched for keys.
const LONGEST: u64 = 64_000_000;

const BEGIN: &[u8] = b"-----BEGIN PGP ";

/// All keys that may have signed.
#[derive(Debug, Default)]
pub(crate) struct Keyring {
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

/// From when on a key is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Revoked {
    Never,
    /// It was replaced or retired at this time.
    From(u64),
    /// Others may have it, so that no signature can be trusted, whatever time it states.
    Always,
}

impl Keyring {
    /// Reads all keys in a folder and its subfolders, or in one file. What is not a key is noted, what is damaged is
    /// reported.
    pub(crate) fn read(path: &Path, report: &mut Report) -> Keyring {
        let mut keyring = Keyring::default();
        if let Err(error) = fs::metadata(path) {
            report.problem(&path.display().to_string(), &error);
            return keyring;
        }
        let is_visible = |entry: &walkdir::DirEntry| {
            entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
        };
        let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(is_visible) {
            match entry {
                Ok(entry) if entry.file_type().is_file() => {
                    let label = entry.path().display().to_string();
                    match read_file(entry.path()) {
                        Ok(bytes) => keyring.add(&label, &bytes, report),
                        Err(error) => report.problem(&label, &error),
                    }
                }
                Ok(_) => {}
                Err(error) => report.problem(&path.display().to_string(), &error),
            }
        }
        if keyring.is_empty() && !report.has_errors() {
            report.problem(&path.display().to_string(), &"there is no OpenPGP key that may sign");
        }
        keyring
    }

    /// Returns `true` if there are no keys.
    pub(crate) fn is_empty(&self) -> bool {
        self.signers.is_empty()
    }

    /// Adds the keys of a file: binary, or with any number of armored blocks.
    pub(super) fn add(&mut self, label: &str, bytes: &[u8], report: &mut Report) {
        let windows = bytes.windows(BEGIN.len()).enumerate();
        let starts: Vec<usize> =
            windows.filter(|(_, window)| *window == BEGIN).map(|(at, _)| at).collect();
        let is_armored = starts.iter().any(|&start| {
            bytes[start..].starts_with(b"-----BEGIN PGP PUBLIC KEY BLOCK")
                || bytes[start..].starts_with(b"-----BEGIN PGP PRIVATE KEY BLOCK")
        });
        if is_armored {
            for (at, &start) in starts.iter().enumerate() {
                let end = starts.get(at + 1).copied().unwrap_or(bytes.len());
                self.add_block(label, &bytes[start..end], report);
            }
        } else if bytes.first().is_some_and(|&first| is_key_packet(first)) {
            self.add_block(label, bytes, report);
        } else {
            let kind = "files among the keys are not OpenPGP keys";
            report.note_of_kind(kind, format!("{label} is not an OpenPGP key"));
        }
    }

    fn add_block(&mut self, label: &str, bytes: &[u8], report: &mut Report) {
        let keys = match PublicOrSecret::from_reader_many(bytes) {
            Ok((keys, _)) => keys,
            Err(error) => {
                report.problem(label, &format!("expected an OpenPGP key: {}", error_text(&error)));
                return;
            }
        };
        let before = self.signers.len();
        let mut read = 0;
        for key in keys {
            match key {
                Ok(PublicOrSecret::Public(key)) => self.add_key(key),
                // Only its public part is used.
                Ok(PublicOrSecret::Secret(key)) => self.add_key(key.to_public_key()),
                Err(error) => {
                    let message = format!("expected an OpenPGP key: {}", error_text(&error));
                    report.problem(label, &message);
                    return;
                }
            }
            read += 1;
        }
        if read == 0 {
            report.problem(label, &"expected an OpenPGP key, found none that can be read");
        } else if self.signers.len() == before {
            report.note_of_kind("keys may not sign", format!("{label}: no key in it may sign"));
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
        // Without a statement of its owner, it is unknown what a key is for.
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

/// Returns `true` if a key may sign text. A key that does not say what it is for may.
fn may_sign(statement: &Signature) -> bool {
    let subpackets = statement.config().into_iter().flat_map(|config| config.hashed_subpackets());
    let mut flags = subpackets.filter(|it| matches!(it.data, SubpacketData::KeyFlags(_)));
    flags.next().is_none() || statement.key_flags().sign()
}

/// Returns the newest signature; the first of several of one time.
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

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("it has more than {LONGEST} bytes")));
    }
    Ok(bytes)
}

pub(super) fn seconds(time: Timestamp) -> u64 {
    u64::from(time.as_secs())
}

/// Returns what the library says of an error, in one line.
pub(super) fn error_text(error: &pgp::errors::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
