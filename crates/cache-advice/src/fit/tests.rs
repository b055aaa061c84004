use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::{Build, Dependency, Deptypes, Hash};
use cache_index::facet::Facet;
use cache_index::facts::{self, Facts, Object, PathUse};
use cache_index::index::{About, BuildId, EdgeTarget, Index, NO_COMPILER, pack};
use cache_index::sample;
use cache_index::settings::{InstallTree, Reuse, ReuseSource};
use cache_query::host::Runs;
use cache_query::run;
use proptest::prelude::*;

use super::*;

fn on(package: &str, number: usize, virtuals: &[&str]) -> Dependency {
    Dependency {
        package: package.to_owned(),
        hash: sample::hash(number),
        deptypes: Deptypes::from_bits(2).expect("bits below 16"),
        virtuals: virtuals.iter().map(|name| (*name).to_owned()).collect(),
    }
}

/// A cache made on ubuntu24.04: `tool` needs nothing; `pip` needs python, which is linked with glibc 2.39; `app` needs a
/// package that the cache does not have; `kernels` has code for one kind of GPU, and `solver` needs them.
fn index() -> Index {
    let one = |number: usize, package: &str, compiler: &str, below: Vec<Dependency>| Build {
        hash: sample::hash(number),
        os: "ubuntu24.04".to_owned(),
        compiler: compiler.to_owned().into(),
        dependencies: Some(below),
        namespace: Some("builtin".to_owned()),
        ..sample::one(package, "1.0")
    };
    let libc = || on("glibc", 9, &["libc"]);
    let glibc = Build {
        places: Default::default(),
        external: true,
        ..Build { version: "2.39".to_owned(), ..one(9, "glibc", NO_COMPILER, Vec::new()) }
    };
    let kernels = Build {
        variants: ["+cuda", "cuda_arch=80"].map(sample::variant).into(),
        ..one(5, "kernels", "gcc@13.2.0", vec![libc()])
    };
    let all = vec![
        glibc,
        one(1, "tool", NO_COMPILER, Vec::new()),
        one(2, "python", "gcc@13.2.0", vec![libc()]),
        one(3, "pip", NO_COMPILER, vec![on("python", 2, &[])]),
        one(4, "app", "gcc@13.2.0", vec![libc(), on("gone", 8, &[])]),
        kernels,
        one(6, "solver", "gcc@13.2.0", vec![libc(), on("kernels", 5, &[])]),
    ];
    pack(About::default(), all).expect("an index")
}

/// A cache whose builds need AMD's runtime, which names no GPU, and libraries for all GPUs that their ROCm supports.
fn amd() -> Index {
    let one = |number: usize, package: &str, variants: &[&str], below: Vec<Dependency>| Build {
        hash: sample::hash(number),
        os: "debian13".to_owned(),
        variants: sample::variants_of(variants),
        dependencies: Some(below),
        namespace: Some("builtin".to_owned()),
        ..sample::one(package, "1.0")
    };
    let all = vec![
        one(1, "hip", &["~cuda", "+rocm"], Vec::new()),
        one(2, "rocblas", &["amdgpu_target=auto"], vec![on("hip", 1, &[])]),
        one(
            3,
            "kokkos",
            &["+rocm", "amdgpu_target=gfx90a"],
            vec![on("hip", 1, &[]), on("rocblas", 2, &[])],
        ),
        one(4, "script", &[], vec![on("hip", 1, &[])]),
    ];
    pack(About::default(), all).expect("an index")
}

const OLD: &str = "linux.rhel8.zen3.glibc@2.28";
const NEW: &str = "linux.debian13.zen3.glibc@2.41";

fn fits(index: &Index, host: &str, gpu: &str) -> Fits {
    let gpus = Gpu::named(gpu).into_iter().collect();
    let binaries = index.facts_by_build().expect("what was just written").map(Arc::new);
    Fits::new(index, Setup::on(host.parse().expect("a host")), gpus, binaries)
}

