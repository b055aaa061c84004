//! Laws that hold for any two graphs, in a model in which a hash is a number for the contents of a spec.

mod environments;

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::{Build, Dependency, Deptypes, Hash};
use cache_index::environment::{Environment, Node, Root};
use cache_index::facet::Facet;
use cache_index::index::{About, BuildId, Index, pack};
use cache_index::sample;
use cache_query::Question;
use proptest::prelude::*;

use super::pauses::{Pauses, at_once};
use super::{Cause, Causes, CausesInWords, Comparison, Occasion, OwnDifference};
use crate::changes::Side;
use crate::differences::{Field, FieldEdge, FieldValue};
use crate::environment::Assessment;

/// A spec of the model.
#[derive(Clone, Debug)]
struct Model {
    package: usize,
    version: u8,
    recipe: u8,
    target: u8,
    format: u8,
    is_shared: Option<bool>,
    /// For each dependency, how far below in the list it is, and whether it provides `mpi`.
    below: Vec<(usize, bool)>,
}

/// Gives each content a hash.
#[derive(Default)]
struct Hashes(BTreeMap<String, usize>);

impl Hashes {
    fn of(&mut self, build: &Build) -> Hash {
        let next = self.0.len();
        let Build { package, version, package_hash, os, target, variants, spec_format, .. } = build;
        let dependencies = &build.dependencies;
        let key = format!(
            "{package}@{version} {package_hash:?} {os} {target} {variants:?} {spec_format:?} {dependencies:?}"
        );
        sample::hash(*self.0.entry(key).or_insert(next))
    }

    fn builds(&mut self, models: &[Model]) -> Vec<Build> {
        let mut builds: Vec<Build> = Vec::new();
        for model in models {
            let edges = model.below.iter().filter_map(|(distance, is_mpi)| {
                let below = &builds[builds.len().checked_sub(1 + distance)?];
                Some(Dependency {
                    package: below.package.clone(),
                    hash: below.hash,
                    deptypes: Deptypes::LINK,
                    virtuals: if *is_mpi { vec!["mpi".to_owned()] } else { Vec::new() },
                })
            });
            let mut edges: Vec<Dependency> = edges.collect();
            edges.sort();
            edges.dedup();
            let shared =
                model.is_shared.map(|is_shared| if is_shared { "+shared" } else { "~shared" });
            let build = Build {
                target: ["x86_64_v3", "zen4"][usize::from(model.target)].to_owned(),
                variants: shared.into_iter().map(sample::variant).collect(),
                package_hash: Some(format!("r{}", model.recipe)),
                spec_format: Some(5 + u32::from(model.format)),
                compiler: None,
                compiler_source: cache_index::build::CompilerSource::Dependency,
                dependencies: Some(edges),
                ..sample::one(["a", "b", "c", "d"][model.package], &model.version.to_string())
            };
            builds.push(Build { hash: self.of(&build), ..build });
        }
        distinct(builds)
    }
}

fn distinct(mut builds: Vec<Build>) -> Vec<Build> {
    let mut met = BTreeSet::new();
    builds.retain(|build| met.insert(build.hash));
    builds
}

fn model() -> impl Strategy<Value = Model> {
    let below = prop::collection::vec((0..3usize, any::<bool>()), 0..3);
    let shared = prop::option::of(any::<bool>());
    (0..4usize, 0..3u8, 0..2u8, 0..2u8, 0..2u8, shared, below).prop_map(
        |(package, version, recipe, target, format, is_shared, below)| Model {
            package,
            version,
            recipe,
            target,
            format,
            is_shared,
            below,
        },
    )
}

