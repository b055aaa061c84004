//! Why builds have other hashes: the differences that are causes, and what only follows from them.
//!
//! A hash covers everything below it, so one difference changes every hash above it. Each new spec is compared with its
//! [counterpart](pairing) on the old side in what is [its own](own). A spec that differs in itself is a cause; so is
//! one with an edge that appears, vanishes or points to another existing build. Every other spec is attributed to all
//! causes below it. Equal differences of many specs are one cause.
//!
//! - A spec without a counterpart is an *addition*: nothing explains it. If two complete caches or releases are
//!   compared, a spec and its counterpart share a [stack](stacks); what is in a stack that was added is an addition.
//! - Of several fields in which one spec differs, some only [follow](own::follow) another: a new version brings a new
//!   recipe. Only the first is [shown](Cause::is_shown).
//! - Undoing all causes gives the old graph back. So [`Causes::restored`] counts what would be in a cache without looking
//!   for hashes: the counterpart is the build that would result.
//!
//! A cache that does not list dependencies, as pages do not, may not say why a hash differs:
//! [`unexplained`](Causes::unexplained).

mod attribution;
mod besides;
mod context;
mod environment;
mod graph;
mod machine;
mod own;
mod pairing;
mod pauses;
mod remedy;
mod requested;
mod scope;
mod stacks;
#[cfg(test)]
mod tests;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::Hash;
use cache_index::index::{BuildId, Index};
use cache_index::sorting;
use foldhash::{HashMap, HashSet, HashSetExt as _};

use self::graph::{Edge, Graph, Position, SpecSource, Target};
use self::pairing::{EdgeChanges, Pairs, pair};
use self::pauses::{Pauses, at_once};
use self::requested::RequestedSpec;
use self::stacks::BothStacks;
use crate::changes::{Side, SideBuilds, SideStacks};
use crate::differences::likeness::Codebook;
use crate::differences::{Field, FieldEdge, FieldValue};

pub use self::own::OwnDifference;
pub use self::remedy::{Remedy, RemedyOffer};
pub use self::stacks::AddedWith;
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
    /// The packages of the counted ones, sorted.
    pub added_packages: Vec<String>,
    /// How many of the counted ones are of packages that the cache does not have; 0 unless an environment is compared.
    pub absent: usize,
    /// These packages, sorted.
    pub absent_packages: Vec<String>,
    /// The counted ones that are only in stacks that the old side does not have.
    pub with_stacks: AddedWith,
    /// The counted ones that are for an OS that the old side has no builds for.
    pub with_systems: AddedWith,
    /// How many of the counted ones are either of these.
    pub added_with: usize,
    /// The specs that do not differ in anything that both sides state.
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
    /// `false` if this cause only follows from another one on each of its specs. Otherwise lists for people show it,
    /// provided that it explains any.
    pub is_shown: bool,
    remedies: Vec<Remedy>,
}

/// A spec that only the new side has, and that has a counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ChangedSpec {
    hash: Hash,
    /// What it is compared with.
    counterpart: Hash,
    at: Position,
    is_counted: bool,
    /// The specs that it depends on, as positions among all.
    below: Vec<u32>,
    /// Positions of its causes, each with `true` if it is shown for this spec.
    own: Vec<(u32, bool)>,
    /// What the old side would offer for it once its causes are undone.
    restored: Option<RemedyOffer>,
}

/// What is known of two sides while they are being compared.
struct Comparison<'a> {
    sources: (SpecSource<'a>, SpecSource<'a>),
    book: Codebook,
    old: Graph,
    new: Graph,
    /// `None` if stacks do not matter.
    stacks: Option<BothStacks>,
    pairs: Pairs,
    /// The position of each difference among the causes.
    known: BTreeMap<OwnDifference, u32>,
    /// The specs that were asked for on the new side, by the hash of the node that each was concretized to.
    asked: HashMap<Hash, RequestedSpec<'a>>,
    causes: Causes,
    /// By spec of the new side: its position among those with a counterpart.
    numbers: Vec<u32>,
}

