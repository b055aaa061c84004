//! The nearest builds of small caches.

use super::*;
use cache_index::build::{Build, Dependency, Deptypes, Place};
use cache_index::index::{About, pack};
use cache_index::sample;
use cache_query::address;

#[test]
fn finds_builds_that_fail_the_fewest_filters() {
    let one = |number: usize, version: &str, os: &str, variants: &[&str]| Build {
        hash: sample::hash(number),
        os: os.to_owned(),
        variants: sample::variants_of(variants),
        ..sample::one("hdf5", version)
    };
    let zlib = Build { hash: sample::hash(4), ..sample::one("zlib", "1.3") };
    let all = [
        one(0, "1.14.5", "rhel8", &["+mpi", "api=v110"]),
        one(1, "1.12.3", "ubuntu22.04", &["~mpi", "api=v110"]),
        one(2, "1.10.1", "ubuntu22.04", &["api=v18"]),
        zlib,
    ];
    let index = pack(About::default(), all).expect("an index");
    let check = |address: &str, expected: &[&str]| {
        let question = address::decode(address).0.normalized(&index).question;
        let near = nearest(&index, &question, 3);
        let found: Vec<String> = near
            .iter()
            .map(|near| {
                let differs: Vec<String> =
                    near.differs.iter().map(|(has, asked)| format!("{has} for {asked}")).collect();
                let version = index.text(index.row_of(near.build), Facet::Version);
                format!("{version}: {}", differs.join("; "))
            })
            .collect();
        assert_eq!(found, expected, "{address}");
    };
    check(
        "q=hdf5&os=ubuntu22.04&variant=mpi",
        &["1.12.3: ~mpi for +mpi", "1.14.5: rhel8 for ubuntu22.04", "1.10.1:  for +mpi"],
    );
    check(
        "q=hdf5@1.14:&os=ubuntu22.04&variant=api=v18",
        &[
            "1.10.1: 1.10.1 for 1.14:",
            "1.12.3: 1.12.3 for 1.14:; api=v110 for api=v18",
            "1.14.5: rhel8 for ubuntu22.04; api=v110 for api=v18",
        ],
    );
    check("package=zlib&not.version=1.3", &["1.3: 1.3 for not 1.3"]);
    check("q=zlib&stack=e4s", &["1.3: root for e4s"]);
    check("q=nosuch+mpi", &[]);
    // No package is called that.
    check(
        "q=hdf@1.12:",
        &["1.14.5: hdf5 for hdf", "1.12.3: hdf5 for hdf", "1.10.1: hdf5 for hdf; 1.10.1 for 1.12:"],
    );
    check("q=/aaaaaaaaa", &[]);
}

#[test]
fn prefers_the_platform_of_the_requested_system_and_another_value_of_a_variant() {
    let of = |number: usize, platform: &str, os: &str, variant: &str| Build {
        hash: sample::hash(number),
        platform: platform.to_owned(),
        os: os.to_owned(),
        variants: vec![sample::variant(variant)],
        ..sample::one("hdf5", &format!("1.{number}"))
    };
    let all = [
        of(9, "darwin", "sequoia", "+x"),
        of(3, "linux", "rhel8", "cuda_arch=80"),
        of(4, "linux", "rhel8", "+x"),
    ];
    let index = pack(About::default(), all).expect("an index");
    let first = |address: &str| {
        let question = address::decode(address).0.question;
        let near = nearest(&index, &question, 1);
        index.hash(near[0].build).expect("a hash")
    };
    assert_eq!(first("package=hdf5&os=debian12"), sample::hash(4));
    assert_eq!(first("package=hdf5&os=tahoe"), sample::hash(9));
    assert_eq!(first("package=hdf5&variant=cuda_arch=90"), sample::hash(3));
}

#[test]
fn counts_each_value_that_a_build_must_have_too() {
    let of = |number: usize, stacks: &[&str]| {
        let place = |stack: &&str| Place { release: String::new(), stack: (*stack).into() };
        Build {
            hash: sample::hash(number),
            places: stacks.iter().map(place).collect(),
            ..sample::one("hdf5", &format!("1.{number}"))
        }
    };
    let all = [of(9, &["d"]), of(2, &["a", "b"]), of(3, &["a"])];
    let index = pack(About::default(), all).expect("an index");
    let question = address::decode("q=hdf5&stack=a&stack=b&stack=c&all=stack").0.question;
    let near = nearest(&index, &question, 3);
    let differs: Vec<&[(String, String)]> = near.iter().map(|near| &near.differs[..]).collect();
    let pair = |has: &str, asked: &str| [(has.to_owned(), asked.to_owned())];
    let [first, second, third] =
        [pair("a, b", "c"), pair("a", "b and c"), pair("d", "a and b and c")];
    assert_eq!(differs, [&first[..], &second[..], &third[..]]);
}

