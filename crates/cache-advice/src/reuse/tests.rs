//! Properties of outcomes, on generated caches. The tests of the command compare outcomes with answers
//! recorded from Spack.

use std::collections::BTreeMap;

use cache_index::build::{Build, Dependency, Deptypes, FoundAt, Hash};
use cache_index::index::{About, BuildId, Index, pack};
use cache_index::sample;
use cache_index::sample::without_cycles;
use cache_index::settings::{External, Reuse, ReuseSource, Settings};
use cache_query::Setup;
use proptest::prelude::*;

use super::below::Below;
use super::specs::SettingsSpecs;
use super::*;

fn host(text: &str) -> Setup {
    Setup::on(text.parse().expect("a host"))
}

/// Builds whose dependencies have no cycles.
fn builds() -> impl Strategy<Value = Vec<Build>> {
    sample::builds().prop_map(without_cycles)
}

fn setups() -> impl Strategy<Value = Setup> {
    let hosts = prop::sample::select(vec![
        "linux.ubuntu24.04.zen4.glibc@2.39",
        "linux.ubuntu24.04.x86_64_v3",
        "linux.rhel8.zen3.glibc@2.28",
        "darwin.sequoia.m1",
        "darwin.monterey.alien",
    ]);
    let spacks = prop::sample::select(vec!["0.21", "0.23", "1.2", "1.3"]);
    let reuses = prop::sample::select(vec![
        Reuse::Everything,
        Reuse::Everything,
        Reuse::Dependencies,
        Reuse::Nothing,
    ]);
    let specs = || {
        let one = prop::sample::select(vec!["zlib", "hdf5@1.2", "+mpi", "%gcc@13", "^zlib"]);
        prop::collection::vec(one.prop_map(str::to_owned), 0..2)
    };
    let source = (specs(), specs()).prop_map(|(include, exclude)| ReuseSource { include, exclude });
    let caches = prop::collection::vec(source, 1..4);
    (hosts, spacks, reuses, caches, specs()).prop_map(|(on, spack, reuse, caches, asked)| Setup {
        spack: spack.parse().expect("a version"),
        settings: Settings { reuse, caches, asked, ..Settings::default() },
        ..host(on)
    })
}

fn packed(builds: Vec<Build>) -> Index {
    pack(About::default(), builds).expect("different hashes")
}

fn ids(index: &Index) -> impl Iterator<Item = BuildId> + use<> {
    (0..index.specs()).map(BuildId)
}

/// Returns whether everything that a build needs is eligible, worked out in plain loops.
fn naive(
    all: &BTreeMap<Hash, Build>,
    eligible: &BTreeMap<Hash, Option<bool>>,
    build: &Build,
) -> Option<bool> {
    let Some(dependencies) = &build.dependencies else { return None };
    let needed = dependencies.iter().filter(|dependency| {
        dependency.deptypes != Deptypes::BUILD
            && dependency.package != "gcc-runtime"
            && !dependency.virtuals.iter().any(|name| name == "libc")
    });
    let answers = needed.map(|dependency| match all.get(&dependency.hash) {
        Some(build) if build.package == dependency.package => eligible[&dependency.hash],
        _ => Some(false),
    });
    let answers: Vec<Option<bool>> = answers.collect();
    if answers.contains(&Some(false)) {
        Some(false)
    } else if answers.contains(&None) {
        None
    } else {
        Some(true)
    }
}

