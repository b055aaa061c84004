//! A made-up package: what all its builds have in common.

use super::random::Random;
use crate::build::{Variant, VariantValue};

/// A recipe.
pub(super) struct Package {
    pub(super) name: String,
    /// Newest first.
    pub(super) versions: Vec<String>,
    /// What its builds are built with, the most common first.
    pub(super) variant_sets: Vec<Vec<Variant>>,
    /// Seeds of where the builds of a batch are, the largest batch first.
    pub(super) batches: Vec<u64>,
    /// On earlier packages.
    pub(super) dependencies: Vec<Edge>,
    /// Whether a compiler is used at all.
    pub(super) is_compiled: bool,
    pub(super) hash: String,
}

/// A dependency that every build of a package has.
pub(super) struct Edge {
    /// By its number.
    pub(super) package: usize,
    /// Bits of [`Deptypes`](crate::build::Deptypes).
    pub(super) deptypes: u8,
    pub(super) virtual_name: Option<&'static str>,
}

const BEGINNINGS: [&str; 8] = ["", "", "", "", "py-", "py-", "r-", "perl-"];
const STEMS: [&str; 25] = [
    "astro", "bio", "chem", "data", "eigen", "flux", "geo", "hyper", "iso", "json", "kinet", "lin",
    "mesh", "netw", "opt", "plot", "quant", "rand", "sim", "tensor", "units", "vec", "wave", "xml",
    "zip",
];
const ENDINGS: [&str; 14] = [
    "", "core", "kit", "lib", "tools", "io", "-utils", "plus", "py", "solve", "view", "x", "fit",
    "flow",
];

const VARIANTS: [&str; 24] = [
    "shared", "mpi", "cuda", "rocm", "openmp", "fortran", "python", "docs", "tests", "examples",
    "pic", "ipo", "static", "debug", "hdf5", "netcdf", "threads", "int64", "cxx", "zlib", "blas",
    "x11", "ssl", "tools",
];
const BUILD_TYPES: [&str; 3] = ["Release", "RelWithDebInfo", "Debug"];
const BUILD_SYSTEMS: [&str; 5] = ["cmake", "autotools", "python_pip", "makefile", "meson"];
const ARCHITECTURES: [&str; 6] = ["70", "80", "86", "89", "90", "none"];
const VIRTUALS: [&str; 6] = ["mpi", "blas", "lapack", "zlib-api", "pkgconfig", "iconv"];

impl Package {
    /// The package of a number, always the same for the same random numbers.
    pub(super) fn new(number: usize, random: &mut Random) -> Package {
        let kinds = 1 + random.skewed(25);
        let base: Vec<Variant> = (0..kinds).map(|place| variant(place, number, random)).collect();
        let variant_sets = (0..1 + random.skewed(12))
            .map(|_| {
                let mut set = base.clone();
                for variant in &mut set {
                    change(variant, random);
                }
                set.sort_unstable();
                set
            })
            .collect();
        Package {
            name: name(number),
            versions: versions(1 + random.skewed(30), random),
            variant_sets,
            batches: (0..1 + random.skewed(16)).map(|_| random.next()).collect(),
            dependencies: edges(number, random),
            is_compiled: random.percent(75),
            hash: format!("{}aaaaaaaaaaaaaaaaaaaa====", random.hash()),
        }
    }
}

/// A name of its own for each number.
fn name(number: usize) -> String {
    let stem = STEMS[number % STEMS.len()];
    let ending = ENDINGS[number / STEMS.len() % ENDINGS.len()];
    let round = number / (STEMS.len() * ENDINGS.len());
    let beginning = BEGINNINGS[(number * 7 + round) % BEGINNINGS.len()];
    let series = if round == 0 { String::new() } else { (round + 1).to_string() };
    format!("{beginning}{stem}{ending}{series}")
}

fn versions(count: usize, random: &mut Random) -> Vec<String> {
    let mut major = 1 + random.below(9);
    let mut minor = 10 + random.below(20);
    let mut versions = Vec::with_capacity(count);
    if count > 4 && random.percent(20) {
        versions.push("develop".to_string());
    }
    while versions.len() < count {
        versions.push(format!("{major}.{minor}.{}", random.skewed(6)));
        if minor == 0 {
            minor = 20;
            major += 40;
        } else {
            minor -= 1;
        }
    }
    versions
}

/// The variant at a place of a package's list, each of another name.
fn variant(place: usize, number: usize, random: &mut Random) -> Variant {
    let text = |values: &[&str], random: &mut Random| {
        VariantValue::Single(values[random.skewed(values.len())].to_string())
    };
    let (name, value) = match place {
        0 => ("build_system", text(&BUILD_SYSTEMS, random)),
        1 => ("build_type", text(&BUILD_TYPES, random)),
        2 => {
            let architecture = ARCHITECTURES[random.skewed(ARCHITECTURES.len())];
            ("cuda_arch", VariantValue::Multi(vec![architecture.to_string()]))
        }
        _ => (VARIANTS[(place + number) % VARIANTS.len()], VariantValue::Bool(random.percent(50))),
    };
    Variant { name: name.to_string(), value }
}

/// Some variants differ from one set of a package to the next.
fn change(variant: &mut Variant, random: &mut Random) {
    if random.percent(80) {
        return;
    }
    match &mut variant.value {
        VariantValue::Bool(value) => *value = !*value,
        VariantValue::Single(value) if variant.name == "build_type" => {
            *value = BUILD_TYPES[random.skewed(BUILD_TYPES.len())].to_string();
        }
        VariantValue::Single(_) => {}
        VariantValue::Multi(values) => {
            *values = vec![ARCHITECTURES[random.skewed(ARCHITECTURES.len())].to_string()];
        }
    }
}

fn edges(number: usize, random: &mut Random) -> Vec<Edge> {
    // Package 0 depends on nothing, and packages on others of lower numbers, so there is no circle.
    let mut numbers: Vec<usize> =
        (0..random.skewed(61)).map(|_| random.skewed(number)).take_while(|_| number > 0).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
        .into_iter()
        .map(|package| Edge {
            package,
            deptypes: [1, 2, 3, 5][random.skewed(4)],
            virtual_name: (package < VIRTUALS.len()).then(|| VIRTUALS[package]),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_all_different() {
        let names: BTreeSet<String> = (0..1400).map(name).collect();
        assert_eq!(names.len(), 1400);
    }

    #[test]
    fn variants_of_a_set_have_different_names() {
        for number in 0..100 {
            let package = Package::new(number, &mut Random::new(1, number as u64));
            for set in &package.variant_sets {
                let names: BTreeSet<&str> = set.iter().map(|v| v.name.as_str()).collect();
                assert_eq!(names.len(), set.len());
            }
        }
    }

    #[test]
    fn versions_are_all_different() {
        for number in 0..100 {
            let package = Package::new(number, &mut Random::new(1, number as u64));
            let versions: BTreeSet<&String> = package.versions.iter().collect();
            assert_eq!(versions.len(), package.versions.len());
        }
    }
}
