//! Everything that a cache says about an environment, computed once.

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::{Build, Hash, Place};
use cache_index::environment::Environment;
use cache_index::index::{BuildId, Index};
use cache_query::host::Host;
use cache_query::{Answer, Question, run};
use spack_spec::{Dialect, Target};

use super::content::Contents;
use super::developed::Developed;
use super::satisfying::{WantedSpec, wanted};
use super::{Blockers, Counts, Coverage, Mirrors, Nearest, Nearness, SatisfyingBuilds, Status};
use crate::Generation;
use crate::no_match::nearest;

/// What a cache has of an environment, and what is missing.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// Which nodes are in the cache.
    pub coverage: Coverage,
    /// Which nodes wait for which.
    pub blockers: Blockers,
    /// Which nodes each mirror has.
    pub mirrors: Mirrors,
    /// For each missing node, in the order of [`Blockers::ranked`].
    pub missing: Vec<Substitutes>,
    /// For each distinct spec of the roots, by group: the builds that satisfy it, or why it cannot be read.
    pub specs: Vec<Result<SatisfyingBuilds, Unread>>,
    /// The counts of all nodes.
    pub counts: Counts,
    /// The counts of the nodes needed to run the roots.
    pub counts_to_run: Counts,
    /// How the hashes of missing nodes differ from those of the cache, if they are of other generations.
    pub foreign: Option<Foreign>,
}

/// What a cache has in place of a missing node.
#[derive(Clone, Debug, Default)]
pub struct Substitutes {
    /// Builds that are the same in all but their hash, which is of another generation.
    pub by_content: Vec<BuildId>,
    /// If there are none: the builds that differ least.
    pub nearest: Vec<Nearest>,
}

/// The build that comes closest to a missing node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closest {
    /// The build.
    pub build: BuildId,
    /// How many others are as close.
    pub others: usize,
    /// In what it differs, in words.
    pub differs: String,
}

impl Substitutes {
    /// Returns one of the closest builds; `None` if the cache has none of the package.
    pub fn closest(&self) -> Option<Closest> {
        if let Some((&build, others)) = self.by_content.split_first() {
            let differs = "its hash only".to_owned();
            return Some(Closest { build, others: others.len(), differs });
        }
        let (first, others) = self.nearest.split_first()?;
        let differs: Vec<String> = first.differs.iter().map(ToString::to_string).collect();
        let differs = match differs.is_empty() {
            true => "nothing that is known".to_owned(),
            false => differs.join(", "),
        };
        Some(Closest { build: first.build, others: others.len(), differs })
    }
}

/// Missing nodes whose hashes are of other generations than all of the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// How many there are.
    pub nodes: usize,
    /// The generations of their hashes.
    pub theirs: BTreeSet<Generation>,
    /// The generations of the hashes in the cache.
    pub cached: BTreeSet<Generation>,
}