proptest! {
    #[test]
    fn decides_about_one_build_as_about_all(builds in builds(), setup in setups()) {
        let index = packed(builds);
        let verdicts = Verdicts::new(&index, &setup);
        for id in ids(&index) {
            let checklist = Checklist::new(&index, &setup, &verdicts, id);
            prop_assert_eq!(checklist.outcome, verdicts.of(&index, id), "{:?}", checklist);
            let reason = Checklist::reason(&index, &setup, &verdicts, id);
            prop_assert_eq!(reason.is_none(), checklist.outcome == Outcome::ELIGIBLE);
            if let (Some(reason), Some(check)) = (reason, checklist.decides()) {
                prop_assert!(reason.starts_with(&format!("{}: ", check.rule)), "{reason}: {checklist:?}");
            }
            let changes = checklist.checks.iter().filter(|check| check.change.is_some());
            prop_assert!(changes.clone().all(|check| check.status != RuleStatus::Passed));
        }
    }

    #[test]
    fn reuses_a_build_only_with_everything_that_it_needs(builds in builds(), setup in setups()) {
        let index = packed(builds.clone());
        let verdicts = Verdicts::new(&index, &setup);
        let hash = |id| index.hash(id).expect("a hash");
        let eligible: BTreeMap<Hash, Option<bool>> =
            ids(&index).map(|id| (hash(id), verdicts.of(&index, id).is_eligible())).collect();
        let all: BTreeMap<Hash, Build> = builds.into_iter().map(|b| (b.hash, b)).collect();
        for id in ids(&index) {
            let checks = Checklist::new(&index, &setup, &verdicts, id).checks;
            let own = checks.iter().filter(|check| check.rule != Rule::Dependencies);
            let own = own.map(|check| Outcome::of(check.rule, check.status)).min();
            let own = own.and_then(Outcome::is_eligible);
            let expected = match (own, naive(&all, &eligible, &all[&hash(id)])) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (None, _) | (_, None) => None,
                _ => Some(true),
            };
            // A dependency that was built for another target fails its dependents, too.
            let is_mismatched = Below::new(&index).is_some_and(|below| below.is_mismatched(id));
            if !is_mismatched {
                prop_assert_eq!(eligible[&hash(id)], expected, "{:?}", checks);
            }
            let failed = checks.iter().filter(|check| check.status != RuleStatus::Passed);
            prop_assert!(failed.clone().all(|check| !check.fact.is_empty()), "{:?}", checks);
        }
    }

    #[test]
    fn reuses_no_less_on_a_better_machine(builds in builds(), spack in prop::sample::select(vec!["0.23", "1.2"])) {
        let index = packed(builds);
        let on = |text| {
            let setup = Setup { spack: spack.parse().expect("a version"), ..host(text) };
            let verdicts = Verdicts::new(&index, &setup);
            ids(&index).map(|id| verdicts.of(&index, id).is_eligible()).collect::<Vec<_>>()
        };
        let pairs = [
            ("linux.ubuntu24.04.x86_64_v3.glibc@2.28", "linux.ubuntu24.04.x86_64_v3.glibc@2.39"),
            ("linux.ubuntu24.04.x86_64_v3.glibc@2.28", "linux.debian13.zen4.glibc@2.28"),
            ("darwin.sequoia.aarch64", "darwin.tahoe.m1"),
        ];
        for (worse, better) in pairs {
            for (worse, better) in on(worse).into_iter().zip(on(better)) {
                prop_assert!(worse != Some(true) || better == Some(true));
            }
        }
    }

    #[test]
    fn counts_each_build_once(builds in builds(), setup in setups()) {
        let index = packed(builds);
        let verdicts = Verdicts::new(&index, &setup);
        let counts = verdicts.counts(&index, index.builds_with_binary());
        let all = index.builds_with_binary().count();
        prop_assert_eq!(counts.iter().map(|(_, count)| count).sum::<usize>(), all);
        prop_assert_eq!(verdicts.all(&index).count(), all);
        prop_assert!(counts.is_sorted_by(|one, two| one.0 < two.0));
    }

    #[test]
    fn reuses_nothing_if_the_settings_forbid_it(builds in builds()) {
        let index = packed(builds);
        let settings = Settings { reuse: Reuse::Nothing, ..Settings::default() };
        let setup = Setup { settings, ..host("linux.ubuntu24.04.zen4.glibc@2.39") };
        let verdicts = Verdicts::new(&index, &setup);
        prop_assert!(ids(&index).all(|id| verdicts.of(&index, id).is_eligible() == Some(false)));
    }
}

