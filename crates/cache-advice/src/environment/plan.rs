//! How to install an environment: commands to paste, and what they have to build.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use cache_index::build::{Place, Signature};
use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_index::mirror::{Mirror, TRUST_KEYS, blanks};
use cache_index::number::{counted, grouped};
use cache_query::Question;
use cache_query::host::{Host, Runs};
use cache_query::search::graph::is_virtual;
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use spack_spec::{Spec, Target, shell_word};

use super::{Assessment, SatisfyingBuilds, Status};
use crate::choosing::recommended::{Candidate, System, best_of, foreign, system_of};
use crate::recipes::{has_no_version, unknown_variants};

/// An index that has recipes of at least this many packages beyond those in its cache is taken to have all recipes of
/// Spack, which has had several thousand packages for years. A site may publish the recipes of its own packages alone.
const FEWEST_OTHERS: usize = 1_000;

/// How to install an environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The fewest mirrors that have everything the cache has.
    pub mirrors: Vec<Mirror>,
    /// The commands in order, each with what it does.
    pub commands: Vec<(String, String)>,
    /// The packages that the cache does not have and whose names may be typos: it is not known whether Spack has
    /// recipes for them.
    pub unknown: Vec<String>,
    /// The packages that neither the cache nor Spack's recipes have. No command names their specs, because it would fail.
    pub in_no_recipe: Vec<String>,
    /// The platform, the OS and the family of targets that builds were chosen for: those for which the cache satisfies
    /// most specs. `None` for a stated machine, and for concrete specs.
    pub system: Option<String>,
    /// The specs that ask for another OS, platform or target than the stated machine has. No command names them: none can be
    /// installed or built there, and Spack would refuse the others with them.
    pub for_others: Vec<String>,
    /// What the cache does not have, and has to be built: names and versions, or specs. Those that most others wait for
    /// come first. Specs of packages that no recipe has are left out.
    pub to_build: Vec<String>,
    /// The specs that have to be built because none of the builds that satisfy them works on the machine, or is for the
    /// system. Each comes with the newest of these builds for a similar machine.
    pub working_nowhere: Vec<(String, BuildId)>,
    /// The specs that Spack would refuse, because recipes have no such variant or version. No command names them.
    pub refused: Vec<String>,
    /// `true` if several of the specs are of one package, so that Spack cannot concretize them together.
    pub has_several: bool,
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
        let built = from_source(&plan.to_build, &plan.working_nowhere, plan.system.as_deref());
        plan.has_several = are_of_one_package(assessment);
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
                && question.host.as_ref().is_none_or(|host| may_be_on(index, host, spec))
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
        // Builds that filters leave out are fetched too, if these mirrors have them.
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
        let mut for_others: Vec<String> = Vec::new();
        let mut refused: Vec<String> = Vec::new();
        let system = question.host.is_none().then(|| common_system(index, assessment)).flatten();
        let wanted = assessment.specs.iter().flatten();
        for found in wanted.filter(|found| !found.is_developed && !found.is_external) {
            let Some(build) = best(index, question, found, system) else {
                let host = question.host.as_ref();
                if host.is_some_and(|host| !may_be_on(index, host, &found.spec)) {
                    for_others.push(found.spec.clone());
                    continue;
                }
                if !unknown_variants(index, &found.spec).is_empty()
                    || has_no_version(index, &found.spec)
                {
                    refused.push(found.spec.clone());
                    continue;
                }
                if let Some(closest) = closest(index, question, found, system) {
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
        let plan = Plan {
            mirrors,
            commands,
            unknown,
            in_no_recipe,
            system,
            for_others,
            to_build,
            working_nowhere,
            refused,
            has_several: false,
        };
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

/// Returns `true` if several specs are of one package.
pub fn are_of_one_package(assessment: &Assessment) -> bool {
    concretizable(assessment.specs.iter().flatten().map(|found| found.spec.as_str())).len() > 1
}

/// Divides specs into groups that Spack can concretize together: for the specs of one command, it takes one build of
/// each package.
fn concretizable<'s>(specs: impl Iterator<Item = &'s str>) -> Vec<Vec<&'s str>> {
    let mut commands: Vec<Vec<&str>> = Vec::new();
    let mut met: HashMap<&str, usize> = HashMap::new();
    for spec in specs {
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let name = &spec[..spec.find(|c| !is_in_name(c)).unwrap_or(spec.len())];
        // A hash alone names no package.
        let before = met.entry(if name.is_empty() { spec } else { name }).or_default();
        if commands.len() == *before {
            commands.push(Vec::new());
        }
        commands[*before].push(spec);
        *before += 1;
    }
    commands
}

/// Returns the commands that build from source: specs that no build satisfies, and those whose builds do not work on the machine,
/// or are for other systems than one.
fn from_source(
    to_build: &[String],
    working_nowhere: &[(String, BuildId)],
    system: Option<&str>,
) -> Vec<(String, String)> {
    let working_specs = working_nowhere.iter().map(|(spec, _)| spec);
    let specs: Vec<&str> = to_build.iter().chain(working_specs).map(String::as_str).collect();
    let machine = match (working_nowhere, system) {
        ([], _) => String::new(),
        (_, None) => " for your machine".to_owned(),
        (_, Some(system)) => format!(" for {system}"),
    };
    let built = are(specs.len());
    let first = format!("Build what the cache does not have{machine}: {built} built from source");
    let others =
        "Build other specs of the same packages: Spack concretizes those of one command together";
    let does = std::iter::once(first).chain(std::iter::repeat(others.to_owned()));
    let command = |specs: Vec<&str>| {
        let words: Vec<_> = specs.into_iter().map(shell_word).collect();
        format!("spack install {}", words.join(" "))
    };
    does.zip(concretizable(specs.into_iter()).into_iter().map(command)).collect()
}

/// Returns `false` if a spec asks for another platform or OS than a machine has, or for a target that it does not run.
fn may_be_on(index: &Index, host: &Host, spec: &str) -> bool {
    let spec = Spec::parse(spec, index.dialect()).ok();
    let Some((spec, own)) = spec.zip(Target::named(host.target())) else { return true };
    let asked = &spec.root.architecture;
    let (platform, os) = (host.platform(), host.os());
    let mut targets = Target::all().filter(|target| own.runs(*target));
    targets.any(|target| asked.matches(platform, os, target.name(), index.dialect()))
}

/// Returns the package that a spec names if the cache does not have it, and whether Spack can build it.
///
/// The latter is `None` if the index has no recipes, or only few besides those of packages in the cache.
fn absent_package(index: &Index, spec: &str) -> Option<(String, Option<bool>)> {
    let name = Spec::parse(spec, index.dialect()).ok()?.root.name?;
    if index.dictionary(Facet::Package).code(&name).is_some() {
        return None;
    }
    let others = index.other_packages().filter(|others| others.names.len() >= FEWEST_OTHERS);
    let is_buildable = others.map(|others| {
        let is_provided = || !others.providers_of(&name).is_empty() || is_virtual(index, &name);
        others.newest_of(&name).is_some() || is_provided()
    });
    Some((name, is_buildable))
}

/// Returns the system for which builds satisfy most of the specs and, if there are several, the one with most of these
/// builds. Without a machine, builds for one system are chosen.
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

/// Returns the build to install, of those that satisfy a spec and work on the machine or may work: the same that the
/// page of its package recommends. Without a machine, only builds for a system count.
fn best(
    index: &Index,
    question: &Question,
    found: &SatisfyingBuilds,
    system: Option<System>,
) -> Option<BuildId> {
    let works = |&build: &BuildId| (build, question.judged.of(build).unwrap_or(Runs::Yes));
    let candidates = found.builds.iter().map(works).filter(|(_, works)| *works != Runs::No);
    let is_of_system = |(build, _): &Candidate| {
        system.is_none_or(|system| system_of(index, index.row_of(*build)) == system)
    };
    best_of(index, question, &candidates.filter(is_of_system).collect::<Vec<_>>())
}

/// Returns the newest of the builds that satisfy a spec, preferably for the kind of machine and the OS of the question;
/// without a machine, for the kind of a system.
fn closest(
    index: &Index,
    question: &Question,
    found: &SatisfyingBuilds,
    system: Option<System>,
) -> Option<BuildId> {
    let is_other_kind = |build: &BuildId| {
        let (([platform, _], family), ([other, _], of)) =
            (system?, system_of(index, index.row_of(*build)));
        Some((platform != other, family != of))
    };
    let differs = |build: &BuildId| {
        let row = index.row_of(*build);
        let host = question.host.as_ref()?;
        let is_other = index.text(row, Facet::Os) != host.os();
        Some((foreign(index, (host.platform(), host.target()), row), is_other))
    };
    found.builds.iter().copied().min_by_key(|build| (differs(build), is_other_kind(build)))
}

fn is_unsigned(index: &Index, build: BuildId) -> bool {
    index.signature(build) == Some(Signature::Unsigned)
}

fn are(number: usize) -> String {
    counted(number, "spec is", "specs are")
}
