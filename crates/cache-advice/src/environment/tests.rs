//! Laws that hold for every environment and every cache.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use cache_index::build::{Build, Hash, Place};
use cache_index::environment::{Environment, EnvironmentTexts, Node, Root};
use cache_index::facet::Facet;
use cache_index::index::{About, BuildId, Edge, EdgeTarget, Index, pack};
use cache_index::sample;
use cache_query::{Change, Question, apply, run};
use proptest::prelude::*;
use spack_spec::{Target, Version};

use super::{
    Assessment, AssessmentReport, AssessmentSteps, Blockers, Coverage, Mirrors, Nearest, Nearness,
    Status, carried_hashes, carried_nodes, carry_list,
};
use crate::differences::likeness::Aspects;

fn index(builds: &[Build]) -> Index {
    pack(About::default(), builds.iter().cloned()).expect("different hashes")
}

/// Creates an environment from builds of a cache, as if Spack had reused them, with the first as roots.
fn environment(builds: &[Build]) -> Environment {
    let node = |build: &Build| Node { build: build.clone(), spliced_from: build.spliced_from };
    let nodes: Vec<Node> = builds.iter().map(node).collect();
    let root =
        |build: &Build| Root { spec: build.package.clone(), group: None, hash: Some(build.hash) };
    let roots = builds.iter().take(3).map(root).collect();
    Environment { roots, nodes, ..Environment::default() }
}

fn of_all(index: &Index, environment: &Environment) -> Coverage {
    Coverage::new(index, environment, |build| index.has_binary(index.row_of(build)))
}

fn within(index: &Index, environment: &Environment, places: &[Place]) -> Coverage {
    Coverage::new(index, environment, |build| {
        index.places_of(index.row_of(build)).any(|place| places.contains(&place))
    })
}

/// Compares a node with every build of its package that counts.
fn naively_nearest(
    index: &Index,
    environment: &Environment,
    node: usize,
    counts: impl Fn(BuildId) -> bool,
) -> Vec<Nearest> {
    let version_of = |hash: Hash| {
        let found = environment.nodes.iter().find(|node| node.build.hash == hash);
        found.map(|node| node.build.version.as_str())
    };
    let wanted = &environment.nodes[node].build;
    let aspects = Aspects::new(wanted, |edge| version_of(edge.hash));
    let mut all: Vec<Nearest> = index
        .builds_with_binary()
        .filter(|&build| counts(build))
        .filter(|&build| index.text(index.row_of(build), Facet::Package) == wanted.package)
        .filter_map(|build| {
            let differs = aspects.differences(&Aspects::of(index, build)?);
            Some(Nearest { build, differs })
        })
        .collect();
    all.sort_by_key(|nearest| {
        let row = index.row_of(nearest.build);
        let machine = [
            (Facet::Platform, &wanted.platform),
            (Facet::Os, &wanted.os),
            (Facet::Target, &wanted.target),
        ];
        let machine = machine.map(|(facet, wanted)| index.text(row, facet) != wanted);
        let letters = |os: &str| os.chars().filter(|one| !one.is_ascii_digit()).collect::<String>();
        let letters = |os: &str| letters(os).trim_end_matches('.').to_owned();
        let below = |target: &str| Target::named(target).map_or(0, |it| it.ancestors().count());
        let family = |target: &str| Target::named(target).map(|it| it.family().name());
        let apart = (
            letters(index.text(row, Facet::Os)) != letters(&wanted.os),
            family(index.text(row, Facet::Target)) != family(&wanted.target),
            below(index.text(row, Facet::Target)).abs_diff(below(&wanted.target)),
        );
        let edges = index.dependencies(nearest.build).into_iter().flatten();
        let is_shared = |edge: &Edge<'_>| match edge.target {
            EdgeTarget::Build(build) => {
                index.hash(build).is_some_and(|hash| version_of(hash).is_some())
            }
            EdgeTarget::Unknown { hash, .. } => version_of(hash).is_some(),
        };
        let shared = edges.filter(is_shared).count();
        let edges = wanted.dependencies.iter().flatten();
        let nodes = edges
            .filter_map(|edge| environment.nodes.iter().find(|node| node.build.hash == edge.hash));
        let direct: Vec<String> =
            nodes.map(|node| format!("{}@{}", node.build.package, node.build.version)).collect();
        let of_build = index.build(nearest.build).expect("a build");
        let edges = of_build.dependencies.iter().flatten();
        let alike = edges.filter(|edge| {
            index.find(edge.hash).is_some_and(|build| {
                let text = |facet| index.text(index.row_of(build), facet);
                direct.contains(&format!("{}@{}", text(Facet::Package), text(Facet::Version)))
            })
        });
        let shared = (alike.count(), shared);
        let version: Version =
            index.text(row, Facet::Version).parse().expect("a version is any text");
        let hash = index.hash(nearest.build).map(|hash| hash.to_string());
        let words = |build: &Build| {
            build
                .variants
                .iter()
                .map(|it| (it.name.clone(), it.to_string()))
                .collect::<BTreeSet<_>>()
        };
        let (own, theirs) = (words(wanted), words(&of_build));
        let apart_in: BTreeSet<&String> =
            own.symmetric_difference(&theirs).map(|(name, _)| name).collect();
        (
            machine,
            apart,
            Reverse(nearest.differs.clone()),
            apart_in.len(),
            Reverse(shared),
            Reverse(version),
            hash,
        )
    });
    let fewest = all.iter().map(|nearest| nearest.differs.len()).min();
    all.retain(|nearest| Some(nearest.differs.len()) == fewest);
    all
}

