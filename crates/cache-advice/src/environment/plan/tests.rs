//! Plans for small environments.

use cache_index::build::{Build, Places};
use cache_index::environment::{Node, Root};
use cache_index::index::{About, pack};
use cache_index::recipes::{Recipe, Recipes};
use cache_index::sample;
use cache_query::{AskedEnvironment, ByBuild, address};

use super::*;

fn one(number: usize, package: &str, stack: &str) -> Build {
    let place = Place { release: "develop".to_owned(), stack: stack.to_owned() };
    Build {
        hash: sample::hash(number),
        places: Places::from_iter([place]),
        dependencies: Some(Vec::new()),
        ..sample::one(package, "1.0")
    }
}

fn index() -> Index {
    let all = vec![one(1, "zlib", "e4s"), one(2, "hdf5", "e4s"), one(3, "mpich", "tools")];
    let mirror_url = Some("https://example.org".to_owned());
    let about = About { mirror_url, ..About::default() };
    pack(about, all).expect("an index")
}

fn plan(environment: &Environment) -> Plan {
    let index = index();
    let question = Question::default();
    let assessment = Assessment::new(&index, environment, &question, index.dialect());
    Plan::new(&index, &question, environment, &assessment)
}

fn recipes(packages: &[&str]) -> Recipes {
    let named = packages.iter().map(|name| ((*name).to_owned(), Recipe::default()));
    Recipes(named.collect())
}

/// Returns the recipes of these packages, and of enough others to count as all of Spack.
fn recipes_of_spack(more: &[&str]) -> Recipes {
    let many: Vec<String> = (0..FEWEST_OTHERS).map(|number| format!("p{number}")).collect();
    recipes(&many.iter().map(String::as_str).chain(more.iter().copied()).collect::<Vec<_>>())
}

fn root(spec: &str) -> Root {
    Root { spec: spec.to_owned(), group: None, hash: None }
}

#[test]
fn installs_what_satisfies_specs_and_builds_the_rest() {
    let specs = ["hdf5", "zlib@1.0", "gromacs +mpi"].map(root).into();
    let plan = plan(&Environment { roots: specs, ..Environment::default() });
    let lines = format!(
        "spack mirror add develop-e4s https://example.org/develop/e4s\n\
         spack buildcache keys --install --trust\n\
         spack install --cache-only /{} /{}\n\
         spack install gromacs+mpi\n",
        sample::hash(2),
        sample::hash(1)
    );
    assert_eq!(plan.lines(), lines);
    assert_eq!(plan.to_build, ["gromacs+mpi"]);
    assert_eq!(plan.unknown, ["gromacs"]);
}

/// Spack concretizes the specs of a command together, with one build of each package.
#[test]
fn builds_specs_of_one_package_by_commands_of_their_own() {
    let specs = ["zfp %gcc@12", "kokkos@4", "zfp %gcc@13"].map(root).into();
    let plan = plan(&Environment { roots: specs, ..Environment::default() });
    let commands: Vec<&str> = plan.commands.iter().map(|(_, command)| command.as_str()).collect();
    assert_eq!(commands, ["spack install zfp%gcc@12 kokkos@4", "spack install zfp%gcc@13"]);
    assert!(plan.has_several);
    let hashes = [1, 2].map(|number| root(&format!("/{}", sample::hash(number)))).into();
    assert!(!self::plan(&Environment { roots: hashes, ..Environment::default() }).has_several);
}

