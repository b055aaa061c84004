//! Signatures of every kind, made by GnuPG; they are in `tests/data/signed`, with a description of how they were made.

use std::fs;
use std::path::{Path, PathBuf};

use cache_ingest::mirror::split_signed;
use command_formats::signatures::{Fault, Keyring, SignatureVerdict, verify};
use proptest::prelude::*;

use super::keys::{add_keys, read_keys};
use crate::report::Report;

/// The ids of the keys.
const PLAIN: &str = "846D25B358FF5924";
const ELLIPTIC: &str = "D0A63919C18BDED6";
const RSA: &str = "B6AE761823C7BC7E";
const EXPIRING: &str = "1CF4D76836A40DBE";
const COMPROMISED: &str = "7FD321EA80B85E88";
const SUPERSEDED: &str = "28C2C45D8795C803";
const SUBKEY: &str = "70791CD4FBEBA8BB";
const EXPIRING_SUBKEY: &str = "141C7C9CB778D8F2";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/signed/cases")
}

fn signed(case: &str) -> String {
    fs::read_to_string(folder().join(case).with_extension("asc")).expect("a file")
}

/// Reads the keys of these files, which contain nothing else.
fn keyring(files: &[&str]) -> Keyring {
    let mut keyring = Keyring::default();
    let mut report = Report::default();
    for file in files {
        add_keys(&mut keyring, file, &fs::read(folder().join(file)).expect("a file"), &mut report);
    }
    assert!(!report.has_problems(), "{report:?}");
    keyring
}

fn all_keys() -> Keyring {
    let mut report = Report::default();
    let keyring = read_keys(&folder().join("keys"), &mut report);
    assert!(!report.has_problems(), "{report:?}");
    keyring
}

fn good(key: &str) -> SignatureVerdict {
    SignatureVerdict::Good { keys: vec![key.to_owned()] }
}

fn is_good(verdict: &SignatureVerdict) -> bool {
    matches!(verdict, SignatureVerdict::Good { .. })
}

fn is_by_unknown_key(verdict: &SignatureVerdict) -> bool {
    matches!(verdict, SignatureVerdict::UnknownSigner { .. })
}

#[test]
fn judges_every_kind_of_signature() {
    let keyring = all_keys();
    let bad = |fault: fn(String) -> Fault, key: &str| SignatureVerdict::Bad(fault(key.to_owned()));
    for (case, expected) in [
        ("plain", good(PLAIN)),
        ("elliptic", good(ELLIPTIC)),
        ("rsa", good(RSA)),
        ("crlf", good(PLAIN)),
        ("no-line-end", good(PLAIN)),
        ("two", SignatureVerdict::Good { keys: vec![PLAIN.to_owned(), ELLIPTIC.to_owned()] }),
        ("subkey", good(SUBKEY)),
        ("before-the-subkey-expired", good(EXPIRING_SUBKEY)),
        ("before-the-key-expired", good(EXPIRING)),
        ("after-the-key-expired", bad(|key| Fault::KeyExpired { key }, EXPIRING)),
        ("before-superseded", good(SUPERSEDED)),
        ("after-superseded", bad(|key| Fault::KeyRevoked { key }, SUPERSEDED)),
        ("before-compromise", bad(|key| Fault::KeyRevoked { key }, COMPROMISED)),
        ("limited", bad(|key| Fault::Expired { key }, PLAIN)),
        ("sha1", SignatureVerdict::Bad(Fault::WeakHash { name: "SHA1".to_owned() })),
    ] {
        assert_eq!(verify(&signed(case), &keyring), expected, "{case}");
    }
}

#[test]
fn one_unknown_signer_among_two_is_not_enough() {
    let unknown = |key: &str| SignatureVerdict::UnknownSigner { key: Some(key.to_owned()) };
    let text = signed("two");
    assert_eq!(verify(&text, &keyring(&["keys/plain.asc"])), unknown(ELLIPTIC));
    assert_eq!(verify(&text, &keyring(&["keys/elliptic.asc"])), unknown(PLAIN));
    assert_eq!(verify(&signed("plain"), &keyring(&["keys/rsa.asc"])), unknown(PLAIN));
    // The file has a key without its subkeys.
    assert_eq!(verify(&signed("subkey"), &keyring(&["keys/plain.asc"])), unknown(SUBKEY));
}

#[test]
fn reads_keys_in_binary_and_several_of_one_file() {
    let text = signed("plain");
    assert_eq!(verify(&text, &keyring(&["plain.gpg"])), good(PLAIN));
    let read = |file: &str| fs::read(folder().join(file)).expect("a file");
    for several in [
        [read("keys/rsa.asc"), read("keys/plain.asc")].concat(),
        [b"A comment.\n".to_vec(), read("keys/plain.asc"), b"Another.\n".to_vec()].concat(),
        [read("plain.gpg"), read("plain.gpg")].concat(),
    ] {
        let (mut keyring, mut report) = (Keyring::default(), Report::default());
        add_keys(&mut keyring, "several", &several, &mut report);
        assert!(!report.has_problems(), "{report:?}");
        assert_eq!(verify(&text, &keyring), good(PLAIN));
    }
}

