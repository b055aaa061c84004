//! Facts about single builds, shown only when a build is opened.

/// Sizes and recipe hashes by build. A list is empty if it would contain nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Details {
    /// The size of each build's binary in bytes.
    pub(crate) sizes: Vec<Option<u64>>,
    /// By build: the position of its recipe hash in `package_hashes`.
    pub(crate) package_hash: Vec<u32>,
    /// The distinct hashes, in the order in which builds first have them; `None` for builds without one.
    pub(crate) package_hashes: Vec<Option<String>>,
}

impl Details {
    /// Creates the details from the facts about all builds, in their order; recipe hashes are codes of a list.
    pub(crate) fn new(
        sizes: Vec<Option<u64>>,
        package_hash: Vec<u32>,
        package_hashes: Vec<Option<String>>,
    ) -> Details {
        let mut details = Details::default();
        if sizes.iter().any(Option::is_some) {
            details.sizes = sizes;
        }
        if package_hashes.iter().any(Option::is_some) {
            let mut met = vec![None; package_hashes.len()];
            for code in package_hash {
                let code = code as usize;
                let new = *met[code].get_or_insert_with(|| {
                    details.package_hashes.push(package_hashes[code].clone());
                    details.package_hashes.len() as u32 - 1
                });
                details.package_hash.push(new);
            }
        }
        details
    }

    /// Returns `true` if nothing is known about any build.
    pub(crate) fn is_empty(&self) -> bool {
        self.sizes.is_empty() && self.package_hash.is_empty()
    }

    pub(crate) fn size(&self, build: usize) -> Option<u64> {
        self.sizes.get(build).copied().flatten()
    }

    pub(crate) fn package_hash(&self, build: usize) -> Option<&str> {
        let code = *self.package_hash.get(build)?;
        self.package_hashes[code as usize].as_deref()
    }
}