/// Generates an old graph, and a new one that resembles it.
fn graphs() -> impl Strategy<Value = (Vec<Build>, Vec<Build>)> {
    let change = prop::option::weighted(0.3, model());
    let pairs = prop::collection::vec((model(), change), 0..9);
    (pairs, prop::collection::vec(model(), 0..2)).prop_map(|(pairs, more)| {
        let old: Vec<Model> = pairs.iter().map(|(old, _)| old.clone()).collect();
        let new = pairs.into_iter().map(|(old, new)| match new {
            // Mostly the same package, with one other field or other edges.
            Some(new) if new.recipe == 0 => Model { version: new.version, ..old },
            Some(new) if new.version == 0 => Model { below: new.below, ..old },
            Some(new) if new.version == 1 && new.target == 0 => Model { format: new.format, ..old },
            Some(new) if new.version == 1 => Model { is_shared: new.is_shared, ..old },
            Some(new) => Model { package: old.package, ..new },
            None => old,
        });
        let new: Vec<Model> = new.chain(more).collect();
        let mut hashes = Hashes::default();
        (hashes.builds(&old), hashes.builds(&new))
    })
}

fn index(builds: &[Build]) -> Index {
    pack(About::default(), builds.iter().cloned()).expect("different hashes")
}

fn all(index: &Index) -> Vec<BuildId> {
    (0..index.specs()).map(BuildId).collect()
}

fn search<'a>(old: &'a Index, new: &'a Index) -> Comparison<'a> {
    let (olds, news) = (all(old), all(new));
    at_once(async {
        let mut pauses = Pauses::new(async || {});
        Comparison::between((old, &olds), (new, &news), &news, None, &mut pauses).await
    })
}

fn causes(old: &Index, new: &Index) -> Causes {
    Causes::between((old, &all(old)), (new, &all(new)))
}

/// Undoes the causes of each spec, and returns the hash that results.
fn undone(
    hash: Hash,
    new: &[Build],
    old: &[Build],
    search: &Comparison<'_>,
    hashes: &mut Hashes,
) -> Hash {
    let Some(at) = search.new.specs.iter().position(|spec| spec.hash == hash) else { return hash };
    let Some(counterpart) = search.pairs.of_new[at] else { return hash };
    let counterpart = search.old.specs[counterpart as usize].hash;
    let find = |builds: &[Build], hash| builds.iter().find(|build| build.hash == hash).cloned();
    let (mut build, old_build) =
        (find(new, hash).expect("it is there"), find(old, counterpart).expect("it is there"));
    let mut edges = build.dependencies.take().unwrap_or_default();
    let mut restored: Vec<Dependency> = Vec::new();
    let own =
        search.causes.specs.iter().find(|spec| spec.hash == hash).expect("it has a counterpart");
    for (cause, _) in &own.own {
        let OwnDifference { field, name, old, new } =
            &search.causes.causes[*cause as usize].difference;
        match (field, old) {
            (Field::Version, FieldValue::Text(version)) => build.version.clone_from(version),
            (Field::Target, FieldValue::Text(target)) => build.target.clone_from(target),
            (Field::Recipe, FieldValue::Text(recipe)) => build.package_hash = Some(recipe.clone()),
            (Field::Generation, FieldValue::Text(format)) => {
                build.spec_format = format.parse().ok()
            }
            (Field::Variants, FieldValue::Absent) => build.variants.retain(|v| v.name != *name),
            (Field::Variants, FieldValue::Bool(value)) => {
                build.variants =
                    vec![sample::variant(&format!("{}{name}", if *value { '+' } else { '~' }))];
            }
            (Field::Edges, FieldValue::Edges(gone)) => {
                let FieldValue::Edges(come) = new else { panic!("edges become edges") };
                let is = |edge: &FieldEdge, dependency: &Dependency| {
                    edge.package == dependency.package
                        && edge.virtuals == dependency.virtuals
                        && edge.hash.is_none_or(|hash| hash == dependency.hash)
                };
                for edge in come {
                    let place = edges.iter().position(|dependency| is(edge, dependency));
                    edges.remove(place.expect("the edge is there"));
                }
                for edge in gone {
                    let mut of_old = old_build.dependencies.iter().flatten();
                    restored.push(
                        of_old
                            .find(|dependency| is(edge, dependency))
                            .expect("it is there")
                            .clone(),
                    );
                }
            }
            other => panic!("{other:?} does not occur in the model"),
        }
    }
    for edge in &mut edges {
        edge.hash = undone(edge.hash, new, old, search, hashes);
    }
    edges.extend(restored);
    edges.sort();
    edges.dedup();
    hashes.of(&Build { dependencies: Some(edges), ..build })
}

