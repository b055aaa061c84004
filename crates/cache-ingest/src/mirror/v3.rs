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
//! One index may name several databases, each in another version of the format, for older and newer Spacks. As in
//! Spack, the newest known version is used. [`check_other_databases`] checks the others.

use std::io;

use super::manifest::{Blob, read_layout, read_manifest};
use super::signature::signature;
use super::{Binary, DatabaseInMirror, Files, Findings, Layout, Mirror};
use crate::database_version::NEWEST_VERSION;
use crate::digest::{DigestReader, Fingerprint, Sha256Text};
use crate::problem::{Finding, Novelty, Position, Problem, quote};
use cache_index::build::{BinaryDigest, Hash, Signature};
use cache_index::file_names::{SPEC_ENDING, SPECS};
use cache_index::sorting;

/// A file in every v3 mirror that identifies its layout.
pub(crate) const LAYOUT: &str = "v3/layout.json";

/// The folder of all manifests.
pub(crate) const MANIFESTS: &str = "v3/manifests";

/// The folder of the manifests of databases.
pub(crate) const INDEXES: &str = "v3/manifests/index/";
/// The name of the manifest of a database.
pub(crate) const INDEX_NAME: &str = "index.manifest.json";

/// Media types without their suffixes: the version of the format, and its compression.
const DATABASE: &str = "application/vnd.spack.db.v";
pub(super) const BINARY: &str = "application/vnd.spack.install.";
pub(super) const SPEC: &str = "application/vnd.spack.spec.";

/// Finds every database of a v3 mirror, or only that of one view, and the sizes of its binaries, if this is a v3
/// mirror.
pub(super) fn find(
    files: &dyn Files,
    view: Option<&str>,
    mirror: &mut Mirror,
    findings: &mut Findings,
) -> io::Result<()> {
    check_layout(files, findings)?;
    let mut indexes = index_files(files)?;
    indexes.retain(|(_, of)| view.is_none() || of.as_deref() == view);
    for (file, view) in indexes {
        let Some((blobs, _)) = read_file(files, &file, None, findings)? else { continue };
        let Some(blob) = newest_database(&file, &blobs, findings) else { continue };
        let path = blob_path(&blob.checksum);
        if files.open(&path)?.is_none() {
            findings.report(&file, Finding::MissingBlob { path });
            continue;
        }
        let stated = Some(Fingerprint { digest: blob.checksum.clone(), length: Some(blob.length) });
        mirror.databases.push(DatabaseInMirror { file, path, stated, view, layout: Layout::V3 });
    }
    find_binaries(files, mirror, findings)
}

/// Returns the names of the views.
pub(super) fn views(files: &dyn Files) -> io::Result<Vec<String>> {
    Ok(index_files(files)?.into_iter().filter_map(|(_, view)| view).collect())
}

/// Returns all index manifests, each with its view; that of the whole mirror first.
fn index_files(files: &dyn Files) -> io::Result<Vec<(String, Option<String>)>> {
    let mut indexes: Vec<(String, Option<String>)> = files
        .list(INDEXES.trim_end_matches('/'))?
        .into_iter()
        .filter_map(|file| {
            let folder = file.strip_prefix(INDEXES)?.strip_suffix(INDEX_NAME)?;
            let view = match folder {
                "" => None,
                folder => Some(folder.strip_suffix('/')?.to_owned()),
            };
            Some((file, view))
        })
        .collect();
    sorting::sort_by(&mut indexes, |(_, one), (_, other)| one.cmp(other));
    Ok(indexes)
}

/// Checks the version in the layout file, if it states one: Spack 1.x only writes how binaries are signed.
fn check_layout(files: &dyn Files, findings: &mut Findings) -> io::Result<()> {
    let Some(mut file) = files.open(LAYOUT)? else { return Ok(()) };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    findings.take(LAYOUT, None, read_layout(&bytes));
    Ok(())
}

/// Picks the newest known version among the databases of an index, or else the oldest of the newer ones, which is the
/// most likely to be readable.
fn newest_database<'b>(file: &str, blobs: &'b [Blob], findings: &mut Findings) -> Option<&'b Blob> {
    let mut databases = Vec::new();
    for blob in blobs {
        match database_version(&blob.media_type) {
            Some(version) => databases.push((version, blob)),
            None => {
                let media_type = blob.media_type.clone();
                findings.note(file, Novelty::UnknownMediaType { media_type });
            }
        }
    }
    let is_known = |(version, _): &&(u32, &Blob)| *version <= NEWEST_VERSION;
    let known = databases.iter().filter(is_known).max_by_key(|(version, _)| *version);
    let &(chosen, blob) = known.or_else(|| databases.iter().min_by_key(|(version, _)| *version))?;
    for &(version, _) in databases.iter().filter(|(version, _)| *version > chosen) {
        findings.note(file, Novelty::UnusedDatabase { version });
    }
    Some(blob)
}

