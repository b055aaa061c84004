//! Facts about single builds, shown only when a build is opened.

use std::collections::BTreeMap;

use super::{BuildId, Index};
use crate::build::{BinaryDigest, Signature};
use crate::sorting;

/// Sizes, recipe hashes, signatures and publications by build. A list is empty if it would contain nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Details {
    /// The size of each build's binary in bytes.
    pub(crate) sizes: Vec<Option<u64>>,
    /// The digest of each build's binary.
    pub(crate) digests: Vec<Option<BinaryDigest>>,
    /// The hashes of recipes.
    pub(crate) package_hashes: SharedTexts,
    /// The signatures of manifests, [as text](crate::build::Signature::text).
    pub(crate) signatures: SharedTexts,
    /// The times of the publications in which builds first appeared.
    pub(crate) first_seen: SharedTexts,
}

impl Index {
    /// Returns the hash of the recipe that a build was made from; `None` if it is not known or the details have not
    /// been loaded.
    pub fn package_hash(&self, build: BuildId) -> Option<&str> {
        self.details.get()?.package_hash(build.at())
    }

    /// Returns the hashes of the recipes of all builds, once the details have been loaded.
    pub fn package_hashes(&self) -> Option<&SharedTexts> {
        self.details.get().map(|details| &details.package_hashes)
    }

    /// Returns `true` if the signature of any build is known.
    pub fn has_signatures(&self) -> bool {
        self.details.get().is_some_and(|details| !details.signatures.by_build.is_empty())
    }

    /// Returns the signature of a build's manifest; `None` if it is unknown or the details have not been loaded.
    pub fn signature(&self, build: BuildId) -> Option<Signature> {
        self.details.get()?.signature(build.at()).map(Signature::of_text)
    }

    /// Returns the digest of a build's binary; `None` if it is unknown or the details have not been loaded.
    pub fn digest(&self, build: BuildId) -> Option<BinaryDigest> {
        self.details.get()?.digest(build.at())
    }

    /// Returns `true` if the digest of any build's binary is known.
    pub fn has_digests(&self) -> bool {
        self.details.get().is_some_and(|details| !details.digests.is_empty())
    }

    /// Returns when the publication in which a build first appeared was made; `None` if that is not known, or the details
    /// have not been loaded.
    pub fn first_seen(&self, build: BuildId) -> Option<&str> {
        self.details.get()?.first_seen(build.at())
    }

    /// Returns the times of the publications in which builds of this cache first appeared, newest first; empty until
    /// the details have been loaded.
    pub fn publications(&self) -> Vec<&str> {
        let texts = self.details.get().map(|details| details.first_seen.texts.iter());
        let mut made: Vec<&str> =
            texts.into_iter().flatten().flatten().map(String::as_str).collect();
        sorting::sort_by(&mut made, |a, b| b.cmp(a));
        made
    }

    /// Returns the size of a build's binary in bytes; `None` if it is not known or the details have not been loaded.
    pub fn size(&self, build: BuildId) -> Option<u64> {
        self.details.get()?.size(build.at())
    }
}

/// A text for each build; many builds share a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedTexts {
    /// The distinct texts, in the order in which builds first have them; `None` for builds without one.
    pub texts: Vec<Option<String>>,
    /// By build: the position of its text.
    pub by_build: Vec<u32>,
}

impl SharedTexts {
    /// Takes the code of each build's text, in the order of the builds, and the list of texts, which may be in any
    /// order.
    pub fn new(codes: impl IntoIterator<Item = Option<u32>>, texts: Vec<String>) -> SharedTexts {
        let mut shared = SharedTexts::default();
        if texts.is_empty() {
            return shared;
        }
        let none = texts.len();
        let mut texts: Vec<Option<String>> = texts.into_iter().map(Some).collect();
        let mut met = vec![None; none + 1];
        for code in codes {
            let code = code.map_or(none, |code| code as usize);
            let new = *met[code].get_or_insert_with(|| {
                shared.texts.push(texts.get_mut(code).and_then(Option::take));
                shared.texts.len() as u32 - 1
            });
            shared.by_build.push(new);
        }
        shared
    }

    /// Takes a text for each build.
    pub fn of_texts(by_build: impl IntoIterator<Item = Option<String>>) -> SharedTexts {
        let mut shared = SharedTexts::default();
        let mut met: BTreeMap<Option<String>, u32> = BTreeMap::new();
        for text in by_build {
            let code = *met.entry(text).or_insert_with_key(|text| {
                shared.texts.push(text.clone());
                shared.texts.len() as u32 - 1
            });
            shared.by_build.push(code);
        }
        shared
    }

    /// Returns the text of a build.
    pub fn get(&self, build: usize) -> Option<&str> {
        let code = *self.by_build.get(build)?;
        self.texts[code as usize].as_deref()
    }
}

impl Details {
    /// Creates the details from the facts about all builds, in their order.
    pub(crate) fn new(
        sizes: Vec<Option<u64>>,
        digests: Vec<Option<BinaryDigest>>,
        package_hashes: SharedTexts,
        signatures: SharedTexts,
        first_seen: SharedTexts,
    ) -> Details {
        let is_known = sizes.iter().any(Option::is_some);
        let sizes = if is_known { sizes } else { Vec::new() };
        let is_known = digests.iter().any(Option::is_some);
        let digests = if is_known { digests } else { Vec::new() };
        Details { sizes, digests, package_hashes, signatures, first_seen }
    }

    /// Returns `true` if nothing is known about any build.
    pub(crate) fn is_empty(&self) -> bool {
        self.sizes.is_empty()
            && self.digests.is_empty()
            && self.package_hashes.by_build.is_empty()
            && self.signatures.by_build.is_empty()
            && self.first_seen.by_build.is_empty()
    }

    pub(crate) fn size(&self, build: usize) -> Option<u64> {
        self.sizes.get(build).copied().flatten()
    }

    pub(crate) fn digest(&self, build: usize) -> Option<BinaryDigest> {
        self.digests.get(build).copied().flatten()
    }

    pub(crate) fn package_hash(&self, build: usize) -> Option<&str> {
        self.package_hashes.get(build)
    }

    pub(crate) fn signature(&self, build: usize) -> Option<&str> {
        self.signatures.get(build)
    }

    pub(crate) fn first_seen(&self, build: usize) -> Option<&str> {
        self.first_seen.get(build)
    }
}
