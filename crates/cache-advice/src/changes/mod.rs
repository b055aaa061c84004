//! What changed between two sides: two snapshots of a cache, or two releases or stacks of one.
//!
//! A build *came* if only the new side has a binary with its hash, *went* if only the old one has, and *stayed* if both
//! have. Builds that went and came are paired by [likeness](crate::differences::likeness) within a package, operating system and
//! target. The class of a pair is the most significant aspect in which its builds differ, and the class of a package is
//! the most significant one among its pairs, unless builds of it only came or only went: then that is its class.
//!
//! A build that stayed was *overwritten* if both sides say which binary they have, and it is not the same: somebody
//! pushed another one under the same hash, and anyone who has installed the first has something else.
//!
//! Between two snapshots, a build that stayed has *moved* if it left a release or stack, or came to one: people who use
//! only that mirror have lost or gained it. Between two releases, it has moved if it left a stack or came to one.
//!
//! A published cache has the changes since an earlier publication as a part of its index, [`Earlier`]: [`publish`] makes it
//! where both snapshots are at hand, and [`Changes::published`] reads it where only the new one is.

mod between;
mod classes;
mod comparing;
mod moved;
mod pairs;
mod published;
mod side;
#[cfg(test)]
mod tests;
mod written;

pub use between::{Between, NOT_TWO_SIDES, Part, releases_of};
pub use comparing::Comparer;
pub use pairs::Pair;
pub use published::publish;
pub(crate) use side::SideStacks;
pub use side::{Side, SideBuilds};
pub use written::{MOVED, OVERWRITTEN};

use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index, PlaceChange};
use cache_index::order::is_development;
use cache_query::Class;
use spack_spec::Version;

#[cfg(doc)]
use cache_index::index::Earlier;

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
    /// The builds that have different binaries on the two sides, by hash.
    pub overwritten: Vec<Overwritten>,
    /// The releases and stacks that builds which stayed left, or came to.
    pub moved: Vec<PlaceChange>,
}

/// A build whose binary was replaced by another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overwritten {
    /// Its hash, which stayed the same.
    pub hash: Hash,
    /// Its package and version, as in a spec.
    pub spec: String,
}

impl Overwritten {
    fn of(index: &Index, build: BuildId) -> Option<Overwritten> {
        let row = index.row_of(build);
        let [name, version] = [Facet::Package, Facet::Version].map(|facet| index.text(row, facet));
        Some(Overwritten { hash: index.hash(build)?, spec: format!("{name}@{version}") })
    }
}

impl std::fmt::Display for Overwritten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} /{}", self.spec, self.hash)
    }
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
    /// The builds that went and were not replaced.
    pub went_alone: Vec<Alone>,
    /// The builds that came and replaced none.
    pub came_alone: Vec<Alone>,
}

/// A build that came or went, and is in no pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alone {
    /// The build.
    pub hash: Hash,
    /// The class of the smallest change that makes it a build of the other side; `None` if that does not have the
    /// package.
    pub class: Option<Class>,
}

impl Changes {
    /// Returns the number of packages in each class that has any, in the order of the classes.
    pub fn by_class(&self) -> Vec<(Class, usize)> {
        let count = |class| self.packages.iter().filter(|change| change.class == class).count();
        let counts = Class::ALL.map(|class| (class, count(class)));
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// Returns `true` if the sides have the same builds in the same places and, as far as is known, the same binaries.
    pub fn is_empty(&self) -> bool {
        self.came.is_empty()
            && self.went.is_empty()
            && self.overwritten.is_empty()
            && self.moved.is_empty()
    }

    /// Returns how many packages changed their versions.
    pub fn packages_with_other_versions(&self) -> usize {
        self.packages.iter().filter(|change| is_of_versions(change.class)).count()
    }
}

fn is_of_versions(class: Class) -> bool {
    matches!(class, Class::NewVersion | Class::OtherVersion | Class::VersionGone)
}

/// Returns the newest release among versions.
fn newest(versions: &[String]) -> Option<Version> {
    let released = versions.iter().filter(|version| !is_development(version));
    released.filter_map(|version| version.parse().ok()).max()
}

impl PackageChange {
    /// Returns the versions in which the sides differ: `1.2 → 1.3` if they share none, `−1.2, +1.3, +1.4` if they share
    /// others. If they have the same versions, returns these.
    pub fn versions(&self) -> String {
        let without = |these: &[String], others: &[String], sign: &str| {
            let these = these.iter().filter(|version| !others.contains(version));
            these.map(|version| format!("{sign}{version}")).collect::<Vec<_>>().join(", ")
        };
        let gone = |sign: &str| without(&self.before, &self.after, sign);
        let new = |sign: &str| without(&self.after, &self.before, sign);
        match (gone("").is_empty(), new("").is_empty()) {
            (true, true) => self.after.join(", "),
            (true, false) => new("+"),
            (false, true) => gone("−"),
            (false, false) if self.before.iter().any(|version| self.after.contains(version)) => {
                format!("{}, {}", gone("−"), new("+"))
            }
            (false, false) => format!("{} → {}", gone(""), new("")),
        }
    }

    /// Sets the class, which follows from everything else.
    fn classified(self) -> PackageChange {
        let PackageChange { before, after, pairs, went_alone, came_alone, .. } = &self;
        let class = match (before.is_empty(), after.is_empty()) {
            (true, _) => Class::NewPackage,
            (_, true) => Class::Gone,
            _ if newest(after) > newest(before) => Class::NewVersion,
            _ if after.iter().any(|version| !before.contains(version)) => Class::OtherVersion,
            _ if before != after => Class::VersionGone,
            // Nothing was replaced, so there is no difference to name.
            _ if self.went == 0 => Class::MoreBuilds,
            _ if self.came == 0 => Class::FewerBuilds,
            _ => {
                let of_pairs = pairs.iter().map(|pair| pair.class);
                let of_others = went_alone.iter().chain(came_alone).filter_map(|alone| alone.class);
                // Builds of another version took the place of some, but the package has the versions that it had.
                let classes = of_pairs.chain(of_others);
                classes.min_by_key(|class| (is_of_versions(*class), *class)).map_or(
                    Class::DependenciesOnly,
                    |class| match (is_of_versions(class), self.came >= self.went) {
                        (false, _) => class,
                        (true, true) => Class::MoreBuilds,
                        (true, false) => Class::FewerBuilds,
                    },
                )
            }
        };
        PackageChange { class, ..self }
    }
}
