//! The aspects of a spec: what people take for one difference.

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

/// For each aspect, in order: its name in JSON, and its name for people.
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
    pub(super) const COUNT: usize = TABLE.len();

    /// Returns the name in JSON.
    pub fn key(self) -> &'static str {
        TABLE[self as usize].1
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TABLE[*self as usize].2)
    }
}

/// The aspects in which two specs differ: a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AspectSet(pub(super) u16);

impl AspectSet {
    /// Returns how many aspects differ.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns `true` if the specs differ in an aspect.
    pub fn has(self, aspect: Aspect) -> bool {
        self.0 >> aspect as usize & 1 == 1
    }

    /// Returns the aspects, most significant first.
    pub fn iter(self) -> impl Iterator<Item = Aspect> {
        TABLE.into_iter().map(|(aspect, ..)| aspect).filter(move |&aspect| self.has(aspect))
    }

    /// Returns the names in JSON, most significant first.
    pub fn keys(self) -> Vec<&'static str> {
        self.iter().map(Aspect::key).collect()
    }

    /// Reads [`keys`](AspectSet::keys) that are joined by commas; `None` if one of them is not known.
    pub(crate) fn of_keys(keys: &str) -> Option<AspectSet> {
        let aspect = |key: &str| TABLE.into_iter().find(|(_, other, _)| *other == key);
        // Builds that differ in nothing that is known differ in no aspect.
        let keys = keys.split(',').filter(|key| !key.is_empty());
        keys.map(|key| Some(aspect(key)?.0)).collect()
    }
}

impl FromIterator<Aspect> for AspectSet {
    fn from_iter<I: IntoIterator<Item = Aspect>>(aspects: I) -> AspectSet {
        AspectSet(aspects.into_iter().fold(0, |bits, aspect| bits | 1 << aspect as usize))
    }
}

impl fmt::Display for AspectSet {
    /// Writes the names for people: `version, recipe`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.iter().map(|aspect| aspect.to_string()).collect();
        f.write_str(&names.join(", "))
    }
}
