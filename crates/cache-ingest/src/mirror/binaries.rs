//! Where the binaries of a mirror are, and the stated digest and length of each.
//!
//! | layout | path | digest |
//! | --- | --- | --- |
//! | v2 | `build_cache/<arch>/<compiler>/<name>-<version>/….spack`; the hash ends the name | in the spec file |
//! | v3 | a blob, named by the build's manifest | in the manifest |
//! | OCI | the last layer of the build's image | in the image's manifest |

use std::collections::BTreeMap;
use std::io;

use cache_index::build::{Build, Hash};
use cache_index::file_names::manifest_path;

use super::v3::{self, BINARY, blob_path};
use super::{Files, V2_ARCHIVE, V2_FOLDER, V2Names, hash_in, signature, v2_specs};
use crate::digest::{Fingerprint, Sha256Text};
use crate::mirror::read_manifest;
use crate::oci::{Registry, last_layer};
use crate::problem::{Finding, Position, Problem, Record};
use crate::value::Value;

/// A binary of a mirror.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryFile {
    /// The build.
    pub hash: Hash,
    /// Where it is: a path relative to the mirror. For a registry, that is the digest.
    pub path: String,
    /// Its stated digest and length, if any.
    pub stated: Option<Fingerprint>,
}

/// The binaries of a mirror, and the builds whose binary is absent or unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinaryFiles {
    /// The binaries, by hash.
    pub found: Vec<BinaryFile>,
    /// The problems of the other builds.
    pub problems: Vec<Problem>,
}

impl BinaryFiles {
    fn report(&mut self, hash: Hash, file: &str, finding: Finding) {
        let record = Some(Record { number: 0, hash: hash.to_string() });
        let at = Position { file: file.to_owned(), record, ..Position::default() };
        self.problems.push(Problem { at, finding });
    }
}

/// Finds the binaries of a mirror's folder, in whatever layouts it has.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn binaries(files: &dyn Files) -> io::Result<BinaryFiles> {
    let mut all = BinaryFiles::default();
    let mut archives: BTreeMap<Hash, String> = BTreeMap::new();
    for path in files.list(V2_FOLDER)? {
        if let Some(hash) = path.strip_suffix(V2_ARCHIVE).and_then(hash_in) {
            archives.insert(hash, path);
        }
    }
    // A build may have a signed spec and one that is not.
    let specs: BTreeMap<Hash, String> =
        v2_specs(files.list(V2_FOLDER)?).map(|(hash, file, _)| (hash, file)).collect();
    for (hash, file) in specs {
        let stated = match read(files, &file)? {
            Some(bytes) => {
                digest_in_spec(&bytes).map(|digest| Fingerprint { digest, length: None })
            }
            None => None,
        };
        match archives.remove(&hash) {
            Some(path) => all.found.push(BinaryFile { hash, path, stated }),
            None => all.report(hash, &file, Finding::NoBinary),
        }
    }
    for (file, written) in v3::manifests(files)? {
        // A name without a hash is reported when the mirror is read.
        let Ok(hash) = written.parse() else { continue };
        take_manifest(files, &file, hash, &mut all)?;
    }
    all.found.sort_by_key(|binary| binary.hash);
    Ok(all)
}

/// Finds the binary of one build in a mirror whose files cannot be listed, by the names that Spack gives them.
///
/// # Errors
///
/// If the mirror cannot be read.
pub fn binary_of(files: &dyn Files, build: &Build, all: &mut BinaryFiles) -> io::Result<()> {
    let Build { hash, package, version, .. } = build;
    let manifest = manifest_path(package, version, *hash);
    if files.open(&manifest)?.is_some() {
        return take_manifest(files, &manifest, *hash, all);
    }
    let V2Names { specs, archive } = V2Names::of(build);
    for spec in specs {
        if let Some(bytes) = read(files, &spec)? {
            let stated = digest_in_spec(&bytes).map(|digest| Fingerprint { digest, length: None });
            all.found.push(BinaryFile { hash: *hash, path: archive, stated });
            return Ok(());
        }
    }
    all.report(*hash, &manifest, Finding::NoBinary);
    Ok(())
}

fn take_manifest(
    files: &dyn Files,
    file: &str,
    hash: Hash,
    all: &mut BinaryFiles,
) -> io::Result<()> {
    let Some(bytes) = read(files, file)? else {
        all.report(hash, file, Finding::NoBinary);
        return Ok(());
    };
    let read = read_manifest(&bytes);
    for problem in read.problems {
        all.report(hash, file, problem.finding);
    }
    let Some(blobs) = read.value else { return Ok(()) };
    match blobs.into_iter().find(|blob| blob.media_type.starts_with(BINARY)) {
        Some(blob) => {
            let path = blob_path(&blob.checksum);
            let stated = Some(Fingerprint { digest: blob.checksum, length: Some(blob.length) });
            all.found.push(BinaryFile { hash, path, stated });
        }
        None => all.report(hash, file, Finding::NoBinary),
    }
    Ok(())
}

/// Finds the binary of one image of a registry.
pub fn binary_in_registry(registry: &dyn Registry, hash: Hash, tag: &str, all: &mut BinaryFiles) {
    let read = match registry.manifest(tag) {
        Ok(Some(bytes)) => last_layer(&bytes),
        Ok(None) => return all.report(hash, tag, Finding::MissingImage),
        Err(error) => {
            return all.report(hash, tag, Finding::Unreadable { message: error.to_string() });
        }
    };
    for problem in read.problems {
        all.report(hash, tag, problem.finding);
    }
    match read.value {
        Some(Some(stated)) => {
            let path = stated.digest.as_str().to_owned();
            all.found.push(BinaryFile { hash, path, stated: Some(stated) });
        }
        Some(None) => all.report(hash, tag, Finding::NoBinary),
        None => {}
    }
}

fn read(files: &dyn Files, file: &str) -> io::Result<Option<Vec<u8>>> {
    let Some(mut input) = files.open(file)? else { return Ok(None) };
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Returns the digest of the binary in the spec file of a v2 mirror, signed or not; `None` if there is none.
fn digest_in_spec(bytes: &[u8]) -> Option<Sha256Text> {
    let text = std::str::from_utf8(bytes).ok()?;
    let text = signature::without_signature(text)?;
    let value = Value::of_json(text.as_bytes()).ok()?;
    let checksum = crate::fields::field(&value, "binary_cache_checksum")?;
    match crate::fields::field(checksum, "hash")? {
        Value::Text(digest) => Sha256Text::new(digest),
        _ => None,
    }
}