#[test]
fn leaves_out_packages_that_no_recipe_has() {
    let specs = ["zlib", "zlib-nx", "dealii@9", "mpi@99"].map(root).into();
    let environment = Environment { roots: specs, ..Environment::default() };
    let question = Question::default();
    #[track_caller]
    fn check(plan: &Plan, build: &str, unknown: &[&str], in_no_recipe: &[&str]) {
        assert_eq!(plan.commands.last().map(|(_, command)| &command[..]), Some(build));
        assert_eq!(plan.unknown, unknown);
        assert_eq!(plan.in_no_recipe, in_no_recipe);
    }
    let mut index = index();
    let assessment = Assessment::new(&index, &environment, &question, index.dialect());
    let of_index = |index: &Index| Plan::new(index, &question, &environment, &assessment);
    let all = "spack install zlib-nx dealii@9 mpi@99";
    let absent = ["zlib-nx", "dealii", "mpi"];
    check(&of_index(&index), all, &absent, &[]);
    // Recipes of what the cache has, and of few others, say nothing about the rest of Spack.
    for some in [&["zlib"][..], &["zlib", "dealii"]] {
        index.take_recipes(recipes(some));
        check(&of_index(&index), all, &absent, &[]);
    }
    index.take_recipes(recipes_of_spack(&["zlib", "dealii"]));
    let plan = of_index(&index);
    check(&plan, "spack install dealii@9 mpi@99", &[], &["zlib-nx"]);
    assert_eq!(plan.to_build, ["dealii@9", "mpi@99"]);
}

#[test]
fn installs_a_manifest_in_its_folder() {
    let specs = ["zlib", "gromacs"].map(root).into();
    let environment = Environment { roots: specs, ..Environment::default() };
    let mut index = index();
    index.take_recipes(recipes_of_spack(&["gromacs", "cp2k"]));
    let of_question = |question: &Question| {
        let assessment = Assessment::new(&index, &environment, question, index.dialect());
        Plan::of_manifest(&index, question, &assessment)
    };
    let plan = of_question(&Question::default());
    let add = "spack mirror add develop-e4s https://example.org/develop/e4s\n\
               spack buildcache keys --install --trust\n";
    let install = "spack -e . concretize\nspack -e . install\n";
    assert_eq!(plan.lines(), format!("{add}{install}"));
    assert_eq!(plan.to_build, ["gromacs"]);
    // The user has added specs on the page; one has a slip, and one is not a spec.
    let specs = ["cp2k +mpi", "cp3k", "hdf5@"].map(str::to_owned).into();
    let asked = AskedEnvironment { file: Some("c0ffee".to_owned()), specs };
    let plan = of_question(&Question { environment: Some(asked), ..Question::default() });
    assert_eq!(plan.lines(), format!("{add}spack -e . add cp2k+mpi\n{install}"));
}

#[test]
fn chooses_builds_for_one_kind_of_machine() {
    let of = |number, package, target: &str, kind: &str| Build {
        target: target.to_owned(),
        variants: vec![sample::variant(&format!("build_type={kind}"))],
        ..one(number, package, "e4s")
    };
    let all = [
        of(1, "zlib", "x86_64_v3", "Release"),
        of(2, "hdf5", "x86_64_v3", "Debug"),
        of(3, "hdf5", "x86_64_v3", "Release"),
        Build { version: "2.0".to_owned(), ..of(4, "hdf5", "neoverse_v2", "Release") },
    ];
    let index = pack(About::default(), all).expect("an index");
    let roots = ["zlib", "hdf5"].map(root).into();
    let environment = Environment { roots, ..Environment::default() };
    let question = Question::default();
    let assessment = Assessment::new(&index, &environment, &question, index.dialect());
    let plan = Plan::new(&index, &question, &environment, &assessment);
    assert_eq!(plan.system.as_deref(), Some("linux ubuntu24.04 x86_64"));
    let install = format!("spack install --cache-only /{} /{}", sample::hash(1), sample::hash(3));
    assert_eq!(plan.commands.last().map(|(_, command)| command), Some(&install));
    // A spec that only has builds for other systems is not installed from the cache.
    let environment = Environment {
        roots: ["zlib", "hdf5@1.0", "hdf5@2.0"].map(root).into(),
        ..Environment::default()
    };
    let assessment = Assessment::new(&index, &environment, &question, index.dialect());
    let plan = Plan::new(&index, &question, &environment, &assessment);
    assert_eq!(
        plan.commands.last().map(|(_, command)| &command[..]),
        Some("spack install hdf5@2.0")
    );
    assert_eq!(plan.working_nowhere.len(), 1);
}

