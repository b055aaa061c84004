//! Why specs of single environments are missing, and what would undo it.

use super::*;

use cache_index::build::{Variant, VariantValue};

/// Adds a spec to a list, and returns its hash.
fn push(builds: &mut Vec<Build>, hashes: &mut Hashes, build: Build, below: &[Hash]) -> Hash {
    let edge = |hash: &Hash| {
        let target = builds.iter().find(|build| build.hash == *hash).expect("it is there");
        let virtuals = match target.package.as_str() {
            "gcc" => vec!["c".to_owned()],
            "mpich" | "openmpi" => vec!["mpi".to_owned()],
            _ => Vec::new(),
        };
        let package = target.package.clone();
        Dependency { package, hash: *hash, deptypes: Deptypes::LINK, virtuals }
    };
    let mut edges: Vec<Dependency> = below.iter().map(edge).collect();
    edges.sort();
    let build = Build { dependencies: Some(edges), package_hash: Some("r".to_owned()), ..build };
    let build = Build { hash: hashes.of(&build), ..build };
    let hash = build.hash;
    builds.push(build);
    hash
}

fn environment(builds: &[Build], roots: &[Hash]) -> Environment {
    let nodes =
        builds.iter().map(|build| Node { build: build.clone(), spliced_from: None }).collect();
    let root = |hash: &Hash| Root { spec: "a".to_owned(), group: None, hash: Some(*hash) };
    Environment { nodes, roots: roots.iter().map(root).collect(), ..Environment::default() }
}

/// Finds the causes of an environment, one line each.
fn of_environment(cache: &[Build], environment: &Environment) -> (Causes, Vec<String>) {
    let index = index(cache);
    let assessment = Assessment::new(&index, environment, &Question::default(), index.dialect());
    let causes = Causes::of_environment(&index, environment, &assessment);
    let words = causes.shown().map(|(_, cause)| cause.words()).collect();
    (causes, words)
}

#[test]
fn compares_an_environment_with_one_that_the_cache_has() {
    let mut hashes = Hashes::default();
    let (mut cache, mut wanted) = (Vec::new(), Vec::new());
    let of = |package: &str, version: &str| sample::one(package, version);
    // Two stacks with everything alike, except for the version of the lowest spec.
    for version in ["1.2", "1.3"] {
        let zlib = push(&mut cache, &mut hashes, of("zlib", version), &[]);
        let png = push(&mut cache, &mut hashes, of("libpng", "1.6"), &[zlib]);
        push(&mut cache, &mut hashes, of("hdf5", "1.14"), &[zlib, png]);
    }
    let zlib = push(&mut wanted, &mut hashes, of("zlib", "1.3"), &[]);
    let png = push(
        &mut wanted,
        &mut hashes,
        Build { target: "zen4".to_owned(), ..of("libpng", "1.6") },
        &[zlib],
    );
    let root = push(&mut wanted, &mut hashes, of("hdf5", "1.14"), &[zlib, png]);
    let (causes, words) = of_environment(&cache, &environment(&wanted, &[root]));
    assert_eq!(words, ["target: x86_64_v3 → zen4 of libpng"]);
    assert_eq!((causes.explained, causes.causes[0].alone), (2, 2));
    assert_eq!(causes.follows(), [(root, vec![png])]);
    assert_eq!(causes.restored(&[0]), (2, 0));
    assert_eq!(
        causes.lines(&[0]).as_deref(),
        Some("packages:\n  libpng:\n    require: \"target=x86_64_v3\"\n")
    );
}

#[test]
fn takes_another_existing_build_of_a_dependency_for_a_cause() {
    let mut hashes = Hashes::default();
    let mut cache = Vec::new();
    let of = |package: &str, version: &str| sample::one(package, version);
    let [old, new] = ["1.2", "1.3"].map(|version| {
        ["zlib", "szip"].map(|name| push(&mut cache, &mut hashes, of(name, version), &[]))
    });
    let mut wanted = cache.clone();
    push(&mut cache, &mut hashes, of("hdf5", "1.14"), &old);
    let root = push(&mut wanted, &mut hashes, of("hdf5", "1.14"), &new);
    let (causes, words) = of_environment(&cache, &environment(&wanted, &[root]));
    assert_eq!(words, ["dependencies of hdf5: szip@1.2 → @1.3, zlib@1.2 → @1.3"]);
    let [zlib, szip] = old.map(|hash| hash.to_string()[..7].to_owned());
    let all = format!(
        "add ^szip@1.2/{szip} ^zlib@1.2/{zlib} to the spec of hdf5; what is concretized together with it takes the same"
    );
    assert_eq!(causes.other_remedies(0), [all]);
}