fn build_of(index: &Index, package: &str) -> BuildId {
    let code = index.dictionary(Facet::Package).code(package).expect("a package");
    let row = index.rows_of(code).next().expect("a row");
    index.builds_of(row).next().expect("a build")
}

#[track_caller]
fn check(package: &str, (host, gpu): (&str, &str), word: &str, reason: &str) {
    let index = index();
    let fits = fits(&index, host, gpu);
    let build = build_of(&index, package);
    assert_eq!(fits.of(build).word(), word, "{package}");
    assert_eq!(fits.reason(&index, build), reason, "{package}");
}

#[test]
fn is_certain_of_what_dependencies_decide() {
    check(
        "pip",
        (OLD, ""),
        "does not run",
        "it needs python: needs glibc@2.39; yours is glibc@2.28",
    );
    check("python", (OLD, ""), "does not run", "needs glibc@2.39; yours is glibc@2.28");
    // It needs no libc, wherever it was made.
    let index = index();
    let fits = fits(&index, OLD, "");
    let tool = build_of(&index, "tool");
    assert_eq!(fits.of(tool).works, Runs::Yes, "{}", fits.reason(&index, tool));
}

#[test]
fn names_the_first_step_that_fails() {
    let on_v100 = "cuda_arch=80 does not run on V100 (compute capability 7.0)";
    check("app", (NEW, ""), "incomplete", "the cache lacks gone, which it needs to run");
    check("kernels", (NEW, "V100"), "wrong GPU", on_v100);
    check("solver", (NEW, "V100"), "wrong GPU", &format!("it needs kernels: {on_v100}"));
    check("kernels", (OLD, "V100"), "does not run", "needs glibc@2.39; yours is glibc@2.28");
}

#[test]
fn says_what_settings_shut_out() {
    let index = index();
    let mut setup = Setup::on(NEW.parse().expect("a host"));
    setup.settings.caches[0].exclude = vec!["%gcc".to_owned()];
    let fits = Fits::new(&index, setup, Vec::new(), None);
    let python = build_of(&index, "python");
    assert_eq!(fits.of(python).word(), "not reused");
    assert!(
        fits.reason(&index, python).starts_with("exclude: "),
        "{}",
        fits.reason(&index, python)
    );
    let needs = "dependencies: needs python@1.0: satisfies a spec that exclude lists";
    assert_eq!(fits.reason(&index, build_of(&index, "pip")), needs);
}

/// A question follows the verdicts where labels say otherwise.
#[test]
fn decides_which_builds_a_question_shows() {
    let index = index();
    let fits = fits(&index, OLD, "");
    let mut question = Question {
        host: Some(OLD.parse().expect("a host")),
        runs: vec![Runs::Yes],
        ..Question::default()
    };
    assert_eq!(run(&index, &question).builds, 0);
    fits.on_machine().hand_in(&mut question);
    let mut again = question.clone();
    fits.on_machine().hand_in(&mut again);
    assert_eq!(question, again);
    let answer = run(&index, &question);
    let shown: Vec<BuildId> = answer.matching_builds(&index).collect();
    assert_eq!(shown, [build_of(&index, "tool")]);
    assert_eq!(Runs::ALL.map(|runs| answer.runs(runs)), [1, 0, 5]);
    question.runs = vec![Runs::No];
    assert_eq!(run(&index, &question).builds, 5);
}

/// Among the builds that run on a machine with a GPU, only those with code for that GPU use it.
#[test]
fn shows_what_uses_my_gpu() {
    #[track_caller]
    fn check(gpu: &str, runs: Vec<Runs>, shown: &[&str], counted: u32) {
        let index = index();
        let mut question = Question {
            host: Some(NEW.parse().expect("a host")),
            gpus: vec![gpu.to_owned()],
            only_on_gpu: true,
            runs,
            ..Question::default()
        };
        judge(&index, &mut question, None);
        let answer = run(&index, &question);
        let packages =
            answer.matching_packages().map(|code| index.dictionary(Facet::Package).text(code));
        assert_eq!(packages.collect::<Vec<_>>(), shown, "{gpu}");
        question.only_on_gpu = false;
        assert_eq!(run(&index, &question).on_gpu(), counted, "{gpu}");
    }
    check("A40", Vec::new(), &["kernels"], 1);
    check("A40", vec![Runs::Yes], &["kernels"], 1);
    check("A40", vec![Runs::No], &[], 0);
    // It may run there, through PTX, which no cache says.
    check("H100", Vec::new(), &[], 0);
    check("MI250X", Vec::new(), &[], 0);
    // An address may name anything.
    check("Voodoo 2", Vec::new(), &[], 0);
}

