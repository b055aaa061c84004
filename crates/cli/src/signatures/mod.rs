//! Verifying who signed the binaries of mirrors: `check --keys`.
//!
//! Spack signs the manifest of each build, or in the v2 layout its spec, with `gpg --clearsign`. Each such file gets a
//! [`SignatureVerdict`]. OpenPGP itself is left to the crate `pgp`; here are the rules for what counts as good:
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
//! A file that was copied over that of another build has a good signature, and is bad all the same: the spec that the
//! signed text leads to must be that of the build in the file's name. Where the mirror does not have the specs, as in a
//! copy of its metadata, that is unknown, and said.
//!
//! What is verified is the text that `cache_ingest` reads from the file, so that no two readers can see two texts in
//! one file.

mod issuers;
mod keys;
#[cfg(test)]
mod tests;
mod verify;

use std::fmt;
use std::io::{self, Read};

use cache_index::build::Hash;
use cache_ingest::inputs::{Folder, Input, Machine};
use cache_ingest::mirror::{Files, build_of, signable_files};
use cache_ingest::{Position, Record};
use serde_json::{Map, json};

pub(crate) use self::keys::Keyring;
use self::verify::verify;
use crate::inputs::Inputs;
use crate::report::Report;

/// The longest file whose signature is verified. Manifests have a kilobyte, specs up to a megabyte.
const LONGEST: u64 = 64_000_000;

/// What is known of a file's signatures. Keys are named by their ids.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SignatureVerdict {
    /// All are good, by these keys.
    Good { keys: Vec<String> },
    /// All are good, by these keys; the build is known only by the name of the file, because its spec is not there.
    GoodWithoutSpec { keys: Vec<String> },
    /// There are none.
    Unsigned,
    /// One was made with a key that is not in the keyring. Its id is unknown if the signature does not name it.
    UnknownSigner { key: Option<String> },
    /// One is not good.
    Bad(Fault),
}

/// Why a signature is not good.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// The file or the signature is not written as it should be.
    Malformed(String),
    /// The key did not sign this text.
    OtherText { key: String },
    /// These keys signed it for the build with this hash.
    OtherBuild { keys: Vec<String>, build: Hash },
    /// The spec that the signed text leads to is damaged.
    BadSpec(String),
    /// The key was created after the signature.
    KeyTooNew { key: String },
    /// The key had expired before the signature.
    KeyExpired { key: String },
    /// The key was revoked.
    KeyRevoked { key: String },
    /// The signature was valid for a limited time, which has passed.
    Expired { key: String },
    /// The hash function is not secure.
    WeakHash { name: String },
}

/// How many files have which verdict.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    good: usize,
    /// Those of the good ones whose spec is not there.
    without_spec: usize,
    unsigned: usize,
    unknown_signer: usize,
    bad: usize,
}

/// Verifies the signatures of all mirrors among the inputs, and reports the verdict on each. Unsigned files are only
/// noted if they are allowed.
pub(crate) fn check(
    inputs: &Inputs,
    keyring: &Keyring,
    allow_unsigned: bool,
    report: &mut Report,
) -> Tally {
    let mut tally = Tally::default();
    for input in &inputs.list {
        let Input::Mirror(mirror) = input else { continue };
        let folder = Folder { machine: &inputs.machine, root: &mirror.path };
        let label = inputs.machine.shown(&mirror.path);
        let files = match signable_files(&folder) {
            Ok(files) => files,
            Err(error) => {
                report.problem(&label, &error);
                continue;
            }
        };
        inputs.machine.in_order(
            |each| files.iter().for_each(each),
            |(hash, file)| (hash, file, judge(&folder, file, hash, keyring)),
            |(hash, file, verdict): (&Hash, &String, SignatureVerdict)| {
                let is_damaged = tally.count(&verdict, allow_unsigned);
                let record = Some(Record { number: 0, hash: hash.to_string() });
                let at = Position { file: file.clone(), record, ..Position::default() };
                let mut data = Map::from_iter([("signature".to_owned(), json!(verdict.name()))]);
                if let Some(keys) = verdict.keys() {
                    data.insert("keys".to_owned(), json!(keys));
                }
                report.of_binary(&label, &at, is_damaged, verdict.to_string(), data);
            },
        );
    }
    tally
}

/// Returns the verdict on a file of a mirror, which is for this build by its name.
fn judge(files: &dyn Files, file: &str, hash: &Hash, keyring: &Keyring) -> SignatureVerdict {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if let Some(input) = files.open(file)? {
            input.take(LONGEST + 1).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    };
    let malformed = |message: String| SignatureVerdict::Bad(Fault::Malformed(message));
    match read().map(String::from_utf8) {
        Err(error) => malformed(format!("the file could not be read: {error}")),
        Ok(Err(_)) => malformed("the file is not UTF-8".to_owned()),
        Ok(Ok(text)) if text.len() as u64 > LONGEST => {
            malformed(format!("the file has more than {LONGEST} bytes"))
        }
        Ok(Ok(text)) => match verify(&text, keyring) {
            SignatureVerdict::Good { keys } => match build_of(files, file, &text) {
                Ok(Some(build)) if build == *hash => SignatureVerdict::Good { keys },
                Ok(Some(build)) => SignatureVerdict::Bad(Fault::OtherBuild { keys, build }),
                Ok(None) => SignatureVerdict::GoodWithoutSpec { keys },
                Err(problems) => {
                    let first = problems.first().map(ToString::to_string);
                    SignatureVerdict::Bad(Fault::BadSpec(first.unwrap_or_default()))
                }
            },
            verdict => verdict,
        },
    }
}

impl Tally {
    /// Counts a verdict, and returns `true` if it is a problem.
    fn count(&mut self, verdict: &SignatureVerdict, allow_unsigned: bool) -> bool {
        let (counter, is_problem) = match verdict {
            SignatureVerdict::Good { .. } => (&mut self.good, false),
            SignatureVerdict::GoodWithoutSpec { .. } => {
                self.without_spec += 1;
                (&mut self.good, false)
            }
            SignatureVerdict::Unsigned => (&mut self.unsigned, !allow_unsigned),
            SignatureVerdict::UnknownSigner { .. } => (&mut self.unknown_signer, true),
            SignatureVerdict::Bad(_) => (&mut self.bad, true),
        };
        *counter += 1;
        is_problem
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { good, without_spec, unsigned, unknown_signer, bad } = self;
        write!(
            f,
            "signatures: {good} good, {bad} bad, {unknown_signer} by an unknown key, {unsigned} missing"
        )?;
        match without_spec {
            0 => Ok(()),
            _ => write!(
                f,
                "; {without_spec} of the good ones without a spec to compare the name with"
            ),
        }
    }
}

impl SignatureVerdict {
    /// Returns the name for programs.
    fn name(&self) -> &'static str {
        match self {
            SignatureVerdict::Good { .. } | SignatureVerdict::GoodWithoutSpec { .. } => "good",
            SignatureVerdict::Unsigned => "none",
            SignatureVerdict::UnknownSigner { .. } => "unknown-signer",
            SignatureVerdict::Bad(_) => "bad",
        }
    }

    /// Returns the ids of the keys that it is about, if they are known.
    fn keys(&self) -> Option<Vec<&str>> {
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
