//! What a signed file says about its signature: that there is one, and the id of the key.
//!
//! Spack signs with `gpg --clearsign`: the text stands between the lines of OpenPGP's cleartext signatures (section 7
//! of RFC 9580), and the signature follows in ASCII armor. Of the signature packet, only the fields that name the key
//! are read here. The signature is not verified: that needs the key, and is left to the caller.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use cache_index::build::Signature;

/// How a signed file starts.
pub(crate) const MESSAGE: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const BEGIN: &str = "-----BEGIN PGP SIGNATURE-----";
const END: &str = "-----END PGP SIGNATURE-----";

/// Returns the signature of a file.
pub(super) fn signature(text: &str) -> Signature {
    if !text.starts_with(MESSAGE) {
        return Signature::Unsigned;
    }
    let key = split(text).and_then(|(_, armor)| key_id(&dearmored(armor)?));
    let digits = |id: [u8; 8]| id.iter().map(|byte| format!("{byte:02X}")).collect();
    Signature::Signed { key: key.map(digits) }
}

/// Returns the text within a signature, if there is one around it. `None` for a signature that was cut off.
pub(crate) fn without_signature(text: &str) -> Option<String> {
    if !text.starts_with(MESSAGE) {
        return Some(text.to_owned());
    }
    split(text).map(|(message, _)| message)
}

/// Splits a signed file into its text, each line with `\n` at its end, and the armored signature. `None` for a file
/// that is not signed, or was cut off.
///
/// Everything that is read from a signed file, and everything that is verified, is this text; anything before or after
/// it is ignored. OpenPGP puts `- ` before lines that start with a dash.
pub fn split(file: &str) -> Option<(String, &str)> {
    let signed = file.strip_prefix(MESSAGE)?;
    let mut lines = signed.split_inclusive('\n');
    // The rest of the first line, and headers, which end with an empty line.
    lines.next();
    lines.find(|line| line.trim().is_empty())?;
    let mut message = String::new();
    for line in lines {
        if line.trim_end() == BEGIN {
            let at = line.as_ptr() as usize - file.as_ptr() as usize;
            let armor = &file[at..];
            return armor.contains(END).then_some((message, armor));
        }
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        message.push_str(line.strip_prefix("- ").unwrap_or(line));
        message.push('\n');
    }
    None
}

/// Decodes the bytes of an armored signature.
fn dearmored(armor: &str) -> Option<Vec<u8>> {
    let (armor, _) = armor.split_once(END)?;
    let mut lines = armor.lines().skip(1);
    // Headers end with an empty line.
    lines.find(|line| line.trim().is_empty())?;
    // A line that starts with `=` is a checksum.
    let data = lines.take_while(|line| !line.starts_with('=')).flat_map(str::bytes);
    BASE64.decode(data.filter(|byte| !b" \t\r=".contains(byte)).collect::<Vec<_>>()).ok()
}

/// Returns the id of the key that the first packet, a signature, names.
fn key_id(bytes: &[u8]) -> Option<[u8; 8]> {
    const SIGNATURE: u8 = 2;
    let (tag, body) = packet(bytes)?;
    if tag != SIGNATURE {
        return None;
    }
    match *body.first()? {
        // Version, length of what is hashed, type, time, and the id.
        3 => body.get(7..15)?.try_into().ok(),
        4 => of_subpackets(body.get(4..)?, 2),
        6 => of_subpackets(body.get(4..)?, 4),
        _ => None,
    }
}

/// Looks for the id in the hashed subpackets, then in the unhashed ones. The length of each list precedes it, in
/// `length_bytes` bytes.
fn of_subpackets(mut body: &[u8], length_bytes: usize) -> Option<[u8; 8]> {
    let mut found = None;
    for _ in 0..2 {
        let length = number(body.get(..length_bytes)?);
        body = &body[length_bytes..];
        let mut subpackets = body.get(..length)?;
        body = &body[length..];
        while !subpackets.is_empty() {
            let (length, rest) = subpacket_length(subpackets)?;
            let (subpacket, rest) = rest.split_at_checked(length)?;
            subpackets = rest;
            let (&kind, value) = subpacket.split_first()?;
            // The fingerprint is the safer of the two; its first byte is the version of the key.
            match (kind & 0x7f, value) {
                (33, [4, fingerprint @ ..]) if fingerprint.len() == 20 => {
                    return fingerprint[12..].try_into().ok();
                }
                (33, [6, fingerprint @ ..]) if fingerprint.len() == 32 => {
                    return fingerprint[..8].try_into().ok();
                }
                (16, id) => found = found.or(id.try_into().ok()),
                _ => {}
            }
        }
    }
    found
}