/// Finds what a cause explains by looking at all paths.
fn naively_explained(causes: &Causes, cause: &Cause) -> BTreeSet<usize> {
    let has = |at: usize| cause.hashes.contains(&causes.specs[at].hash);
    let mut explained: BTreeSet<usize> = (0..causes.specs.len()).filter(|&at| has(at)).collect();
    loop {
        let above = (0..causes.specs.len()).filter(|&at| {
            causes.specs[at].below.iter().any(|below| explained.contains(&(*below as usize)))
        });
        let all: BTreeSet<usize> = above.chain(explained.iter().copied()).collect();
        if all == explained {
            return explained;
        }
        explained = all;
    }
}

proptest! {
    #[test]
    fn finds_causes_if_and_only_if_anything_differs((old, new) in graphs()) {
        let hashes = |builds: &[Build]| builds.iter().map(|build| build.hash).collect::<BTreeSet<_>>();
        let differs = !hashes(&new).is_subset(&hashes(&old));
        let (old, new) = (index(&old), index(&new));
        let causes = causes(&old, &new);
        prop_assert_eq!(causes.is_empty(), !differs);
        prop_assert_eq!(causes.causes.is_empty() && causes.additions.is_empty(), !differs);
        prop_assert!(self::causes(&new, &new).is_empty());
    }

    #[test]
    fn swaps_old_and_new_with_the_sides((old, new) in graphs()) {
        let (old, new) = (index(&old), index(&new));
        let [forth, back] = [causes(&old, &new), causes(&new, &old)].map(|causes| {
            causes.causes.into_iter().map(|cause| (cause.difference, cause.packages)).collect::<Vec<_>>()
        });
        let swap = |(OwnDifference { field, name, old, new }, packages)| {
            (OwnDifference { field, name, old: new, new: old }, packages)
        };
        let forth: BTreeSet<_> = forth.into_iter().collect();
        prop_assert_eq!(forth, back.into_iter().map(swap).collect::<BTreeSet<_>>());
    }

    #[test]
    fn undoing_all_causes_gives_the_old_graph_back((old, new) in graphs()) {
        let mut hashes = Hashes::default();
        // The same contents have the same hashes as when they were generated.
        let (old, new) = (rehashed(&old, &mut hashes), rehashed(&new, &mut hashes));
        let (old_index, new_index) = (index(&old), index(&new));
        let search = search(&old_index, &new_index);
        for (at, spec) in search.new.specs.iter().enumerate() {
            if let Some(counterpart) = search.pairs.of_new[at] {
                let counterpart = search.old.specs[counterpart as usize].hash;
                prop_assert_eq!(undone(spec.hash, &new, &old, &search, &mut hashes), counterpart);
            }
        }
    }

    #[test]
    fn attributes_each_spec_to_all_causes_below((old, new) in graphs()) {
        let (old, new) = (index(&old), index(&new));
        let causes = causes(&old, &new);
        prop_assert_eq!(&causes.unexplained, &[]);
        let explained: Vec<BTreeSet<usize>> =
            causes.causes.iter().map(|cause| naively_explained(&causes, cause)).collect();
        // By spec: the causes that are shown.
        let shown: Vec<BTreeSet<usize>> = (0..causes.specs.len()).map(|at| {
            causes.shown().filter(|(number, _)| {
                let seeds = causes.specs.iter().enumerate().filter(|(_, spec)| {
                    spec.own.iter().any(|(own, is_shown)| *own as usize == *number && *is_shown)
                });
                seeds.into_iter().any(|(seed, _)| {
                    let alone = Cause { hashes: vec![causes.specs[seed].hash], ..causes.causes[*number].clone() };
                    naively_explained(&causes, &alone).contains(&at)
                })
            }).map(|(number, _)| number).collect()
        }).collect();
        for (number, cause) in causes.causes.iter().enumerate() {
            prop_assert_eq!(cause.explains, explained[number].len());
            let alone = explained[number].iter().filter(|&&at| shown[at].len() == 1).count();
            prop_assert_eq!(cause.alone, alone);
            let hashes: BTreeSet<Hash> = explained[number].iter().map(|&at| causes.specs[at].hash).collect();
            prop_assert_eq!(causes.explained_by(number).into_iter().collect::<BTreeSet<_>>(), hashes);
        }
        prop_assert!(shown.iter().all(|shown| !shown.is_empty()));
        prop_assert_eq!(causes.explained, causes.specs.len());
        let follows: BTreeMap<Hash, Vec<Hash>> = causes.follows().into_iter().collect();
        for spec in &causes.specs {
            let own: Vec<&Cause> = causes.causes.iter().filter(|cause| cause.hashes.contains(&spec.hash)).collect();
            prop_assert_eq!(own.is_empty(), follows.contains_key(&spec.hash));
        }
        let undone: Vec<usize> = causes.shown().map(|(at, _)| at).collect();
        prop_assert_eq!(causes.restored(&undone), (causes.specs.len(), 0));
        prop_assert_eq!(causes.restored(&[]), (0, 0));
    }

    #[test]
    fn never_panics_on_damaged_graphs(old in sample::builds(), new in sample::builds()) {
        let (old_index, new_index) = (index(&old), index(&new));
        let causes = causes(&old_index, &new_index);
        let nodes: Vec<Node> = new.into_iter().map(|build| Node { build, spliced_from: None }).collect();
        let environment = Environment { nodes,  ..Environment::default() };
        let assessment = Assessment::new(&old_index, &environment, &Question::default(), old_index.dialect());
        let missing = Causes::of_environment(&old_index, &environment, &assessment);
        for causes in [causes, missing] {
            causes.follows();
            let all: Vec<usize> = (0..causes.causes.len()).collect();
            causes.lines(&all);
            causes.restored(&all);
        }
    }
}