/// A cache of a library with its libc and the runtime of its compiler, as databases describe it.
fn library() -> Vec<Build> {
    let of = |number, package: &str, version: &str, dependencies: Vec<Dependency>| Build {
        hash: sample::hash(number),
        namespace: Some("builtin".to_owned()),
        spec_format: Some(5),
        compiler: None,
        compiler_source: cache_index::build::CompilerSource::Dependency,
        dependencies: Some(dependencies),
        ..sample::one(package, version)
    };
    let edge = |number, package: &str, deptypes, virtuals: &[&str]| Dependency {
        package: package.to_owned(),
        hash: sample::hash(number),
        deptypes,
        virtuals: virtuals.iter().map(|&name| name.to_owned()).collect(),
    };
    let external = |build: Build, prefix: &str| Build {
        external: true,
        found_at: Some(FoundAt {
            prefix: Some(prefix.to_owned()),
            modules: Vec::new(),
            attributes: None,
        }),
        places: Default::default(),
        ..build
    };
    let link = Deptypes::LINK;
    let libc = || edge(1, "glibc", link, &["libc"]);
    let runtime = || edge(3, "gcc-runtime", link, &[]);
    let gcc = || edge(2, "gcc", Deptypes::BUILD, &["c"]);
    vec![
        external(of(1, "glibc", "2.35", vec![]), "/usr"),
        external(of(2, "gcc", "12.3.0", vec![]), "/usr"),
        of(3, "gcc-runtime", "12.3.0", vec![libc(), gcc()]),
        of(4, "zlib", "1.3", vec![libc(), runtime(), gcc()]),
        of(5, "hdf5", "1.14", vec![libc(), runtime(), gcc(), edge(4, "zlib", link, &[])]),
        of(6, "no-runtime", "1", vec![libc(), gcc()]),
        of(7, "python-only", "1", vec![edge(6, "no-runtime", Deptypes::BUILD, &[])]),
    ]
}

#[track_caller]
fn check(
    builds: Vec<Build>,
    setup: &Setup,
    number: usize,
    eligible: Option<bool>,
    rule: Option<Rule>,
) {
    let index = packed(builds);
    let outcome =
        Verdicts::new(&index, setup).of(&index, index.find(sample::hash(number)).expect("a build"));
    assert_eq!((outcome.is_eligible(), outcome.rule()), (eligible, rule));
}

#[test]
fn does_not_reuse_the_libc_and_the_runtime() {
    let debian = host("linux.debian13.zen4.glibc@2.41");
    check(library(), &debian, 5, Some(true), None);
    // The runtime need not be in the cache.
    let mut builds = library();
    builds[2].places = Default::default();
    check(builds, &debian, 5, Some(true), None);
    let mut builds = library();
    builds[3].places = Default::default();
    check(builds, &debian, 5, Some(false), Some(Rule::Dependencies));
}

#[test]
fn judges_the_libc_by_name_version_and_place() {
    let on = |text| host(text);
    check(library(), &on("linux.a.zen4.glibc@2.34"), 5, Some(false), Some(Rule::Libc));
    check(library(), &on("linux.a.zen4.musl@1.2.5"), 5, Some(false), Some(Rule::Libc));
    check(library(), &on("linux.a.zen4"), 5, None, Some(Rule::Libc));
    let elsewhere = Setup { libc_path: "/opt/libc".to_owned(), ..on("linux.a.zen4.glibc@2.41") };
    check(library(), &elsewhere, 5, Some(false), Some(Rule::Libc));
    // An older Spack judges the OS.
    let old = Setup { spack: "0.21".parse().expect("a version"), ..on("linux.a.zen4.glibc@2.41") };
    let mut builds = library();
    for build in &mut builds {
        build.compiler_source = cache_index::build::CompilerSource::Field;
        build.spec_format = None;
    }
    check(builds.clone(), &old, 5, Some(false), Some(Rule::Os));
    let same = Setup { host: "linux.ubuntu24.04.zen4".parse().expect("a host"), ..old };
    check(builds, &same, 5, Some(true), None);
}

