//! The verdict on one file.

use std::time::{SystemTime, UNIX_EPOCH};

use cache_ingest::mirror::split_signed;
use pgp::armor::Dearmor;
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{Packet, PacketParser, Signature, SignatureType};

use super::issuers::issuers;
use super::keys::{Keyring, seconds};
use super::{Fault, SignatureVerdict};
use crate::brief;

const MESSAGE: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const END: &str = "-----END PGP SIGNATURE-----";

/// How many signatures a file may have.
const MOST: usize = 16;

/// Verifies all signatures of a file.
pub fn verify(file: &str, keyring: &Keyring) -> SignatureVerdict {
    if !file.starts_with(MESSAGE) {
        return SignatureVerdict::Unsigned;
    }
    let malformed = |message: &str| SignatureVerdict::Bad(Fault::Malformed(message.to_owned()));
    let Some((text, armor)) = split_signed(file) else {
        return malformed("it was cut off");
    };
    if let Err(message) = check_frame(file, armor) {
        return malformed(message);
    }
    let signatures = match signatures(armor) {
        Ok(signatures) => signatures,
        Err(message) => return malformed(&message),
    };
    if signatures.is_empty() {
        return malformed("there is no signature in it");
    }
    let text = canonical(&text);
    let verdicts = signatures.iter().map(|signature| verify_one(signature, &text, keyring));
    verdicts.reduce(worse).unwrap_or(SignatureVerdict::Unsigned)
}

/// Checks that a file has only the signed text and its signatures, written as OpenPGP requires.
/// `CleartextSignedMessage` of `pgp` checks this too, but in quadratic time: after each line, it searches all lines so far.
fn check_frame(file: &str, armor: &str) -> Result<(), &'static str> {
    let Some(end) = armor.find(END) else { return Err("it was cut off") };
    if !armor[end + END.len()..].trim().is_empty() {
        return Err("something follows the signature");
    }
    let before = &file[MESSAGE.len()..file.len() - armor.len()];
    let mut lines = before.lines();
    if !lines.next().unwrap_or_default().trim().is_empty() {
        return Err("its first line has more than the marker");
    }
    let mut headers = lines.by_ref().take_while(|line| !line.trim().is_empty());
    if !headers.all(|line| line.starts_with("Hash:")) {
        return Err("it has a header other than Hash");
    }
    if lines.any(|line| line.starts_with('-') && !line.starts_with("- ")) {
        return Err("a line of the text starts with a dash that is not escaped");
    }
    Ok(())
}

/// Reads the packets of an armored signature, and rejects any other than signatures.
fn signatures(armor: &str) -> Result<Vec<Signature>, String> {
    let unreadable = |error| format!("it cannot be read: {}", brief(&error));
    let mut signatures = Vec::new();
    for packet in PacketParser::new(std::io::BufReader::new(Dearmor::new(armor.as_bytes()))) {
        match packet.map_err(unreadable)? {
            Packet::Signature(signature) => signatures.push(signature),
            _ => return Err("it has something else than signatures".to_owned()),
        }
        if signatures.len() > MOST {
            return Err(format!("it has more than {MOST} signatures"));
        }
    }
    Ok(signatures)
}

/// Returns a text in the form that is signed: lines end with `\r\n` and have no white space before that, and the line
/// end after the last line belongs to the frame.
fn canonical(text: &str) -> Vec<u8> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let lines: Vec<&str> =
        text.split('\n').map(|line| line.trim_end_matches([' ', '\t'])).collect();
    lines.join("\r\n").into_bytes()
}

fn verify_one(signature: &Signature, text: &[u8], keyring: &Keyring) -> SignatureVerdict {
    let malformed = |message: &str| SignatureVerdict::Bad(Fault::Malformed(message.to_owned()));
    if !matches!(signature.typ(), Some(SignatureType::Text | SignatureType::Binary)) {
        return malformed("it is not a signature of a text");
    }
    let Some(made) = signature.created().map(seconds) else {
        return malformed("it does not say when it was made");
    };
    let mut candidates = keyring.candidates(signature).peekable();
    let Some(first) = candidates.peek().map(|signer| signer.id()) else {
        return SignatureVerdict::UnknownSigner { key: issuers(signature).into_iter().next() };
    };
    if let Some(hash @ (HashAlgorithm::Md5 | HashAlgorithm::Sha1)) = signature.hash_alg() {
        return SignatureVerdict::Bad(Fault::WeakHash { name: hash.to_string() });
    }
    let Some(signer) = candidates.find(|signer| signer.made(signature, text)) else {
        return match issuers(signature).is_empty() {
            true => SignatureVerdict::UnknownSigner { key: None },
            false => SignatureVerdict::Bad(Fault::OtherText { key: first }),
        };
    };
    let key = signer.id();
    let valid = signature.signature_expiration_time().map_or(0, |valid| u64::from(valid.as_secs()));
    if signer.was_revoked(made) {
        SignatureVerdict::Bad(Fault::KeyRevoked { key })
    } else if !signer.existed(made) {
        SignatureVerdict::Bad(Fault::KeyTooNew { key })
    } else if signer.had_expired(made) {
        SignatureVerdict::Bad(Fault::KeyExpired { key })
    } else if valid > 0 && made + valid <= now() {
        SignatureVerdict::Bad(Fault::Expired { key })
    } else {
        SignatureVerdict::Good { keys: vec![key] }
    }
}

/// Returns the worse of the verdicts on two signatures of one file.
fn worse(one: SignatureVerdict, other: SignatureVerdict) -> SignatureVerdict {
    match (one, other) {
        (SignatureVerdict::Good { keys }, SignatureVerdict::Good { keys: others }) => {
            SignatureVerdict::Good { keys: [keys, others].concat() }
        }
        // The variants are in order of severity.
        (one, other) => one.max(other),
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}