fn rehashed(builds: &[Build], hashes: &mut Hashes) -> Vec<Build> {
    let mut renamed: BTreeMap<Hash, Hash> = BTreeMap::new();
    let mut all = Vec::new();
    for build in builds {
        let mut build = build.clone();
        for edge in build.dependencies.iter_mut().flatten() {
            edge.hash = renamed[&edge.hash];
        }
        build.dependencies.iter_mut().for_each(|edges| edges.sort());
        let hash = hashes.of(&build);
        renamed.insert(build.hash, hash);
        all.push(Build { hash, ..build });
    }
    all
}

#[test]
fn compares_a_build_with_the_same_one_whatever_the_sides_are_narrowed_to() {
    let on_zlib = |number: usize| Dependency {
        package: "zlib".to_owned(),
        hash: sample::hash(number),
        deptypes: Deptypes::from_bits(2).expect("bits below 16"),
        virtuals: Vec::new(),
    };
    let build = |number: usize, package: &str, version: &str, on: &[usize]| Build {
        hash: sample::hash(number),
        dependencies: Some(on.iter().map(|&on| on_zlib(on)).collect()),
        ..sample::one(package, version)
    };
    // Only cmake shows which zlib replaced which other one.
    let old = index(&[
        build(1, "zlib", "1.2", &[]),
        build(2, "zlib", "1.3", &[]),
        build(3, "hdf5", "1.12", &[1]),
        build(4, "hdf5", "1.14", &[2]),
        build(5, "cmake", "3.30", &[1, 2]),
    ]);
    let new = index(&[
        build(11, "zlib", "1.3", &[]),
        build(12, "zlib", "1.4", &[]),
        build(13, "hdf5", "2.0", &[12]),
        build(14, "hdf5", "2.1", &[11]),
        build(15, "cmake", "3.31", &[11, 12]),
    ]);
    let in_words = |causes: &Causes| -> Vec<String> {
        causes.shown().map(|(_, cause)| cause.words()).collect()
    };
    let whole = in_words(&Causes::between_sides(&Side::all(&old), &Side::all(&new)));
    let hdf5 = |index: &Index| {
        let is_hdf5 = |build: &BuildId| index.text(index.row_of(*build), Facet::Package) == "hdf5";
        all(index).into_iter().filter(is_hdf5).collect::<Vec<_>>()
    };
    let (olds, news) = (hdf5(&old), hdf5(&new));
    let narrowed = [Side::all(&old).among(olds), Side::all(&new).among(news)];
    let narrowed = Causes::between_sides(&narrowed[0], &narrowed[1]);
    assert_eq!(narrowed.explained, 2);
    let narrowed = in_words(&narrowed);
    assert!(narrowed.iter().all(|cause| whole.contains(cause)), "{narrowed:?} {whole:?}");
    // What only explains others is not shown.
    assert!(whole.iter().any(|cause| cause.ends_with("of cmake")), "{whole:?}");
    assert!(!narrowed.iter().any(|cause| cause.ends_with("of cmake")), "{narrowed:?}");
}

