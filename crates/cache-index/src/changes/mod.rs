//! What changed between two sides: two snapshots of a cache, or two releases or stacks of one.
//!
//! A build *came* if only the new side has a binary with its hash, *went* if only the old one has, and *stayed* if both
//! have. Builds that went and came are paired by [likeness](crate::likeness) within a package, operating system and
//! target. The class of a pair is the most significant aspect in which its builds differ, and the class of a package is
//! the most significant one among its pairs, unless builds of it only came or only went: then that is its class.
//!
//! A published cache has the changes since an earlier publication as a part of its index, [`Earlier`]: [`publish`] makes it
//! where both snapshots are at hand, and [`Changes::published`] reads it where only the new one is.

mod between;
mod classes;
mod pairs;
mod published;
mod side;
#[cfg(test)]
mod tests;
mod written;

pub use between::{Between, NotTwoSides, PUBLISHED, Part};
pub use classes::Class;
pub use pairs::Pair;
pub use published::publish;
pub use side::Side;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use self::side::Candidate;
use crate::build::Hash;
use crate::facet::Facet;
use crate::index::BuildId;
#[cfg(doc)]
use crate::index::Earlier;
use crate::likeness::Aspects;
use crate::sorting;

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
    /// The builds that went, and none replaced them.
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
    went: Vec<BuildId>,
    came: Vec<BuildId>,
    stayed: usize,
}

impl Touched {
    fn change(self, package: &str, old: &Side<'_>, new: &Side<'_>) -> PackageChange {
        let (before, after) = (old.versions(package), new.versions(package));
        let pairs = pairs::paired(old, &self.went, new, &self.came);
        let unpaired = |side: &Side<'_>, builds: &[BuildId], of: fn(&Pair) -> Hash| {
            let mut paired: Vec<Hash> = pairs.iter().map(of).collect();
            paired.sort_unstable();
            let with_hash = |&build: &BuildId| Some((side.index().hash(build)?, build));
            let is_alone = |(hash, _): &(Hash, BuildId)| paired.binary_search(hash).is_err();
            builds.iter().filter_map(with_hash).filter(is_alone).collect::<Vec<_>>()
        };
        let went_alone = alone(old, unpaired(old, &self.went, |pair| pair.old), package, new);
        let came_alone = alone(new, unpaired(new, &self.came, |pair| pair.new), package, old);
        PackageChange {
            package: package.to_owned(),
            before,
            after,
            came: self.came.len(),
            went: self.went.len(),
            stayed: self.stayed,
            class: Class::DependenciesOnly,
            pairs,
            went_alone,
            came_alone,
        }
        .classified()
    }
}

/// Finds for builds that are in no pair what makes them builds of the other side. Only the least difference counts, and
/// one build of each row of the other side is looked at.
fn alone(
    side: &Side<'_>,
    builds: Vec<(Hash, BuildId)>,
    package: &str,
    other: &Side<'_>,
) -> Vec<Alone> {
    let candidates = match builds.is_empty() {
        true => Vec::new(),
        false => other.candidates(package),
    };
    let class = |build: BuildId| {
        let own = Aspects::of(side.index(), build)?;
        let mut rows: Vec<(usize, &Candidate)> = candidates
            .iter()
            .map(|one| (own.differs_from_row(other.index(), one.row, &one.variants), one))
            .collect();
        sorting::sort_by_key(&mut rows, |(at_least, _)| *at_least);
        let mut least: Option<(usize, Reverse<Class>)> = None;
        for (at_least, candidate) in rows {
            if least.is_some_and(|(fewest, _)| fewest < at_least) {
                break;
            }
            if let Some(aspects) = candidate.aspects(other.index()) {
                let differs = aspects.differences(&own);
                let this = (differs.len(), Reverse(Class::of(&differs)));
                least = Some(least.map_or(this, |least| least.min(this)));
            }
        }
        least.map(|(_, Reverse(class))| class)
    };
    builds.into_iter().map(|(hash, build)| Alone { hash, class: class(build) }).collect()
}

impl PackageChange {
    /// Sets the class, which follows from everything else.
    fn classified(self) -> PackageChange {
        let PackageChange { before, after, pairs, went_alone, came_alone, .. } = &self;
        let class = match (before.is_empty(), after.is_empty()) {
            (true, _) => Class::NewPackage,
            (_, true) => Class::Gone,
            _ if after.iter().any(|version| !before.contains(version)) => Class::NewVersion,
            _ if before != after => Class::VersionGone,
            // Nothing was replaced, so nothing says why.
            _ if self.went == 0 => Class::MoreBuilds,
            _ if self.came == 0 => Class::FewerBuilds,
            _ => {
                let of_pairs = pairs.iter().map(|pair| pair.class);
                let of_others = went_alone.iter().chain(came_alone).filter_map(|alone| alone.class);
                of_pairs.chain(of_others).min().unwrap_or(Class::DependenciesOnly)
            }
        };
        PackageChange { class, ..self }
    }
}

/// Builds are only paired if these facets agree.
const PAIRED_WITHIN: [Facet; 2] = [Facet::Os, Facet::Target];
