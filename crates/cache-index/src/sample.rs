//! Small arbitrary caches for property tests, with few distinct values in each field, so that builds often agree.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::build::{
    Build, CompilerSource, Dependency, Deptypes, FoundAt, Hash, Place, Variant, VariantValue,
};
use crate::index::{About, Index, pack};

/// Generates at most forty builds with distinct hashes, some without a binary.
pub fn builds() -> impl Strategy<Value = Vec<Build>> {
    prop::collection::vec(build(), 0..40).prop_map(|mut builds| {
        for (number, build) in builds.iter_mut().enumerate() {
            build.hash = hash(number);
        }
        name_packages(&mut builds);
        builds
    })
}

/// Gives each dependency the package of the build that it refers to, and sorts dependencies as builds require.
fn name_packages(builds: &mut [Build]) {
    let packages: Vec<(Hash, String)> =
        builds.iter().map(|build| (build.hash, build.package.clone())).collect();
    for dependencies in builds.iter_mut().filter_map(|build| build.dependencies.as_mut()) {
        for dependency in dependencies.iter_mut() {
            if let Some((_, package)) = packages.iter().find(|(hash, _)| *hash == dependency.hash) {
                dependency.package.clone_from(package);
            }
        }
        dependencies.sort();
        dependencies.dedup();
    }
}

/// Generates a dependency on one of fifty hashes. Not every hash belongs to a build, and there can be cycles.
fn dependency() -> impl Strategy<Value = Dependency> {
    let virtuals = prop::sample::subsequence(vec!["c", "libc", "mpi"], 0..3);
    let package = one_of(&["glibc", "zlib"]);
    (0..50usize, 0..16u8, virtuals, package).prop_map(|(number, deptypes, virtuals, package)| {
        Dependency {
            package,
            hash: hash(number),
            deptypes: Deptypes::from_bits(deptypes).expect("bits below 16"),
            virtuals: virtuals.into_iter().map(str::to_owned).collect(),
        }
    })
}

/// Returns an index of four builds of three packages.
pub fn small_index() -> Index {
    let page = |package: &str, version: &str, os: &str, variants: &[&str]| {
        let mut build = one(package, version);
        build.os = os.to_owned();
        build.variants = variants.iter().map(|text| variant(text)).collect();
        build
    };
    let mut all = vec![
        page("hdf5", "1.14.5", "ubuntu24.04", &["+mpi", "api=v110"]),
        page("hdf5", "1.12.3", "ubuntu22.04", &["~mpi", "api=default"]),
        page("hdf5-vol-async", "1.7", "ubuntu22.04", &["build_system=cmake"]),
        page("py-torch", "2.4.1", "ubuntu22.04", &["+cuda", "cuda_arch:=80,90"]),
    ];
    for (number, build) in all.iter_mut().enumerate() {
        build.hash = hash(number);
    }
    pack(About::default(), all).expect("different hashes")
}

/// Removes dependencies such that no cycles are left: caches with cycles are rejected when they are read.
pub fn without_cycles(mut builds: Vec<Build>) -> Vec<Build> {
    for build in &mut builds {
        let own = build.hash;
        build.dependencies.iter_mut().for_each(|all| all.retain(|one| one.hash < own));
    }
    builds
}

/// Converts a small number to a hash.
pub fn hash(number: usize) -> Hash {
    let digits = format!("{number:031b}").replace('0', "a").replace('1', "7");
    format!("{digits}b").parse().expect("32 characters of base32")
}

/// Creates a build of a package and version with hash 0; all other fields are constant.
pub fn one(package: &str, version: &str) -> Build {
    Build {
        platform: "linux".to_owned(),
        os: "ubuntu24.04".to_owned(),
        target: "x86_64_v3".to_owned(),
        compiler: Some("gcc@13.2.0".to_owned()),
        places: [Place::whole_release("develop")].into(),
        ..Build::new(hash(0), package, version)
    }
}

/// Parses variants as cache pages write them.
pub fn variants_of(texts: &[&str]) -> Vec<Variant> {
    texts.iter().map(|text| variant(text)).collect()
}

/// Parses a variant as cache pages write it.
pub fn variant(text: &str) -> Variant {
    text.parse().expect("a variant")
}

fn one_of(values: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(values).prop_map(str::to_owned)
}