#[test]
fn says_that_builds_are_there_but_work_nowhere() {
    let index = pack(About::default(), [one(1, "zlib", "e4s")]).expect("an index");
    let roots = vec![root("zlib")];
    let environment = Environment { roots, ..Environment::default() };
    let judged = ByBuild::new([Runs::No].into());
    let stated = address::decode("host=linux.ubuntu24.04.zen3").0.question;
    let question = Question { judged, ..stated };
    let assessment = Assessment::new(&index, &environment, &question, index.dialect());
    let plan = Plan::new(&index, &question, &environment, &assessment);
    assert_eq!((plan.to_build.len(), plan.working_nowhere.len()), (0, 1));
    let [(does, command)] = &plan.commands[..] else { panic!("{:?}", plan.commands) };
    assert_eq!(
        does,
        "Build what the cache does not have for your machine: 1 spec is built from source"
    );
    assert_eq!(command, "spack install zlib");
}

#[test]
fn names_the_build_for_the_kind_of_system_that_is_chosen() {
    let on = |number: usize, package: &str, [platform, os, target]: [&str; 3]| Build {
        platform: platform.to_owned(),
        os: os.to_owned(),
        target: target.to_owned(),
        ..one(number, package, "e4s")
    };
    let jammy = ["linux", "ubuntu22.04", "x86_64_v3"];
    let builds = [
        on(1, "zlib", jammy),
        on(2, "zfp", jammy),
        on(3, "tree", ["darwin", "sequoia", "m1"]),
        on(4, "tree", ["linux", "rhel8", "zen4"]),
    ];
    let index = pack(About::default(), builds).expect("an index");
    let roots = ["zlib", "zfp", "tree"].map(root).into();
    let environment = Environment { roots, ..Environment::default() };
    let question = Question::default();
    let assessment = Assessment::new(&index, &environment, &question, index.dialect());
    let plan = Plan::new(&index, &question, &environment, &assessment);
    let [(spec, build)] = &plan.working_nowhere[..] else { panic!("{:?}", plan.working_nowhere) };
    assert_eq!((spec.as_str(), index.text(index.row_of(*build), Facet::Os)), ("tree", "rhel8"));
}

#[test]
fn builds_nothing_for_another_machine() {
    let index = index();
    let roots = [
        "zlib os=rhel8",
        "zlib target=zen4",
        "zlib target=x86_64:",
        "mpich platform=darwin",
        "hdf5@9",
    ];
    let environment = Environment { roots: roots.map(root).into(), ..Environment::default() };
    let stated = address::decode("host=linux.ubuntu24.04.zen3").0.question;
    let question = Question { judged: ByBuild::new([Runs::No; 3].into()), ..stated };
    let assessment = Assessment::new(&index, &environment, &question, index.dialect());
    let plan = Plan::new(&index, &question, &environment, &assessment);
    let names = plan.for_others.iter().map(|spec| spec.split(' ').next().unwrap_or_default());
    assert_eq!(names.collect::<Vec<_>>(), ["zlib", "zlib", "mpich"], "{:?}", plan.for_others);
    let (_, command) = plan.commands.last().expect("a command");
    assert!(command.contains("hdf5@9") && command.contains("x86_64:"), "{command}");
    assert!(!["zen4", "rhel8", "darwin"].iter().any(|other| command.contains(other)), "{command}");
}

#[test]
fn installs_a_lock_with_all_mirrors_that_it_needs() {
    let node = |build: Build| Node { build, spliced_from: None };
    let cached = vec![node(one(1, "zlib", "")), node(one(3, "mpich", ""))];
    let mut environment = Environment { nodes: cached, ..Environment::default() };
    let whole = plan(&environment);
    assert!(whole.to_build.is_empty());
    assert!(whole.lines().ends_with("spack -e . install --cache-only\n"), "{}", whole.lines());
    assert_eq!(whole.mirrors.len(), 2);
    environment.nodes.push(node(one(9, "gromacs", "")));
    let partly = plan(&environment);
    assert_eq!(partly.to_build, ["gromacs@1.0"]);
    assert!(partly.lines().ends_with("spack -e . install\n"), "{}", partly.lines());
}
