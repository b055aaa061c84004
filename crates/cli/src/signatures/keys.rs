//! Reading the files with the public keys that signatures are verified with.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use command_formats::signatures::{KeyProblem, Keyring};
use walkdir::WalkDir;

use crate::report::Report;

/// The longest file that is searched for keys, in bytes.
const LONGEST: u64 = 64_000_000;

/// Reads all keys in a folder and its subfolders, or in one file. Files that are not keys are noted, and damaged keys are
/// reported.
pub(crate) fn read_keys(path: &Path, report: &mut Report) -> Keyring {
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
                    Ok(bytes) => add_keys(&mut keyring, &label, &bytes, report),
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

/// Adds the keys of a file, and reports what is wrong with them.
pub(super) fn add_keys(keyring: &mut Keyring, label: &str, bytes: &[u8], report: &mut Report) {
    for problem in keyring.add(bytes) {
        match problem {
            KeyProblem::NotAKey => {
                let kind = "files among the keys are not OpenPGP keys";
                report.note_of_kind(kind, format!("{label} {problem}"));
            }
            KeyProblem::MayNotSign => {
                report.note_of_kind("keys may not sign", format!("{label}: {problem}"));
            }
            KeyProblem::Damaged(_) | KeyProblem::Missing => report.problem(label, &problem),
        }
    }
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("it has more than {LONGEST} bytes")));
    }
    Ok(bytes)
}