/// Finds the missing nodes above a node naively: those from which it can be reached through missing nodes.
fn above(environment: &Environment, missing: &BTreeSet<Hash>, node: Hash) -> BTreeSet<Hash> {
    let mut found = BTreeSet::new();
    let mut open = vec![node];
    while let Some(below) = open.pop() {
        for Node { build, spliced_from } in &environment.nodes {
            let mut edges = build.dependencies.iter().flatten();
            let depends = edges.any(|edge| edge.hash == below) || *spliced_from == Some(below);
            if depends && missing.contains(&build.hash) && found.insert(build.hash) {
                open.push(build.hash);
            }
        }
    }
    found.remove(&node);
    found
}

/// Generates builds that only depend on earlier ones, as in every real cache.
fn acyclic() -> impl Strategy<Value = Vec<Build>> {
    sample::builds().prop_map(|mut builds| {
        let hashes: Vec<Hash> = builds.iter().map(|build| build.hash).collect();
        for (at, build) in builds.iter_mut().enumerate() {
            for edges in build.dependencies.iter_mut() {
                edges.retain(|edge| !hashes[at..].contains(&edge.hash));
            }
            build.spliced_from = build.spliced_from.filter(|from| !hashes[at..].contains(from));
        }
        builds
    })
}

proptest! {
    #[test]
    fn counts_each_node_as_external_cached_or_missing(builds in acyclic(), kept in prop::collection::vec(any::<bool>(), 40)) {
        let cache: Vec<Build> = builds.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(b, _)| b.clone()).collect();
        let environment = environment(&builds);
        let coverage = of_all(&index(&cache), &environment);
        let counts = coverage.counts(&environment);
        prop_assert_eq!(counts.external + counts.cached + counts.missing, counts.nodes);
        prop_assert_eq!(counts.nodes, builds.len());
        prop_assert_eq!(coverage.missing().count(), counts.missing);
        let is_there = |hash: Hash| cache.iter().any(|other| other.hash == hash && other.has_binary());
        let cached: usize = builds.iter()
            .filter(|build| !build.external && is_there(build.spliced_from.unwrap_or(build.hash)))
            .count();
        prop_assert_eq!(counts.cached, cached);
        let to_run = coverage.counts_to_run(&environment);
        prop_assert!(to_run.nodes <= counts.nodes && to_run.cached <= counts.cached);
        prop_assert!(to_run.nodes >= environment.roots.len());
    }

    #[test]
    fn covers_no_less_with_a_larger_cache(builds in acyclic(), kept in prop::collection::vec(any::<bool>(), 40), added in 0usize..40) {
        let cache = |with: usize| -> Vec<Build> {
            builds.iter().enumerate().filter(|(at, _)| kept[*at] || *at == with).map(|(_, b)| b.clone()).collect()
        };
        let environment = environment(&builds);
        let cached = |builds: &[Build]| of_all(&index(builds), &environment).counts(&environment).cached;
        prop_assert!(cached(&cache(added)) >= cached(&cache(usize::MAX)));
    }

    #[test]
    fn finds_the_blockers_of_a_naive_walk(builds in acyclic(), kept in prop::collection::vec(any::<bool>(), 40)) {
        let cache: Vec<Build> = builds.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(b, _)| b.clone()).collect();
        let environment = environment(&builds);
        let coverage = of_all(&index(&cache), &environment);
        let blockers = Blockers::new(&environment, &coverage);
        let missing: BTreeSet<Hash> = coverage.missing().map(|node| environment.nodes[node].build.hash).collect();
        prop_assert_eq!(blockers.ranked().len(), missing.len());
        prop_assert!(blockers.ranked().is_sorted_by_key(|&node| std::cmp::Reverse(blockers.blocks(node))));
        for node in coverage.missing() {
            let above = above(&environment, &missing, environment.nodes[node].build.hash);
            prop_assert_eq!(blockers.blocks(node), above.len());
            prop_assert_eq!(blockers.blocking().contains(&node), !above.is_empty());
        }
        let depths = blockers.depths();
        for (node, &depth) in depths.iter().enumerate() {
            let below = blockers.waits_for(node).iter().map(|&below| depths[below]).max().unwrap_or(0);
            let is_missing = coverage.status(node) == Status::Missing;
            prop_assert_eq!(depth, if is_missing { below + 1 } else { 0 });
        }
    }

    #[test]
    fn covers_every_cached_node_with_the_smallest_mirrors(builds in acyclic()) {
        let index = index(&builds);
        let environment = environment(&builds);
        let coverage = of_all(&index, &environment);
        let mirrors = Mirrors::new(&index, &environment, &coverage, |_| true);
        let together = within(&index, &environment, &mirrors.smallest);
        if !mirrors.smallest.is_empty() {
            prop_assert_eq!(together.counts(&environment), coverage.counts(&environment));
        }
        for share in &mirrors.shares {
            let alone = within(&index, &environment, std::slice::from_ref(&share.place));
            prop_assert_eq!(alone.counts(&environment).cached, share.cached);
            prop_assert_eq!(alone.counts_to_run(&environment).cached, share.cached_to_run);
        }
    }

    #[test]
    fn finds_the_nearest_builds_as_a_naive_search_does(builds in acyclic(), kept in prop::collection::vec(any::<bool>(), 40)) {
        let cache: Vec<Build> = builds.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(b, _)| b.clone()).collect();
        let environment = environment(&builds);
        let index = index(&cache);
        let mut nearness = Nearness::new(&environment);
        for node in 0..environment.nodes.len() {
            let nearest = nearness.of(&index, &environment, node, |_| true);
            prop_assert_eq!(nearest, naively_nearest(&index, &environment, node, |_| true));
            // As if a filter left out every other build.
            let is_in = |build: BuildId| build.at().is_multiple_of(2);
            let nearest = nearness.of(&index, &environment, node, is_in);
            prop_assert_eq!(nearest, naively_nearest(&index, &environment, node, is_in));
        }
    }

    #[test]
    fn carries_what_is_installed_from_the_cache(builds in acyclic(), kept in prop::collection::vec(any::<bool>(), 40)) {
        let cache: Vec<Build> = builds.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(b, _)| b.clone()).collect();
        let environment = environment(&builds);
        let coverage = of_all(&index(&cache), &environment);
        let carried = carried_nodes(&environment, &coverage);
        // Naively: mark roots, then what marked nodes need, until nothing changes.
        let number = |hash: Hash| environment.nodes.iter().position(|node| node.build.hash == hash);
        let mut marked: Vec<bool> = (0..builds.len()).map(|node| coverage.is_root(node)).collect();
        loop {
            let before = marked.clone();
            for (node, build) in builds.iter().enumerate().filter(|(node, _)| before[*node]) {
                for edge in build.dependencies.iter().flatten() {
                    let needs = match coverage.status(node) {
                        Status::External => false,
                        Status::Cached(_) => edge.is_needed_to_run(),
                        Status::Missing => true,
                    };
                    if let (true, Some(below)) = (needs, number(edge.hash)) {
                        marked[below] = true;
                    }
                }
                let from = build.spliced_from.filter(|_| coverage.status(node) == Status::Missing);
                if let Some(from) = from.and_then(number) {
                    marked[from] = true;
                }
            }
            if marked == before { break }
        }
        let cached = |node: &usize| matches!(coverage.status(*node), Status::Cached(_));
        let expected: Vec<usize> = (0..builds.len()).filter(|&node| marked[node]).filter(cached).collect();
        prop_assert_eq!(carried, expected);
    }

    #[test]
    fn reads_an_environment_that_was_kept(builds in acyclic(), splices in prop::collection::vec(any::<bool>(), 40)) {
        let mut environment = environment(&builds);
        for (at, _) in splices.iter().enumerate().filter(|(_, splice)| **splice) {
            if let Some(node) = environment.nodes.get_mut(at) {
                node.spliced_from = Some(sample::hash(at));
            }
        }
        environment.nodes.iter_mut().for_each(|node| node.build.places = Default::default());
        environment.undecided.push("when: <x>".to_owned());
        let kept = EnvironmentTexts::new(&environment).expect("different hashes");
        prop_assert_eq!(kept.read(), Ok(environment));
    }

    #[test]
    fn counts_only_what_passes_the_filters(builds in acyclic(), at in 0usize..40) {
        let Some(place) = builds.iter().flat_map(|build| &build.places).nth(at).cloned() else { return Ok(()) };
        let index = index(&builds);
        let environment = environment(&builds);
        let cell = vec![(Facet::Release, place.release.clone()), (Facet::Stack, place.stack.clone())];
        let question = apply(&Default::default(), Change::Narrow(cell)).question;
        let assessment = Assessment::new(&index, &environment, &question, index.dialect());
        prop_assert_eq!(assessment.counts, within(&index, &environment, &[place]).counts(&environment));
    }

    #[test]
    fn says_how_many_steps_are_left(builds in acyclic()) {
        let index = index(&builds[..builds.len() / 2]);
        let environment = environment(&builds);
        let question = Question::default();
        let answer = run(&index, &question);
        let mut assessing = AssessmentSteps::new(&index, &environment, &question, &answer, index.dialect());
        for left in (0..assessing.steps_left()).rev() {
            prop_assert!(assessing.step(&index, &environment));
            prop_assert_eq!(assessing.steps_left(), left);
        }
        prop_assert!(!assessing.step(&index, &environment));
        let whole = Assessment::new(&index, &environment, &question, index.dialect());
        let json = |assessment: &Assessment| AssessmentReport { index: &index, environment: &environment, assessment }.json();
        prop_assert_eq!(json(&assessing.assessment), json(&whole));
    }
}

