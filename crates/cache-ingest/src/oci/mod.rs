//! A cache in a registry: images whose configuration is the spec.
//!
//! ```text
//! zlib-1.3.1-<hash>.spack   a tag; its image's config blob is the spec file, its last layer the binary
//! index.spack               a tag; its image's only layer is the database
//! ```
//!
//! In a tag, every character that registries do not allow is replaced by `_`, and of more than 128
//! characters only the first and last 64 are kept. So only the hash is read from a tag.
//!
//! Surprises:
//!
//! - the media type of the index's layer says tar and gzip, but the layer is plain JSON;
//! - the other layers of an image are those of the link and run dependencies, for `docker run`;
//! - a config blob is the spec file with the fields of an image added to it, and with `archive_size`.
//!
//! A repository without an index is read from its images, one by one. A [`Registry`] is the source of the files;
//! [`ImageLayout`] reads them from a folder in OCI's image layout.

mod address;
mod image;
mod layout;

use std::collections::BTreeMap;
use std::io;

pub use self::address::{Address, AddressError};
#[cfg(feature = "binary")]
pub(crate) use self::image::last_layer;
pub use self::image::{MANIFEST_TYPES, read_config, read_image};
use self::image::{Manifest, read_manifest};
pub use self::layout::{ImageLayout, is_layout};
use crate::digest::{Fingerprint, Sha256Text};
use crate::fields::Problems;
use crate::problem::{Finding, Position, Problem, quote};
use crate::read::Read;
use cache_index::build::Hash;

/// A repository of a registry, on another machine or in a folder.
pub trait Registry {
    /// Returns all tags.
    fn tags(&self) -> io::Result<Vec<String>>;

    /// Returns the manifest of a tag; `None` if there is none.
    fn manifest(&self, tag: &str) -> io::Result<Option<Vec<u8>>>;

    /// Opens a blob; `None` if there is none with this digest.
    fn blob(&self, digest: &Sha256Text) -> io::Result<Option<Box<dyn io::Read + '_>>>;
}

/// The contents of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    /// The blob of its database, if it has an index.
    pub database: Option<Fingerprint>,
    /// The tags of its builds.
    pub builds: BTreeMap<Hash, String>,
}

/// The tag of the database.
pub const INDEX: &str = "index.spack";

/// The end of the tags of builds.
const ENDING: &str = ".spack";

/// Finds the database and the builds of a repository.
pub fn find_repository(registry: &dyn Registry) -> Read<Repository> {
    let mut problems = Problems::default();
    let repository = match find(registry, &mut problems) {
        Ok(repository) => repository,
        Err(error) => {
            problems.report("", Finding::Unreadable { message: error.to_string() });
            None
        }
    };
    problems.read(repository)
}

fn find(registry: &dyn Registry, problems: &mut Problems) -> io::Result<Option<Repository>> {
    let mut repository = Repository::default();
    let mut has_index = false;
    for tag in registry.tags()? {
        match tag.strip_suffix(ENDING) {
            Some(_) if tag == INDEX => has_index = true,
            Some(start) => {
                if let Some(hash) = hash_at_end(start, problems) {
                    repository.builds.insert(hash, tag);
                }
            }
            // Images of whole environments, for running them, have other tags.
            None => {}
        }
    }
    if has_index {
        let Some(bytes) = registry.manifest(INDEX)? else {
            problems.report(INDEX, Finding::MissingImage);
            return Ok(None);
        };
        let read = read_manifest(&bytes).in_file(INDEX);
        let is_whole = read.problems.is_empty();
        problems.extend(read.problems);
        let Some(Manifest { layers, .. }) = read.value.filter(|_| is_whole) else {
            return Ok(None);
        };
        match <[_; 1]>::try_from(layers) {
            Ok([layer]) => repository.database = Some(layer),
            Err(layers) => {
                problems.report_at(
                    Position { file: INDEX.to_owned(), ..Position::default() },
                    Finding::ExpectedOneLayer { count: layers.len() },
                );
                return Ok(None);
            }
        }
    } else if repository.builds.is_empty() {
        problems.report("", Finding::NoImages);
        return Ok(None);
    }
    Ok(Some(repository))
}

fn hash_at_end(start: &str, problems: &mut Problems) -> Option<Hash> {
    let written = start.rsplit('-').next().unwrap_or_default();
    match written.parse() {
        Ok(hash) => Some(hash),
        Err(error) => {
            let at = Position { file: format!("{start}{ENDING}"), ..Position::default() };
            problems.report_at(at, Finding::BadHash { found: quote(written), error });
            None
        }
    }
}

/// Reads a small blob, and checks its digest and length.
fn small_blob(registry: &dyn Registry, stated: &Fingerprint) -> Result<Vec<u8>, Finding> {
    let unreadable = |error: io::Error| Finding::Unreadable { message: error.to_string() };
    let blob = registry.blob(&stated.digest).map_err(unreadable)?;
    let blob = blob.ok_or_else(|| Finding::MissingBlob {
        path: format!("sha256:{}", stated.digest.as_str()),
    })?;
    crate::digest::read_stated(blob, stated, LONGEST).map_err(unreadable)?
}

/// The maximum size of a configuration; a spec with its whole graph has some hundred kilobytes.
const LONGEST: u64 = 64_000_000;

impl Problem {
    /// Returns the problem for a finding about a tag.
    fn of_tag(tag: &str, hash: Hash, finding: Finding) -> Problem {
        let record = Some(crate::problem::Record { number: 0, hash: hash.to_string() });
        Problem { at: Position { file: tag.to_owned(), record, ..Position::default() }, finding }
    }
}