impl Causes {
    /// Finds why the builds of one index, with everything that they depend on, differ from those of another, which may be
    /// the same index. The given builds of the new side are counted, as far as they have a binary.
    pub fn between(old: (&Index, &[BuildId]), new: (&Index, &[BuildId])) -> Causes {
        let mut pauses = Pauses::new(async || {});
        at_once(async {
            let compared = Comparison::between(old, new, new.1, None, &mut pauses).await;
            compared.finish(&mut pauses).await
        })
    }

    /// Finds why the builds of one cache, or of a part of it, differ from those of another: [`Causes::between`] by stack.
    pub fn between_sides(old: &Side<'_>, new: &Side<'_>) -> Causes {
        let sides = [old, new].map(Side::without_index);
        let [of_old, of_new] = &sides;
        let sides = ((old.index(), of_old), (new.index(), of_new));
        at_once(Causes::between_with_pauses(sides.0, sides.1, async || {}))
    }

    /// Does the same as [`between_sides`](Causes::between_sides), with a pause after each fraction of a millisecond.
    /// Where the sides have stacks in common, only specs that share one are compared. What a side is narrowed to does
    /// not change what a spec is compared with.
    pub async fn between_with_pauses(
        (old, olds): (&Index, &SideBuilds),
        (new, news): (&Index, &SideBuilds),
        pause: impl AsyncFnMut(),
    ) -> Causes {
        let mut pauses = Pauses::new(pause);
        let [in_old, in_new] = context::compared([(old, olds), (new, news)], &mut pauses).await;
        let (old, new) = ((old, &*in_old), (new, &*in_new));
        let stacks = Some([&olds.stacks, &news.stacks]);
        let compared = Comparison::between(old, new, &news.builds, stacks, &mut pauses).await;
        compared.finish(&mut pauses).await
    }