#[test]
fn writes_no_formula_into_a_spreadsheet() {
    const HOSTILE: [&str; 6] =
        ["=HYPERLINK(\"https://x\")", "+cuda", "-1", "@SUM(1)", "\t=1", "a;=1"];
    let index = index(&[sample::one("zlib", "1.3")]);
    let check = |environment: &Environment| {
        let assessment =
            Assessment::new(&index, environment, &Question::default(), index.dialect());
        let csv = AssessmentReport { index: &index, environment, assessment: &assessment }.csv();
        assert_eq!(csv.split_terminator("\r\n").count(), 1 + HOSTILE.len(), "{csv:?}");
        for start in ["=", "+", "-", "@", "\t"] {
            for before in [",", ";", "\n", "\r", "\"", "\t"] {
                assert!(!csv.contains(&format!("{before}{start}")), "{csv:?}");
            }
        }
    };
    // Specs from the `?spec=` of a link, and what is in a lock file.
    let root = |spec: &str| Root { spec: spec.to_owned(), group: None, hash: None };
    check(&Environment { roots: HOSTILE.map(root).into(), ..Environment::default() });
    let build =
        |(at, text): (usize, &&str)| Build { hash: sample::hash(at), ..sample::one(text, text) };
    let builds: Vec<Build> = HOSTILE.iter().enumerate().map(build).collect();
    check(&environment(&builds));
}