/// Checks the databases that indexes name but that are not read: each must be there, and match what its index states.
///
/// # Errors
///
/// If the files cannot be listed or read.
pub fn check_other_databases(files: &dyn Files) -> io::Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for (file, _) in index_files(files)? {
        // What is wrong with the manifest is reported when the mirror is read.
        let reported = &mut Findings::default();
        let Some((blobs, _)) = read_file(files, &file, None, reported)? else { continue };
        let read = newest_database(&file, &blobs, reported).map(|blob| &blob.checksum);
        let others = blobs.iter().filter(|blob| database_version(&blob.media_type).is_some());
        for blob in others.filter(|blob| Some(&blob.checksum) != read) {
            let path = blob_path(&blob.checksum);
            let stated = Fingerprint { digest: blob.checksum.clone(), length: Some(blob.length) };
            let (file, found) = match files.open(&path)? {
                Some(database) => (
                    format!("{path}, named by {file}"),
                    DigestReader::new(database).finish(&stated)?,
                ),
                None => (file.clone(), vec![Finding::MissingBlob { path }]),
            };
            let at = Position { file, ..Position::default() };
            problems.extend(found.into_iter().map(|finding| Problem { at: at.clone(), finding }));
        }
    }
    Ok(problems)
}

/// Returns the version in `application/vnd.spack.db.v8+json`.
fn database_version(media_type: &str) -> Option<u32> {
    media_type.strip_prefix(DATABASE)?.strip_suffix("+json")?.parse().ok()
}

/// Reads what the manifests of builds say about their binaries, and which blobs are in the mirror.
pub(super) fn find_binaries(
    files: &dyn Files,
    mirror: &mut Mirror,
    findings: &mut Findings,
) -> io::Result<()> {
    let mut binaries = BlobsOfAKind::default();
    let mut specs = BlobsOfAKind::default();
    for (file, written) in manifests(files)? {
        let hash: Hash = match written.parse() {
            Ok(hash) => hash,
            Err(error) => {
                findings.report(&file, Finding::BadHash { found: quote(&written), error });
                continue;
            }
        };
        mirror.layouts.insert(Layout::V3);
        let Some((blobs, signature)) = read_file(files, &file, Some(hash), findings)? else {
            mirror.damaged.insert(hash);
            continue;
        };
        let binary: &mut Binary = mirror.binaries.entry(hash).or_default();
        binary.signature = Some(signature);
        for blob in blobs {
            if blob.media_type.starts_with(BINARY) {
                binary.size = Some(blob.length);
                binary.digest = BinaryDigest::of_sha256(blob.checksum.as_str());
                if binaries.look_for(files, &blob, hash)? {
                    mirror.present.add(blob.length);
                }
            } else if blob.media_type.starts_with(SPEC) {
                specs.look_for(files, &blob, hash)?;
            } else {
                findings.note(&file, Novelty::UnknownMediaType { media_type: blob.media_type });
            }
        }
    }
    for BlobsOfAKind { has_any, absent } in [binaries, specs] {
        if has_any {
            mirror.incomplete.extend(absent);
        }
    }
    Ok(())
}

/// The blobs of one kind that manifests name.
#[derive(Default)]
struct BlobsOfAKind {
    /// `true` if the mirror has one of them.
    has_any: bool,
    /// The builds whose blob is not in the mirror.
    absent: Vec<Hash>,
}

impl BlobsOfAKind {
    /// Returns `true` if the blob is there.
    fn look_for(&mut self, files: &dyn Files, blob: &Blob, build: Hash) -> io::Result<bool> {
        let is_there = files.has(&blob_path(&blob.checksum))?;
        match is_there {
            true => self.has_any = true,
            false => self.absent.push(build),
        }
        Ok(is_there)
    }
}

/// Lists the manifests of builds, each with the hash in its name.
pub(super) fn manifests(files: &dyn Files) -> io::Result<Vec<(String, String)>> {
    let manifest = |file: String| {
        let hash = file.strip_suffix(SPEC_ENDING)?.rsplit('-').next()?.to_owned();
        Some((file, hash))
    };
    Ok(files.list(SPECS)?.into_iter().filter_map(manifest).collect())
}

/// Returns the path of a blob in a mirror.
pub(crate) fn blob_path(checksum: &Sha256Text) -> String {
    let digits = checksum.as_str();
    format!("blobs/sha256/{}/{digits}", &digits[..2])
}

/// Reads a manifest and its signature; `None` if it cannot be used, which is reported.
fn read_file(
    files: &dyn Files,
    file: &str,
    build: Option<Hash>,
    findings: &mut Findings,
) -> io::Result<Option<(Vec<Blob>, Signature)>> {
    let mut bytes = Vec::new();
    if let Some(mut input) = files.open(file)? {
        input.read_to_end(&mut bytes)?;
    }
    let blobs = findings.take(file, build, read_manifest(&bytes));
    Ok(blobs.map(|blobs| (blobs, signature(&String::from_utf8_lossy(&bytes)))))
}
