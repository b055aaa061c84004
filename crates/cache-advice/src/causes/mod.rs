//! Why builds have other hashes: the differences that are causes, and what only follows from them.
//!
//! A hash covers everything below it, so one difference changes every hash above it. Each new spec is compared with its
//! [counterpart](pairing) on the old side in what is [its own](own). A spec that differs in itself is a cause; so is one
//! with an edge that appears, vanishes or leads to another existing build. Every other spec is attributed to all causes
//! below it. Equal differences of many specs are one cause.
//!
//! - A spec without a counterpart is an *addition*: nothing explains it.
//! - Of several fields in which one spec differs, some only [follow](own::follow) another: a new version brings a new
//!   recipe. Only the first is [shown](Cause::is_shown).
//! - Undoing all causes gives the old graph back. So [`Causes::restored`] counts what would be in a cache without looking
//!   for hashes: the counterpart is the build that would result.
//!
//! A cache that does not list dependencies, as pages do not, may not say why a hash differs:
//! [`unexplained`](Causes::unexplained).

mod attribution;
mod environment;
mod graph;
mod own;
mod pairing;
mod remedy;
#[cfg(test)]
mod tests;
mod written;

use std::collections::BTreeMap;

use cache_index::build::Hash;
use cache_index::index::{BuildId, Index};
use cache_index::sorting;
use foldhash::HashSet;

use self::graph::{Edge, Graph, Position, Target};
use self::pairing::{EdgeChanges, Pairs, pair};
use crate::differences::{Field, FieldEdge, FieldValue};
use crate::likeness::Codebook;

pub use self::graph::SpecSource;
pub use self::own::OwnDifference;
pub use self::remedy::{Remedy, Restored};
pub use self::written::{CausesInWords, LISTED, Occasion};

/// Why the specs of the new side have other hashes than those of the old one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    /// The causes, those that explain most first.
    pub causes: Vec<Cause>,
    /// The specs without a counterpart on the old side.
    pub additions: Vec<Hash>,
    /// How many of these are counted.
    pub added: usize,
    /// The specs that do not differ in anything that both sides say.
    pub unexplained: Vec<Hash>,
    /// How many of the counted specs have a cause.
    pub explained: usize,
    specs: Vec<ChangedSpec>,
}

/// A field in which one or more specs differ in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The field, and its values.
    pub difference: OwnDifference,
    /// The packages with this difference, sorted.
    pub packages: Vec<String>,
    /// The specs of the new side with this difference, sorted as text.
    pub hashes: Vec<Hash>,
    /// How many of the counted specs have this difference or are above one that has.
    pub explains: usize,
    /// How many of these have no other cause; fields that only follow one another count as one.
    pub alone: usize,
    /// `true` if lists for people show this cause, `false` if it only follows another one on each of its specs.
    pub is_shown: bool,
    remedies: Vec<Remedy>,
}

/// A spec that only the new side has, and that has a counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ChangedSpec {
    hash: Hash,
    at: Position,
    is_counted: bool,
    /// The specs that it depends on, as positions among all.
    below: Vec<u32>,
    /// Positions of its causes, each with `true` if it is shown for this spec.
    own: Vec<(u32, bool)>,
    /// What the old side would offer for it once its causes are undone.
    restored: Option<Restored>,
}

/// The search for causes, in steps of less than a millisecond.
#[derive(Clone, Debug)]
pub struct CauseSearch {
    book: Codebook,
    old: Graph,
    new: Graph,
    pairs: Pairs,
    /// The specs of the new side that have not been compared, last first.
    open: Vec<usize>,
    /// The position of each difference among the causes.
    known: BTreeMap<OwnDifference, u32>,
    causes: Causes,
    /// By spec of the new side: its position among those with a counterpart.
    numbers: Vec<u32>,
}

/// How many specs are compared in a step.
const STEP: usize = 32;

impl Causes {
    /// Finds why the builds of one index, with everything that they depend on, differ from those of another, which may be
    /// the same index. The given builds of the new side are counted, as far as they have a binary.
    pub fn between(old: (&Index, &[BuildId]), new: (&Index, &[BuildId])) -> Causes {
        let mut search = CauseSearch::between(old, new);
        let (old, new) = (SpecSource::Index(old.0), SpecSource::Index(new.0));
        while search.step(old, new) {}
        search.finish()
    }

    /// Returns the causes that lists for people show, with their positions, those that explain most first.
    pub fn shown(&self) -> impl Iterator<Item = (usize, &Cause)> {
        self.causes.iter().enumerate().filter(|(_, cause)| cause.is_shown)
    }

    /// Returns `true` if the new side has nothing that the old one does not.
    pub fn is_empty(&self) -> bool {
        self.specs.is_empty() && self.additions.is_empty()
    }

