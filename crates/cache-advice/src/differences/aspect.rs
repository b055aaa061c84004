//! The aspects of a build. How much two builds differ is the number of aspects in which they do.

use std::fmt;

/// An aspect in which two specs of a package can differ, most significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Aspect {
    /// The version.
    Version,
    /// Platform, operating system or target.
    Architecture,
    /// The repository of the recipe.
    Namespace,
    /// The compilers, by language, name and version.
    Compiler,
    /// Any variant but `patches`.
    Variants,
    /// Compiler flags.
    Flags,
    /// The patches that were applied.
    Patches,
    /// Being found on the machine instead of built by Spack.
    External,
    /// Which packages it depends on, and why.
    Dependencies,
    /// The recipe's hash.
    Recipe,
    /// The hashes of the builds that it depends on.
    DependencyHashes,
}

/// For each aspect, in the order in which they are declared: its name in JSON, and its name for people.
const TABLE: [(Aspect, &str, &str); 11] = [
    (Aspect::Version, "version", "version"),
    (Aspect::Architecture, "arch", "architecture"),
    (Aspect::Namespace, "namespace", "repository"),
    (Aspect::Compiler, "compiler", "compiler"),
    (Aspect::Variants, "variants", "variants"),
    (Aspect::Flags, "flags", "compiler flags"),
    (Aspect::Patches, "patches", "patches"),
    (Aspect::External, "external", "external"),
    (Aspect::Dependencies, "dep_names", "dependencies"),
    (Aspect::Recipe, "recipe", "recipe"),
    (Aspect::DependencyHashes, "dep_hashes", "builds of its dependencies"),
];

impl Aspect {
    /// The number of aspects.
    pub(crate) const COUNT: usize = TABLE.len();

    /// All aspects, most significant first.
    pub(crate) const ALL: [Aspect; Aspect::COUNT] = {
        let mut all = [Aspect::Version; Aspect::COUNT];
        let mut at = 0;
        while at < all.len() {
            all[at] = TABLE[at].0;
            // The number of an aspect is its position in the table.
            assert!(all[at] as usize == at);
            at += 1;
        }
        all
    };

    /// Returns the name in JSON.
    pub fn key(self) -> &'static str {
        TABLE[self as usize].1
    }
}

/// Writes aspects as their keys, separated by commas.
pub(crate) fn to_keys(aspects: &[Aspect]) -> String {
    aspects.iter().map(|aspect| aspect.key()).collect::<Vec<_>>().join(",")
}

/// Reads what [`to_keys`] writes; `None` if one of the keys is not known.
pub(crate) fn from_keys(keys: &str) -> Option<Vec<Aspect>> {
    let aspect = |key: &str| Aspect::ALL.into_iter().find(|aspect| aspect.key() == key);
    // An empty text is an empty list: the builds do not differ in anything that is known.
    keys.split(',').filter(|key| !key.is_empty()).map(aspect).collect()
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TABLE[*self as usize].2)
    }
}
