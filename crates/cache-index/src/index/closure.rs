//! What a build needs to run, directly or indirectly: its closure of link and run dependencies.
//!
//! `spack buildcache install` fetches this closure. Graphs of concrete specs have no cycles, but a damaged file can, so
//! nothing here relies on that.

use super::{BuildId, Edge, EdgeTarget, Index};
use crate::build::{Deptypes, Hash, Place};
use crate::facet::Facet;
use crate::sorting;

impl Index {
    /// Returns everything that a build links or runs with, directly or indirectly, without the build itself: specs of
    /// this cache in its order, then unknown ones. `None` if the build does not list its dependencies or they have not
    /// been loaded.
    ///
    /// The dependencies of an unknown spec, or of a spec that does not list any, are not known and therefore missing.
    pub fn closure(&self, build: BuildId) -> Option<Vec<EdgeTarget<'_>>> {
        Some(targets(self.reachable(build, |edge| edge.is_needed_to_run())?))
    }

    /// Returns everything that can be reached from a build along wanted edges, without the build itself, each with all
    /// purposes on those edges; otherwise like [`closure`](Index::closure).
    pub fn reachable(
        &self,
        build: BuildId,
        wanted: impl Fn(&Edge<'_>) -> bool,
    ) -> Option<Vec<(EdgeTarget<'_>, Deptypes)>> {
        // By build: the purposes found so far; `None` for builds that have not been reached.
        let mut met: Vec<Option<Deptypes>> = vec![None; self.specs() as usize];
        let mut unknown: Vec<(EdgeTarget<'_>, Deptypes)> = Vec::new();
        // Iterative, because a damaged file may be deeper than the stack.
        let mut next = vec![self.dependencies(build)?];
        while let Some(edges) = next.pop() {
            for edge in edges.filter(&wanted) {
                let EdgeTarget::Build(target) = edge.target else {
                    unknown.push((edge.target, edge.deptypes));
                    continue;
                };
                let known = &mut met[target.at()];
                let is_new = known.is_none();
                *known = Some(known.unwrap_or_default().union(edge.deptypes));
                if is_new && target != build {
                    next.extend(self.dependencies(target));
                }
            }
        }
        met[build.at()] = None;
        sorting::sort_and_dedup(&mut unknown);
        unknown.dedup_by(|next, last| {
            let is_same = next.0 == last.0;
            if is_same {
                last.1 = last.1.union(next.1);
            }
            is_same
        });
        let builds =
            (0..).zip(met).filter_map(|(id, met)| Some((EdgeTarget::Build(BuildId(id)), met?)));
        Some(builds.chain(unknown).collect())
    }

    /// Returns the part of a build's closure that is installed with the build. `None` in the same cases as for
    /// [`closure`](Index::closure).
    ///
    /// Externals need no binary: they are expected on the machine, with their dependencies.
    pub fn installed_with(&self, build: BuildId) -> Option<Vec<EdgeTarget<'_>>> {
        let wanted = |edge: &Edge<'_>| edge.is_needed_to_run() && !self.is_external(edge.target);
        Some(targets(self.reachable(build, wanted)?))
    }

    /// Returns what must come from a mirror when a build is installed: all that is [installed with
    /// it](Index::installed_with), and what spliced builds are [installed from](Index::installed_from).
    pub fn fetched_with(&self, build: BuildId) -> Option<Vec<EdgeTarget<'_>>> {
        let mut fetched = self.installed_with(build)?;
        let builds = fetched.iter().filter_map(|target| match target {
            EdgeTarget::Build(lower) => Some(*lower),
            EdgeTarget::Unknown { .. } => None,
        });
        let sources = self.installed_from(builds.chain([build]));
        if !sources.is_empty() {
            fetched.extend(sources.into_iter().map(|(_, from)| from));
            sorting::sort_and_dedup(&mut fetched);
        }
        Some(fetched)
    }

    /// Returns those of some builds that are spliced, each with the build that it was spliced from; empty until the hashes
    /// have been loaded.
    ///
    /// Spack installs a spliced build from the binary of that build, and writes the paths of its other dependencies into
    /// it.
    pub fn installed_from(
        &self,
        builds: impl IntoIterator<Item = BuildId>,
    ) -> Vec<(BuildId, EdgeTarget<'_>)> {
        let from = |build| self.origin(self.row_of(build)).spliced_from.map(|from| (build, from));
        let spliced: Vec<(BuildId, Hash)> = builds.into_iter().filter_map(from).collect();
        if spliced.is_empty() || !self.has_hashes() {
            return Vec::new();
        }
        let hashes: Vec<Hash> = spliced.iter().map(|(_, hash)| *hash).collect();
        let found = self.find_all(&hashes).into_iter().zip(spliced);
        let target = |(found, (build, hash)): (Option<BuildId>, (BuildId, Hash))| {
            let package = self.text(self.row_of(build), Facet::Package);
            (build, found.map_or(EdgeTarget::Unknown { package, hash }, EdgeTarget::Build))
        };
        found.map(target).collect()
    }

    /// Returns the externals that a build needs to run. `None` in the same cases as for [`closure`](Index::closure).
    pub fn externals_with(&self, build: BuildId) -> Option<Vec<EdgeTarget<'_>>> {
        let closure = self.closure(build)?;
        Some(closure.into_iter().filter(|target| self.is_external(*target)).collect())
    }

    fn is_external(&self, target: EdgeTarget<'_>) -> bool {
        match target {
            EdgeTarget::Build(build) => self.origin(self.row_of(build)).external,
            EdgeTarget::Unknown { .. } => false,
        }
    }

    /// Returns the specs that have no binary in a mirror.
    pub fn missing_at<'i>(&self, targets: &[EdgeTarget<'i>], place: &Place) -> Vec<EdgeTarget<'i>> {
        let code = |facet, value: &str| self.dictionary(facet).code(value).map(|code| code.0);
        let place = code(Facet::Release, &place.release).zip(code(Facet::Stack, &place.stack));
        let is_there = |target: &EdgeTarget<'_>| match target {
            EdgeTarget::Build(build) => {
                self.places(self.row_of(*build)).any(|other| Some(other) == place)
            }
            EdgeTarget::Unknown { .. } => false,
        };
        targets.iter().filter(|target| !is_there(target)).copied().collect()
    }
}