#[test]
fn line_ends_are_not_part_of_the_text() {
    let keyring = all_keys();
    for case in ["plain", "crlf", "subkey"] {
        let unix = signed(case).replace("\r\n", "\n");
        for text in [unix.replace('\n', "\r\n"), unix.trim_end().to_owned(), unix + "\n \n"] {
            assert!(is_good(&verify(&text, &keyring)), "{case}: {text:?}");
        }
    }
}

#[test]
fn rejects_what_is_not_the_signed_text_alone() {
    let keyring = all_keys();
    let text = signed("plain");
    let body = "{\"version\"";
    for (changed, expected) in [
        (text.clone() + "more", "something follows the signature"),
        (text.clone() + &text, "something follows the signature"),
        (text.replacen("MESSAGE-----", "MESSAGE----- {}", 1), "its first line has more"),
        (text.replacen("Hash: ", "Comment: {}\nHash: ", 1), "a header other than Hash"),
        (text.replacen(body, &format!("-{body}"), 1), "a dash that is not escaped"),
        (text.replacen(body, &format!("- {body}"), 1), ""),
        (text.replacen(body, &format!(" {body}"), 1), "signed another text"),
        (text.replacen("From", "from", 1), "signed another text"),
        (text.replacen("-----END PGP SIGNATURE-----", "", 1), "it was cut off"),
        (text.replacen("-----BEGIN PGP SIGNATURE-----", "", 1), "it was cut off"),
    ] {
        match verify(&changed, &keyring) {
            SignatureVerdict::Good { .. } => assert_eq!(expected, "", "{changed}"),
            verdict => {
                let message = verdict.to_string();
                assert!(!expected.is_empty() && message.contains(expected), "{message}: {changed}");
            }
        }
    }
    for unsigned in ["", "{}", "-----BEGIN PGP SIGNATURE-----", &format!(" {text}")] {
        assert_eq!(verify(unsigned, &keyring), SignatureVerdict::Unsigned);
    }
}

/// Returns the signed text of a file, without white space at the ends of lines.
fn text_of(file: &str) -> Option<String> {
    let (text, _) = split_signed(file)?;
    Some(text.lines().map(|line| line.trim_end().to_owned() + "\n").collect())
}

#[test]
fn nothing_is_good_but_the_text_that_was_signed() {
    let keyring = keyring(&["keys/plain.asc"]);
    let original = signed("plain");
    let expected = text_of(&original);
    for at in 0..original.len() {
        let cut = &original[..at];
        assert!(!is_good(&verify(cut, &keyring)) || cut == original.trim_end());
        for bit in [1, 0x20] {
            let mut bytes = original.clone().into_bytes();
            bytes[at] ^= bit;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            if is_good(&verify(&changed, &keyring)) {
                assert_eq!(text_of(&changed), expected, "byte {at}");
            }
        }
    }
}

#[test]
fn damaged_keys_are_reported_and_files_of_other_kinds_noted() {
    #[track_caller]
    fn check(bytes: &[u8], is_problem: bool) {
        let (mut keyring, mut report) = (Keyring::default(), Report::default());
        add_keys(&mut keyring, "file", bytes, &mut report);
        assert_eq!(report.has_problems(), is_problem, "{report:?}");
        assert!(keyring.is_empty());
    }
    let key = fs::read(folder().join("plain.gpg")).expect("a file");
    check(b"", false);
    check(b"# Keys of the cache\n", false);
    check(signed("plain").as_bytes(), false);
    check(&key[..key.len() / 4], true);
    check(b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nxxxx\n", true);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// However a key is changed, it never makes a signature of another key good, and nothing panics.
    #[test]
    fn no_change_of_a_key_makes_another_signature_good(
        at in any::<prop::sample::Index>(), byte: u8, cut in any::<prop::sample::Index>(),
    ) {
        for file in ["plain.gpg", "keys/parent.asc", "keys/compromised.asc"] {
            let original = fs::read(folder().join(file)).expect("a file");
            let mut changed = original.clone();
            changed[at.index(original.len())] = byte;
            for bytes in [&changed[..], &original[..cut.index(original.len())]] {
                let mut keyring = Keyring::default();
                add_keys(&mut keyring, "file", bytes, &mut Report::default());
                let verdict = verify(&signed("elliptic"), &keyring);
                prop_assert!(is_by_unknown_key(&verdict), "{verdict}");
                let verdict = verify(&signed("before-compromise"), &keyring);
                if file != "keys/compromised.asc" {
                    prop_assert!(is_by_unknown_key(&verdict), "{verdict}");
                }
            }
        }
    }

    #[test]
    fn no_text_in_the_frame_makes_it_panic(text in "(\\PC|\n){0,80}", armor in "([A-Za-z0-9+/]{0,64}\n){0,4}") {
        let file = format!(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{text}\n-----BEGIN PGP SIGNATURE-----\n\n{armor}-----END PGP SIGNATURE-----\n"
        );
        prop_assert!(!is_good(&verify(&file, &all_keys())));
    }
}