    /// Returns the specs that a cause explains: those that have the difference, and those above.
    pub fn explained_by(&self, cause: usize) -> Vec<Hash> {
        let above = self.above();
        let has = |spec: &ChangedSpec| spec.own.iter().any(|(own, _)| *own as usize == cause);
        let seeds = (0..self.specs.len()).filter(|&at| has(&self.specs[at]));
        let explained = attribution::reached(&above, seeds);
        let mut hashes: Vec<Hash> = (self.specs.iter().zip(explained))
            .filter(|(spec, is_reached)| *is_reached && spec.is_counted)
            .map(|(spec, _)| spec.hash)
            .collect();
        sorting::sort(&mut hashes);
        hashes
    }

    /// Returns for each spec without a difference of its own the specs below it that have one.
    pub fn follows(&self) -> Vec<(Hash, Vec<Hash>)> {
        let has_none = |at: usize| self.specs[at].own.is_empty();
        let causes = (0..self.specs.len()).filter(|&at| !has_none(at));
        let follows = attribution::followers(&self.above(), causes, has_none);
        let hash = |at: usize| self.specs[at].hash;
        let follows = follows.into_iter().enumerate().filter(|(_, causes)| !causes.is_empty());
        let mut follows: Vec<(Hash, Vec<Hash>)> = follows
            .map(|(at, causes)| (hash(at), causes.into_iter().map(hash).collect()))
            .collect();
        follows.sort_by_cached_key(|(hash, _)| hash.text());
        follows.iter_mut().for_each(|(_, causes)| causes.sort_by_cached_key(|hash| hash.text()));
        follows
    }

    /// By spec: those that directly depend on it.
    fn above(&self) -> Vec<Vec<u32>> {
        let mut above = vec![Vec::new(); self.specs.len()];
        for (at, spec) in (0..).zip(&self.specs) {
            spec.below.iter().for_each(|&below| above[below as usize].push(at));
        }
        above
    }
}

impl CauseSearch {
    /// Begins to compare builds, as [`Causes::between`] does.
    pub fn between(old: (&Index, &[BuildId]), new: (&Index, &[BuildId])) -> CauseSearch {
        let closure = |(index, builds): (&Index, &[BuildId])| {
            SpecSource::Index(index).closure(builds.iter().map(|build| build.0))
        };
        let (old_closure, new_closure) = (closure(old), closure(new));
        let hashes = |index: &Index, builds: &[Position]| -> HashSet<Hash> {
            builds.iter().filter_map(|&build| index.hash(BuildId(build))).collect()
        };
        let (olds, news) = (hashes(old.0, &old_closure), hashes(new.0, &new_closure));
        let both: HashSet<Hash> = olds.intersection(&news).copied().collect();
        let mut is_new = vec![false; new.0.specs() as usize];
        new.1.iter().for_each(|build| is_new[build.at()] = true);
        let is_counted =
            |at: Position| is_new[at as usize] && new.0.has_binary(new.0.row_of(BuildId(at)));
        let sides =
            [(SpecSource::Index(old.0), old_closure), (SpecSource::Index(new.0), new_closure)];
        CauseSearch::of_sides(sides, &both, is_counted)
    }

