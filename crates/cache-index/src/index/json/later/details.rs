//! The details as JSON: a separate part, because only the page of a single build shows them.
//!
//! | field | meaning | shape |
//! | --- | --- | --- |
//! | `sizes` | of all builds in order: bytes of the binary; null if unknown | numbers |
//! | `digests` | of all builds in order: the first six digits of the sha256 of the binary as a number; null if unknown | numbers |
//! | `package_hashes` | the distinct hashes of recipes in the order in which builds first have them; null for builds without one | strings |
//! | `package_hash` | by build → `package_hashes` | *distances* |
//! | `signatures` | the distinct [signatures](crate::build::Signature::text) of manifests in the order in which builds first have them: the id of a key, `?` if the signature does not name it, `none` for unsigned builds; null if unknown | strings |
//! | `signature` | by build → `signatures` | *distances* |
//! | `publications` | the distinct times when publications were made, in the order in which builds first appeared in them; null for builds without a known publication that lacks them | strings |
//! | `first_seen` | by build → `publications` | *distances* |
//!
//! *Distances* are explained in [`recency`](crate::index::json::recency). A field is absent if nothing of its kind is
//! known, and the part is absent if nothing is known at all.
//!
//! A size takes three to four bytes that no compression makes smaller, and a digest three; only mirrors on a disk have them.
//! The hash of a recipe takes 33, but the builds of one package share a few, and they are adjacent.

use serde::{Deserialize, Serialize};

use crate::build::BinaryDigest;

use crate::index::Index;
use crate::index::details::{Details, SharedTexts};
use crate::index::json::recency::{from_distances, to_distances};
use crate::index::json::{LoadError, numbers};

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::index::json) struct DetailsDocument {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<Option<u64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    digests: Vec<Option<BinaryDigest>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    package_hashes: Vec<Option<String>>,
    #[serde(deserialize_with = "numbers::list", skip_serializing_if = "Vec::is_empty")]
    package_hash: Vec<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    signatures: Vec<Option<String>>,
    #[serde(deserialize_with = "numbers::list", skip_serializing_if = "Vec::is_empty")]
    signature: Vec<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    publications: Vec<Option<String>>,
    #[serde(deserialize_with = "numbers::list", skip_serializing_if = "Vec::is_empty")]
    first_seen: Vec<u32>,
}

impl DetailsDocument {
    pub(in crate::index::json) fn new(details: &Details) -> DetailsDocument {
        let Details { sizes, digests, package_hashes, signatures, first_seen } = details;
        DetailsDocument {
            sizes: sizes.clone(),
            digests: digests.clone(),
            package_hashes: package_hashes.texts.clone(),
            package_hash: to_distances(&package_hashes.by_build),
            signatures: signatures.texts.clone(),
            signature: to_distances(&signatures.by_build),
            publications: first_seen.texts.clone(),
            first_seen: to_distances(&first_seen.by_build),
        }
    }

    fn read(self, builds: usize) -> Result<Details, LoadError> {
        let is_column = |field, length: usize| match length == 0 || length == builds {
            true => Ok(()),
            false => Err(LoadError::UnequalColumns(field)),
        };
        let shared =
            |field, texts: Vec<Option<String>>, distances: &[u32]| -> Result<_, LoadError> {
                is_column(field, distances.len())?;
                let by_build =
                    from_distances(distances, texts.len()).ok_or(LoadError::BadCode(field))?;
                Ok(SharedTexts { texts, by_build })
            };
        is_column("details.sizes", self.sizes.len())?;
        is_column("details.digests", self.digests.len())?;
        Ok(Details {
            package_hashes: shared(
                "details.package_hash",
                self.package_hashes,
                &self.package_hash,
            )?,
            signatures: shared("details.signature", self.signatures, &self.signature)?,
            first_seen: shared("details.first_seen", self.publications, &self.first_seen)?,
            sizes: self.sizes,
            digests: self.digests,
        })
    }
}

/// Reads the details, unless they have been loaded already.
pub(in crate::index::json) fn take(
    index: &Index,
    document: DetailsDocument,
) -> Result<(), LoadError> {
    let _ = index.details.set(document.read(index.specs() as usize)?);
    Ok(())
}
