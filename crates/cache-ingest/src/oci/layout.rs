//! A folder in OCI's image layout, as `skopeo copy … oci:folder` and `oras copy --to-oci-layout` make.
//!
//! ```text
//! oci-layout            {"imageLayoutVersion": "1.0.0"}
//! index.json            the manifests, each with its tag as an annotation
//! blobs/sha256/<digest> manifests, configurations and layers
//! ```

use std::collections::BTreeMap;
use std::io::{self, Read as _};

use super::image::{descriptor, last_layer};
use super::{ENDING, INDEX as REPOSITORY_INDEX, Registry};
use crate::digest::{Fingerprint, Sha256Text, read_stated};
use crate::fields::{Fields, Problems};
use crate::files::{Amount, Files};
use crate::problem::Finding;
use crate::read::Read;
use crate::value::Value;

/// The file that identifies such a folder.
const MARK: &str = "oci-layout";

/// The file that lists the manifests.
const INDEX: &str = "index.json";

/// The annotation that contains the tag.
const TAG: &str = "org.opencontainers.image.ref.name";

/// The maximum size of a manifest; registries reject larger ones.
const LONGEST: u64 = 4_000_000;

/// A folder in OCI's image layout.
pub struct ImageLayout<'f> {
    files: &'f (dyn Files + Sync),
    manifests: BTreeMap<String, Fingerprint>,
}

/// Returns `true` if a folder is in OCI's image layout.
pub fn is_layout(files: &dyn Files) -> io::Result<bool> {
    Ok(files.open(MARK)?.is_some())
}

impl<'f> ImageLayout<'f> {
    /// Reads the list of manifests in a folder. A damaged entry is reported, and the others are kept.
    pub fn open(files: &'f (dyn Files + Sync)) -> Read<ImageLayout<'f>> {
        let mut problems = Problems::default();
        let mut bytes = Vec::new();
        let outcome = files.open(INDEX).and_then(|file| match file {
            Some(mut file) => file.read_to_end(&mut bytes).map(|_| ()),
            None => Err(io::Error::from(io::ErrorKind::NotFound)),
        });
        if let Err(error) = outcome {
            problems.report("", Finding::Unreadable { message: error.to_string() });
            return problems.read(None).in_file(INDEX);
        }
        let manifests = match Value::of_json(&bytes) {
            Ok(value) => manifests(value, &mut problems),
            Err(error) => {
                problems.report_json_error(&error);
                None
            }
        };
        problems.read(manifests.map(|manifests| ImageLayout { files, manifests })).in_file(INDEX)
    }

    /// Returns the number of builds and the length of all blobs, if the binaries are there. Only the first build is
    /// checked, because nobody copies half of a repository.
    pub(crate) fn present(&self) -> Amount {
        let is_build = |tag: &&String| tag.ends_with(ENDING) && *tag != REPOSITORY_INDEX;
        let mut builds = self.manifests.keys().filter(is_build);
        let count = builds.clone().count();
        let has_binary = |tag: &String| {
            let layer = last_layer(&self.manifest(tag).ok()??).value??;
            self.blob(&layer.digest).ok()?
        };
        if builds.next().and_then(has_binary).is_none() {
            return Amount::default();
        }
        let blobs = self.files.list("blobs").unwrap_or_default();
        let bytes = blobs.iter().filter_map(|path| self.files.length(path)).sum();
        Amount { binaries: count, bytes }
    }
}

fn manifests(value: Value<'_>, problems: &mut Problems) -> Option<BTreeMap<String, Fingerprint>> {
    let mut fields = Fields::open(value, "", problems)?;
    let mut manifests = BTreeMap::new();
    for mut manifest in fields.list("manifests", problems)? {
        let tag = tag(&mut manifest);
        if let Some(stated) = descriptor(manifest, "manifests", problems)
            && let Some(tag) = tag
        {
            manifests.insert(tag, stated);
        }
    }
    Some(manifests)
}

/// Returns the tag of a manifest. Some programs write the name of the repository before it.
fn tag(manifest: &mut Value<'_>) -> Option<String> {
    let annotations = crate::fields::field(manifest, "annotations")?;
    match crate::fields::field(annotations, TAG)? {
        Value::Text(text) => Some(text.rsplit([':', '/']).next().unwrap_or(text).to_owned()),
        _ => None,
    }
}

impl Registry for ImageLayout<'_> {
    fn tags(&self) -> io::Result<Vec<String>> {
        Ok(self.manifests.keys().cloned().collect())
    }

    fn manifest(&self, tag: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(stated) = self.manifests.get(tag) else { return Ok(None) };
        let Some(blob) = self.blob(&stated.digest)? else { return Ok(None) };
        let bytes = read_stated(blob, stated, LONGEST)?;
        bytes.map(Some).map_err(|finding| io::Error::other(finding.to_string()))
    }

    fn blob(&self, digest: &Sha256Text) -> io::Result<Option<Box<dyn io::Read + '_>>> {
        self.files.open(&format!("blobs/sha256/{}", digest.as_str()))
    }
}