#[test]
fn lets_code_for_single_gpus_decide() {
    let index = amd();
    let on = |gpu: &str| {
        let fits = fits(&index, NEW, gpu);
        ["hip", "rocblas", "kokkos", "script"].map(|package| {
            let fit = fits.of(build_of(&index, package));
            (fit.uses_gpu, fit.step == Step::Gpu)
        })
    };
    let unsure = (false, true);
    let [hip, rocblas, kokkos, script] = on("MI250X");
    assert_eq!((hip, rocblas, script), (unsure, unsure, unsure));
    assert_eq!(kokkos, (true, false));
    assert_eq!(on("MI300X")[2], unsure);
}

/// The worst of what a build needs, found by following its dependencies.
fn naive(index: &Index, fits: &Fits, build: BuildId) -> Option<Step> {
    let needed: BTreeSet<BuildId> = index
        .installed_with(build)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|target| match target {
            EdgeTarget::Build(build) => Some(build),
            EdgeTarget::Unknown { .. } => None,
        })
        .filter(|build| {
            let package = index.text(index.row_of(*build), Facet::Package);
            // Its binary counts if it is known, and its labels do not.
            !compute::is_from_the_machine(package) || fits.own.by_binary(index, *build).is_some()
        })
        .chain([build])
        .collect();
    let runs_not = |build: &BuildId| fits.own.of(index, *build).runs == Runs::No;
    if needed.iter().any(runs_not) {
        return Some(Step::Runs);
    }
    let verdict = GpuVerdict::of_build(index, build, &fits.gpus);
    if verdict.is_some_and(|verdict| verdict.answer == crate::machine_words::GpuAnswer::No) {
        return Some(Step::Gpu);
    }
    if !lacking(index, build).contains("something") {
        return Some(Step::Complete);
    }
    (fits.reuse.of(index, build).is_eligible() == Some(false)).then_some(Step::Reused)
}

/// A build uses a GPU if it has code of its own for GPUs, and if that and whatever it needs run there.
fn naively_uses_gpu(index: &Index, fits: &Fits, build: BuildId) -> bool {
    let all = GpuVerdict::of_build(index, build, &fits.gpus);
    let own = crate::machine_words::GpuCode::of(&index.variants_of(index.row_of(build)));
    own.is_some()
        && all.is_some_and(|verdict| verdict.answer == crate::machine_words::GpuAnswer::Runs)
}

proptest! {
    #[test]
    fn fails_where_following_the_dependencies_fails(
        builds in sample::builds().prop_map(sample::without_cycles),
        host in prop::sample::select(vec![NEW, OLD, "linux.ubuntu24.04.x86_64_v3", "darwin.sequoia.m1"]),
        gpu in prop::sample::select(vec!["", "V100", "A100", "MI250X"]),
        demanded in prop::collection::btree_map(
            (0..40usize).prop_map(sample::hash),
            prop::sample::select(vec!["", "2.17", "2.39", "2.42"]).prop_map(demanding),
            0..30,
        ),
    ) {
        for mut index in [index(), amd(), pack(About::default(), builds).expect("different hashes")] {
            index.add_facts(&|hash| demanded.get(&hash)).expect("the first");
            let fits = fits(&index, host, gpu);
            for build in index.builds_with_binary() {
                let fit = fits.of(build);
                let failed = (fit.works == Runs::No).then_some(fit.step);
                prop_assert_eq!(failed, naive(&index, &fits, build), "{:?}", index.build(build));
                prop_assert_eq!(fit.uses_gpu, naively_uses_gpu(&index, &fits, build));
                prop_assert!(!fits.reason(&index, build).is_empty());
                let has_rule = fit.works != Runs::Yes && matches!(fit.step, Step::Runs | Step::Reused);
                if let Some(own) = fits.own.by_binary(&index, build) {
                    prop_assert!(fit.works >= own.runs);
                }
                prop_assert_eq!(fits.rule(&index, build).is_some(), has_rule);
            }
        }
    }
}

