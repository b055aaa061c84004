//! A generated package: what its builds have in common.

use std::collections::BTreeSet;

use cache_index::build::{Dependency, Deptypes, Hash, Place, Places, Variant, VariantValue};

use crate::catalogue::Entry;
use crate::names::{Names, word};
use crate::random::Random;
use crate::world::{RELEASES, STACKS};

/// A package.
#[derive(Debug)]
pub(crate) struct Recipe {
    /// Its number among all packages.
    pub(crate) number: usize,
    pub(crate) name: String,
    /// Oldest first.
    pub(crate) versions: Vec<String>,
    /// `true` if its builds have a compiler; one in thirty packages contains only data or scripts.
    pub(crate) is_compiled: bool,
    pub(crate) dependencies: Vec<RecipeDependency>,
    /// The stacks that build it.
    stacks: Vec<usize>,
    /// The configurations of its builds.
    variant_sets: Vec<Vec<Variant>>,
}

/// A dependency of a recipe.
#[derive(Debug)]
pub(crate) struct RecipeDependency {
    /// The number of a recipe that was generated before.
    pub(crate) recipe: usize,
    deptypes: Deptypes,
    virtuals: Vec<String>,
}

/// What builds that look alike have in common.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) stack: usize,
    /// The newest release that has it.
    pub(crate) release: usize,
    pub(crate) version: usize,
    pub(crate) variant_set: usize,
    releases: usize,
    sisters: Vec<usize>,
}

impl Recipe {
    pub(crate) fn new(
        random: &mut Random,
        names: &mut Names,
        number: usize,
        before: usize,
    ) -> Recipe {
        // Some packages are built nearly everywhere, most by a few stacks, preferably the first ones.
        let mut stacks: Vec<usize> = (0..1 + random.small(20))
            .map(|_| random.below(STACKS.len()).min(random.below(STACKS.len())))
            .collect();
        stacks.sort_unstable();
        stacks.dedup();
        Recipe {
            number,
            name: names.package(random),
            versions: versions(random),
            is_compiled: !random.chance(3),
            dependencies: dependencies(random, before),
            stacks,
            variant_sets: variant_sets(random),
        }
    }

    /// Takes the name, the versions and the variants of a real package.
    pub(crate) fn look_like(&mut self, real: &Entry, random: &mut Random) {
        self.name = real.name.to_owned();
        self.versions = real.versions.iter().map(|&version| version.to_owned()).collect();
        let mut usual = of_system(real.system);
        usual.extend(real.variants.iter().map(|&name| Variant {
            name: name.to_owned(),
            value: VariantValue::Bool(random.chance(50)),
        }));
        usual.sort();
        self.variant_sets = variations(usual, random);
    }

    /// Chooses what CI builds next.
    pub(crate) fn line(&self, random: &mut Random) -> Line {
        let stack = random.pick(&self.stacks);
        let release = RELEASES.len() - 1 - random.small(RELEASES.len());
        let newest = (self.versions.len() - 1) * (release + 1) / RELEASES.len();
        let machine = STACKS[stack].machine;
        let mut sisters: Vec<usize> = (0..STACKS.len())
            .filter(|&other| STACKS[other].machine == machine && other != stack)
            .collect();
        sisters.retain(|_| random.chance(40));
        sisters.truncate(2);
        Line {
            stack,
            release,
            version: newest.saturating_sub(random.small(4)),
            // A stack configures a package in its own way, with exceptions.
            variant_set: match random.chance(85) {
                true => stack % self.variant_sets.len(),
                false => random.below(self.variant_sets.len()),
            },
            releases: 1 + random.small(6),
            sisters,
        }
    }

    pub(crate) fn variants(&self, set: usize) -> Vec<Variant> {
        self.variant_sets[set].clone()
    }
}

impl RecipeDependency {
    pub(crate) fn edge(&self, package: &str, hash: Hash) -> Dependency {
        Dependency {
            package: package.to_owned(),
            hash,
            deptypes: self.deptypes,
            virtuals: self.virtuals.clone(),
        }
    }
}

