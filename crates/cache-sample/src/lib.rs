//! Generated build caches of any size, identical every time, for benchmarks and demonstrations.
//!
//! ```
//! use cache_sample::Sample;
//!
//! let builds: Vec<_> = Sample::new(100, 1).builds().collect();
//! assert_eq!(builds.len(), 100);
//! assert!(Sample::new(100, 1).builds().eq(builds));
//! ```
//!
//! Nothing in them is real, but everything that affects speed and size is as in real caches:
//!
//! | property | distribution |
//! | --- | --- |
//! | builds of a package | Zipf: at 145,000 builds the largest package has some 2,700, half have fewer than 42 |
//! | versions of a package | 1 to 30; each release has the newest few of its time |
//! | platform, os, target, compiler | given by the stack: [8 OSes, 12 targets, 8 compilers](world) |
//! | variants of a build | 1 to 25, in a few sets that the package's builds share |
//! | places of a build | 1 to 6 releases in a row, each with `root` and up to 3 sister stacks |
//! | dependencies of a build | 0 to 60, on builds of packages that came before, for the same machine |
//! | look-alikes | CI rebuilds a spec when a dependency has changed, so most builds differ from others only in their dependencies |
//!
//! Builds are generated one package at a time, and only those of one package are in memory at once.

mod catalogue;
mod database;
mod environment;
mod hashes;
mod names;
mod page;
mod random;
mod recipe;
mod walk;
pub mod world;

use cache_index::build::Build;

pub use database::write_database;
pub use environment::{environment, unknown_hash};
use hashes::Hashes;
use names::Names;
pub use page::{SamplePage, pages};
pub use random::Random;
use recipe::{Line, Recipe};
pub use walk::walk;

/// The parameters of a generated cache. Equal values generate equal builds, which a test ensures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The number of builds.
    pub builds: usize,
    /// The number of packages that the builds are divided among; a package may end up without any.
    pub packages: usize,
    /// Any number; each generates a different cache of the same kind.
    pub seed: u64,
    /// `true` if builds list their dependencies, as in database files; those of pages do not.
    pub dependencies: bool,
    /// `true` if packages have names, versions and variants of real ones. The builds are made up all the same.
    pub looks_real: bool,
}

impl Sample {
    /// Creates the parameters of a cache with as many packages as cache.spack.io has (1,400), or fewer for a small
    /// cache, with invented names and no dependencies.
    pub fn new(builds: usize, seed: u64) -> Sample {
        let packages = builds.div_ceil(10).min(1400);
        Sample { builds, packages, seed, dependencies: false, looks_real: false }
    }

    /// Generates all builds, those of a package together.
    pub fn builds(&self) -> impl Iterator<Item = Build> {
        self.packages().flatten()
    }

    /// Generates the builds of each package that has any.
    pub fn packages(&self) -> impl Iterator<Item = Vec<Build>> {
        let sizes = self.sizes();
        let mut hashes = Hashes::default();
        let mut names = Names::default();
        let mut recipes: Vec<Recipe> = Vec::new();
        let mut real = self.looks_real.then(catalogue::entries).into_iter().flatten();
        sizes.into_iter().enumerate().filter(|(_, size)| *size > 0).map(move |(number, size)| {
            let mut random = Random::new(self.seed, number as u64);
            let mut recipe = Recipe::new(&mut random, &mut names, number, recipes.len());
            if let Some(entry) = real.next() {
                recipe.look_like(&entry, &mut random);
            }
            let builds = self.builds_of(&recipe, &recipes, size, &mut random, &mut hashes);
            recipes.push(recipe);
            builds
        })
    }

    /// Returns the number of builds of each package, by Zipf's law without its head: the package of rank `k` has a
    /// share of `1 / (k + 10)`, and ranks are assigned at random.
    fn sizes(&self) -> Vec<usize> {
        let weight = |rank: usize| 1.0 / (rank as f64 + 10.0);
        let all: f64 = (1..=self.packages).map(weight).sum();
        let mut dealt = 0;
        let mut reached = 0.0;
        let mut sizes: Vec<usize> = (1..=self.packages)
            .map(|rank| {
                reached += weight(rank);
                // Rounding may shorten the last share, but not the total.
                let until = match rank == self.packages {
                    true => self.builds,
                    false => (self.builds as f64 * reached / all) as usize,
                };
                let size = until - dealt;
                dealt = until;
                size
            })
            .collect();
        Random::new(self.seed, u64::MAX).shuffle(&mut sizes);
        sizes
    }

    fn builds_of(
        &self,
        recipe: &Recipe,
        recipes: &[Recipe],
        size: usize,
        random: &mut Random,
        hashes: &mut Hashes,
    ) -> Vec<Build> {
        let mut builds = Vec::with_capacity(size);
        while builds.len() < size {
            let line = recipe.line(random);
            // How often CI rebuilt it: mostly once or twice, sometimes dozens of times.
            let again = 1 + random.small(12) + if random.chance(5) { random.small(60) } else { 0 };
            for _ in 0..again.min(size - builds.len()) {
                builds.push(self.build(recipe, recipes, &line, random, hashes));
            }
        }
        builds
    }

    fn build(
        &self,
        recipe: &Recipe,
        recipes: &[Recipe],
        line: &Line,
        random: &mut Random,
        hashes: &mut Hashes,
    ) -> Build {
        let hash = hashes.add(recipe.number, line.stack, random);
        let dependencies = self.dependencies.then(|| {
            let mut dependencies: Vec<_> = recipe
                .dependencies
                .iter()
                .filter_map(|needed| {
                    let of = &recipes[needed.recipe];
                    let hash = hashes.like(of.number, line.stack, line.release, random)?;
                    Some(needed.edge(&of.name, hash))
                })
                .collect();
            dependencies.sort();
            dependencies
        });
        let machine = world::STACKS[line.stack].machine;
        Build {
            platform: machine.platform.to_owned(),
            os: machine.os.to_owned(),
            target: machine.target.to_owned(),
            compiler: recipe.is_compiled.then(|| machine.compiler.to_owned()),
            variants: recipe.variants(line.variant_set),
            places: line.places(random),
            dependencies,
            ..Build::new(hash, &recipe.name, &recipe.versions[line.version])
        }
    }
}

#[cfg(test)]
mod tests;