/// Returns the facts of a build with a library that needs a version of glibc, or none.
fn demanding(glibc: &str) -> Facts {
    let required = (!glibc.is_empty()).then(|| ("GLIBC".to_owned(), glibc.to_owned()));
    let library = Object { requires: required.into_iter().collect(), ..Object::default() };
    Facts { objects: vec![library], ..Facts::default() }
}

/// What binaries demand decides, whatever labels say, and the reason states both.
#[test]
fn decides_by_what_binaries_demand() {
    #[track_caller]
    fn check(glibc: [(usize, &str); 2], on: &str, package: &str, word: &str, reason: &str) {
        let mut index = index();
        let facts: BTreeMap<Hash, Facts> =
            glibc.map(|(number, glibc)| (sample::hash(number), demanding(glibc))).into();
        index.add_facts(&|hash| facts.get(&hash)).expect("the first");
        let fits = fits(&index, on, "");
        let build = build_of(&index, package);
        assert_eq!((fits.of(build).word(), fits.reason(&index, build).as_str()), (word, reason));
    }
    // The label of python says 2.39, and pip has none.
    let newer = "needs GLIBC_2.42; its label says 2.39; yours is 2.41: does not run";
    check([(1, ""), (2, "2.42")], NEW, "python", "does not run", newer);
    check([(1, ""), (2, "2.42")], NEW, "pip", "does not run", &format!("it needs python: {newer}"));
    let own = "needs GLIBC_2.42; yours is 2.41: does not run";
    check([(1, "2.42"), (2, "2.39")], NEW, "tool", "does not run", own);
    // It runs although its label says otherwise, which Spack goes by.
    let label = "libc: linked with glibc@2.39; yours is glibc@2.28";
    check([(1, ""), (2, "2.28")], OLD, "python", "not reused", label);
    let runs = "built for x86_64_v3, which zen3 runs; needs GLIBC_2.28; its label says 2.39; yours is 2.41";
    check([(1, ""), (2, "2.28")], NEW, "python", "works", runs);
    // Without a libc of the machine, that of its OS decides, if all builds for it name the same.
    let of_os = "built for x86_64_v3, which zen3 runs; needs GLIBC_2.38; its label says 2.39; yours is 2.39";
    check([(1, ""), (2, "2.38")], "linux.ubuntu24.04.zen3", "python", "works", of_os);
    let unknown = "needs GLIBC_2.38; its label says 2.39; yours is not known";
    check([(1, ""), (2, "2.38")], "linux.debian13.zen3", "python", "unknown", unknown);
}

/// Returns the facts of a build that was made in an install tree, with that path in a library.
fn made_in(root: &str) -> Facts {
    let library = Object {
        path: "lib/liba.so".to_owned(),
        strings: [PathUse { build: None, suffix: None }].into(),
        ..Object::default()
    };
    Facts {
        relocation: facts::Relocation {
            root: root.to_owned(),
            binaries: vec![library.path.clone()],
            ..facts::Relocation::default()
        },
        objects: vec![library],
        ..Facts::default()
    }
}