#[test]
fn requires_the_runtime_of_the_compiler_that_a_build_contains() {
    let debian = host("linux.debian13.zen4.glibc@2.41");
    check(library(), &debian, 6, Some(false), Some(Rule::Runtime));
    // A build does not contain the compiler of its build dependencies.
    check(library(), &debian, 7, Some(true), None);
    let newer = Setup { spack: "1.3".parse().expect("a version"), ..debian.clone() };
    check(library(), &newer, 6, Some(true), None);
    let mut builds = library();
    builds[3].spec_format = Some(4);
    check(builds.clone(), &newer, 4, Some(false), Some(Rule::Format));
    check(builds, &newer, 5, Some(false), Some(Rule::Dependencies));
    // Spack before 1.0 cannot read specs with compilers as dependencies.
    let older = Setup { spack: "0.23".parse().expect("a version"), ..debian };
    check(library(), &older, 4, Some(false), Some(Rule::Format));
    let mut builds = library();
    for build in &mut builds {
        build.compiler = Some("gcc@12.3.0".to_owned());
        build.compiler_source = cache_index::build::CompilerSource::Field;
        build.spec_format = None;
    }
    check(builds.clone(), &older, 5, Some(true), None);
    check(builds, &older, 6, Some(false), Some(Rule::Runtime));
}

#[test]
fn reuses_only_externals_that_the_machine_has() {
    let mut builds = library();
    let found_at =
        FoundAt { prefix: Some("/opt/zlib".to_owned()), modules: Vec::new(), attributes: None };
    builds[3] = Build { external: true, found_at: Some(found_at), ..builds[3].clone() };
    let mut debian = host("linux.debian13.zen4.glibc@2.41");
    check(builds.clone(), &debian, 4, Some(false), Some(Rule::External));
    check(builds.clone(), &debian, 5, Some(false), Some(Rule::Dependencies));
    let external = |spec: &str, prefix: &str| External {
        spec: spec.to_owned(),
        prefix: Some(prefix.to_owned()),
        modules: Vec::new(),
    };
    debian.settings.externals =
        vec![external("zlib@1.3", "/usr"), external("zlib@1.2", "/opt/zlib")];
    check(builds.clone(), &debian, 5, Some(false), Some(Rule::Dependencies));
    debian.settings.externals.push(external("zlib@1.3", "/opt/zlib"));
    check(builds.clone(), &debian, 4, Some(true), None);
    check(builds, &debian, 5, Some(true), None);
}

#[test]
fn follows_the_settings_about_targets_and_oses() {
    let mut setup = host("linux.debian13.zen4.glibc@2.41");
    setup.settings.targets.only_generic = true;
    check(library(), &setup, 5, Some(true), None);
    let mut builds = library();
    builds.iter_mut().for_each(|build| build.target = "zen3".to_owned());
    check(builds.clone(), &setup, 5, Some(false), Some(Rule::Target));
    let mut setup = host("linux.debian13.zen2.glibc@2.41");
    check(builds.clone(), &setup, 5, Some(false), Some(Rule::Target));
    setup.settings.targets.host_compatible = false;
    check(builds, &setup, 5, Some(true), None);

    let mut mac = host("darwin.monterey.m1");
    let mut builds = library();
    for build in &mut builds {
        (build.platform, build.os, build.target) =
            ("darwin".to_owned(), "sonoma".to_owned(), "aarch64".to_owned());
    }
    check(builds.clone(), &mac, 5, Some(false), Some(Rule::Os));
    let list = |own: &str, other: &str| (own.to_owned(), vec![other.to_owned()]);
    mac.settings.os_compatible = vec![list("ventura", "sonoma"), list("monterey", "ventura")];
    check(builds.clone(), &mac, 5, Some(true), None);
    check(builds, &host("darwin.sequoia.m1"), 5, Some(true), None);
}

