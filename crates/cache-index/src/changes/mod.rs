//! What changed between two sides: two snapshots of a cache, or two releases or stacks of one.
//!
//! A build *came* if only the new side has a binary with its hash, *went* if only the old one has, and *stayed* if both
//! have. Builds that went and came are paired by [likeness](crate::likeness) within a package, operating system and
//! target. The class of a pair is the most significant aspect in which its builds differ, and the class of a package is
//! the most significant one among its pairs, unless builds of it only came or only went: then that is its class.

mod between;
mod classes;
mod pairs;
mod side;
#[cfg(test)]
mod tests;
mod written;

pub use between::{Between, NotTwoSides, Part};
pub use classes::Class;
pub use pairs::Pair;
pub use side::Side;

use std::collections::BTreeMap;

use crate::build::Hash;
use crate::facet::Facet;
use crate::index::Index;

/// What changed between two sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The builds that only the new side has, by hash.
    pub came: Vec<Hash>,
    /// The builds that only the old side has, by hash.
    pub went: Vec<Hash>,
    /// How many builds both sides have.
    pub stayed: usize,
    /// The packages with builds that came or went, by name.
    pub packages: Vec<PackageChange>,
}

/// How one package changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageChange {
    /// Its name.
    pub package: String,
    /// The versions of the old side, newest first.
    pub before: Vec<String>,
    /// The versions of the new side, newest first.
    pub after: Vec<String>,
    /// How many of its builds came.
    pub came: usize,
    /// How many of its builds went.
    pub went: usize,
    /// How many of its builds stayed.
    pub stayed: usize,
    /// The most significant change.
    pub class: Class,
    /// Builds that went, each with the build that replaced it.
    pub pairs: Vec<Pair>,
}

impl Changes {
    /// Compares two sides.
    ///
    /// The time is proportional to the builds on both sides, and to the possible pairs within a package, operating
    /// system and target.
    pub fn between(old: &Side<'_>, new: &Side<'_>) -> Changes {
        let (before, after) = (old.hashes(), new.hashes());
        let mut changes = Changes::default();
        let mut went = Vec::new();
        let mut came = Vec::new();
        let mut stayed = Vec::new();
        let (mut left, mut right) = (before.iter().peekable(), after.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(&&one), Some(&&other)) if one.0 == other.0 => {
                    stayed.push(other.1);
                    left.next();
                    right.next();
                }
                (Some(&&one), other) if other.is_none_or(|other| one.0 < other.0) => {
                    went.push(one.1);
                    changes.went.push(one.0);
                    left.next();
                }
                (_, Some(&&other)) => {
                    came.push(other.1);
                    changes.came.push(other.0);
                    right.next();
                }
                (Some(_), None) => unreachable!("taken by the arm above"),
            }
        }
        changes.stayed = stayed.len();
        let mut packages: BTreeMap<&str, Touched> = BTreeMap::new();
        for build in went {
            packages.entry(old.package(build)).or_default().went.push(build);
        }
        for build in came {
            packages.entry(new.package(build)).or_default().came.push(build);
        }
        for build in stayed {
            if let Some(touched) = packages.get_mut(new.package(build)) {
                touched.stayed += 1;
            }
        }
        changes.packages =
            packages.into_iter().map(|(name, touched)| touched.change(name, old, new)).collect();
        changes
    }

    /// Returns the builds of a package that went without a build that replaced them, and those that came and replace
    /// none, among the changes within one index.
    pub fn unpaired(&self, index: &Index, package: &PackageChange) -> (Vec<Hash>, Vec<Hash>) {
        let is_of_package = |hash: &Hash| {
            index.find(*hash).is_some_and(|build| {
                index.text(index.row_of(build), Facet::Package) == package.package
            })
        };
        let rest = |all: &[Hash], of: fn(&Pair) -> Hash| {
            let mut paired: Vec<Hash> = package.pairs.iter().map(of).collect();
            paired.sort_unstable();
            let rest = all.iter().filter(|hash| paired.binary_search(hash).is_err());
            rest.filter(|hash| is_of_package(hash)).copied().collect()
        };
        (rest(&self.went, |pair| pair.old), rest(&self.came, |pair| pair.new))
    }

    /// Returns how many packages changed in each class that any did, in the order of the classes.
    pub fn by_class(&self) -> Vec<(Class, usize)> {
        let count = |class| self.packages.iter().filter(|change| change.class == class).count();
        let counts = Class::ALL.map(|class| (class, count(class)));
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// Returns `true` if the sides have the same builds.
    pub fn is_empty(&self) -> bool {
        self.came.is_empty() && self.went.is_empty()
    }

    /// Returns how many packages changed their versions.
    pub fn packages_with_other_versions(&self) -> usize {
        let has_others = |class| matches!(class, Class::NewVersion | Class::VersionGone);
        self.packages.iter().filter(|change| has_others(change.class)).count()
    }
}

/// The builds of a package that came and went.
#[derive(Default)]
struct Touched {
    went: Vec<crate::index::BuildId>,
    came: Vec<crate::index::BuildId>,
    stayed: usize,
}

impl Touched {
    fn change(self, package: &str, old: &Side<'_>, new: &Side<'_>) -> PackageChange {
        let (before, after) = (old.versions(package), new.versions(package));
        let pairs = pairs::paired(old, &self.went, new, &self.came);
        let class = match (before.is_empty(), after.is_empty()) {
            (true, _) => Class::NewPackage,
            (_, true) => Class::Gone,
            _ if after.iter().any(|version| !before.contains(version)) => Class::NewVersion,
            _ if before != after => Class::VersionGone,
            // Nothing was replaced, so nothing says why.
            _ if self.went.is_empty() => Class::MoreBuilds,
            _ if self.came.is_empty() => Class::FewerBuilds,
            _ => self.class(&pairs, package, old, new),
        };
        PackageChange {
            package: package.to_owned(),
            before,
            after,
            came: self.came.len(),
            went: self.went.len(),
            stayed: self.stayed,
            class,
            pairs,
        }
    }

    /// Returns the most significant class of the pairs and of the unpaired builds. The latter are compared with what
    /// the package has on the other side, where the machine is the first difference.
    fn class(&self, pairs: &[Pair], package: &str, old: &Side<'_>, new: &Side<'_>) -> Class {
        let of_pairs = pairs.iter().map(|pair| pair.class).min();
        let is_paired = |hash: Option<Hash>, of: fn(&Pair) -> Hash| {
            pairs.iter().any(|pair| Some(of(pair)) == hash)
        };
        let alone = self
            .came
            .iter()
            .filter(|&&build| !is_paired(new.index().hash(build), |pair| pair.new))
            .filter_map(|&build| old.nearest_class(package, new, build))
            .chain(
                self.went
                    .iter()
                    .filter(|&&build| !is_paired(old.index().hash(build), |pair| pair.old))
                    .filter_map(|&build| new.nearest_class(package, old, build)),
            )
            .min();
        of_pairs.into_iter().chain(alone).min().unwrap_or(Class::DependenciesOnly)
    }
}

/// Builds are only paired if these facets agree.
const PAIRED_WITHIN: [Facet; 2] = [Facet::Os, Facet::Target];
