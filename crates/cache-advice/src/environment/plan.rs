//! How to install an environment: commands to paste, and what they have to build.

use std::collections::BTreeMap;

use cache_index::build::{Place, Signature};
use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_index::mirror::{Mirror, TRUST_KEYS, blanks};
use cache_index::number::{counted, grouped};
use cache_query::Question;
use cache_query::host::Runs;
use cache_query::search::graph::is_virtual;
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use spack_spec::{Spec, shell_word};

use super::{Assessment, Satisfying, Status};
use crate::recommended::{Candidate, System, best_of, foreign, system_of};

/// How to install an environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The fewest mirrors that have everything the cache has.
    pub mirrors: Vec<Mirror>,
    /// The commands in order, each with what it does.
    pub commands: Vec<(String, String)>,
    /// The packages that the cache does not have, by names that may be slips: whether Spack has recipes for them is not
    /// known.
    pub unknown: Vec<String>,
    /// The packages that neither the cache nor Spack's recipes have. No command names their specs, because it would fail.
    pub in_no_recipe: Vec<String>,
    /// The platform, the OS and the family of targets that builds were chosen for, as those for which the cache satisfies most
    /// specs; `None` for a stated machine, and for concrete specs.
    pub system: Option<String>,
    /// What the cache does not have, and has to be built: names and versions, or specs, that most others wait for first.
    /// Specs of packages that no recipe has are left out.
    pub to_build: Vec<String>,
    /// The specs that have to be built because none of the builds that satisfy them works on the machine, each with the newest
    /// of these for a machine like it.
    pub working_nowhere: Vec<(String, BuildId)>,
}

impl Plan {
    /// Makes a plan for the machine of a question.
    ///
    /// Concrete specs are installed as their lock file says. Of other specs, the newest build that works on the machine is
    /// installed by its hash; what no build satisfies has to be built. What recipes say of other packages is taken into
    /// account if the index has it.
    pub fn new(
        index: &Index,
        question: &Question,
        environment: &Environment,
        assessment: &Assessment,
    ) -> Plan {
        if environment.is_concrete() {
            return Plan::of_lock(index, environment, assessment);
        }
        let (mut plan, hashes) = Plan::of_specs(index, question, assessment);
        let built = from_source(&plan.to_build, &plan.working_nowhere);
        plan.commands.extend(from_cache(&hashes).into_iter().chain(built));
        plan
    }

    /// Makes a plan for the specs of a `spack.yaml`, which are concretized and installed in its folder.
    ///
    /// The mirrors have the newest build that satisfies each spec. No build is installed by its hash: Spack's solver chooses
    /// them together, and may choose others. Specs that the question adds are added to the environment.
    pub fn of_manifest(index: &Index, question: &Question, assessment: &Assessment) -> Plan {
        let (mut plan, _) = Plan::of_specs(index, question, assessment);
        let added = question.environment.iter().flat_map(|environment| &environment.specs);
        let added =
            added.filter_map(|spec| Some(Spec::parse(spec, index.dialect()).ok()?.to_string()));
        let may_build = |spec: &String| {
            absent_package(index, spec).is_none_or(|(_, is_buildable)| is_buildable != Some(false))
        };
        let added: Vec<String> =
            added.filter(may_build).map(|spec| shell_word(&spec).into_owned()).collect();
        let added = (!added.is_empty()).then(|| {
            let does = "In the folder of the environment, add the specs that you added here";
            (does.to_owned(), format!("spack -e . add {}", added.join(" ")))
        });
        let reuse = match plan.mirrors.is_empty() {
            true => "",
            false => ": Spack reuses builds of these mirrors if its solver chooses them",
        };
        let concretize = (
            format!("In the folder of the environment, concretize it{reuse}"),
            "spack -e . concretize".to_owned(),
        );
        let install = (
            "Install it there; what Spack does not reuse is built from source".to_owned(),
            "spack -e . install".to_owned(),
        );
        plan.commands.extend(added.into_iter().chain([concretize, install]));
        plan
    }

    fn of_lock(index: &Index, environment: &Environment, assessment: &Assessment) -> Plan {
        let Assessment { coverage, blockers, mirrors, .. } = assessment;
        let places = &mirrors.smallest;
        // What filters leave out is fetched too, if these mirrors have it.
        let fetched = |node: usize| {
            let build = coverage.build(node)?;
            let mut of_build = index.places_of(index.row_of(build));
            of_build.any(|place| places.contains(&place)).then_some(build)
        };
        let all = 0..environment.nodes.len();
        let is_unsigned =
            all.clone().any(|node| fetched(node).is_some_and(|build| is_unsigned(index, build)));
        let mirrors: Vec<Mirror> = places
            .iter()
            .map(|place| Mirror::for_place(index, place).with_unsigned(is_unsigned))
            .collect();
        let cached = all.filter(|&node| matches!(coverage.status(node), Status::Cached(_)));
        let missing = blockers.ranked().iter().copied().chain(cached);
        let missing: Vec<usize> = missing.filter(|&node| fetched(node).is_none()).collect();
        let to_build = missing.iter().map(|&node| {
            let build = &environment.nodes[node].build;
            format!("{}@{}", build.package, build.version)
        });
        let last = match missing.len() {
            0 => (
                "In the folder of the environment, install it; nothing has to be built".to_owned(),
                "spack -e . install --cache-only".to_owned(),
            ),
            missing => (
                format!(
                    "In the folder of the environment, install it; {} built from source",
                    are(missing)
                ),
                "spack -e . install".to_owned(),
            ),
        };
        let commands = add(&mirrors).chain([last]).collect();
        Plan { mirrors, commands, to_build: to_build.collect(), ..Plan::default() }
    }