fn targets(reached: Vec<(EdgeTarget<'_>, Deptypes)>) -> Vec<EdgeTarget<'_>> {
    reached.into_iter().map(|(target, _)| target).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::build::Build;
    use crate::index::{About, pack};
    use crate::sample;

    type ByHash = BTreeMap<Hash, Build>;

    /// Computes the closure naively, on builds and hashes.
    fn naive(all: &ByHash, from: &Build, externals: bool, met: &mut BTreeSet<Hash>) {
        for dependency in from.dependencies.iter().flatten() {
            let runs = dependency.deptypes.names().any(|name| matches!(name, "link" | "run"));
            let build = all.get(&dependency.hash);
            let skipped = !externals && build.is_some_and(|build| build.external);
            if runs && !skipped && met.insert(dependency.hash) {
                build.iter().for_each(|build| naive(all, build, externals, met));
            }
        }
    }

    fn hashes(index: &Index, targets: Vec<EdgeTarget<'_>>) -> BTreeSet<Hash> {
        let hash = |target: &EdgeTarget<'_>| match *target {
            EdgeTarget::Build(build) => index.hash(build),
            EdgeTarget::Unknown { hash, .. } => Some(hash),
        };
        targets.iter().filter_map(hash).collect()
    }

    proptest! {
        #[test]
        fn finds_the_closure_of_a_naive_walk(builds in sample::builds()) {
            let index = pack(About::default(), builds.iter().cloned()).expect("different hashes");
            let all: ByHash = builds.into_iter().map(|build| (build.hash, build)).collect();
            let place = Place::whole_release("develop");
            for id in (0..index.specs()).map(BuildId) {
                let build = &all[&index.hash(id).expect("a hash")];
                let closure = index.closure(id).map(|closure| hashes(&index, closure));
                let missing = index.fetched_with(id).map(|all| index.missing_at(&all, &place));
                let missing = missing.map(|missing| hashes(&index, missing));
                if build.dependencies.is_none() {
                    prop_assert_eq!((closure, missing), (None, None));
                    continue;
                }
                let mut expected = BTreeSet::new();
                naive(&all, build, true, &mut expected);
                expected.remove(&build.hash);
                let is_external = |hash: &&Hash| all.get(hash).is_some_and(|build| build.external);
                let externals = expected.iter().filter(is_external).copied().collect();
                let found = index.externals_with(id).map(|found| hashes(&index, found));
                prop_assert_eq!(found, Some(externals));
                prop_assert_eq!(closure, Some(expected));
                let mut expected = BTreeSet::new();
                naive(&all, build, false, &mut expected);
                expected.remove(&build.hash);
                let spliced = expected.iter().filter_map(|hash| all.get(hash)).chain([build]);
                let from: Vec<Hash> = spliced.filter_map(|build| build.spliced_from).collect();
                expected.extend(from);
                expected.retain(|hash| all.get(hash).is_none_or(|b| !b.places.contains(&place)));
                prop_assert_eq!(missing, Some(expected));
            }
        }

        #[test]
        fn finds_dependents_by_inverting_dependencies(builds in sample::builds()) {
            let index = pack(About::default(), builds).expect("different hashes");
            let mut forth = Vec::new();
            let mut back = Vec::new();
            for id in (0..index.specs()).map(BuildId) {
                for edge in index.dependencies(id).into_iter().flatten() {
                    if let EdgeTarget::Build(target) = edge.target {
                        forth.push((target, id, edge.package, edge.deptypes, edge.virtuals));
                    }
                }
                for (dependent, edge) in index.dependents(id).into_iter().flatten() {
                    prop_assert_eq!(edge.target, EdgeTarget::Build(id));
                    back.push((id, dependent, edge.package, edge.deptypes, edge.virtuals));
                }
            }
            forth.sort_unstable();
            prop_assert_eq!(back.is_sorted_by_key(|edge| (edge.0, edge.1)), true);
            back.sort_unstable();
            prop_assert_eq!(forth, back);
        }
    }
}
