//! The details as JSON: a separate part, because only the page of a single build shows them.
//!
//! | field | meaning | shape |
//! | --- | --- | --- |
//! | `sizes` | of all builds in order: bytes of the binary; null if unknown | numbers |
//! | `package_hashes` | the distinct hashes of recipes in the order in which builds first have them; null for builds without one | strings |
//! | `package_hash` | by build → `package_hashes` | *distances* |
//!
//! *Distances* are explained in [`met`](super::met). A field is absent if nothing of its kind is
//! known, and the part is absent if nothing is known at all.
//!
//! A size takes three to four bytes that no compression makes smaller. The hash of a recipe takes 33, but the builds of
//! one package share a few, and they are adjacent.

use serde::{Deserialize, Serialize};

use super::LoadError;
use super::met::{from_distances, to_distances};
use crate::index::details::Details;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct DetailsDocument {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<Option<u64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    package_hashes: Vec<Option<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    package_hash: Vec<u32>,
}

impl DetailsDocument {
    pub(super) fn new(details: &Details) -> DetailsDocument {
        DetailsDocument {
            sizes: details.sizes.clone(),
            package_hashes: details.package_hashes.clone(),
            package_hash: to_distances(&details.package_hash),
        }
    }

    pub(super) fn read(self, builds: usize) -> Result<Details, LoadError> {
        for (field, length) in
            [("details.sizes", self.sizes.len()), ("details.package_hash", self.package_hash.len())]
        {
            if length != 0 && length != builds {
                return Err(LoadError::UnequalColumns(field));
            }
        }
        let package_hash = from_distances(&self.package_hash, self.package_hashes.len())
            .ok_or(LoadError::BadCode("details.package_hash"))?;
        Ok(Details { sizes: self.sizes, package_hash, package_hashes: self.package_hashes })
    }
}
