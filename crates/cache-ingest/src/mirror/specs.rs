//! Comparing the specs of a v3 mirror with what the manifests of its builds state about them.
//!
//! Spack reads the spec of a build before it installs it, and refuses one whose digest is another. Nothing else reads
//! these files: databases have everything that an index needs. So mirrors are often copied without them, and a spec
//! that is not there is not a fault. The binary itself is not compared: it is large, and Spack does that too.

use std::io;

use cache_index::build::Hash;

use super::manifest::read_manifest;
use super::v3::{self, SPEC, blob_path};
use super::{Files, in_file};
use crate::digest::{Digesting, Fingerprint};
use crate::problem::{Finding, Position, Problem, Record};

/// What a mirror has of the specs that a manifest names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecState {
    /// All are as stated.
    AsStated,
    /// The mirror does not have one of them.
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

/// Compares the specs that a manifest names with their stated digests and lengths; `None` for a manifest that cannot be
/// used, which reading the mirror reports.
///
/// # Errors
///
/// If the manifest cannot be read.
pub fn check_spec(files: &dyn Files, manifest: &str, build: Hash) -> io::Result<Option<SpecState>> {
    let Some(mut input) = files.open(manifest)? else { return Ok(None) };
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let Some(blobs) = read_manifest(&bytes).value else { return Ok(None) };
    let mut state = SpecState::AsStated;
    for blob in blobs.into_iter().filter(|blob| blob.media_type.starts_with(SPEC)) {
        let path = blob_path(&blob.checksum);
        let stated = Fingerprint { digest: blob.checksum, length: Some(blob.length) };
        let wrong = match files.open(&path) {
            Ok(Some(spec)) => Digesting::new(spec).finish(&stated),
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
            let finding = Finding::DamagedSpec { path, finding: Box::new(finding) };
            let record = Some(Record { number: 0, hash: build.to_string() });
            let at = Position { record, ..in_file(manifest) };
            return Ok(Some(SpecState::Damaged(Problem { at, finding })));
        }
    }
    Ok(Some(state))
}
