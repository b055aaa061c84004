//! The causes that keep the specs of an environment out of a cache.
//!
//! A cache has builds of many environments, so the old side is what an environment like this one would have been. Specs
//! are taken from above. For each missing spec that is not yet covered by the dependencies of a build taken before, the
//! nearest build is taken with everything that it depends on. If several builds for the same kind of machine are
//! equally near, only those for the operating system of the first are considered. Preferred are those that the environment
//! does not have already, then those for the target of the first, and then those that differ least in version and variants, by
//! themselves and with all that they bring along: these are what a user decides. Otherwise it is the first, which the list
//! of nearest builds names too.

use std::collections::BTreeMap;

use cache_index::build::{Build, Hash};
use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, Index, RowId};
use foldhash::{HashMap, HashSet};

use super::graph::{Position, SpecSource};
use super::pauses::{Pauses, at_once};
use super::{Causes, Comparison};
use crate::choosing::recommended::foreign;
use crate::environment::{Assessment, Status, Substitutes, differing_variants};

/// The maximum number of equally near builds that are looked at.
const LOOKED_AT: usize = 32;

impl Causes {
    /// Finds why specs of an environment are missing, after everything about it has been computed.
    pub fn of_environment(
        index: &Index,
        environment: &Environment,
        assessment: &Assessment,
    ) -> Causes {
        at_once(Causes::of_environment_with_pauses(index, environment, assessment, async || {}))
    }

    /// Does the same as [`of_environment`](Causes::of_environment), with a pause after each fraction of a millisecond.
    /// There are no causes before the hashes have been loaded.
    pub async fn of_environment_with_pauses(
        index: &Index,
        environment: &Environment,
        assessment: &Assessment,
        pause: impl AsyncFnMut(),
    ) -> Causes {
        let mut pauses = Pauses::new(pause);
        let nodes = &environment.nodes;
        let hashes: Vec<Hash> = nodes.iter().map(|node| node.build.hash).collect();
        let known = index.find_all(&hashes);
        let both: HashSet<Hash> = hashes
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_some())
            .map(|(hash, _)| *hash)
            .collect();
        let is_changed = |at: &Position| known[*at as usize].is_none();
        let changed: Vec<Position> = match index.has_hashes() {
            true => (0..nodes.len() as Position).filter(is_changed).collect(),
            false => Vec::new(),
        };
        let mut wanted: BTreeMap<&str, Vec<&Build>> = BTreeMap::new();
        for build in nodes.iter().map(|node| &node.build) {
            wanted.entry(build.package.as_str()).or_default().push(build);
        }
        let counterparts = Counterparts {
            index,
            both: &both,
            wanted,
            misfits: HashMap::default(),
            is_taken: HashSet::default(),
            offered: BTreeMap::new(),
        };
        let olds = counterparts.collect(environment, assessment, &changed, &mut pauses).await;
        let is_counted = |at: Position| assessment.coverage.status(at as usize) == Status::Missing;
        let sides =
            [(SpecSource::Index(index), olds), (SpecSource::Environment(environment), changed)];
        let comparison = Comparison::of_sides(sides, None, &both, is_counted, &mut pauses).await;
        let mut causes = comparison.finish(&mut pauses).await;
        causes.count_absent(index, environment, assessment);
        causes.heed_other_builds(index, environment, assessment);
        causes.spare_others(environment);
        causes
    }
}

/// The builds that the specs of an environment are compared with, while they are being collected.
struct Counterparts<'a> {
    index: &'a Index,
    /// The hashes of specs that the environment and the cache have.
    both: &'a HashSet<Hash>,
    /// The specs of the environment, by package.
    wanted: BTreeMap<&'a str, Vec<&'a Build>>,
    /// By row, how much its builds differ from the specs of their package in what a user decides.
    misfits: HashMap<RowId, usize>,
    is_taken: HashSet<BuildId>,
    /// By package and operating system: how many of the collected builds have not yet been matched with a missing spec.
    offered: BTreeMap<(&'a str, &'a str), usize>,
}

