//! Made-up caches of any size, for benchmarks and demonstrations.
//!
//! The same size and seed give the same builds for ever, on any machine. What is skewed in real
//! caches is skewed here in the same way, because that is what sizes and speeds depend on:
//!
//! - a few packages have thousands of builds, most have dozens (Zipf's law, flattened at the top so
//!   that the largest of 145,000 builds has some 2,100);
//! - a stack decides os, target and compiler, and a build is in one to four stacks that agree on
//!   them, in one to six releases next to each other in time;
//! - builds of a package come in batches, as its recipe or what it needs changes, and those of one
//!   batch are in the same releases and, for one configuration, in the same stacks;
//! - a package has one to thirty versions, newer ones more often, and a handful of variant sets that
//!   its builds share;
//! - a build depends on up to sixty builds of earlier packages, of the same configuration where there
//!   are any.

mod package;
mod random;
mod world;

use std::collections::BTreeSet;

use self::package::Package;
use self::random::Random;
use self::world::{CONFIGURATIONS, Configuration, STACKS, releases, stacks_of};
use crate::build::{Build, CompilerSource, Dependency, Deptypes, Hash, Place};

/// How large a cache to make, and which of all that are so large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// How many builds, all of them with a binary.
    pub builds: usize,
    /// Which cache: another seed gives another one.
    pub seed: u64,
}

/// How many packages a large cache has; a small one has those of them that get a build.
const PACKAGES: usize = 1400;

/// Makes the builds, package by package.
pub fn generate(size: Size) -> impl Iterator<Item = Build> {
    let mut earlier = Earlier::default();
    counts(size.builds).into_iter().enumerate().flat_map(move |(number, count)| {
        let mut random = Random::new(size.seed, number as u64);
        let package = Package::new(number, &mut random);
        let builds: Vec<Build> =
            (0..count).map(|_| build(&package, &earlier, &mut random)).collect();
        earlier.add(package.name.clone(), &builds);
        builds
    })
}

/// How many builds each package has; they add up to `builds`.
fn counts(builds: usize) -> Vec<usize> {
    // To the power of -3/4 by square roots, which are the same on every machine.
    let weight = |rank: usize| 1.0 / ((rank + 6).pow(3) as f64).sqrt().sqrt();
    let total: f64 = (0..PACKAGES).map(weight).sum();
    let mut sum = 0.0;
    let mut given = 0;
    (0..PACKAGES)
        .map(|rank| {
            sum += weight(rank);
            let until = if rank + 1 == PACKAGES {
                builds
            } else {
                ((builds as f64) * sum / total).round() as usize
            };
            let count = until - given;
            given = until;
            count
        })
        .collect()
}

/// The builds of the packages before, as dependencies may need them.
#[derive(Default)]
struct Earlier {
    /// Name, and the hashes of its builds by configuration.
    packages: Vec<(String, Vec<Vec<Hash>>)>,
}

impl Earlier {
    fn add(&mut self, name: String, builds: &[Build]) {
        let mut hashes = vec![Vec::new(); CONFIGURATIONS.len()];
        for build in builds {
            let is_its = |c: &Configuration| c.os == build.os && c.target == build.target;
            if let Some(place) = CONFIGURATIONS.iter().position(is_its) {
                hashes[place].push(build.hash);
            }
        }
        self.packages.push((name, hashes));
    }
}

fn build(package: &Package, earlier: &Earlier, random: &mut Random) -> Build {
    let stack = random.skewed(STACKS.len());
    let configuration = STACKS[stack].1;
    let Configuration { platform, os, target, compiler } = CONFIGURATIONS[configuration];
    Build {
        hash: random.hash(),
        package: package.name.clone(),
        namespace: Some("builtin".to_string()),
        version: package.versions[random.skewed(package.versions.len())].clone(),
        platform: platform.to_string(),
        os: os.to_string(),
        target: target.to_string(),
        compiler: package.is_compiled.then(|| compiler.to_string()),
        compiler_source: CompilerSource::Field,
        variants: package.variant_sets[random.skewed(package.variant_sets.len())].clone(),
        flags: Vec::new(),
        places: places(stack, configuration, package.batches[random.skewed(package.batches.len())]),
        size: Some(random.below(1 << 20) * random.below(100)),
        package_hash: Some(package.hash.clone()),
        external: false,
        spec_format: None,
        dependencies: Some(dependencies(package, configuration, earlier, random)),
    }
}