#[test]
fn puts_what_runs_on_the_requested_target_first() {
    let one = |number: usize, version: &str, target: &str, variant: &str| Build {
        hash: sample::hash(number),
        target: target.to_owned(),
        variants: vec![sample::variant(variant)],
        ..sample::one("hdf5", version)
    };
    let all = [
        one(0, "1.14.6", "neoverse_n1", "+mpi"),
        one(1, "1.14.5", "zen4", "+mpi"),
        one(2, "1.14.4", "x86_64", "+mpi"),
        one(3, "1.14.3", "zen2", "+mpi"),
        one(4, "1.14.2", "x86_64_v3", "~mpi"),
        one(5, "1.14.1", "alien", "+mpi"),
    ];
    let index = pack(About::default(), all).expect("an index");
    let check = |address: &str, expected: &[&str]| {
        let question = address::decode(address).0.normalized(&index).question;
        let near = nearest(&index, &question, 10);
        let target = |near: &Near| index.text(index.row_of(near.build), Facet::Target);
        let targets: Vec<&str> = near.iter().map(target).collect();
        assert_eq!(targets, expected, "{address}");
    };
    let mpi = ["zen2", "x86_64", "x86_64_v3", "zen4", "neoverse_n1", "alien"];
    check("package=hdf5&target=zen3&variant=mpi", &mpi);
    check("q=hdf5%20target=zen3%20%2Bmpi", &mpi);
    check("q=hdf5%20target=zen3:zen3%20%2Bmpi", &mpi);
    // Whatever runs on one of several is of use.
    let either = ["zen4", "zen2", "neoverse_n1", "x86_64_v3", "x86_64", "alien"];
    check("package=hdf5&target=zen5&target=neoverse_v2", &either);
    // If nothing runs there, what is nearest to it in its family is of use to compare with.
    check(
        "package=hdf5&target=x86_64&version=1.14.9",
        &["x86_64", "x86_64_v3", "zen2", "zen4", "neoverse_n1", "alien"],
    );
    // Nothing is known of what an unknown target runs.
    let by_version = ["neoverse_n1", "zen4", "x86_64", "zen2", "x86_64_v3", "alien"];
    check("package=hdf5&target=zen33", &by_version);
}

#[test]
fn puts_code_for_another_gpu_before_none() {
    let one = |number: usize, version: &str, variants: &[&str]| Build {
        hash: sample::hash(number),
        variants: sample::variants_of(variants),
        dependencies: Some(Vec::new()),
        ..sample::one("hdf5", version)
    };
    let all = [
        one(0, "1.14.6", &["~cuda"]),
        one(1, "1.14.5", &["+cuda", "cuda_arch=70"]),
        one(2, "1.14.4", &["+rocm", "amdgpu_target=gfx90a"]),
    ];
    let index = pack(About::default(), all).expect("an index");
    let address = "q=hdf5&host=linux.rhel8.zen3&gpu=H100&uses=gpu";
    let mut question = address::decode(address).0.normalized(&index).question;
    crate::fit::judge(&index, &mut question, None);
    let near = nearest(&index, &question, 3);
    let differs: Vec<_> = near.iter().flat_map(|near| &near.differs).cloned().collect();
    let expected = ["cuda_arch=70", "amdgpu_target=gfx90a", ""]
        .map(|own| (own.to_owned(), "code that is known to run on H100".to_owned()));
    assert_eq!(differs, expected);
}

#[test]
fn puts_what_does_not_run_last() {
    let glibc = Dependency {
        package: "glibc".to_owned(),
        hash: sample::hash(2),
        deptypes: Deptypes::from_bits(2).expect("bits below 16"),
        virtuals: vec!["libc".to_owned()],
    };
    let one = |number: usize, version: &str, target: &str| Build {
        hash: sample::hash(number),
        target: target.to_owned(),
        dependencies: Some(vec![glibc.clone()]),
        ..sample::one("hdf5", version)
    };
    let libc = Build {
        hash: sample::hash(2),
        external: true,
        dependencies: Some(Vec::new()),
        ..sample::one("glibc", "2.35")
    };
    let all = [
        one(0, "1.14.5", "x86_64_v4"),
        one(1, "1.12.3", "x86_64_v3"),
        one(3, "2.0.0", "neoverse_v1"),
        libc,
    ];
    let index = pack(About::default(), all).expect("an index");
    let check = |address: &str, expected: &[&str]| {
        let question = address::decode(address).0.normalized(&index).question;
        let version = |near: Near| index.text(index.row_of(near.build), Facet::Version);
        let found: Vec<&str> = nearest(&index, &question, 3).into_iter().map(version).collect();
        assert_eq!(found, expected, "{address}");
    };
    // The libc decides if the older one runs there.
    check("q=hdf5&host=linux.rocky8.zen3&runs=yes", &["1.12.3", "1.14.5", "2.0.0"]);
    check("q=hdf5@3&host=linux.rocky8.zen3", &["2.0.0", "1.14.5", "1.12.3"]);
    // Once the builds have been judged, a machine that is stated counts without a filter, too.
    let mut question = address::decode("q=hdf5@3&host=linux.rocky8.zen3").0.question;
    crate::fit::judge(&index, &mut question, None);
    let version = |near: Near| index.text(index.row_of(near.build), Facet::Version);
    let found: Vec<&str> = nearest(&index, &question, 3).into_iter().map(version).collect();
    assert_eq!(found, ["1.12.3", "1.14.5", "2.0.0"]);
}

#[test]
fn prefers_builds_whose_libc_the_requested_os_has() {
    let one = |number: usize, version: &str, os: &str| Build {
        hash: sample::hash(number),
        os: os.to_owned(),
        ..sample::one("hdf5", version)
    };
    let all = [
        one(0, "1.14.6", "ubuntu22.04"),
        one(1, "1.14.5", "sles15"),
        one(2, "1.12.3", "amzn2"),
        one(3, "1.10.1", "rhel8"),
    ];
    let index = pack(About::default(), all).expect("an index");
    for address in ["q=hdf5&os=rocky8", "q=hdf5%20os=rocky8"] {
        let question = address::decode(address).0.normalized(&index).question;
        let near = nearest(&index, &question, 4);
        let systems: Vec<&str> =
            near.iter().map(|near| index.text(index.row_of(near.build), Facet::Os)).collect();
        assert_eq!(systems, ["rhel8", "amzn2", "sles15", "ubuntu22.04"], "{address}");
    }
}
