//! The details as JSON: a part of its own, because only the page of one build shows them.
//!
//! | field | what | shape |
//! | --- | --- | --- |
//! | `sizes` | of all builds in order: bytes of the binary; null where nobody told | numbers |
//! | `package_hashes` | the distinct hashes of recipes in the order in which builds have them; null for those that have none | strings |
//! | `package_hash` | by build → `package_hashes` | *distances* |
//!
//! *Distances* are told in [`met`](super::met). A field is absent where nothing of its kind is known,
//! and the part is where nothing is known at all.
//!
//! A size is three to four bytes of text that no compression makes shorter. A recipe's hash weighs
//! 33, but the builds of one package share a few, which lie together.

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