    /// Returns the causes that lists for people show, with their positions, those that explain most first.
    pub fn shown(&self) -> impl Iterator<Item = (usize, &Cause)> {
        let causes = self.causes.iter().enumerate();
        causes.filter(|(_, cause)| cause.is_shown && cause.explains > 0)
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

    /// Returns the hash of each spec that has a difference, and that of its counterpart.
    pub fn counterparts(&self, cause: usize) -> impl Iterator<Item = (Hash, Hash)> {
        let has = move |spec: &&ChangedSpec| spec.own.iter().any(|(own, _)| *own as usize == cause);
        self.specs.iter().filter(has).map(|spec| (spec.hash, spec.counterpart))
    }

    /// Returns the counterparts of the specs that a cause explains.
    pub fn compared_with(&self, cause: usize) -> impl Iterator<Item = Hash> {
        let explained = self.explained_by(cause);
        let is_explained = move |spec: &&ChangedSpec| explained.binary_search(&spec.hash).is_ok();
        self.specs.iter().filter(is_explained).map(|spec| spec.counterpart)
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

    /// Returns for each spec the specs that directly depend on it.
    fn above(&self) -> Vec<Vec<u32>> {
        let mut above = vec![Vec::new(); self.specs.len()];
        for (at, spec) in (0..).zip(&self.specs) {
            spec.below.iter().for_each(|&below| above[below as usize].push(at));
        }
        above
    }
}

impl<'a> Comparison<'a> {
    /// Compares builds, as [`Causes::between`] does, and counts some of the new side.
    async fn between(
        old: (&'a Index, &[BuildId]),
        new: (&'a Index, &[BuildId]),
        counted: &[BuildId],
        stacks: Option<[&SideStacks; 2]>,
        pauses: &mut Pauses<impl AsyncFnMut()>,
    ) -> Self {
        let sources = (SpecSource::Index(old.0), SpecSource::Index(new.0));
        let olds = sources.0.closure(old.1.iter().map(|build| build.0), pauses).await;
        let news = sources.1.closure(new.1.iter().map(|build| build.0), pauses).await;
        let mut of_new = HashSet::with_capacity(news.len());
        for &at in &news {
            of_new.extend(sources.1.hash(at));
            pauses.after_one().await;
        }
        let mut both = HashSet::new();
        for &at in &olds {
            both.extend(sources.0.hash(at).filter(|hash| of_new.contains(hash)));
            pauses.after_one().await;
        }
        let mut is_new = vec![false; new.0.specs() as usize];
        counted.iter().for_each(|build| is_new[build.at()] = true);
        let is_counted =
            |at: Position| is_new[at as usize] && new.0.has_binary(new.0.row_of(BuildId(at)));
        let olds = sources.0.without(&both, olds, pauses).await;
        let news = sources.1.without(&both, news, pauses).await;
        let sides = [(sources.0, olds), (sources.1, news)];
        Comparison::of_sides(sides, stacks, &both, is_counted, pauses).await
    }

    /// Compares the specs at some positions of the sides; `both` are the hashes that both sides have.
    async fn of_sides(
        [(old_source, olds), (new_source, news)]: [(SpecSource<'a>, Vec<Position>); 2],
        stacks: Option<[&SideStacks; 2]>,
        both: &HashSet<Hash>,
        is_counted: impl Fn(Position) -> bool,
        pauses: &mut Pauses<impl AsyncFnMut()>,
    ) -> Self {
        let mut book = Codebook::default();
        let mut old = Graph::new(old_source, &olds, both, &mut book, pauses).await;
        let mut new = Graph::new(new_source, &news, both, &mut book, pauses).await;
        let stacks = match (old_source, new_source, stacks) {
            (SpecSource::Index(of_old), SpecSource::Index(of_new), Some([olds, news])) => {
                let sides = [(of_old, &mut old, olds), (of_new, &mut new, news)];
                BothStacks::state(sides, &mut book)
            }
            _ => None,
        };
        let none = BTreeSet::new();
        let lasting = stacks.as_ref().map_or(&none, BothStacks::lasting);
        let pairs = pair(&old, &new, &book, lasting, pauses).await;
        let order = new.upwards(pauses).await;
        let mut comparison = Comparison {
            sources: (old_source, new_source),
            numbers: vec![u32::MAX; new.specs.len()],
            book,
            old,
            new,
            stacks,
            pairs,
            known: BTreeMap::new(),
            asked: new_source.asked(),
            causes: Causes::default(),
        };
        let mut open = Vec::with_capacity(order.len());
        for at in order {
            if let Some(counterpart) = comparison.number(at, &is_counted) {
                open.push((at, counterpart));
            }
            pauses.after_one().await;
        }
        comparison.causes.additions.sort_by_cached_key(|hash| hash.text());
        sorting::sort_and_dedup(&mut comparison.causes.with_stacks.names);
        sorting::sort_and_dedup(&mut comparison.causes.with_systems.names);
        sorting::sort_and_dedup(&mut comparison.causes.added_packages);
        for (at, counterpart) in open {
            comparison.compare(counterpart, at);
            pauses.after_one().await;
        }
        comparison
    }

    /// Numbers a spec of the new side, and returns its counterpart. Without one, it is an addition.
    fn number(&mut self, at: usize, is_counted: impl Fn(Position) -> bool) -> Option<usize> {
        let causes = &mut self.causes;
        let (hash, position) = (self.new.specs[at].hash, self.new.specs[at].at);
        let is_counted = is_counted(position);
        let Some(counterpart) = self.pairs.of_new[at] else {
            causes.additions.push(hash);
            causes.added += usize::from(is_counted);
            if is_counted {
                let package = self.new.specs[at].package;
                causes.added_packages.push(self.book.spelled(package).to_owned());
            }
            if let Some(stacks) = self.stacks.as_ref().filter(|_| is_counted) {
                let spec = &self.new.specs[at];
                let (added, systems) = (stacks.added(spec), stacks.added_system(spec));
                causes.added_with += usize::from(!added.is_empty() || !systems.is_empty());
                let kinds = [(&mut causes.with_stacks, added), (&mut causes.with_systems, systems)];
                for (with, names) in kinds {
                    with.specs += usize::from(!names.is_empty());
                    with.names.extend(names.iter().map(|&name| self.book.spelled(name).to_owned()));
                }
            }
            return None;
        };
        self.numbers[at] = causes.specs.len() as u32;
        causes.specs.push(ChangedSpec {
            hash,
            counterpart: self.old.specs[counterpart as usize].hash,
            at: position,
            is_counted,
            below: Vec::new(),
            own: Vec::new(),
            restored: None,
        });
        Some(counterpart as usize)
    }

    /// Compares a spec of the new side with its counterpart.
    fn compare(&mut self, old_at: usize, new_at: usize) {
        let (old, new) = self.sources;
        let (old_spec, new_spec) = (&self.old.specs[old_at], &self.new.specs[new_at]);
        let changes = self.pairs.edges(old_spec, new_spec);
        let edges = new_spec.edges.as_deref().unwrap_or_default();
        let mut is_below = vec![true; edges.len()];
        let redirected = changes.redirected.iter().map(|(_, new)| new);
        changes.come.iter().chain(redirected).for_each(|&edge| is_below[edge] = false);
        let edges = edges.iter().zip(is_below).filter(|(_, is_below)| *is_below);
        let below = edges.filter_map(|((_, target), _)| match target {
            Target::Spec(target) => Some(self.numbers[*target as usize]),
            Target::Other(_) => None,
        });
        let mut below: Vec<u32> = below.filter(|number| *number != u32::MAX).collect();
        sorting::sort_and_dedup(&mut below);
        let (Some(old_build), Some(new_build)) = (old.build(old_spec.at), new.build(new_spec.at))
        else {
            return;
        };
        let restored = RemedyOffer::by(old, old_spec.at, &old_build, &new_build);
        let mut differences = own::own_differences(&old_build, &new_build);
        differences.extend(self.edge_difference(&changes, old_at, new_at));
        let follows = own::follow(&differences);
        let brought = remedy::brought_along(&differences, &follows);
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
                let asked = self.asked.get(&new_build.hash);
                let remedy = Remedy::of(difference, &brought, &old_build, asked);
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
        let (old, new) = ((&self.old, self.sources.0, old), (&self.new, self.sources.1, new));
        let edges = |(graph, source, at): (&Graph, SpecSource<'_>, usize),
                     alone: &[usize],
                     redirected: Vec<usize>| {
            let all = graph.specs[at].edges.as_deref().unwrap_or_default();
            let of = |&at: &usize| all.get(at).copied();
            // Only the hash tells apart several dependencies on one package for one purpose. Edges are sorted.
            let is_one_of_several = |label| {
                let first = all.partition_point(|edge| edge.0 < label);
                all.get(first + 1).is_some_and(|edge| edge.0 == label)
            };
            let alone = alone.iter().filter_map(of).map(|(label, target): Edge| {
                self.own_edge(label, is_one_of_several(label).then_some((graph, source, target)))
            });
            let redirected = redirected
                .iter()
                .filter_map(of)
                .map(|(label, target): Edge| self.own_edge(label, Some((graph, source, target))));
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

    /// Spells out an edge, with the build that it points to if that matters.
    fn own_edge(&self, label: u32, to: Option<(&Graph, SpecSource<'_>, Target)>) -> FieldEdge {
        let (package, deptypes, virtuals) = self.book.spelled_dependency(label);
        let hash = to.map(|(graph, _, target)| graph.hash(target));
        let version = to.and_then(|(graph, source, target)| match target {
            Target::Spec(at) => Some(source.build(graph.specs[at as usize].at)?.version.clone()),
            // Both sides have it, so the old side, which is always an index, knows its version.
            Target::Other(hash) => {
                source.version_of(hash).or_else(|| self.sources.0.version_of(hash))
            }
        });
        FieldEdge { package, deptypes, virtuals, hash, version }
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

    /// Attributes the specs to the causes.
    async fn finish(self, pauses: &mut Pauses<impl AsyncFnMut()>) -> Causes {
        let mut causes = self.causes;
        attribution::attribute(&mut causes, pauses).await;
        causes
    }
}