#[test]
fn declares_externals_rather_than_requiring_something_of_them() {
    let (mut hashes, mut cache, mut wanted) = (Hashes::default(), Vec::new(), Vec::new());
    let gcc = |value: bool| Build {
        external: true,
        variants: vec![Variant { name: "binutils".to_owned(), value: VariantValue::Bool(value) }],
        ..sample::one("gcc", "12.3.0")
    };
    let old = push(&mut cache, &mut hashes, gcc(false), &[]);
    push(&mut cache, &mut hashes, sample::one("hdf5", "1.14"), &[old]);
    let new = push(&mut wanted, &mut hashes, gcc(true), &[]);
    let root = push(&mut wanted, &mut hashes, sample::one("hdf5", "1.14"), &[new]);
    let (causes, words) = of_environment(&cache, &environment(&wanted, &[root]));
    assert_eq!(words, ["variant: ~binutils → +binutils of gcc"]);
    assert_eq!(causes.other_remedies(0), ["declare the external gcc@12.3.0 with ~binutils"]);
}

/// The data of cache.spack.io says neither what is external nor which values are lists.
#[test]
fn takes_nothing_for_a_cause_that_the_cache_does_not_say() {
    let (mut hashes, mut cache, mut wanted) = (Hashes::default(), Vec::new(), Vec::new());
    let with = |build: Build, value: VariantValue| Build {
        variants: vec![Variant { name: "patches".to_owned(), value }],
        ..build
    };
    let patch = || "7c2d1f4a90".to_owned();
    let zlib = || sample::one("zlib", "1.3");
    let libc = push(&mut cache, &mut hashes, sample::one("glibc", "2.34"), &[]);
    push(&mut cache, &mut hashes, with(zlib(), VariantValue::Single(patch())), &[libc]);
    let of_lock = |build: Build| Build { namespace: Some("builtin".to_owned()), ..build };
    let external = Build { external: true, ..sample::one("glibc", "2.35") };
    let libc = push(&mut wanted, &mut hashes, of_lock(external), &[]);
    let patched = with(zlib(), VariantValue::Multi(vec![patch()]));
    let root = push(&mut wanted, &mut hashes, of_lock(patched), &[libc]);
    let (causes, words) = of_environment(&cache, &environment(&wanted, &[root]));
    assert_eq!(words, ["version: 2.34 → 2.35 of glibc"]);
    assert_eq!(causes.remedies(0), ["concretize on a machine with glibc@2.34"]);
    assert_eq!(causes.follows(), [(root, vec![libc])]);
}

/// The runtime libraries of a compiler come with it.
#[test]
fn names_a_compiler_by_its_version() {
    let (mut hashes, mut cache) = (Hashes::default(), Vec::new());
    let [old, new] = ["12.3.0", "11.4.0"].map(|version| {
        let specs = ["gcc", "gcc-runtime"].map(|name| sample::one(name, version));
        specs.map(|spec| push(&mut cache, &mut hashes, spec, &[]))
    });
    let mut wanted = cache.clone();
    push(&mut cache, &mut hashes, sample::one("hdf5", "1.14"), &old);
    let root = push(&mut wanted, &mut hashes, sample::one("hdf5", "1.14"), &new);
    let (causes, _) = of_environment(&cache, &environment(&wanted, &[root]));
    assert_eq!(
        causes.other_remedies(0),
        [
            "add %gcc@12.3.0 to the spec of hdf5; what is concretized together with it takes the same"
        ]
    );
    // Unless another one was asked for.
    let mut asked = environment(&wanted, &[root]);
    asked.roots[0].spec = "hdf5 %gcc@11".to_owned();
    let (causes, _) = of_environment(&cache, &asked);
    assert_eq!(causes.remedies(0), ["ask for %gcc@12.3.0 instead of %gcc@11 in hdf5 %gcc@11"]);
}

