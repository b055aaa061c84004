//! Everything that a cache says about an environment, computed once.

use spack_spec::Dialect;

use super::{
    Blockers, Counts, Coverage, Environment, Mirrors, Nearest, Nearness, Satisfying, Status,
    satisfying,
};
use crate::build::{Hash, Place};
use crate::index::Index;

/// What a cache has of an environment, and what is missing.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// Which nodes are in the cache.
    pub coverage: Coverage,
    /// Which nodes wait for which.
    pub blockers: Blockers,
    /// Which nodes each mirror has.
    pub mirrors: Mirrors,
    /// For each missing node, in the order of [`Blockers::ranked`]: the builds that differ least.
    pub nearest: Vec<Vec<Nearest>>,
    /// For each distinct spec of the roots: the builds that satisfy it, or why it cannot be read.
    pub specs: Vec<Result<Satisfying, Unread>>,
    /// The counts of all nodes.
    pub counts: Counts,
    /// The counts of the nodes needed to run the roots.
    pub counts_to_run: Counts,
}

/// A spec that cannot be read in the dialect of the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The spec.
    pub spec: String,
    /// Why it cannot be read.
    pub message: String,
}

/// The part of an environment that a cache has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    /// Exactly this part, from 0 to 1.
    Of(f64),
    /// At least this part: the cache does not contain enough data to be sure about the rest.
    AtLeast(f64),
}

impl Assessment {
    /// Compares an environment with an index, or with certain places of it.
    pub fn new(
        index: &Index,
        environment: &Environment,
        places: &[Place],
        dialect: Dialect,
    ) -> Assessment {
        let coverage = Coverage::new(index, environment, places);
        let blockers = Blockers::new(environment, &coverage);
        let mirrors = Mirrors::new(index, environment, &coverage);
        let mut nearness = Nearness::new(index, environment);
        let nearest = blockers.ranked().iter().map(|&node| nearness.of(node)).collect();
        let specs = satisfying(index, dialect, &environment.roots)
            .into_iter()
            .map(|(spec, found)| {
                found.map_err(|error| Unread { spec: spec.to_owned(), message: error.to_string() })
            })
            .collect();
        let counts = coverage.counts(environment);
        let counts_to_run = coverage.counts_to_run(environment);
        Assessment { coverage, blockers, mirrors, nearest, specs, counts, counts_to_run }
    }

    /// Returns the part of the environment that the cache has: its share of the nodes, if the environment has nodes
    /// whose hashes can be compared; otherwise the share of the specs that some build satisfies.
    pub fn share(&self, environment: &Environment) -> Share {
        let is_decided = environment.undecided.is_empty();
        if !environment.nodes.is_empty() && environment.has_cache_hashes {
            let share = self.counts.share();
            return if is_decided { Share::Of(share) } else { Share::AtLeast(share) };
        }
        let satisfied = |found: &&Result<Satisfying, Unread>| {
            found.as_ref().is_ok_and(|found| !found.builds.is_empty())
        };
        let is_sure = |found: &Result<Satisfying, Unread>| {
            found.as_ref().is_ok_and(|found| found.is_certain || !found.builds.is_empty())
        };
        let share = match self.specs.len() {
            0 => 1.0,
            all => self.specs.iter().filter(satisfied).count() as f64 / all as f64,
        };
        let is_sure = is_decided && self.specs.iter().all(is_sure);
        if is_sure { Share::Of(share) } else { Share::AtLeast(share) }
    }

    /// Returns the total size in bytes of the cached nodes needed to run the roots, and how many of them have an
    /// unknown size.
    pub fn bytes_to_run(&self, index: &Index, environment: &Environment) -> (u64, usize) {
        let nodes = 0..environment.nodes.len();
        let cached = nodes.filter(|&node| self.coverage.is_needed_to_run(node)).filter_map(
            |node| match self.coverage.status(node) {
                Status::Cached(build) => Some(index.size(build)),
                _ => None,
            },
        );
        cached.fold((0, 0), |(bytes, unknown), size| match size {
            Some(size) => (bytes + size, unknown),
            None => (bytes, unknown + 1),
        })
    }

    /// Returns the nearest builds of a missing node.
    pub fn nearest_to(&self, node: usize) -> &[Nearest] {
        let at = self.blockers.ranked().iter().position(|&missing| missing == node);
        at.map_or(&[], |at| &self.nearest[at])
    }

    /// Returns the hashes of an environment's roots that are in the cache, without duplicates.
    pub fn cached_roots(&self, environment: &Environment) -> Vec<Hash> {
        let is_cached = |&node: &usize| matches!(self.coverage.status(node), Status::Cached(_));
        (0..environment.nodes.len())
            .filter(|&node| self.coverage.is_root(node))
            .filter(is_cached)
            .map(|node| environment.nodes[node].build.hash)
            .collect()
    }
}
