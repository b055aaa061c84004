//! The v3 layout: small manifests that name blobs by their digests.
//!
//! ```text
//! v3/layout.json
//! v3/manifests/index/index.manifest.json            → the database
//! v3/manifests/index/<view>/index.manifest.json     → the database of a part
//! v3/manifests/spec/zlib/zlib-1.3.1-<hash>.spec.manifest.json → the binary and its spec
//! blobs/sha256/5a/5adf24ba…                          the blobs, by sha256
//! ```
//!
//! A manifest is `{"version": 3, "data": […]}`; each element has a media type, a checksum and a
//! length, and the length of `application/vnd.spack.install…` is the size of the binary: the only
//! place in any cache where it is told. Manifests of signed builds are wrapped in a signature.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use super::blob::read_blob;
use super::{Files, Mirror, MirrorProblems};
use crate::digest::Sha256Text;
use crate::fields::{Fields, Problems};
use crate::problem::{Finding, Problem, quote};
use crate::value::Value;
use cache_index::build::{Hash, Place};

/// There in every v3 mirror, to tell which layout it has.
pub(super) const LAYOUT: &str = "v3/layout.json";

/// All manifests.
pub(super) const MANIFESTS: &str = "v3/manifests";

const INDEXES: &str = "v3/manifests/index";
const SPECS: &str = "v3/manifests/spec";
const INDEX_ENDING: &str = "index.manifest.json";
const SPEC_ENDING: &str = ".spec.manifest.json";

/// Media types without what follows their names: the version of the format, and its compression.
const DATABASE: &str = "application/vnd.spack.db.";
const BINARY: &str = "application/vnd.spack.install.";

/// The version of the manifests that are read.
const VERSION: u64 = 3;

/// Reads every database of a v3 mirror, if it is one, and the sizes of its binaries.
pub(super) fn read(
    files: &dyn Files,
    place: &Place,
    mirror: &mut Mirror,
    problems: &mut MirrorProblems,
) -> io::Result<()> {
    let earlier = mirror.databases.len();
    let indexes = files.list(INDEXES)?;
    for file in indexes.iter().filter(|file| file.ends_with(INDEX_ENDING)) {
        for blob in read_manifest_file(files, file, problems)? {
            if !blob.media_type.starts_with(DATABASE) {
                continue;
            }
            let path = blob_path(&blob.checksum);
            let Some(input) = files.open(&path)? else {
                problems.note(file, Finding::MissingBlob { path });
                continue;
            };
            let database = read_blob(input, place, Some(&blob.checksum), Some(blob.length));
            // A problem is the blob's, but its name says nothing to a person.
            mirror.databases.extend(problems.database(file, database));
        }
    }
    let sizes = read_sizes(files, problems)?;
    let mut listed = BTreeSet::new();
    for (_, database) in &mut mirror.databases[earlier..] {
        for build in &mut database.builds {
            build.size = sizes.get(&build.hash).copied().filter(|_| build.has_binary());
            listed.insert(build.hash);
        }
    }
    mirror.unlisted = sizes.into_keys().filter(|hash| !listed.contains(hash)).collect();
    Ok(())
}

/// The size of each binary that has a manifest, in bytes.
fn read_sizes(files: &dyn Files, problems: &mut MirrorProblems) -> io::Result<BTreeMap<Hash, u64>> {
    let mut sizes = BTreeMap::new();
    for file in files.list(SPECS)? {
        let Some(stem) = file.strip_suffix(SPEC_ENDING) else { continue };
        let written = stem.rsplit('-').next().unwrap_or_default();
        let hash: Hash = match written.parse() {
            Ok(hash) => hash,
            Err(error) => {
                problems.note(&file, Finding::BadHash { found: quote(written), error });
                continue;
            }
        };
        for blob in read_manifest_file(files, &file, problems)? {
            if blob.media_type.starts_with(BINARY) {
                sizes.insert(hash, blob.length);
            }
        }
    }
    Ok(sizes)
}

/// Where a blob is in a mirror.
fn blob_path(checksum: &Sha256Text) -> String {
    let digits = checksum.as_str();
    format!("blobs/sha256/{}/{digits}", &digits[..2])
}

fn read_manifest_file(
    files: &dyn Files,
    file: &str,
    problems: &mut MirrorProblems,
) -> io::Result<Vec<Blob>> {
    let mut bytes = Vec::new();
    if let Some(mut input) = files.open(file)? {
        input.read_to_end(&mut bytes)?;
    }
    let outcome = match String::from_utf8(bytes) {
        Ok(text) => read_manifest(&text),
        Err(error) => {
            problems.note(file, Finding::NotUtf8 { byte: error.utf8_error().valid_up_to() });
            return Ok(Vec::new());
        }
    };
    Ok(outcome.unwrap_or_else(|found| {
        problems.add(file, found);
        Vec::new()
    }))
}

/// One thing that a manifest names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Blob {
    pub(super) media_type: String,
    pub(super) checksum: Sha256Text,
    pub(super) length: u64,
}

/// Reads a manifest, signed or not.
pub(super) fn read_manifest(text: &str) -> Result<Vec<Blob>, Vec<Problem>> {
    let mut problems = Problems::default();
    let text = without_signature(text);
    let value: Value = match serde_json::from_str(text.as_deref().unwrap_or_default()) {
        Ok(value) => value,
        Err(error) => {
            problems.note_json_error(&error);
            return Err(problems.into_vec());
        }
    };
    let mut blobs = Vec::new();
    if let Some(mut fields) = Fields::open(value, "", &mut problems) {
        match fields.whole("version", &mut problems) {
            Some(VERSION) | None => {
                for element in fields.list("data", &mut problems).unwrap_or_default() {
                    blobs.extend(read_element(element, &mut problems));
                }
                fields.close(&mut problems);
            }
            Some(found) => problems.note("version", Finding::UnknownManifestVersion { found }),
        }
    }
    if problems.len() == 0 { Ok(blobs) } else { Err(problems.into_vec()) }
}

fn read_element(value: Value, problems: &mut Problems) -> Option<Blob> {
    let mut fields = Fields::open(value, "data", problems)?;
    let media_type = fields.text("mediaType", problems);
    let length = fields.whole("contentLength", problems);
    fields.text("compression", problems);
    match fields.text("checksumAlgorithm", problems) {
        Some(algorithm) if algorithm != "sha256" => {
            let found = quote(&algorithm);
            problems.note("data.checksumAlgorithm", Finding::UnknownChecksum { found });
        }
        _ => {}
    }
    let checksum = fields.text("checksum", problems).and_then(|text| {
        let checksum = Sha256Text::new(&text);
        if checksum.is_none() {
            problems.note("data.checksum", Finding::BadDigest { found: quote(&text) });
        }
        checksum
    });
    fields.close(problems);
    Some(Blob { media_type: media_type?, checksum: checksum?, length: length? })
}

/// The text within a signature, if there is one around it. OpenPGP puts `- ` before lines that start
/// with a dash. `None` for a signature that was cut off.
fn without_signature(text: &str) -> Option<String> {
    const START: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
    const END: &str = "-----BEGIN PGP SIGNATURE-----";
    let Some(signed) = text.strip_prefix(START) else { return Some(text.to_string()) };
    let mut lines = signed.lines().skip(1);
    // Headers end with an empty line.
    lines.find(|line| line.trim().is_empty())?;
    let mut message = String::new();
    for line in lines {
        if line.trim_end() == END {
            return Some(message);
        }
        message.push_str(line.strip_prefix("- ").unwrap_or(line));
        message.push('\n');
    }
    None
}