    /// Begins to compare the specs at some positions of the sides, except those that both have.
    fn of_sides(
        [(old, olds), (new, news)]: [(SpecSource<'_>, Vec<Position>); 2],
        both: &HashSet<Hash>,
        is_counted: impl Fn(Position) -> bool,
    ) -> CauseSearch {
        let mut book = Codebook::default();
        let old = Graph::new(old, &olds, both, &mut book);
        let new = Graph::new(new, &news, both, &mut book);
        let pairs = pair(&old, &new, &book);
        let mut open = new.upwards();
        let mut numbers = vec![u32::MAX; new.specs.len()];
        let mut causes = Causes::default();
        open.retain(|&at| {
            let spec = &new.specs[at];
            if pairs.of_new[at].is_none() {
                causes.additions.push(spec.hash);
                causes.added += usize::from(is_counted(spec.at));
                return false;
            }
            numbers[at] = causes.specs.len() as u32;
            causes.specs.push(ChangedSpec {
                hash: spec.hash,
                at: spec.at,
                is_counted: is_counted(spec.at),
                below: Vec::new(),
                own: Vec::new(),
                restored: None,
            });
            true
        });
        causes.additions.sort_by_cached_key(|hash| hash.text());
        open.reverse();
        CauseSearch { book, old, new, pairs, open, known: BTreeMap::new(), causes, numbers }
    }

    /// Compares some more specs; returns `false` if none is left. The sides are the same as before.
    pub fn step(&mut self, old: SpecSource<'_>, new: SpecSource<'_>) -> bool {
        for _ in 0..STEP {
            let Some(at) = self.open.pop() else { return false };
            let Some(counterpart) = self.pairs.of_new[at] else { continue };
            self.compare((old, counterpart as usize), (new, at));
        }
        true
    }

    fn compare(
        &mut self,
        (old, old_at): (SpecSource<'_>, usize),
        (new, new_at): (SpecSource<'_>, usize),
    ) {
        let (old_spec, new_spec) = (&self.old.specs[old_at], &self.new.specs[new_at]);
        let changes = self.pairs.edges(old_spec, new_spec);
        let is_below = |edge: usize| {
            let is_redirected = changes.redirected.iter().any(|(_, new)| *new == edge);
            !is_redirected && !changes.come.contains(&edge)
        };
        let edges = new_spec.edges.iter().flatten().enumerate();
        let below =
            edges.filter(|(edge, _)| is_below(*edge)).filter_map(|(_, (_, target))| match target {
                Target::Spec(target) => Some(self.numbers[*target as usize]),
                Target::Other(_) => None,
            });
        let mut below: Vec<u32> = below.filter(|number| *number != u32::MAX).collect();
        sorting::sort_and_dedup(&mut below);
        let (Some(old_build), Some(new_build)) = (old.build(old_spec.at), new.build(new_spec.at))
        else {
            return;
        };
        let restored = Restored::by(old, old_spec.at, &old_build, &new_build);
        let mut differences = own::own_differences(&old_build, &new_build);
        differences.extend(self.edge_difference(&changes, old_at, new_at));
        let follows = own::follow(&differences);
        let number = self.numbers[new_at] as usize;
        let package = &new_build.package;
        let mut own = Vec::new();
        for (difference, follows) in differences.into_iter().zip(follows) {
            let cause = self.cause(difference);
            let Cause { difference, packages, hashes, is_shown, remedies, .. } =
                &mut self.causes.causes[cause as usize];
            if let Err(place) = packages.binary_search(package) {
                packages.insert(place, package.clone());
            }
            hashes.push(new_build.hash);
            if !follows {
                *is_shown = true;
                let remedy = Remedy::of(difference, &old_build);
                if !remedies.contains(&remedy) {
                    remedies.push(remedy);
                }
            }
            own.push((cause, !follows));
        }
        let spec = &mut self.causes.specs[number];
        (spec.below, spec.own, spec.restored) = (below, own, Some(restored));
    }

    /// Returns the difference between the edges of two specs.
    fn edge_difference(
        &self,
        changes: &EdgeChanges,
        old: usize,
        new: usize,
    ) -> Option<OwnDifference> {
        let (old, new) = ((&self.old, old), (&self.new, new));
        let edges = |graph: (&Graph, usize), alone: &[usize], redirected: Vec<usize>| {
            let all = graph.0.specs[graph.1].edges.as_deref().unwrap_or_default();
            let of = |&at: &usize| all.get(at).copied();
            // Only the hash tells apart several dependencies on one package for one purpose.
            let is_one_of_several = |label| all.iter().filter(|edge| edge.0 == label).count() > 1;
            let alone = alone.iter().filter_map(of).map(|(label, target): Edge| {
                let hash = is_one_of_several(label).then(|| graph.0.hash(target));
                self.own_edge(label, hash)
            });
            let redirected = redirected
                .iter()
                .filter_map(of)
                .map(|(label, target): Edge| self.own_edge(label, Some(graph.0.hash(target))));
            let mut edges: Vec<FieldEdge> = alone.chain(redirected).collect();
            edges.sort();
            edges
        };
        let (from, to) = changes.redirected.iter().copied().unzip();
        let [old, new] = [edges(old, &changes.gone, from), edges(new, &changes.come, to)];
        let differs = !old.is_empty() || !new.is_empty();
        let [old, new] = [old, new].map(FieldValue::Edges);
        let (field, name) = (Field::Edges, String::new());
        differs.then_some(OwnDifference { field, name, old, new })
    }

    fn own_edge(&self, label: u32, hash: Option<Hash>) -> FieldEdge {
        let (package, deptypes, virtuals) = self.book.spelled_dependency(label);
        FieldEdge { package, deptypes, virtuals, hash }
    }

    /// Returns the position of a difference among the causes.
    fn cause(&mut self, difference: OwnDifference) -> u32 {
        let causes = &mut self.causes.causes;
        *self.known.entry(difference.clone()).or_insert_with(|| {
            causes.push(Cause {
                difference,
                packages: Vec::new(),
                hashes: Vec::new(),
                explains: 0,
                alone: 0,
                is_shown: false,
                remedies: Vec::new(),
            });
            causes.len() as u32 - 1
        })
    }

    /// Attributes the specs to the causes, after the last step.
    pub fn finish(self) -> Causes {
        let mut causes = self.causes;
        attribution::attribute(&mut causes);
        causes
    }

    /// Returns how many specs have not been compared.
    pub fn left(&self) -> usize {
        self.open.len()
    }
}