fn places(stack: usize, configuration: usize, batch: u64) -> BTreeSet<Place> {
    let mut random = Random::new(batch, 0);
    let releases = releases();
    let first = random.skewed(releases.len());
    let last = (first + 1 + random.skewed(6)).min(releases.len());
    let mut random = Random::new(batch, 1 + configuration as u64);
    let mut stacks = BTreeSet::from([STACKS[stack].0, "root"]);
    let alike = stacks_of(configuration);
    for _ in 0..random.skewed(4) {
        stacks.insert(alike[random.below(alike.len() as u64) as usize]);
    }
    releases[first..last]
        .iter()
        .flat_map(|release| {
            stacks.iter().map(|stack| Place { release: release.clone(), stack: stack.to_string() })
        })
        .collect()
}

fn dependencies(
    package: &Package,
    configuration: usize,
    earlier: &Earlier,
    random: &mut Random,
) -> Vec<Dependency> {
    let mut dependencies: Vec<Dependency> = package
        .dependencies
        .iter()
        .filter_map(|edge| {
            let (name, hashes) = &earlier.packages[edge.package];
            let hashes = &hashes[configuration];
            // Most builds depend on one of the newest few of a package.
            let newest = random.skewed(hashes.len().min(8));
            Some(Dependency {
                package: name.clone(),
                hash: *hashes.get(hashes.len().checked_sub(newest + 1)?)?,
                deptypes: Deptypes::from_bits(edge.deptypes)?,
                virtuals: edge.virtual_name.iter().map(|name| name.to_string()).collect(),
            })
        })
        .collect();
    dependencies.sort_unstable();
    dependencies
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn made(builds: usize, seed: u64) -> Vec<Build> {
        generate(Size { builds, seed }).collect()
    }

    #[test]
    fn the_same_size_and_seed_make_the_same_cache() {
        assert_eq!(made(500, 1), made(500, 1));
        assert_ne!(made(500, 1), made(500, 2));
        // What was made once is made for ever.
        let builds = made(500, 1);
        let pinned = [&builds[0], &builds[499]].map(|b| format!("{}/{}", b.package, b.hash));
        assert_eq!(
            pinned,
            [
                "astro/r3warfqgfugapj2dc2hqyj4j4cjoseqx",
                "unitsflow4/nlze3e6xg76pvtsnt57cq6w5632zjfi5"
            ]
        );
    }

    #[test]
    fn there_are_as_many_builds_as_asked_for() {
        for builds in [0, 1, 2, 390, 14_000] {
            let made = made(builds, 7);
            let hashes: BTreeSet<Hash> = made.iter().map(|build| build.hash).collect();
            assert_eq!((made.len(), hashes.len()), (builds, builds));
        }
        assert_eq!(counts(145_000).iter().sum::<usize>(), 145_000);
    }

    #[test]
    fn it_is_skewed_as_real_caches_are() {
        let counts = counts(145_000);
        assert!((2000..2700).contains(&counts[0]), "the largest has {}", counts[0]);
        assert!(counts[PACKAGES - 1] > 20);
        let builds = made(20_000, 3);
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for build in &builds {
            versions.entry(&build.package).or_default().insert(&build.version);
            assert!((2..=30).contains(&build.places.len()), "{} places", build.places.len());
            assert!((1..=25).contains(&build.variants.len()));
            assert!(build.dependencies.as_ref().is_some_and(|list| list.len() <= 60));
        }
        assert_eq!(versions.len(), PACKAGES);
        assert!(versions.values().all(|versions| versions.len() <= 30));
        let edges: usize = builds.iter().map(|b| b.dependencies.as_ref().map_or(0, Vec::len)).sum();
        assert!((5..30).contains(&(edges / builds.len())), "{} edges", edges / builds.len());
    }

    #[test]
    fn every_dependency_is_there() {
        let builds = made(3000, 5);
        let known: BTreeSet<Hash> = builds.iter().map(|build| build.hash).collect();
        for edge in builds.iter().flat_map(|build| build.dependencies.iter().flatten()) {
            assert!(known.contains(&edge.hash), "{edge:?}");
        }
    }
}
