//! Which build a signed file is for.
//!
//! The name of a file says it too, but is not signed: a manifest can be copied over that of another build, with its
//! good signature. What is signed leads to the spec, whose hash is that of the build:
//!
//! | layout | signed is | the spec is |
//! | --- | --- | --- |
//! | v2 | the spec | in the file |
//! | v3 | the manifest | a blob whose sha256 the manifest states |

use std::io::{self, Read as _};

use cache_index::build::Hash;

use super::manifest::{Blob, read_manifest};
use super::signature::without_signature;
use super::v3::{SPEC, SPEC_ENDING, blob_path};
use super::{Files, in_file};
use crate::compression::decompress;
use crate::digest::{Stated, read_stated};
use crate::fields::{Fields, Problems, field};
use crate::problem::{Finding, Problem, quote};
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
    let found = if file.ends_with(SPEC_ENDING) {
        spec_of_manifest(files, text, &mut problems)?
    } else {
        without_signature(text).map(String::into_bytes)
    };
    let hash = found.and_then(|spec| root_hash(&spec, &mut problems));
    problems.read(Some(hash)).into_result()
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
    let stated = Stated { digest: blob.checksum.clone(), length: Some(blob.length) };
    let packed = match read_stated(input, &stated, LONGEST)? {
        Ok(packed) => packed,
        Err(finding) => return Ok(Some(Err(finding))),
    };
    let mut bytes = Vec::new();
    decompress(&packed[..])?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(Some(Ok(bytes)))
}

/// Returns the hash of the first node of a spec file, which is the build itself; the others are its dependencies.
fn root_hash(bytes: &[u8], problems: &mut Problems) -> Option<Hash> {
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
