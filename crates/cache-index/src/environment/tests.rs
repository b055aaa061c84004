//! Laws that hold for every environment and every cache.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Blockers, Coverage, Environment, Mirrors, Node, Root, Status};
use crate::build::{Build, Hash};
use crate::index::{About, Index, pack};
use crate::sample;

fn index(builds: &[Build]) -> Index {
    pack(About::default(), builds.iter().cloned()).expect("different hashes")
}

/// Creates an environment from builds of a cache, as if Spack had reused them, with the first as roots.
fn environment(builds: &[Build]) -> Environment {
    let nodes: Vec<Node> =
        builds.iter().map(|build| Node { build: build.clone(), spliced_from: None }).collect();
    let root =
        |build: &Build| Root { spec: build.package.clone(), group: None, hash: Some(build.hash) };
    let roots = builds.iter().take(3).map(root).collect();
    Environment { roots, nodes, has_cache_hashes: true, undecided: Vec::new() }
}

/// Finds the missing nodes above a node naively: those from which it can be reached through missing nodes.
fn above(environment: &Environment, missing: &BTreeSet<Hash>, node: Hash) -> BTreeSet<Hash> {
    let mut found = BTreeSet::new();
    let mut open = vec![node];
    while let Some(below) = open.pop() {
        for Node { build, .. } in &environment.nodes {
            let depends = build.dependencies.iter().flatten().any(|edge| edge.hash == below);
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
        }
        builds
    })
}

proptest! {
    #[test]
    fn counts_each_node_as_external_cached_or_missing(builds in acyclic(), kept in prop::collection::vec(any::<bool>(), 40)) {
        let cache: Vec<Build> = builds.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(b, _)| b.clone()).collect();
        let environment = environment(&builds);
        let coverage = Coverage::new(&index(&cache), &environment, &[]);
        let counts = coverage.counts(&environment);
        prop_assert_eq!(counts.external + counts.cached + counts.missing, counts.nodes);
        prop_assert_eq!(counts.nodes, builds.len());
        prop_assert_eq!(coverage.missing().count(), counts.missing);
        let cached: usize = builds.iter().zip(&kept)
            .filter(|(build, kept)| **kept && build.has_binary() && !build.external)
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
        let cached = |builds: &[Build]| Coverage::new(&index(builds), &environment, &[]).counts(&environment).cached;
        prop_assert!(cached(&cache(added)) >= cached(&cache(usize::MAX)));
    }

    #[test]
    fn finds_the_blockers_of_a_naive_walk(builds in acyclic(), kept in prop::collection::vec(any::<bool>(), 40)) {
        let cache: Vec<Build> = builds.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(b, _)| b.clone()).collect();
        let environment = environment(&builds);
        let coverage = Coverage::new(&index(&cache), &environment, &[]);
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
        let coverage = Coverage::new(&index, &environment, &[]);
        let mirrors = Mirrors::new(&index, &environment, &coverage);
        let together = Coverage::new(&index, &environment, &mirrors.smallest);
        if !mirrors.smallest.is_empty() {
            prop_assert_eq!(together.counts(&environment), coverage.counts(&environment));
        }
        for share in &mirrors.shares {
            let alone = Coverage::new(&index, &environment, std::slice::from_ref(&share.place));
            prop_assert_eq!(alone.counts(&environment).cached, share.cached);
            prop_assert_eq!(alone.counts_to_run(&environment).cached, share.cached_to_run);
        }
    }
}