/// A spec that cannot be read in the dialect of the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The spec.
    pub spec: String,
    /// The group of specs that it is in, if there are groups.
    pub group: Option<String>,
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
    /// Returns the missing specs that are for another platform or OS than a machine's, or for a target that it does not
    /// run: even if they were built from source there, they would not be for that machine.
    pub fn missing_for_others<'e>(
        &self,
        environment: &'e Environment,
        host: &Host,
    ) -> Vec<&'e Build> {
        let own = Target::named(host.target());
        let is_for_other = |build: &&Build| {
            let target = Target::named(&build.target);
            let is_run = own.zip(target).is_none_or(|(own, target)| own.runs(target));
            build.platform != host.platform() || build.os != host.os() || !is_run
        };
        let nodes = environment.nodes.iter().enumerate();
        let missing = nodes.filter(|(at, _)| self.coverage.status(*at) == Status::Missing);
        missing.map(|(_, node)| &node.build).filter(is_for_other).collect()
    }

    /// Compares an environment with the builds of an index that pass the filters of a question.
    pub fn new(
        index: &Index,
        environment: &Environment,
        question: &Question,
        dialect: Dialect,
    ) -> Assessment {
        let answer = run(index, question);
        let mut assessing = AssessmentSteps::new(index, environment, question, &answer, dialect);
        while assessing.step(index, environment) {}
        assessing.assessment
    }

    /// Returns the part of the environment that the cache has: its share of the nodes, by hash, if there are nodes;
    /// otherwise the share of the specs that some build satisfies.
    pub fn share(&self, environment: &Environment) -> Share {
        let is_decided = environment.undecided.is_empty();
        if environment.is_concrete() {
            let share = self.counts.share();
            return if is_decided { Share::Of(share) } else { Share::AtLeast(share) };
        }
        let satisfied = |found: &&Result<SatisfyingBuilds, Unread>| {
            found.as_ref().is_ok_and(|found| !found.builds.is_empty())
        };
        let is_sure = |found: &Result<SatisfyingBuilds, Unread>| {
            found.as_ref().is_ok_and(|found| found.is_certain || !found.builds.is_empty())
        };
        let share = match (self.specs.len(), self.wanted_specs()) {
            // A share of zero specs means nothing.
            (0, _) => return Share::AtLeast(0.0),
            (_, 0) => 1.0,
            (_, wanted) => self.specs.iter().filter(satisfied).count() as f64 / wanted as f64,
        };
        let is_sure = is_decided && self.specs.iter().all(is_sure);
        if is_sure { Share::Of(share) } else { Share::AtLeast(share) }
    }

    /// Returns the number of specs that do not name an external.
    pub fn wanted_specs(&self) -> usize {
        let external = self.specs.iter().flatten().filter(|found| found.is_external);
        self.specs.len() - external.count()
    }

    /// Returns the total size in bytes of the cached nodes needed to run the roots, and how many of them have an
    /// unknown size.
    pub fn bytes_to_run(&self, index: &Index, environment: &Environment) -> (u64, usize) {
        let sizes = self.builds_to_run(environment).map(|build| index.size(build));
        sizes.fold((0, 0), |(bytes, unknown), size| match size {
            Some(size) => (bytes + size, unknown),
            None => (bytes, unknown + 1),
        })
    }

    /// Returns the builds whose binaries the cached nodes needed to run the roots are installed from.
    pub fn builds_to_run(&self, environment: &Environment) -> impl Iterator<Item = BuildId> {
        let needed =
            (0..environment.nodes.len()).filter(|&node| self.coverage.is_needed_to_run(node));
        needed.filter_map(|node| match self.coverage.status(node) {
            Status::Cached(build) => Some(build),
            _ => None,
        })
    }

    /// Returns what the cache has in place of a missing node; `None` if it has not been looked for.
    pub fn substitutes_of(&self, node: usize) -> Option<&Substitutes> {
        let at = self.blockers.ranked().iter().position(|&missing| missing == node);
        at.and_then(|at| self.missing.get(at))
    }

    /// Returns each missing node, those that block most first, with what the cache has in its place.
    pub fn missing(&self) -> impl Iterator<Item = (usize, &Substitutes)> {
        self.blockers.ranked().iter().copied().zip(&self.missing)
    }

    /// Returns the hashes of an environment's roots that are in the cache, without duplicates. Spliced roots are left out:
    /// no cache has their own hashes.
    pub fn cached_roots(&self, environment: &Environment) -> Vec<Hash> {
        let is_cached = |&node: &usize| matches!(self.coverage.status(node), Status::Cached(_));
        (0..environment.nodes.len())
            .filter(|&node| self.coverage.is_root(node))
            .filter(is_cached)
            .filter(|&node| environment.nodes[node].spliced_from.is_none())
            .map(|node| environment.nodes[node].build.hash)
            .collect()
    }
}

/// An assessment in progress, for callers that do other things in between.
#[derive(Clone, Debug)]
pub struct AssessmentSteps {
    /// What is known so far. Coverage, blockers and counts are complete from the start, except for what is there by
    /// content.
    pub assessment: Assessment,
    question: Question,
    answer: Answer,
    dialect: Dialect,
    nearness: Nearness,
    /// The search for nodes by their content; `None` if it is impossible, or done.
    contents: Option<Contents>,
    /// By node: the builds of its content.
    by_content: Vec<Vec<BuildId>>,
    /// The specs that have not been looked for, last first.
    specs: Vec<WantedSpec>,
    /// The specs that have been looked for, with their positions in the assessment.
    met: BTreeMap<String, usize>,
    developed: Developed,
    has_mirrors: bool,
}

/// How many of the nearest builds are found for a spec.
const NEAREST: usize = 3;

/// How many specs without a build get their nearest ones: as many as anybody looks at.
const NEAREST_SPECS: usize = 100;

impl AssessmentSteps {
    /// Begins to compare an environment with the builds of an index that pass the filters of a question; `answer` is the
    /// answer to it.
    pub fn new(
        index: &Index,
        environment: &Environment,
        question: &Question,
        answer: &Answer,
        dialect: Dialect,
    ) -> AssessmentSteps {
        let coverage = Coverage::new(index, environment, |build| answer.has(index, build));
        let blockers = Blockers::new(environment, &coverage);
        let (foreign, nodes) = Foreign::among(index, environment, &coverage);
        let can_compare = foreign.is_some() && index.has_dependencies() && index.has_hashes();
        let assessment = Assessment {
            counts: coverage.counts(environment),
            counts_to_run: coverage.counts_to_run(environment),
            missing: Vec::with_capacity(blockers.ranked().len()),
            coverage,
            blockers,
            mirrors: Mirrors::default(),
            specs: Vec::new(),
            foreign,
        };
        let mut specs = wanted(environment);
        specs.reverse();
        AssessmentSteps {
            assessment,
            question: question.clone(),
            answer: answer.clone(),
            dialect,
            nearness: Nearness::new(environment),
            contents: can_compare.then(|| Contents::new(index, environment, &nodes)),
            by_content: vec![Vec::new(); environment.nodes.len()],
            specs,
            met: BTreeMap::new(),
            developed: Developed::new(index, environment),
            has_mirrors: false,
        }
    }