impl Line {
    /// Chooses the places of a build: `root` of its releases, mostly its stack, sometimes sister stacks.
    pub(crate) fn places(&self, random: &mut Random) -> Places {
        let mut stacks = vec![Place::WHOLE_RELEASE];
        if !random.chance(3) {
            stacks.push(STACKS[self.stack].name);
        }
        stacks.extend(
            self.sisters.iter().filter(|_| random.chance(85)).map(|&sister| STACKS[sister].name),
        );
        let oldest = (self.release + 1).saturating_sub(self.releases);
        let releases = &RELEASES[oldest..=self.release];
        let place = |release: &str, stack: &str| Place {
            release: release.to_owned(),
            stack: stack.to_owned(),
        };
        releases
            .iter()
            .flat_map(|release| stacks.iter().map(move |stack| place(release, stack)))
            .collect()
    }
}

/// Generates one to thirty versions, oldest first: releases increment their last number, or start a new series.
fn versions(random: &mut Random) -> Vec<String> {
    let (mut major, mut minor, mut patch) = (random.below(9), random.small(60), random.small(40));
    let mut versions: Vec<String> = (0..1 + random.small(29))
        .map(|_| {
            match random.below(10) {
                0 => (major, minor, patch) = (major + 1, 0, 0),
                1..=4 => (minor, patch) = (minor + 1, 0),
                _ => patch += 1,
            }
            format!("{major}.{minor}.{patch}")
        })
        .collect();
    if random.chance(4) {
        versions.push("develop".to_owned());
    }
    versions.truncate(30);
    versions
}

/// Chooses at most sixty packages that were generated before.
fn dependencies(random: &mut Random, before: usize) -> Vec<RecipeDependency> {
    let mut recipes = BTreeSet::new();
    for _ in 0..random.small(60) {
        if before > 0 {
            recipes.insert(random.small(before));
        }
    }
    let need = |recipe: usize| {
        let deptypes = match random.below(10) {
            0..=2 => Deptypes::BUILD,
            3 => Deptypes::BUILD.union(Deptypes::RUN),
            4 => Deptypes::RUN,
            5..=7 => Deptypes::LINK,
            _ => Deptypes::BUILD.union(Deptypes::LINK).union(Deptypes::RUN),
        };
        RecipeDependency { recipe, deptypes, virtuals: Vec::new() }
    };
    recipes.into_iter().map(need).collect()
}

/// Generates a few ways to configure a package with 1 to 25 variants: the first is the usual one, the others change
/// some of them.
fn variant_sets(random: &mut Random) -> Vec<Vec<Variant>> {
    const SHARED: [&str; 24] = [
        "cuda", "doc", "examples", "fortran", "hdf5", "int64", "ipo", "java", "mpi", "ninja",
        "openmp", "optimize", "pic", "python", "rocm", "shared", "ssl", "static", "tests",
        "threads", "tools", "x11", "xml", "zlib",
    ];
    let mut names: BTreeSet<String> = BTreeSet::new();
    for _ in 0..random.small(25) {
        names.insert(match random.chance(70) {
            true => random.pick(&SHARED).to_owned(),
            false => word(random, 2),
        });
    }
    let system = random.pick(&["cmake", "cmake", "autotools", "python_pip", "makefile", "generic"]);
    let mut usual = of_system(system);
    usual.extend(names.into_iter().take(22).map(|name| Variant {
        value: match random.below(12) {
            0 => VariantValue::Single(["auto", "none", "11", "17"][random.below(4)].to_owned()),
            1 => VariantValue::Multi(vec!["c".to_owned(), "c++".to_owned()]),
            _ => VariantValue::Bool(random.chance(50)),
        },
        name,
    }));
    usual.sort();
    variations(usual, random)
}

/// Returns the variants that a build system adds.
fn of_system(system: &str) -> Vec<Variant> {
    let mut variants = vec![single("build_system", system)];
    if system == "cmake" {
        variants.push(single("build_type", "Release"));
        variants.push(single("generator", "make"));
    }
    variants
}

/// Returns the usual way to configure a package, and a few others, which change some of its variants.
fn variations(usual: Vec<Variant>, random: &mut Random) -> Vec<Vec<Variant>> {
    let mut sets = vec![usual.clone()];
    for _ in 0..random.small(12) {
        let mut set = usual.clone();
        for variant in &mut set {
            if let VariantValue::Bool(value) = &mut variant.value
                && random.chance(15)
            {
                *value = !*value;
            }
        }
        sets.push(set);
    }
    sets
}

fn single(name: &str, value: &str) -> Variant {
    Variant { name: name.to_owned(), value: VariantValue::Single(value.to_owned()) }
}