#[test]
fn counts_only_builds_that_filters_leave_in_among_those_that_nothing_explains() {
    // Pages list no dependencies, so nothing says why the hashes differ.
    let page = |number: usize, os: &str| Build {
        hash: sample::hash(number),
        os: os.to_owned(),
        ..sample::one("zlib", "1.3")
    };
    let old = index(&[page(1, "rhel8"), page(2, "rhel9")]);
    let new = index(&[page(3, "rhel8"), page(4, "rhel9")]);
    let rhel8 = |index: &Index| {
        let is_rhel8 = |build: &BuildId| index.text(index.row_of(*build), Facet::Os) == "rhel8";
        all(index).into_iter().filter(is_rhel8).collect::<Vec<_>>()
    };
    let [old, new] = [&old, &new].map(|index| Side::all(index).among(rhel8(index)));
    let found = Causes::between_sides(&old, &new);
    let words = CausesInWords { causes: &found, occasion: Occasion::Came { builds: 1 } };
    assert_eq!(words.rest(), ["The cache does not say why 1 new build differs"]);
}

#[test]
fn lets_a_page_answer_while_it_compares() {
    let builds = |version: &str| -> Vec<Build> {
        let build = |at| Build {
            hash: sample::hash(2 * at + usize::from(version == "2")),
            ..sample::one("zlib", version)
        };
        (0..5_000_usize).map(build).collect()
    };
    let (old, new) = (index(&builds("1")), index(&builds("2")));
    let [olds, news] = [&old, &new].map(|index| Side::all(index).without_index());
    let mut pauses = 0;
    let work = Causes::between_with_pauses((&old, &olds), (&new, &news), async || pauses += 1);
    let causes = at_once(work);
    assert_eq!(causes, self::causes(&old, &new));
    assert!(pauses > 1_000, "{pauses}");
}

#[test]
fn advises_no_machine_what_it_cannot_have() {
    let one = |number: usize, change: &dyn Fn(&mut Build)| {
        let mut build = Build {
            hash: sample::hash(number),
            os: "ubuntu22.04".to_owned(),
            target: "x86_64_v3".to_owned(),
            dependencies: Some(Vec::new()),
            ..sample::one("hdf5", "1.14")
        };
        change(&mut build);
        pack(About::default(), [build]).expect("an index")
    };
    let check = |change: &dyn Fn(&mut Build), host: &str, expected: bool| {
        let (old, new) = (one(1, &|_| ()), one(2, change));
        let found = causes(&old, &new);
        let host = host.parse().expect("a host");
        assert_eq!(found.causes[0].can_be_undone_on(&host), expected, "{:?}", found.causes[0]);
    };
    let other_os = |build: &mut Build| build.os = "rhel8".to_owned();
    check(&other_os, "linux.rhel8.zen3", false);
    check(&other_os, "linux.ubuntu22.04.zen3", true);
    let other_target = |build: &mut Build| build.target = "x86_64_v2".to_owned();
    check(&other_target, "linux.ubuntu22.04.nehalem", false);
    check(&other_target, "linux.ubuntu22.04.zen3", true);
    let other_version = |build: &mut Build| build.version = "1.12".to_owned();
    check(&other_version, "linux.rhel8.nehalem.glibc@2.28", true);
}