/// An environment may have two builds of a package, and the cache one of them.
#[test]
fn compares_with_what_the_environment_has_already() {
    let mut hashes = Hashes::default();
    let mut cache = Vec::new();
    push(&mut cache, &mut hashes, sample::one("zlib", "1.2"), &[]);
    let mut wanted = cache.clone();
    let newer = push(&mut wanted, &mut hashes, sample::one("zlib", "1.3"), &[]);
    let root = push(&mut wanted, &mut hashes, sample::one("hdf5", "1.14"), &[newer]);
    let known = wanted[0].hash;
    push(&mut cache, &mut hashes, sample::one("hdf5", "1.14"), &[known]);
    let (causes, words) = of_environment(&cache, &environment(&wanted, &[root]));
    assert_eq!(words, ["version: 1.2 → 1.3 of zlib"]);
    assert!(causes.additions.is_empty());
    assert_eq!(causes.remedies(0), ["require @1.2 for zlib"]);
}

#[test]
fn contradicts_nothing_that_was_asked_for() {
    let mut hashes = Hashes::default();
    let (mut cache, mut wanted) = (Vec::new(), Vec::new());
    push(&mut cache, &mut hashes, sample::one("zlib", "1.2"), &[]);
    let root = push(&mut wanted, &mut hashes, sample::one("zlib", "1.3"), &[]);
    let lines = |spec: &str| {
        let mut environment = environment(&wanted, &[root]);
        environment.roots[0].spec = spec.to_owned();
        let (causes, _) = of_environment(&cache, &environment);
        (causes.lines(&[0]), causes.other_remedies(0).join("; "))
    };
    let required = Some("packages:\n  zlib:\n    require: \"@1.2\"\n".to_owned());
    assert_eq!(lines("zlib +pic"), (required, String::new()));
    let instead = "ask for @1.2 instead of @1.3 in zlib@1.3+pic".to_owned();
    assert_eq!(lines("zlib@1.3+pic"), (None, instead));
}

#[test]
fn contradicts_no_dependency_that_was_asked_for() {
    let (mut hashes, mut cache) = (Hashes::default(), Vec::new());
    let [mpich, openmpi] = ["mpich", "openmpi"]
        .map(|name| push(&mut cache, &mut hashes, sample::one(name, "4.1"), &[]));
    let mut wanted = cache.clone();
    push(&mut cache, &mut hashes, sample::one("hdf5", "1.14"), &[mpich]);
    let root = push(&mut wanted, &mut hashes, sample::one("hdf5", "1.14"), &[openmpi]);
    let remedies = |spec: &str| {
        let mut environment = environment(&wanted, &[root]);
        environment.roots[0].spec = spec.to_owned();
        of_environment(&cache, &environment).0.remedies(0)
    };
    assert_eq!(remedies("hdf5"), ["require mpich for mpi"]);
    assert_eq!(
        remedies("hdf5@1.14 ^openmpi"),
        ["ask for ^mpich instead of ^openmpi in hdf5@1.14 ^openmpi"]
    );
}

/// Nobody would concretize for another machine.
#[test]
fn compares_with_no_build_for_another_platform() {
    let mut hashes = Hashes::default();
    let mut wanted = Vec::new();
    let root = push(&mut wanted, &mut hashes, sample::one("tree", "2.1"), &[]);
    let on_mac =
        Build { platform: "darwin".to_owned(), hash: sample::hash(99), ..wanted[0].clone() };
    let (causes, words) = of_environment(&[on_mac], &environment(&wanted, &[root]));
    assert_eq!((words.len(), causes.additions.as_slice()), (0, &[root][..]));
}

#[test]
fn explains_nothing_without_a_counterpart() {
    let mut hashes = Hashes::default();
    let mut wanted = Vec::new();
    let root = push(&mut wanted, &mut hashes, sample::one("hdf5", "1.14"), &[]);
    let zlib = Build { hash: sample::hash(99), ..sample::one("zlib", "1.3") };
    let (causes, words) = of_environment(&[zlib], &environment(&wanted, &[root]));
    assert_eq!((words.len(), causes.additions.as_slice(), causes.explained), (0, &[root][..], 0));
}