#[test]
fn installs_a_spliced_spec_from_what_it_was_spliced_from() {
    let one = |number: usize, package: &str| Build {
        hash: sample::hash(number),
        ..sample::one(package, "1.0")
    };
    let from = one(1, "hdf5");
    let spliced = Build { spliced_from: Some(from.hash), ..one(2, "hdf5") };
    let mut wanted = environment(&[spliced.clone(), from.clone()]);
    wanted.roots.truncate(1);

    let cache = index(&[from.clone(), one(3, "zlib")]);
    let assessment = Assessment::new(&cache, &wanted, &Question::default(), cache.dialect());
    let binary = cache.find(from.hash).expect("a build");
    assert_eq!(assessment.coverage.status(0), Status::Cached(binary));
    assert_eq!(carried_hashes(&wanted, &assessment.coverage), [from.hash]);
    let list = carry_list(&cache, &wanted, &assessment.coverage).text();
    assert!(list.contains(&from.hash.to_string()), "{list}");
    assert!(!list.contains(&spliced.hash.to_string()), "{list}");
    // Spack finds no binary under the hash of the spec itself.
    assert!(assessment.cached_roots(&wanted).is_empty());

    // Its own record is of no use.
    let cache = index(&[spliced, one(3, "zlib")]);
    let coverage = of_all(&cache, &wanted);
    assert_eq!([0, 1].map(|node| coverage.status(node)), [Status::Missing; 2]);
    assert_eq!(Blockers::new(&wanted, &coverage).waits_for(0), [1]);
}
