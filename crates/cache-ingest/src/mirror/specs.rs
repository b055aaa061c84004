//! Checking the specs of builds: those of a v3 mirror are compared with what the manifests state about them, and those
//! of a v2 mirror, where nothing is stated, are read.
//!
//! Spack reads the spec of a build before it installs it, and refuses a spec with another digest than the stated one.
//! Nothing else reads these files: databases have everything that an index needs. So mirrors are often copied without
//! them, and a missing spec is not a fault. The binary itself is not compared: it is large, and Spack does that too.

use std::io;

use cache_index::build::Hash;
use cache_index::file_names::SPEC_ENDING;

use super::belonging::root_hash;
use super::manifest::read_manifest;
use super::signature::without_signature;
use super::v3::{self, SPEC, blob_path};
use super::{Files, in_file};
use crate::digest::{DigestReader, Fingerprint};
use crate::fields::Problems;
use crate::problem::{Finding, Position, Problem, Record, quote};

/// The state of a build's spec in a mirror.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecState {
    /// In layout v3, every spec that the manifest names is as stated; in v2, the spec can be read and is the build's.
    AsStated,
    /// The mirror does not have one of these specs.
    Missing,
    /// One is damaged.
    Damaged(Problem),
}

/// Lists the manifests of builds, each with its build. Those whose name has no hash are left out: reading the mirror
/// [reports](super::find_databases) them.
pub fn spec_manifests(files: &dyn Files) -> io::Result<Vec<(Hash, String)>> {
    let manifests = v3::manifests(files)?.into_iter();
    Ok(manifests.filter_map(|(file, written)| Some((written.parse().ok()?, file))).collect())
}

/// Checks the spec that a [signable file](super::signable_files) contains or names. The specs that a manifest names are
/// compared with their stated digests and lengths; `None` for a manifest that cannot be used, which reading the mirror
/// reports.
///
/// # Errors
///
/// If the file cannot be read.
pub fn check_spec(files: &dyn Files, file: &str, build: Hash) -> io::Result<Option<SpecState>> {
    let Some(mut input) = files.open(file)? else { return Ok(None) };
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let record = Some(Record { number: 0, hash: build.to_string() });
    let damaged = |path: Option<String>, finding: Finding| {
        let finding = Finding::DamagedSpec { path, finding: Box::new(finding) };
        let at = Position { record: record.clone(), ..in_file(file) };
        Ok(Some(SpecState::Damaged(Problem { at, finding })))
    };
    if !file.ends_with(SPEC_ENDING) {
        return match fault_of_spec(&bytes, build) {
            Some(finding) => damaged(None, finding),
            None => Ok(Some(SpecState::AsStated)),
        };
    }
    let Some(blobs) = read_manifest(&bytes).value else { return Ok(None) };
    let mut state = SpecState::AsStated;
    for blob in blobs.into_iter().filter(|blob| blob.media_type.starts_with(SPEC)) {
        let path = blob_path(&blob.checksum);
        let stated = Fingerprint { digest: blob.checksum, length: Some(blob.length) };
        let wrong = match files.open(&path) {
            Ok(Some(spec)) => DigestReader::new(spec).finish(&stated),
            Ok(None) => {
                state = SpecState::Missing;
                continue;
            }
            Err(error) => Err(error),
        };
        let unreadable = |error: io::Error| Finding::Unreadable { message: error.to_string() };
        let finding =
            wrong.map_or_else(|error| Some(unreadable(error)), |all| all.into_iter().next());
        if let Some(finding) = finding {
            return damaged(Some(path), finding);
        }
    }
    Ok(Some(state))
}

/// Returns what is wrong with a spec of a v2 mirror, which may be signed.
fn fault_of_spec(bytes: &[u8], build: Hash) -> Option<Finding> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Some(Finding::NotUtf8 { byte: error.valid_up_to() }),
    };
    let Some(spec) = without_signature(text) else { return Some(Finding::CutOff) };
    let mut problems = Problems::default();
    match root_hash(spec.as_bytes(), &mut problems) {
        Some(hash) if hash == build => None,
        Some(hash) => Some(Finding::HashDisagrees { found: quote(&hash.to_string()) }),
        None => {
            let problem = problems.read(Some(())).problems.into_iter().next();
            problem.map(|problem| problem.finding)
        }
    }
}