fn build() -> impl Strategy<Value = Build> {
    let packages = &["hdf5", "py-torch", "py-torchvision", "zlib"];
    let places = prop::collection::btree_set(
        (one_of(&["develop", "v1"]), one_of(&["cpu", "cuda", Place::WHOLE_RELEASE]))
            .prop_map(|(release, stack)| Place { release, stack }),
        0..4,
    );
    (
        one_of(packages),
        one_of(&["1.2", "1.10", "develop"]),
        one_of(&["linux", "darwin"]),
        one_of(&["ubuntu24.04", "sequoia"]),
        one_of(&["x86_64_v3", "zen4", "aarch64"]),
        prop::option::of(one_of(&["gcc@13.2.0", "gcc@12.1.0"])),
        variants(),
        places,
        prop::option::of(detail()),
        prop::option::of(one_of(&["2026-11-19T09:50:00Z", "2026-11-20T09:50:00Z"])),
    )
        .prop_map(
            |(
                package,
                version,
                platform,
                os,
                target,
                compiler,
                variants,
                places,
                detail,
                first_seen,
            )| {
                let mut build = Build {
                    platform,
                    os,
                    target,
                    compiler,
                    variants,
                    places: places.into_iter().collect(),
                    first_seen,
                    ..Build::new(hash(0), &package, &version)
                };
                match detail {
                    None => {
                        // Pages do not distinguish a list of one value from a single value.
                        build.variants.retain(|variant| variant.name != "precision");
                        build
                    }
                    Some(Detail { source, flags, external, size, package_hash, dependencies }) => {
                        Build {
                            dependencies: Some(dependencies),
                            namespace: Some("builtin".to_owned()),
                            compiler_source: source,
                            spliced_from: (flags.len() == 1).then(|| hash(7)),
                            flags,
                            external,
                            found_at: external.then(|| FoundAt {
                                prefix: Some("/usr".to_owned()),
                                modules: Vec::new(),
                                attributes: None,
                            }),
                            size,
                            package_hash,
                            spec_format: (source != CompilerSource::Field).then_some(5),
                            ..build
                        }
                    }
                }
            },
        )
}

/// What a database file says about a build and a page does not.
#[derive(Debug)]
struct Detail {
    source: CompilerSource,
    flags: Vec<(String, Vec<String>)>,
    external: bool,
    size: Option<u64>,
    package_hash: Option<String>,
    dependencies: Vec<Dependency>,
}

fn detail() -> impl Strategy<Value = Detail> {
    let sources =
        vec![CompilerSource::Field, CompilerSource::Annotation, CompilerSource::Dependency];
    let flags = prop::collection::vec(one_of(&["-g", "-O3", "-DX='<&>'"]), 1..3)
        .prop_map(|flags| vec![("cflags".to_owned(), flags)]);
    (
        prop::sample::select(sources),
        prop::option::of(flags),
        any::<bool>(),
        any::<Option<u64>>(),
        prop::option::of(one_of(&["one", "two", "three"])),
        prop::collection::vec(dependency(), 0..6),
    )
        .prop_map(|(source, flags, external, size, package_hash, dependencies)| {
            let flags = flags.unwrap_or_default();
            Detail { source, flags, external, size, package_hash, dependencies }
        })
}

fn variants() -> impl Strategy<Value = Vec<Variant>> {
    let languages = prop::collection::btree_set(one_of(&["c", "c++", "fortran"]), 1..3)
        .prop_map(|values: BTreeSet<String>| VariantValue::Multi(values.into_iter().collect()));
    let named = |name: &'static str, value: BoxedStrategy<VariantValue>| {
        prop::option::of(value.prop_map(move |value| Variant { name: name.to_owned(), value }))
    };
    let build_type = one_of(&["Debug", "Release"]).prop_map(VariantValue::Single);
    let precision = any::<bool>().prop_map(|is_list| match is_list {
        true => VariantValue::Multi(vec!["double".to_owned()]),
        false => VariantValue::Single("double".to_owned()),
    });
    (
        named("build_type", build_type.boxed()),
        named("languages", languages.boxed()),
        named("mpi", any::<bool>().prop_map(VariantValue::Bool).boxed()),
        named("precision", precision.boxed()),
    )
        .prop_map(|(a, b, c, d)| [a, b, c, d].into_iter().flatten().collect())
}