impl<'a> Counterparts<'a> {
    async fn collect(
        mut self,
        environment: &'a Environment,
        assessment: &Assessment,
        changed: &[Position],
        pauses: &mut Pauses<impl AsyncFnMut()>,
    ) -> Vec<Position> {
        let substitutes: HashMap<usize, &Substitutes> =
            assessment.blockers.ranked().iter().copied().zip(&assessment.missing).collect();
        for at in from_above(environment, changed) {
            let missing = &environment.nodes[at].build;
            let substitutes = substitutes.get(&at).copied();
            let has_same_os = substitutes.is_some_and(|it| self.has_same_os(missing, it));
            let is_covered = self.takes_offer(missing, has_same_os);
            let chosen = match substitutes.filter(|_| !is_covered) {
                Some(substitutes) => self.choose(missing, substitutes, pauses).await,
                None => None,
            };
            if let Some(build) = chosen {
                self.add(build, pauses).await;
                self.takes_offer(missing, has_same_os);
            }
            pauses.after_one().await;
        }
        let mut builds: Vec<Position> = self.is_taken.into_iter().map(|build| build.0).collect();
        builds.sort_unstable();
        builds
    }

    /// Matches a missing spec with a collected build of its package: with one for its operating system if possible, and
    /// with no other if the cache `has_same_os`. Returns `false` if none is left.
    fn takes_offer(&mut self, missing: &'a Build, has_same_os: bool) -> bool {
        let (package, os) = (missing.package.as_str(), missing.os.as_str());
        let of_package = self.offered.range_mut((package, "")..);
        let of_package = of_package.take_while(|((other, _), _)| *other == package);
        let offers = of_package.filter(|(_, offered)| **offered > 0);
        let offers = offers.filter(|((_, other), _)| !has_same_os || *other == os);
        let offered = offers.min_by_key(|((_, other), _)| *other != os);
        offered.map(|(_, offered)| *offered -= 1).is_some()
    }

