//! Verifying who signed the binaries of mirrors: `check --keys`.
//!
//! Spack signs the manifest of each build, or in the v2 layout its spec, with `gpg --clearsign`. Each such file gets a
//! [`SignatureVerdict`]. Which keys and signatures count as good is decided by [`command_formats::signatures`].
//!
//! A file that was copied over the file of another build has a good signature, but counts as bad: the spec that the signed
//! text names must be that of the build in the file's name. If the mirror does not have the specs, as in a copy of its
//! metadata, that is unknown, which is reported.

mod keys;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, Read};

use cache_index::build::Hash;
use cache_ingest::inputs::{Folder, Input, Machine};
use cache_ingest::mirror::{Files, build_of, signable_files};
use cache_ingest::{Position, Record};
use command_formats::signatures::{Fault, Keyring, SignatureVerdict, verify};
use serde_json::{Map, json};

pub(crate) use self::keys::read_keys;
use crate::inputs::Inputs;
use crate::report::Report;

/// The longest file whose signature is verified, in bytes. Manifests have about a kilobyte, specs up to a megabyte.
const LONGEST: u64 = 64_000_000;

/// The number of files with each verdict.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    good: usize,
    /// How many of the good ones have no spec in the mirror.
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

/// Returns the verdict on a file of a mirror. `hash` is the build that the file is for, by its name.
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