#[test]
fn rejects_recipes_from_unknown_repositories() {
    let mut builds = library();
    builds[4].namespace = Some("corpus".to_owned());
    let mut setup = host("linux.debian13.zen4.glibc@2.41");
    check(builds.clone(), &setup, 5, Some(false), Some(Rule::Package));
    setup.settings.repositories.push("corpus".to_owned());
    check(builds, &setup, 5, Some(true), None);
}

#[test]
fn cannot_tell_from_a_cache_page() {
    let page = vec![sample::one("zlib", "1.3")];
    let index = packed(page);
    let on = |text| {
        let verdicts = Verdicts::new(&index, &host(text));
        let outcome = verdicts.of(&index, BuildId(0));
        (outcome.is_eligible(), outcome.rule())
    };
    assert_eq!(on("linux.ubuntu24.04.zen4.glibc@2.39"), (None, Some(Rule::Libc)));
    assert_eq!(on("linux.ubuntu24.04.x86_64.glibc@2.39"), (Some(false), Some(Rule::Target)));
    assert_eq!(on("darwin.sequoia.m1"), (Some(false), Some(Rule::Platform)));
}

#[test]
fn says_of_each_list_what_is_true() {
    let index = packed(library());
    // The lists of each source: `include` and `exclude`.
    let check = |sources: &[[&str; 2]], expected: [(RuleStatus, &str); 2], changes: &[&str]| {
        let mut setup = host("linux.debian13.zen4.glibc@2.41");
        let list = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let sources = sources.iter();
        let sources =
            sources.map(|lists| ReuseSource { include: list(lists[0]), exclude: list(lists[1]) });
        setup.settings.caches = sources.collect();
        let verdicts = Verdicts::new(&index, &setup);
        let zlib = index.find(sample::hash(4)).expect("a build");
        let checklist = Checklist::new(&index, &setup, &verdicts, zlib);
        assert_eq!(checklist.outcome, verdicts.of(&index, zlib));
        let found = [Rule::Include, Rule::Exclude].map(|rule| {
            let check = checklist.checks.iter().find(|check| check.rule == rule).expect("a check");
            (check.status, check.fact.as_str())
        });
        assert_eq!(found, expected);
        assert_eq!(checklist.changes(), changes);
    };
    use RuleStatus::{Failed, Passed};
    check(
        &[["hdf5", "target=x86_64_v3 hdf5"]],
        [
            (Failed, "satisfies no spec that include lists: hdf5"),
            (Failed, "satisfies a spec that exclude lists: target=x86_64_v3, hdf5"),
        ],
        &["list zlib in include", "remove target=x86_64_v3 from exclude"],
    );
    check(
        &[["hdf5", ""], ["", "zlib"]],
        [
            (Passed, "include of buildcache source 2 of 2 lists nothing"),
            (
                Failed,
                "satisfies a spec that exclude of buildcache source 2 of 2 lists: zlib; no other source takes it",
            ),
        ],
        &["remove zlib from exclude of buildcache source 2 of 2"],
    );
    check(
        &[["zlib", ""], ["", "zlib"]],
        [
            (Passed, "satisfies a spec that include of buildcache source 1 of 2 lists: zlib"),
            (Passed, "exclude of buildcache source 1 of 2 lists nothing"),
        ],
        &[],
    );
    check(
        &[["hdf5", ""], ["", ""]],
        [
            (Passed, "include of buildcache source 2 of 2 lists nothing"),
            (Passed, "exclude of buildcache source 2 of 2 lists nothing"),
        ],
        &[],
    );
}