    /// Returns the builds nearest to a missing one, without those for another kind of machine, for which nobody would
    /// concretize.
    fn candidates<'s>(
        &self,
        missing: &'s Build,
        substitutes: &'s Substitutes,
    ) -> impl Iterator<Item = BuildId> + use<'s, 'a> {
        let Substitutes { by_content, nearest } = substitutes;
        let index = self.index;
        let nearest = nearest.iter().map(|nearest| nearest.build);
        nearest.chain(by_content.iter().copied()).filter(move |&build| {
            let kind = (missing.platform.as_str(), missing.target.as_str());
            foreign(index, kind, index.row_of(build)) == (false, false)
        })
    }

    fn is_for_os(&self, missing: &Build, build: BuildId) -> bool {
        self.index.text(self.index.row_of(build), Facet::Os) == missing.os
    }

    fn has_same_os(&self, missing: &Build, substitutes: &Substitutes) -> bool {
        self.candidates(missing, substitutes).any(|build| self.is_for_os(missing, build))
    }

    /// Returns the best of the builds nearest to a missing one, among those for its platform and family of targets and
    /// for the operating system of the first of these. `None` if all of them have been taken.
    async fn choose(
        &mut self,
        missing: &Build,
        substitutes: &Substitutes,
        pauses: &mut Pauses<impl AsyncFnMut()>,
    ) -> Option<BuildId> {
        let index = self.index;
        let text = |build: BuildId, facet| index.text(index.row_of(build), facet);
        let first = self.candidates(missing, substitutes).next()?;
        let [os, target] = [Facet::Os, Facet::Target].map(|facet| text(first, facet));
        let candidates: Vec<BuildId> = self
            .candidates(missing, substitutes)
            .filter(|&build| text(build, Facet::Os) == os && !self.is_taken.contains(&build))
            .take(LOOKED_AT)
            .collect();
        let mut best: Option<((bool, bool, usize, usize), BuildId)> = None;
        for build in candidates {
            let is_other_target = text(build, Facet::Target) != target;
            let misfits = self.misfits(build, pauses).await;
            let rank = (self.is_both(build), is_other_target, self.misfit(build), misfits);
            // The first of equally good ones, as in the list of nearest builds.
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, build));
            }
            if rank == (false, false, 0, 0) {
                break;
            }
        }
        best.map(|(_, build)| build)
    }

    /// Returns how much a build, and what it would bring along, differs from the specs of the environment in versions and
    /// variants.
    async fn misfits(&mut self, first: BuildId, pauses: &mut Pauses<impl AsyncFnMut()>) -> usize {
        let mut is_met: HashSet<BuildId> = HashSet::default();
        let (mut open, mut misfits) = (vec![first], 0);
        while let Some(build) = open.pop() {
            let is_there = self.is_both(build) || self.is_taken.contains(&build);
            if build != first && is_there || !is_met.insert(build) {
                continue;
            }
            misfits += self.misfit(build);
            open.extend(targets(self.index, build));
            pauses.after_one().await;
        }
        misfits
    }

    /// Returns in how much of its version and variants a build differs from that spec of its package in the environment
    /// to which it is most similar; 0 if the environment does not have the package.
    fn misfit(&mut self, build: BuildId) -> usize {
        let (index, row) = (self.index, self.index.row_of(build));
        let wanted = &self.wanted;
        let misfit = self.misfits.entry(row).or_insert_with(|| {
            let Some(wanted) = wanted.get(index.text(row, Facet::Package)) else { return 0 };
            let (version, variants) = (index.text(row, Facet::Version), index.variants_of(row));
            let differs = |spec: &&Build| {
                usize::from(spec.version.as_str() != version) + differing_variants(spec, &variants)
            };
            wanted.iter().map(differs).min().unwrap_or(0)
        });
        *misfit
    }

    fn is_both(&self, build: BuildId) -> bool {
        self.index.hash(build).is_none_or(|hash| self.both.contains(&hash))
    }

    /// Adds a build, and everything it depends on that the environment does not have.
    async fn add(&mut self, first: BuildId, pauses: &mut Pauses<impl AsyncFnMut()>) {
        let mut open = vec![first];
        while let Some(build) = open.pop() {
            if build != first && self.is_both(build) || !self.is_taken.insert(build) {
                continue;
            }
            let row = self.index.row_of(build);
            let offer = [Facet::Package, Facet::Os].map(|facet| self.index.text(row, facet));
            *self.offered.entry(offer.into()).or_default() += 1;
            open.extend(targets(self.index, build));
            pauses.after_one().await;
        }
    }
}

/// Returns the builds that a build directly depends on.
fn targets(index: &Index, build: BuildId) -> impl Iterator<Item = BuildId> {
    index.dependencies(build).into_iter().flatten().filter_map(|edge| match edge.target {
        EdgeTarget::Build(target) => Some(target),
        EdgeTarget::Unknown { .. } => None,
    })
}

/// Orders specs of an environment so that each comes before those it depends on.
fn from_above(environment: &Environment, changed: &[Position]) -> Vec<usize> {
    let numbers: HashMap<Hash, usize> = changed
        .iter()
        .map(|&at| (environment.nodes[at as usize].build.hash, at as usize))
        .collect();
    let mut order = Vec::with_capacity(changed.len());
    let mut is_met = vec![false; environment.nodes.len()];
    for &start in changed {
        let mut open = vec![(start as usize, false)];
        while let Some((node, is_done)) = open.pop() {
            if is_done {
                order.push(node);
            } else if !std::mem::replace(&mut is_met[node], true) {
                open.push((node, true));
                let edges = environment.nodes[node].build.dependencies.iter().flatten();
                let below = edges.filter_map(|edge| numbers.get(&edge.hash).copied());
                open.extend(below.filter(|&below| !is_met[below]).map(|below| (below, false)));
            }
        }
    }
    order.reverse();
    order
}