#[test]
fn says_what_cannot_be_moved_into_an_install_tree() {
    let mut index = index();
    let facts: BTreeMap<Hash, Facts> =
        [(2, "/opt/spack"), (3, "/home/builder/spack/opt"), (5, "/opt/spack")]
            .map(|(number, root)| (sample::hash(number), made_in(root)))
            .into();
    index.add_facts(&|hash| facts.get(&hash)).expect("the first");
    let texts = index.facts().expect("what was just added");
    let rooms = FactsByBuild::read(&texts.by_build, &index).expect("what was just written");
    let rooms = Arc::new(rooms);
    let mut setup = Setup::on(NEW.parse().expect("a host"));
    setup.settings.install_tree = InstallTree::new("/opt/software/", 0);
    let fits = Fits::new(&index, setup.clone(), Vec::new(), Some(rooms.clone()));
    let verdict = |fits: &Fits, package: &str| {
        let build = build_of(&index, package);
        (fits.of(build).word(), fits.reason(&index, build))
    };
    let no_room = "its paths have room for an install tree whose root has at most 10 characters; yours has 13";
    assert_eq!(verdict(&fits, "python"), ("cannot be moved", no_room.to_owned()));
    let (word, reason) = verdict(&fits, "pip");
    assert_eq!(word, "cannot be moved");
    assert_eq!(reason, format!("needs python/{}: {no_room}", &sample::hash(2).to_string()[..7]));
    assert_eq!(fits.rule(&index, build_of(&index, "pip")), Some(Rule::Relocation));
    assert_eq!(
        verdict(&fits, "tool"),
        ("unknown", "its binary was not looked into, or could not be read".to_owned())
    );
    // The first step that fails is the reason. Without an install tree, or without facts of binaries, this step is left out.
    assert_eq!(verdict(&fits, "app").0, "incomplete");
    let fits = Fits::new(&index, setup.clone(), Vec::new(), None);
    assert_eq!(verdict(&fits, "python").0, "works");
    setup.settings.install_tree = InstallTree::new("/opt/spack", 0);
    let fits = Fits::new(&index, setup.clone(), Vec::new(), Some(rooms.clone()));
    assert_eq!(verdict(&fits, "python").0, "works");
    // A padded root is as long as its padding says.
    setup.settings.install_tree = InstallTree::new("/opt", 64);
    let fits = Fits::new(&index, setup, Vec::new(), Some(rooms));
    assert_eq!(verdict(&fits, "python").1, no_room.replace("13", "64"));
}

#[test]
fn says_what_settings_change() {
    let index = index();
    let default = Setup::on(NEW.parse().expect("a host"));
    let check = |change: &dyn Fn(&mut cache_index::settings::Settings), expected: Option<&str>| {
        let mut setup = default.clone();
        change(&mut setup.settings);
        let said = SettingsEffect::base(&setup).map(|base| {
            let works = |setup| Fits::new(&index, setup, Vec::new(), None).on_machine().works;
            SettingsEffect::between(&index, &base, &works(base.clone()), &works(setup)).sentence()
        });
        assert_eq!(said.as_deref(), expected);
    };
    let exclude =
        |spec: &str| vec![ReuseSource { exclude: vec![spec.to_owned()], ..ReuseSource::default() }];
    check(&|_| (), None);
    // Settings that are not applied, and the install tree, do not count as settings about reuse.
    check(&|settings| settings.unapplied = vec!["packages:all:require: %gcc@12".to_owned()], None);
    check(&|settings| settings.install_tree = InstallTree::new("/opt", 0), None);
    // Without python there is no pip.
    check(
        &|settings| settings.caches = exclude("python"),
        Some("5 builds work here without these settings, 3 with them"),
    );
    check(
        &|settings| settings.reuse = Reuse::Nothing,
        Some("5 builds work here without these settings, 0 with them"),
    );
    // Without the requested specs, nothing can be said.
    check(
        &|settings| settings.reuse = Reuse::Dependencies,
        Some("5 builds work here without these settings, 0 with them, and of 5 it is not known"),
    );
    check(
        &|settings| settings.caches = exclude("%gcc@4"),
        Some("These settings change nothing: 5 builds work here without them, too"),
    );
    // A setting that is not applied might change something.
    check(
        &|settings| {
            settings.caches = exclude("%gcc@4");
            settings.unapplied = vec!["packages:all:require: %gcc@12".to_owned()];
        },
        Some(
            "What is applied of these settings changes nothing: 5 builds work here without them, too; \
             1 setting is not applied",
        ),
    );
}
