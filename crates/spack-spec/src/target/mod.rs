//! Targets: CPU microarchitectures, and which of them run which binaries.

mod range;
mod table;

use std::cmp::Ordering;
use std::fmt;

pub use range::TargetConstraint;
use table::{COUNT, ROWS};

/// A CPU microarchitecture that Spack knows, stored as its index in the table.
///
/// Targets form a partial order: a binary for one target runs on all its descendants. `x86_64_v3` is an ancestor of both
/// `haswell` and `zen`, which are otherwise unrelated.
///
/// ```
/// use spack_spec::Target;
///
/// let (zen3, zen4) = (Target::named("zen3").unwrap(), Target::named("zen4").unwrap());
/// assert!(zen4.runs(zen3) && !zen3.runs(zen4));
/// assert!(zen3.features_missing_for(zen4).contains(&"avx512f"));
/// ```
///
/// `Ord` is the order for display: by family, then the generic levels, then each vendor's by generation. A target comes
/// after all that it [runs](Target::runs), but the converse does not hold: ancestry is a partial order, which only
/// [`runs`](Target::runs) reports.
///
/// ```
/// use spack_spec::Target;
///
/// let named = |name| Target::named(name).unwrap();
/// assert!(named("zen3") > named("icelake") && !named("zen3").runs(named("icelake")));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target(u8);

/// The maker of a microarchitecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Vendor {
    /// None: a level that many processors reach, such as `x86_64_v3`.
    Generic,
    /// Intel.
    Intel,
    /// AMD.
    Amd,
    /// Ampere.
    Ampere,
    /// Arm.
    Arm,
    /// Fujitsu.
    Fujitsu,
    /// Apple.
    Apple,
    /// Cavium.
    Cavium,
    /// IBM.
    Ibm,
    /// SiFive.
    SiFive,
    /// SpacemiT.
    SpacemiT,
}

/// One bit for each target.
type Bits = u128;

/// Each target's ancestors, and the target itself.
static LINEAGE: [Bits; COUNT] = lineages();

const fn lineages() -> [Bits; COUNT] {
    let mut lineages = [0; COUNT];
    let mut index = 0;
    while index < COUNT {
        let row = &ROWS[index];
        let mut bits = 1 << index;
        let mut parent = 0;
        while parent < row.parents.len() {
            let place = place_above(index, row.parents[parent]);
            bits |= lineages[place];
            parent += 1;
        }
        lineages[index] = bits;
        index += 1;
    }
    lineages
}

/// Returns the index of the row with that name above the given one; a missing row fails the compilation.
const fn place_above(mut index: usize, name: &str) -> usize {
    loop {
        index -= 1;
        if same(ROWS[index].name.as_bytes(), name.as_bytes()) {
            return index;
        }
    }
}

const fn same(one: &[u8], two: &[u8]) -> bool {
    if one.len() != two.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() {
        if one[index] != two[index] {
            return false;
        }
        index += 1;
    }
    true
}

impl Target {
    /// Returns the target of that name, if Spack knows it.
    pub fn named(name: &str) -> Option<Target> {
        ROWS.iter().position(|row| row.name == name).map(|place| Target(place as u8))
    }

    /// Iterates over all targets that Spack knows, in display order.
    pub fn all() -> impl Iterator<Item = Target> {
        (0..COUNT).map(|place| Target(place as u8))
    }

    /// Returns the name, such as `zen3`.
    pub fn name(self) -> &'static str {
        ROWS[self.place()].name
    }

    /// Returns the maker.
    pub fn vendor(self) -> Vendor {
        ROWS[self.place()].vendor
    }

    /// Returns the target at the root of its lineage, such as `x86_64`. Binaries never run across families.
    pub fn family(self) -> Target {
        Target(self.lineage().trailing_zeros() as u8)
    }

    /// Iterates over the targets that it directly extends.
    pub fn parents(self) -> impl Iterator<Item = Target> {
        ROWS[self.place()].parents.iter().filter_map(|name| Target::named(name))
    }

    /// Iterates over all targets that it extends, directly or not, excluding itself.
    ///
    /// ```
    /// use spack_spec::Target;
    ///
    /// let zen2 = Target::named("zen2").expect("a known target");
    /// assert!(zen2.ancestors().any(|target| target.name() == "zen"));
    /// assert!(zen2.ancestors().all(|target| zen2.runs(target) && target.family() == zen2.family()));
    /// ```
    pub fn ancestors(self) -> impl Iterator<Item = Target> {
        Target::all().filter(move |other| *other != self && self.runs(*other))
    }

    /// Returns `true` if binaries built for the other target run on this one.
    pub fn runs(self, built_for: Target) -> bool {
        self.lineage() >> built_for.0 & 1 == 1
    }

    /// Returns the features of its processors, sorted.
    pub fn features(self) -> Vec<&'static str> {
        let mut features: Vec<&str> = Target::all()
            .filter(|other| self.runs(*other))
            .flat_map(|other| ROWS[other.place()].features.split_ascii_whitespace())
            .collect();
        features.sort_unstable();
        features.dedup();
        features
    }

    /// Returns the features that this target does not have but binaries built for the other target may use, sorted.
    ///
    /// An empty list does not mean that it [`runs`](Target::runs) them: many targets list no features, and families
    /// differ in more than features.
    ///
    /// ```
    /// use spack_spec::Target;
    ///
    /// let [old, new] = ["x86_64_v2", "x86_64_v3"].map(|name| Target::named(name).expect("a known target"));
    /// assert!(old.features_missing_for(new).contains(&"avx2"));
    /// assert!(new.features_missing_for(old).is_empty() && new.runs(old));
    /// ```
    pub fn features_missing_for(self, built_for: Target) -> Vec<&'static str> {
        let own = self.features();
        let mut missing = built_for.features();
        missing.retain(|feature| own.binary_search(feature).is_err());
        missing
    }

    /// Compares the names of targets in display order; unknown names come last, alphabetically.
    ///
    /// ```
    /// use spack_spec::Target;
    ///
    /// let mut names = ["alien", "zen4", "x86_64"];
    /// names.sort_by(|one, two| Target::compare_names(one, two));
    /// assert_eq!(names, ["x86_64", "zen4", "alien"]);
    /// ```
    pub fn compare_names(one: &str, two: &str) -> Ordering {
        match (Target::named(one), Target::named(two)) {
            (Some(one), Some(two)) => one.cmp(&two),
            (None, None) => one.cmp(two),
            (one, two) => one.is_none().cmp(&two.is_none()),
        }
    }

    fn place(self) -> usize {
        usize::from(self.0)
    }

    fn lineage(self) -> Bits {
        LINEAGE[self.place()]
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_known_targets_before_unknown_ones() {
        let mut names = ["zen10", "zen4", "aarch64", "icelake", "x86_64", "alien", "x86_64_v4"];
        names.sort_by(|one, two| Target::compare_names(one, two));
        assert_eq!(names, ["x86_64", "x86_64_v4", "icelake", "zen4", "aarch64", "alien", "zen10"]);
    }

    #[test]
    fn orders_targets_after_those_they_run() {
        for above in Target::all() {
            assert!(Target::all().all(|below| below <= above || !above.runs(below)), "{above}");
        }
    }

    #[test]
    fn runs_binaries_of_its_family() {
        assert!(Target::all().all(|target| target.runs(target.family())));
        let power9le = Target::named("power9le").expect("a target");
        assert_eq!(power9le.family().name(), "ppc64le");
    }
}