    /// Makes the next step, with the same index and environment as before; returns `false` if there is none. A step
    /// finds the builds for one spec, those nearest to one missing node, or the mirrors, or looks at the content of some
    /// builds.
    pub fn step(&mut self, index: &Index, environment: &Environment) -> bool {
        if !std::mem::replace(&mut self.has_mirrors, true) {
            let assessment = &mut self.assessment;
            let allowed = |place: &Place| self.question.leaves(place);
            assessment.mirrors = Mirrors::new(index, environment, &assessment.coverage, allowed);
        } else if let Some(contents) = &mut self.contents {
            if !contents.step(index) {
                self.take_contents(index);
            }
        } else if let Some(WantedSpec { group, spec, nodes }) = self.specs.pop() {
            let mut found = self.satisfying(index, group, spec);
            if let Ok(found) = &mut found {
                found.nodes = nodes;
            }
            self.assessment.specs.push(found);
        } else if let Some(&node) =
            self.assessment.blockers.ranked().get(self.assessment.missing.len())
        {
            let by_content = std::mem::take(&mut self.by_content[node]);
            let nearest = match by_content.is_empty() {
                true => {
                    let answer = &self.answer;
                    self.nearness.of(index, environment, node, |build| answer.has(index, build))
                }
                false => Vec::new(),
            };
            self.assessment.missing.push(Substitutes { by_content, nearest });
        } else {
            return false;
        }
        true
    }

    /// Returns how many steps are left.
    pub fn steps_left(&self) -> usize {
        let missing = self.assessment.blockers.ranked().len() - self.assessment.missing.len();
        let contents = self.contents.as_ref().map_or(0, Contents::steps_left);
        usize::from(!self.has_mirrors) + contents + self.specs.len() + missing
    }

    /// Counts the nodes that are there by content.
    fn take_contents(&mut self, index: &Index) {
        let Some(contents) = self.contents.take() else { return };
        let Assessment { coverage, counts, counts_to_run, .. } = &mut self.assessment;
        for node in coverage.missing() {
            let builds = contents.builds_like(node).iter().copied();
            let builds: Vec<BuildId> =
                builds.filter(|&build| self.answer.has(index, build)).collect();
            if !builds.is_empty() {
                counts.by_content += 1;
                counts_to_run.by_content += usize::from(coverage.is_needed_to_run(node));
            }
            self.by_content[node] = builds;
        }
    }

    /// Finds the builds that satisfy a spec.
    fn satisfying(
        &mut self,
        index: &Index,
        group: Option<String>,
        spec: String,
    ) -> Result<SatisfyingBuilds, Unread> {
        if let Some(&at) = self.met.get(&spec) {
            return match self.assessment.specs[at].clone() {
                Ok(found) => Ok(SatisfyingBuilds { group, ..found }),
                Err(unread) => Err(Unread { group, ..unread }),
            };
        }
        self.met.insert(spec.clone(), self.assessment.specs.len());
        let mut found = SatisfyingBuilds::new(index, &self.answer, self.dialect, &spec)
            .map_err(|error| Unread { message: error.to_string(), group: group.clone(), spec })?;
        found.group = group;
        found.is_developed = self.developed.is_package_of(&found.spec);
        match found.is_developed {
            true => {
                found.builds.clear();
                found.is_certain = true;
            }
            false => found.builds.retain(|&build| !self.developed.is_below(build)),
        }
        let is_missing = found.builds.is_empty() && !found.is_developed && !found.is_external;
        if is_missing && self.met.len() <= NEAREST_SPECS {
            let question = Question { text: found.spec.clone(), ..self.question.clone() };
            found.nearest = nearest(index, &question, NEAREST);
        }
        Ok(found)
    }
}

impl Foreign {
    /// Finds the missing nodes whose hashes are of other generations than those in the index; also returns their
    /// numbers.
    fn among(
        index: &Index,
        environment: &Environment,
        coverage: &Coverage,
    ) -> (Option<Foreign>, Vec<usize>) {
        let cached = Generation::all_of(index);
        let mut theirs = BTreeSet::new();
        let mut nodes: Vec<usize> = coverage.missing().collect();
        nodes.retain(|&node| {
            let node = &environment.nodes[node];
            let generation = Generation::of(&node.build).filter(|_| !node.is_developed());
            let foreign = generation.filter(|it| !cached.is_empty() && !cached.contains(it));
            theirs.extend(foreign);
            foreign.is_some()
        });
        let foreign = Foreign { nodes: nodes.len(), theirs, cached };
        ((!nodes.is_empty()).then_some(foreign), nodes)
    }
}