#[test]
fn admits_that_a_cache_without_dependencies_does_not_say_why() {
    let mut hashes = Hashes::default();
    let mut wanted = Vec::new();
    let root = push(&mut wanted, &mut hashes, sample::one("hdf5", "1.14"), &[]);
    let page = Build { hash: sample::hash(99), ..sample::one("hdf5", "1.14") };
    let (causes, _) = of_environment(&[page], &environment(&wanted, &[root]));
    assert_eq!((causes.unexplained.as_slice(), causes.explained), (&[root][..], 0));
}

#[test]
fn offers_no_setting_that_would_change_other_specs() {
    let mut hashes = Hashes::default();
    let (mut cache, mut wanted) = (Vec::new(), Vec::new());
    let of = |version: &str, target: &str| Build {
        target: target.to_owned(),
        ..sample::one("zlib", version)
    };
    push(&mut cache, &mut hashes, of("1.2", "x86_64_v3"), &[]);
    let there = push(&mut wanted, &mut hashes, of("1.1", "x86_64_v3"), &[]);
    cache.push(wanted[0].clone());
    let newer = push(&mut wanted, &mut hashes, of("1.3", "x86_64_v3"), &[]);
    let (causes, words) = of_environment(&cache, &environment(&wanted, &[newer]));
    assert_eq!(words, ["version: 1.2 → 1.3 of zlib"]);
    let only = "ask for @1.2 for zlib only where that is missing: as a requirement, it would change other specs";
    assert_eq!((causes.lines(&[0]), causes.remedies(0)), (None, vec![only.to_owned()]));
    // Alone, it changes nothing else.
    wanted.retain(|build| build.hash != there);
    let (causes, _) = of_environment(&cache, &environment(&wanted, &[newer]));
    assert_eq!(causes.remedies(0), ["require @1.2 for zlib"]);
}

/// Returns a build with these variants, for an operating system.
fn with(package: &str, variants: &[&str], os: &str) -> Build {
    let variants = sample::variants_of(variants);
    Build { variants, os: os.to_owned(), ..sample::one(package, "1.3") }
}

/// Of two builds that are equally near, one comes with another variant of a dependency.
#[test]
fn compares_with_the_build_that_brings_the_variants_that_are_asked_for() {
    for names in [["~new", "+new"], ["+new", "~new"]] {
        let mut hashes = Hashes::default();
        let (mut cache, mut wanted) = (Vec::new(), Vec::new());
        for variant in names {
            let below = push(&mut cache, &mut hashes, with("zlib", &[variant], "rhel8"), &[]);
            push(&mut cache, &mut hashes, with("curl", &[], "rhel8"), &[below]);
        }
        let below = push(&mut wanted, &mut hashes, with("zlib", &["+new"], "rhel9"), &[]);
        let root = push(&mut wanted, &mut hashes, with("curl", &[], "rhel9"), &[below]);
        let (_, words) = of_environment(&cache, &environment(&wanted, &[root]));
        assert_eq!(words, ["OS: rhel8 → rhel9 of curl, zlib"]);
    }
}

/// The only build of curl comes with another variant of zlib.
#[test]
fn advises_no_change_of_what_another_build_has_as_it_is() {
    let mut hashes = Hashes::default();
    let (mut cache, mut wanted) = (Vec::new(), Vec::new());
    let other = push(&mut cache, &mut hashes, with("zlib", &["~new"], "rhel9"), &[]);
    push(&mut cache, &mut hashes, with("curl", &[], "rhel9"), &[other]);
    let same = push(&mut cache, &mut hashes, with("zlib", &["+new"], "rhel8"), &[]);
    let below = push(&mut wanted, &mut hashes, with("zlib", &["+new"], "rhel9"), &[]);
    let root = push(&mut wanted, &mut hashes, with("curl", &[], "rhel9"), &[below]);
    let (causes, words) = of_environment(&cache, &environment(&wanted, &[root]));
    assert_eq!(words, ["variant: ~new → +new of zlib"]);
    assert_eq!((causes.remedies(0), causes.lines(&[0])), (Vec::new(), None));
    let same = &same.to_string()[..7];
    let note = format!("The cache also has zlib+new, as /{same}, so this needs no change");
    assert_eq!(causes.notes(0), [note.as_str()]);
    let occasion = Occasion::Missing { wanted: 2, cached: 0, left_out: None };
    let words = CausesInWords { causes: &causes, occasion };
    assert!(words.undoable().is_empty());
    assert!(words.text().contains(&format!("\n      {note}\n")), "{}", words.text());
}