#[test]
fn evaluates_the_specs_in_the_settings_once_for_a_checklist() {
    let index = packed(library());
    let mut setup = host("linux.debian13.zen4.glibc@2.41");
    setup.settings.caches[0].exclude = vec!["zlib".to_owned()];
    let specs = SettingsSpecs::default();
    let first = specs.sources(&index, &setup);
    assert!(std::ptr::eq(first, specs.sources(&index, &setup)));
    let zlib = index.find(sample::hash(4)).expect("a build");
    assert_eq!(first[0].excluded_by(zlib).collect::<Vec<_>>(), ["zlib"]);
    // What it says of a dependency is what the checklist of the dependency says.
    let verdicts = Verdicts::new(&index, &setup);
    let hdf5 = index.find(sample::hash(5)).expect("a build");
    let checklist = Checklist::new(&index, &setup, &verdicts, hdf5);
    let help = "remove zlib from exclude; or a cache in which these can be reused too";
    assert_eq!(checklist.changes(), [help]);
}

#[test]
fn states_what_decides_and_what_would_change_it() {
    let index = packed(library());
    let setup = host("linux.ubuntu22.04.zen3.glibc@2.31");
    let verdicts = Verdicts::new(&index, &setup);
    let id = index.find(sample::hash(5)).expect("a build");
    let checklist = Checklist::new(&index, &setup, &verdicts, id);
    assert_eq!(
        checklist.headline(),
        "not eligible: libc: linked with glibc@2.35 at /usr; yours is glibc@2.31"
    );
    let change =
        |rule| checklist.checks.iter().find(|c| c.rule == rule).and_then(|c| c.change.as_deref());
    assert_eq!(change(Rule::Libc), Some("a machine with glibc 2.35 or newer"));
    assert_eq!(change(Rule::Target), None);
    // What the dependencies need is a part of it.
    assert_eq!(checklist.changes(), ["a machine with glibc 2.35 or newer"]);
    let older = host("linux.ubuntu22.04.x86_64.glibc@2.31");
    let verdicts = Verdicts::new(&index, &older);
    assert_eq!(
        Checklist::new(&index, &older, &verdicts, id).changes(),
        ["a machine that runs x86_64_v3", "a machine with glibc 2.35 or newer"]
    );
    let without_libc = host("linux.ubuntu22.04.zen3");
    let verdicts = Verdicts::new(&index, &without_libc);
    let checklist_without = Checklist::new(&index, &without_libc, &verdicts, id);
    assert_eq!(checklist_without.changes(), ["say which libc you have"]);
    let needs = checklist.checks.last().expect("a check");
    assert_eq!(needs.fact, format!("zlib@1.3 /{}: libc", sample::hash(4)));
    let build = index.build_alone(id).expect("a build");
    let object = checklist.json(&build, &setup);
    assert_eq!((&object["eligible"], &object["rule"]), (&false.into(), &"libc".into()));
    assert_eq!(object["checks"].as_array().map(Vec::len), Some(Rule::OF_LABELS.len()));
}

#[test]
fn asks_for_an_external_in_packages_yaml_if_a_dependency_is_one() {
    let mut builds = library();
    let found_at =
        FoundAt { prefix: Some("/opt/zlib".to_owned()), modules: Vec::new(), attributes: None };
    builds[3] = Build { external: true, found_at: Some(found_at), ..builds[3].clone() };
    let check = |builds: &[Build], expected| {
        let (index, setup) = (packed(builds.to_vec()), host("linux.debian13.zen4.glibc@2.41"));
        let verdicts = Verdicts::new(&index, &setup);
        let id = index.find(sample::hash(5)).expect("a build");
        let checklist = Checklist::new(&index, &setup, &verdicts, id);
        let needs = checklist.checks.last().expect("a check");
        assert_eq!(needs.change.as_deref(), Some(expected));
    };
    check(&builds, "an external `spec: zlib@1.3` with `prefix: /opt/zlib` in packages.yaml");
    // Spack reuses it only with the same modules.
    let found_at = builds[3].found_at.as_mut().expect("an external");
    found_at.modules = vec!["zlib/1.3".to_owned()];
    check(
        &builds,
        "an external `spec: zlib@1.3` with `prefix: /opt/zlib` and `modules: [zlib/1.3]` in packages.yaml",
    );
}