    /// Returns a plan whose commands only add mirrors, and the hashes of the builds to install from these, each after a `/`.
    fn of_specs(
        index: &Index,
        question: &Question,
        assessment: &Assessment,
    ) -> (Plan, Vec<String>) {
        let mut places: Vec<(Place, bool)> = Vec::new();
        let mut place_at: HashMap<Place, usize> = HashMap::new();
        let mut hashes: Vec<String> = Vec::new();
        let mut met: HashSet<BuildId> = HashSet::new();
        let mut to_build: Vec<String> = Vec::new();
        let mut working_nowhere: Vec<(String, BuildId)> = Vec::new();
        let mut unknown: Vec<String> = Vec::new();
        let mut in_no_recipe: Vec<String> = Vec::new();
        let system = question.host.is_none().then(|| common_system(index, assessment)).flatten();
        let wanted = assessment.specs.iter().flatten();
        for found in wanted.filter(|found| !found.is_developed && !found.is_external) {
            let Some(build) = best(index, question, found, system) else {
                if let Some(closest) = closest(index, question, found) {
                    working_nowhere.push((found.spec.clone(), closest));
                    continue;
                }
                match absent_package(index, &found.spec) {
                    Some((name, Some(false))) => {
                        in_no_recipe.push(name);
                        continue;
                    }
                    Some((name, None)) => unknown.push(name),
                    Some((_, Some(true))) | None => {}
                }
                to_build.push(found.spec.clone());
                continue;
            };
            let Some(hash) = index.hash(build) else { continue };
            if !met.insert(build) {
                continue;
            }
            hashes.push(format!("/{hash}"));
            let of_build = || index.places_of(index.row_of(build));
            let is_unsigned = is_unsigned(index, build);
            match of_build().filter_map(|place| place_at.get(&place).copied()).min() {
                Some(at) => places[at].1 |= is_unsigned,
                None => {
                    let rank = |place: &Place| (!question.leaves(place), place.is_whole_release());
                    if let Some(place) = of_build().min_by_key(rank) {
                        place_at.insert(place.clone(), places.len());
                        places.push((place, is_unsigned));
                    }
                }
            }
        }
        let mirror = |(place, is_unsigned): &(Place, bool)| {
            Mirror::for_place(index, place).with_unsigned(*is_unsigned)
        };
        let mirrors: Vec<Mirror> = places.iter().map(mirror).collect();
        let spelled = |([platform, os], family): System| {
            let text = |facet, code| index.dictionary(facet).text(code);
            let (platform, os) = (text(Facet::Platform, platform), text(Facet::Os, os));
            [platform, os].into_iter().chain(family).collect::<Vec<_>>().join(" ")
        };
        let system = system.map(spelled);
        let commands = add(&mirrors).collect();
        let plan =
            Plan { mirrors, commands, unknown, in_no_recipe, system, to_build, working_nowhere };
        (plan, hashes)
    }

    /// Returns all commands, one per line.
    pub fn lines(&self) -> String {
        let blank = blanks(&self.mirrors);
        let lines = self.commands.iter().map(|(_, command)| format!("{command}\n"));
        blank + &lines.collect::<String>()
    }
}

/// Returns the commands that add mirrors and trust their keys.
fn add(mirrors: &[Mirror]) -> impl Iterator<Item = (String, String)> {
    let has_keys = mirrors.iter().any(|mirror| mirror.unsigned.is_none());
    let keys = has_keys.then(|| ("Trust their keys".to_owned(), TRUST_KEYS.to_owned()));
    mirrors.iter().map(|mirror| (format!("Add {}", mirror.name), mirror.add())).chain(keys)
}

/// Returns the command that installs builds by their hashes, if there are any.
fn from_cache(hashes: &[String]) -> Option<(String, String)> {
    let does = match hashes.len() {
        0 => return None,
        1 => "Install the build from the cache".to_owned(),
        count => format!("Install the {} builds from the cache", grouped(count)),
    };
    Some((does, format!("spack install --cache-only {}", hashes.join(" "))))
}

/// Returns the command that builds from source: specs that no build satisfies, and those whose builds do not work on the machine.
fn from_source(
    to_build: &[String],
    working_nowhere: &[(String, BuildId)],
) -> Option<(String, String)> {
    let working_specs = working_nowhere.iter().map(|(spec, _)| spec);
    let specs: Vec<_> = to_build.iter().chain(working_specs).map(|spec| shell_word(spec)).collect();
    let command = format!("spack install {}", specs.join(" "));
    let machine = if working_nowhere.is_empty() { "" } else { " for your machine" };
    let built = are(specs.len());
    let does = format!("Build what the cache does not have{machine}: {built} built from source");
    (!specs.is_empty()).then_some((does, command))
}