#[test]
fn requires_all_variants_that_a_value_brings_along() {
    let mut hashes = Hashes::default();
    let (mut cache, mut wanted) = (Vec::new(), Vec::new());
    let old = ["libs=shared", "+mpi", "~threads"];
    push(&mut cache, &mut hashes, with("hdf5", &old, "rhel9"), &[]);
    let root = push(&mut wanted, &mut hashes, with("hdf5", &["~mpi"], "rhel9"), &[]);
    let (causes, words) = of_environment(&cache, &environment(&wanted, &[root]));
    assert_eq!(words, ["variant: +mpi → ~mpi of hdf5"]);
    let (at, _) = causes.shown().next().expect("a cause");
    assert_eq!(causes.remedies(at), ["require +mpi libs=shared ~threads for hdf5"]);
    let lines = "packages:\n  hdf5:\n    require: \"+mpi libs=shared ~threads\"\n";
    assert_eq!(causes.lines(&[at]).as_deref(), Some(lines));
}

#[test]
fn calls_gpu_code_no_remedy() {
    let mut hashes = Hashes::default();
    let (mut cache, mut wanted) = (Vec::new(), Vec::new());
    let old = ["amdgpu_target=gfx942", "~apu", "+rocm"];
    push(&mut cache, &mut hashes, with("kokkos", &old, "rhel9"), &[]);
    let root = push(&mut wanted, &mut hashes, with("kokkos", &["~rocm"], "rhel9"), &[]);
    let environment = environment(&wanted, &[root]);
    let (causes, _) = of_environment(&cache, &environment);
    let (at, _) = causes.shown().next().expect("a cause");
    assert_eq!(causes.remedies(at), [""; 0]);
    let note = "For this kind of machine, the cache has kokkos@1.3 only with GPU code: +rocm amdgpu_target=gfx942; \
                to take that, ask for kokkos@1.3 +rocm amdgpu_target=gfx942 ~apu";
    assert_eq!(causes.notes(at), [note]);
    // Another build has none, so it is a matter of variants.
    push(&mut cache, &mut hashes, with("kokkos", &["+extra", "~rocm"], "rhel8"), &[]);
    let (causes, _) = of_environment(&cache, &environment);
    assert!((0..causes.causes.len()).all(|at| causes.notes(at).is_empty()), "{causes:?}");
}

#[test]
fn says_that_systems_are_alternatives() {
    let mut hashes = Hashes::default();
    let (mut cache, mut wanted, mut roots) = (Vec::new(), Vec::new(), Vec::new());
    for (package, os) in [("zlib", "rhel8"), ("bzip2", "rhel8"), ("xz", "ubuntu22.04")] {
        push(&mut cache, &mut hashes, with(package, &[], os), &[]);
        roots.push(push(&mut wanted, &mut hashes, with(package, &[], "rhel9"), &[]));
    }
    let (causes, _) = of_environment(&cache, &environment(&wanted, &roots));
    let occasion = Occasion::Missing { wanted: 3, cached: 0, left_out: None };
    let said = CausesInWords { causes: &causes, occasion }.alternatives();
    let expected = "The specs for rhel9 are compared with builds for rhel8 (2 specs) and ubuntu22.04 (1 spec), \
                    which are alternatives, with their targets and libcs: choose one of them";
    assert_eq!(said.as_deref(), Some(expected));
}

#[test]
fn names_packages_that_the_cache_does_not_have() {
    let mut hashes = Hashes::default();
    let mut wanted = Vec::new();
    let roots = ["figlet", "tree"]
        .map(|package| push(&mut wanted, &mut hashes, sample::one(package, "2.1"), &[]));
    let on_mac =
        Build { platform: "darwin".to_owned(), hash: sample::hash(99), ..wanted[1].clone() };
    let (causes, _) = of_environment(&[on_mac], &environment(&wanted, &roots));
    let occasion = Occasion::Missing { wanted: 2, cached: 0, left_out: None };
    let rest = [
        "1 spec is of a package that the cache does not have: figlet",
        "No build for the same kind of machine is left to compare 1 spec (tree) with, so nothing explains it",
    ];
    assert_eq!(CausesInWords { causes: &causes, occasion }.rest(), rest);
}