/// Returns the tag and the body of the first packet.
fn packet(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let (&head, rest) = bytes.split_first()?;
    if head & 0x80 == 0 {
        return None;
    }
    if head & 0x40 != 0 {
        let (length, rest) = subpacket_length(rest)?;
        return Some((head & 0x3f, rest.get(..length)?));
    }
    let length_bytes = match head & 3 {
        0 => 1,
        1 => 2,
        2 => 4,
        // The body extends to the end.
        _ => return Some((head >> 2 & 0xf, rest)),
    };
    let length = number(rest.get(..length_bytes)?);
    Some((head >> 2 & 0xf, rest[length_bytes..].get(..length)?))
}

/// Reads a length of one, two or five bytes, and returns it with the bytes that follow.
fn subpacket_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (&first, rest) = bytes.split_first()?;
    match first {
        0..=191 => Some((usize::from(first), rest)),
        192..=254 => {
            let (&second, rest) = rest.split_first()?;
            Some(((usize::from(first) - 192) * 256 + usize::from(second) + 192, rest))
        }
        255 => Some((number(rest.get(..4)?), &rest[4..])),
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Made with `gpg --clearsign`; `tests/data/signed/README.md` says how.
    const SIGNED: &str = include_str!("../../../../tests/data/signed/message.asc");
    const KEY: &str = include_str!("../../../../tests/data/signed/key-id");

    #[test]
    fn the_key_of_a_real_signature_is_named() {
        assert_eq!(signature(SIGNED), Signature::Signed { key: Some(KEY.trim().to_owned()) });
        assert_eq!(
            without_signature(SIGNED).as_deref(),
            Some("{\"version\": 3, \"data\": []}\n- dashed\n")
        );
        assert_eq!(signature("{}"), Signature::Unsigned);
    }

    #[test]
    fn a_signature_that_names_no_key_is_still_one() {
        let unknown = Signature::Signed { key: None };
        assert_eq!(signature(&format!("{MESSAGE}\n\n{{}}\n")), unknown);
        let cut = SIGNED.split_once(END).expect("a signature").0;
        assert_eq!(signature(cut), unknown);
        assert_eq!(without_signature(cut), None);
        for body in ["", "AAAA", "wsBz", "iQIz!"] {
            let text = format!("{MESSAGE}\nHash: SHA512\n\n{{}}\n{BEGIN}\n\n{body}\n{END}\n");
            assert_eq!(signature(&text), unknown, "{body}");
        }
    }

    #[test]
    fn reads_ids_of_all_versions() {
        let id = [1, 2, 3, 4, 5, 6, 7, 8];
        let old = [&[0x88, 15, 3, 5, 0, 0, 0, 0, 0][..], &id].concat();
        assert_eq!(key_id(&old), Some(id));
        let by_id = [&[0xc2, 18, 4, 0, 22, 10, 0, 0, 0, 10, 9, 16][..], &id, &[0, 0]].concat();
        assert_eq!(key_id(&by_id), Some(id));
        // Version 6 has longer lengths, and ids that start the fingerprint.
        let hashed = [&[34, 33, 6][..], &id, &[0; 24]].concat();
        let body = [&[6, 0, 27, 10, 0, 0, 0, 35][..], &hashed, &[0; 4]].concat();
        assert_eq!(hashed.len(), 35);
        let newer = [&[0xc2, body.len() as u8][..], &body].concat();
        assert_eq!(key_id(&newer), Some(id));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = key_id(&bytes);
            let text = String::from_utf8_lossy(&bytes);
            let _ = signature(&format!("{MESSAGE}\n\n{{}}\n{BEGIN}\n\n{text}\n{END}"));
        }
    }
}