/// Returns the package that a spec names if the cache does not have it, and whether Spack can build it.
///
/// The latter is `None` if the index has no recipes, or only those of packages in the cache.
fn absent_package(index: &Index, spec: &str) -> Option<(String, Option<bool>)> {
    let name = Spec::parse(spec, index.dialect()).ok()?.root.name?;
    if index.dictionary(Facet::Package).code(&name).is_some() {
        return None;
    }
    let others = index.other_packages().filter(|others| !others.names.is_empty());
    let is_buildable = others.map(|others| {
        let is_provided = || !others.providers_of(&name).is_empty() || is_virtual(index, &name);
        others.newest_of(&name).is_some() || is_provided()
    });
    Some((name, is_buildable))
}

/// Returns the system for which builds satisfy most of the specs, and of several, the one with most of these builds: without a
/// machine, builds for one system are chosen.
fn common_system(index: &Index, assessment: &Assessment) -> Option<System> {
    let mut by_system: BTreeMap<System, (usize, usize)> = BTreeMap::new();
    for found in assessment.specs.iter().flatten() {
        let mut of_spec: BTreeMap<System, usize> = BTreeMap::new();
        for &build in &found.builds {
            *of_spec.entry(system_of(index, index.row_of(build))).or_default() += 1;
        }
        for (system, builds) in of_spec {
            let (specs, all) = by_system.entry(system).or_default();
            (*specs, *all) = (*specs + 1, *all + builds);
        }
    }
    by_system.into_iter().max_by_key(|(_, most)| *most).map(|(system, _)| system)
}

/// Returns the build to install of those that satisfy a spec and work on the machine, or may: the same as on the page of its
/// package. Without a machine, those for a system come first.
fn best(
    index: &Index,
    question: &Question,
    found: &Satisfying,
    system: Option<System>,
) -> Option<BuildId> {
    let works = |&build: &BuildId| (build, question.judged.of(build).unwrap_or(Runs::Yes));
    let candidates = found.builds.iter().map(works).filter(|(_, works)| *works != Runs::No);
    let is_of_system = |(build, _): &Candidate| {
        system.is_none_or(|system| system_of(index, index.row_of(*build)) == system)
    };
    let (own, others): (Vec<_>, Vec<_>) = candidates.partition(is_of_system);
    best_of(index, question, if own.is_empty() { &others } else { &own })
}

/// Returns the newest of the builds that satisfy a spec, of those for the kind of machine and the OS of the question if there are
/// any.
fn closest(index: &Index, question: &Question, found: &Satisfying) -> Option<BuildId> {
    let differs = |build: &BuildId| {
        let row = index.row_of(*build);
        let host = question.host.as_ref()?;
        let is_other = index.text(row, Facet::Os) != host.os();
        Some((foreign(index, (host.platform(), host.target()), row), is_other))
    };
    found.builds.iter().copied().min_by_key(differs)
}

fn is_unsigned(index: &Index, build: BuildId) -> bool {
    index.signature(build) == Some(Signature::Unsigned)
}

fn are(number: usize) -> String {
    counted(number, "spec is", "specs are")
}

#[cfg(test)]
mod tests {
    use cache_index::build::{Build, Places};
    use cache_index::environment::{Node, Root};
    use cache_index::index::{About, pack};
    use cache_index::recipes::{Recipe, Recipes};
    use cache_index::sample;
    use cache_query::{AskedEnvironment, ByBuild};

    use super::*;
    use crate::recipes::publish;

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
        // Recipes of what the cache has say nothing of other packages.
        publish(&mut index, recipes(&["zlib"]));
        check(&of_index(&index), all, &absent, &[]);
        publish(&mut index, recipes(&["zlib", "dealii"]));
        let plan = of_index(&index);
        check(&plan, "spack install dealii@9 mpi@99", &[], &["zlib-nx"]);
        assert_eq!(plan.to_build, ["dealii@9", "mpi@99"]);
    }

    #[test]
    fn installs_a_manifest_in_its_folder() {
        let specs = ["zlib", "gromacs"].map(root).into();
        let environment = Environment { roots: specs, ..Environment::default() };
        let mut index = index();
        publish(&mut index, recipes(&["gromacs", "cp2k"]));
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
        let install =
            format!("spack install --cache-only /{} /{}", sample::hash(1), sample::hash(3));
        assert_eq!(plan.commands.last().map(|(_, command)| command), Some(&install));
    }

    #[test]
    fn says_that_builds_are_there_but_work_nowhere() {
        let index = pack(About::default(), [one(1, "zlib", "e4s")]).expect("an index");
        let roots = vec![root("zlib")];
        let environment = Environment { roots, ..Environment::default() };
        let judged = ByBuild::new([Runs::No].into());
        let question = Question { judged, ..Question::default() };
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
}
