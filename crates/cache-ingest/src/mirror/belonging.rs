//! Which build a signed file is for.
//!
//! The name of a file shows that too, but is not signed: a manifest can be copied over that of another build, with its
//! good signature. The signed text contains or names the spec, whose hash is that of the build:
//!
//! | layout | signed is | the spec is |
//! | --- | --- | --- |
//! | v2 | the spec | in the file |
//! | v3 | the manifest | a blob whose sha256 the manifest states |

use std::io::{self, Read as _};

use cache_index::build::{Build, Hash, Place};
use cache_index::file_names::SPEC_ENDING;

use super::manifest::{Blob, read_manifest};
use super::signature::without_signature;
use super::v3::{SPEC, blob_path};
use super::{Files, in_file};
use crate::compression::{SizeLimit, decompress};
use crate::digest::{Fingerprint, read_stated};
use crate::fields::{Fields, Problems, field};
use crate::oci::read_config;
use crate::problem::{Finding, Notes, Position, Problem, Record, quote};
use crate::read::Read;
use crate::value::Value;

/// The maximum size of a spec in bytes.
const LONGEST: u64 = 64_000_000;

/// Returns the hash of the build that the text of a [signable file](super::signable_files) is for; `None` if the mirror
/// does not have the spec.
///
/// # Errors
///
/// If the file or the spec is damaged, or the spec is not the one that the manifest names.
pub fn build_of(files: &dyn Files, file: &str, text: &str) -> Result<Option<Hash>, Vec<Problem>> {
    let mut problems = Problems::default();
    let spec = spec_of(files, file, text, &mut problems)?;
    let hash = spec.and_then(|spec| root_hash(&spec, &mut problems));
    problems.read(Some(hash)).into_result()
}

/// Reads the build that a [signable file](super::signable_files) is for, and its dependencies, from its spec. There are
/// none if the mirror does not have the spec.
pub(crate) fn read_builds(
    files: &dyn Files,
    file: &str,
    hash: Hash,
    place: &Place,
) -> Read<Vec<Build>> {
    let record = Record { number: 0, hash: hash.to_string() };
    let failed = |problems: Vec<Problem>| {
        let at = |at: Position| Position { record: Some(record.clone()), ..at };
        let problems = problems.into_iter();
        let problems = problems.map(|it| Problem { at: at(it.at), ..it }.named_by(file)).collect();
        Read { value: Some(Vec::new()), problems, notes: Notes::default() }
    };
    let unreadable = |error: io::Error| {
        let finding = Finding::Unreadable { message: error.to_string() };
        failed(vec![Problem { at: Position::default(), finding }])
    };
    let mut text = String::new();
    let read = files.open(file).and_then(|input| match input {
        Some(mut input) => input.read_to_string(&mut text),
        None => Ok(0),
    });
    if let Err(error) = read {
        return unreadable(error);
    }
    let mut problems = Problems::default();
    match spec_of(files, file, &text, &mut problems) {
        // A file that was copied over that of another build says nothing about this one.
        Ok(Some(spec)) if root_hash(&spec, &mut problems).is_some_and(|root| root != hash) => {
            failed(Vec::new())
        }
        Ok(Some(spec)) => {
            let Read { value, problems, notes } = read_config(&spec, hash, place);
            match value {
                Some(builds) => Read { value: Some(builds), problems, notes: notes.in_file(file) },
                None => failed(problems),
            }
        }
        Ok(None) => failed(problems.read(Some(())).problems),
        Err(problems) => failed(problems),
    }
}

/// Returns the spec that a [signable file](super::signable_files) contains or names; `None` if the mirror does not have
/// it.
fn spec_of(
    files: &dyn Files,
    file: &str,
    text: &str,
    problems: &mut Problems,
) -> Result<Option<Vec<u8>>, Vec<Problem>> {
    if file.ends_with(SPEC_ENDING) {
        spec_of_manifest(files, text, problems)
    } else {
        Ok(without_signature(text).map(String::into_bytes))
    }
}

/// Returns the spec that a manifest names.
fn spec_of_manifest(
    files: &dyn Files,
    text: &str,
    problems: &mut Problems,
) -> Result<Option<Vec<u8>>, Vec<Problem>> {
    let mut blobs = read_manifest(text.as_bytes()).into_result()?;
    blobs.retain(|blob| blob.media_type.starts_with(SPEC));
    let [blob] = &blobs[..] else {
        problems.report("data", Finding::ExpectedOneSpec { count: blobs.len() });
        return Ok(None);
    };
    let path = blob_path(&blob.checksum);
    match read_blob(files, &path, blob) {
        Ok(None) => return Ok(None),
        Ok(Some(Ok(bytes))) => return Ok(Some(bytes)),
        Ok(Some(Err(finding))) => problems.report_at(in_file(&path), finding),
        Err(error) => {
            let finding = Finding::Unreadable { message: error.to_string() };
            problems.report_at(in_file(&path), finding);
        }
    }
    Ok(None)
}

fn read_blob(
    files: &dyn Files,
    path: &str,
    blob: &Blob,
) -> io::Result<Option<Result<Vec<u8>, Finding>>> {
    let Some(input) = files.open(path)? else { return Ok(None) };
    let stated = Fingerprint { digest: blob.checksum.clone(), length: Some(blob.length) };
    let packed = match read_stated(input, &stated, LONGEST)? {
        Ok(packed) => packed,
        Err(finding) => return Ok(Some(Err(finding))),
    };
    let mut bytes = Vec::new();
    decompress(&packed[..], SizeLimit::default())?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(Some(Ok(bytes)))
}

/// Returns the hash of the first node of a spec file, which is the build itself; the others are its dependencies.
pub(super) fn root_hash(bytes: &[u8], problems: &mut Problems) -> Option<Hash> {
    let value = match Value::of_json(bytes) {
        Ok(value) => value,
        Err(error) => {
            problems.report_json_error(&error);
            return None;
        }
    };
    let mut file = Fields::open(value, "", problems)?;
    let mut spec = Fields::open(file.required("spec", problems)?, "spec", problems)?;
    let nodes = spec.list("nodes", problems)?;
    if nodes.first().is_some_and(|node| !matches!(field(node, "name"), Some(Value::Text(_)))) {
        problems.report("spec.nodes.name", Finding::MissingField);
        return None;
    }
    match nodes.first().and_then(|node| field(node, "hash")) {
        Some(Value::Text(text)) => text
            .parse()
            .map_err(|error| {
                let found = quote(text);
                problems.report("spec.nodes.hash", Finding::BadHash { found, error });
            })
            .ok(),
        _ => {
            problems.report("spec.nodes.hash", Finding::MissingField);
            None
        }
    }
}
