//! Everything that a cache says about an environment, computed once.

use cache_index::build::Hash;
use cache_index::environment::Environment;
use cache_index::index::Index;
use cache_query::{Answer, Question, run};
use spack_spec::Dialect;

use super::satisfying::distinct;
use super::{Blockers, Counts, Coverage, Mirrors, Nearest, Nearness, Satisfying, Status};

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
    /// Compares an environment with the builds of an index that pass the filters of a question.
    pub fn new(
        index: &Index,
        environment: &Environment,
        question: &Question,
        dialect: Dialect,
    ) -> Assessment {
        let answer = run(index, question);
        let mut assessing = Assessing::new(index, environment, question, &answer, dialect);
        while assessing.step(index, environment) {}
        assessing.assessment
    }

    /// Returns the part of the environment that the cache has: its share of the nodes, if the environment has nodes
    /// whose hashes can be compared; otherwise the share of the specs that some build satisfies.
    pub fn share(&self, environment: &Environment) -> Share {
        let is_decided = environment.undecided.is_empty();
        if environment.has_comparable_nodes() {
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
            // A share of nothing says nothing.
            0 => return Share::AtLeast(0.0),
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
        at.and_then(|at| self.nearest.get(at)).map_or(&[], Vec::as_slice)
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

/// An assessment in progress, for callers that do other things in between.
#[derive(Clone, Debug)]
pub struct Assessing {
    /// What is known so far. Coverage, blockers and counts are complete from the start.
    pub assessment: Assessment,
    question: Question,
    dialect: Dialect,
    nearness: Nearness,
    /// The specs of the roots that have not been looked for, last first.
    specs: Vec<String>,
    has_mirrors: bool,
}

impl Assessing {
    /// Begins to compare an environment with the builds of an index that pass the filters of a question; `answer` is the
    /// answer to it.
    pub fn new(
        index: &Index,
        environment: &Environment,
        question: &Question,
        answer: &Answer,
        dialect: Dialect,
    ) -> Assessing {
        let coverage = Coverage::new(index, environment, |build| answer.has(index, build));
        let blockers = Blockers::new(environment, &coverage);
        let assessment = Assessment {
            counts: coverage.counts(environment),
            counts_to_run: coverage.counts_to_run(environment),
            nearest: Vec::with_capacity(blockers.ranked().len()),
            coverage,
            blockers,
            mirrors: Mirrors::default(),
            specs: Vec::new(),
        };
        let mut specs: Vec<String> =
            distinct(&environment.roots).into_iter().map(str::to_owned).collect();
        specs.reverse();
        Assessing {
            assessment,
            question: question.clone(),
            dialect,
            nearness: Nearness::new(environment),
            specs,
            has_mirrors: false,
        }
    }

    /// Makes the next step, with the same index and environment as before; returns `false` if there is none. A step
    /// finds the builds for one spec, those nearest to one missing node, or the mirrors.
    pub fn step(&mut self, index: &Index, environment: &Environment) -> bool {
        let assessment = &mut self.assessment;
        if !std::mem::replace(&mut self.has_mirrors, true) {
            assessment.mirrors = Mirrors::new(index, environment, &assessment.coverage);
        } else if let Some(spec) = self.specs.pop() {
            let found = Satisfying::new(index, &self.question, self.dialect, &spec)
                .map_err(|error| Unread { message: error.to_string(), spec });
            assessment.specs.push(found);
        } else if let Some(&node) = assessment.blockers.ranked().get(assessment.nearest.len()) {
            assessment.nearest.push(self.nearness.of(index, environment, node));
        } else {
            return false;
        }
        true
    }

    /// Returns how many steps are left.
    pub fn steps_left(&self) -> usize {
        let missing = self.assessment.blockers.ranked().len();
        usize::from(!self.has_mirrors) + self.specs.len() + missing - self.assessment.nearest.len()
    }
}
