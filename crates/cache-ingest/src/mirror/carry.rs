//! The files of a mirror that some builds are installed from, to be copied to a machine without a network.
//!
//! | layout | of each build | of the whole mirror |
//! | --- | --- | --- |
//! | v2 | the spec, signed or not, and the archive | the database with its digest, and the keys in `_pgp` |
//! | v3 | the manifest, and the blobs that it names | the layout, the manifests of indexes and keys, and their blobs |

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read as _};

use cache_index::build::Hash;
use cache_index::environment::{CarriedFile, CarryList};
use cache_index::file_names::{SPEC_ENDING, SPECS};

use super::v3::{LAYOUT, MANIFESTS, blob_path};
use super::{
    Files, V2_ARCHIVE, V2_DIGEST, V2_FOLDER, V2_INDEX, V2_SIGNED, V2_SPEC, hash_in, read_manifest,
};

/// The folder of the keys of a v2 mirror.
const V2_KEYS: &str = "build_cache/_pgp/";

/// Lists the files that the builds with these hashes are installed from. What is not in the mirror, or cannot be read,
/// is [unknown](CarryList::unknown).
///
/// # Errors
///
/// If the mirror cannot be read.
pub fn carried(files: &dyn Files, hashes: &BTreeSet<Hash>) -> io::Result<CarryList> {
    let mut carrying = Carrying { files, found: BTreeMap::new(), unknown: Vec::new() };
    let mut complete = BTreeSet::new();
    carrying.take_v2(hashes, &mut complete)?;
    carrying.take_v3(hashes, &mut complete)?;
    let absent = hashes.difference(&complete);
    let absent = absent.map(|hash| format!("/{hash}: this mirror does not have its files"));
    carrying.unknown.extend(absent);
    let file = |(path, size)| CarriedFile { path, size };
    let files = carrying.found.into_iter().map(file).collect();
    Ok(CarryList { files, unknown: carrying.unknown })
}

struct Carrying<'f> {
    files: &'f dyn Files,
    /// By path: the size.
    found: BTreeMap<String, Option<u64>>,
    unknown: Vec<String>,
}

impl Carrying<'_> {
    fn take(&mut self, path: String) {
        let size = self.files.length(&path);
        self.found.insert(path, size);
    }

    fn take_v2(
        &mut self,
        hashes: &BTreeSet<Hash>,
        complete: &mut BTreeSet<Hash>,
    ) -> io::Result<()> {
        let (mut specs, mut archives) = (BTreeSet::new(), BTreeSet::new());
        for path in self.files.list(V2_FOLDER)? {
            if path == V2_INDEX || path == V2_DIGEST || path.starts_with(V2_KEYS) {
                self.take(path);
                continue;
            }
            let spec = path.strip_suffix(V2_SIGNED).or(path.strip_suffix(V2_SPEC));
            let archive = path.strip_suffix(V2_ARCHIVE);
            let Some(hash) = spec.or(archive).and_then(hash_in) else { continue };
            if hashes.contains(&hash) {
                if spec.is_some() {
                    specs.insert(hash)
                } else {
                    archives.insert(hash)
                };
                self.take(path);
            }
        }
        for hash in &specs - &archives {
            self.unknown.push(format!("/{hash}: this mirror has its spec, and no archive"));
        }
        complete.extend(specs);
        complete.extend(archives);
        Ok(())
    }

    fn take_v3(
        &mut self,
        hashes: &BTreeSet<Hash>,
        complete: &mut BTreeSet<Hash>,
    ) -> io::Result<()> {
        if self.files.open(LAYOUT)?.is_some() {
            self.take(LAYOUT.to_owned());
        }
        for path in self.files.list(MANIFESTS)? {
            if path.starts_with(SPECS) {
                let hash = path.strip_suffix(SPEC_ENDING).and_then(hash_in);
                let Some(hash) = hash.filter(|hash| hashes.contains(hash)) else { continue };
                complete.insert(hash);
            }
            self.take_manifest(path)?;
        }
        Ok(())
    }

    /// Takes a manifest and the blobs that it names.
    fn take_manifest(&mut self, path: String) -> io::Result<()> {
        let mut bytes = Vec::new();
        if let Some(mut input) = self.files.open(&path)? {
            input.read_to_end(&mut bytes)?;
        }
        let read = read_manifest(&bytes);
        for problem in &read.problems {
            self.unknown.push(format!("the blobs of {path}: {problem}"));
        }
        for blob in read.value.unwrap_or_default() {
            let blob_path = blob_path(&blob.checksum);
            if self.files.has(&blob_path)? {
                self.found.insert(blob_path, Some(blob.length));
            } else {
                let sentence =
                    format!("{blob_path}: {path} names it, and it is not in this mirror");
                self.unknown.push(sentence);
            }
        }
        self.found.insert(path, Some(bytes.len() as u64));
        Ok(())
    }
}
