//! What a cache could do without: the builds that no kept environment needs.
//!
//! An environment needs its nodes, by hash, and the builds that its spliced nodes are installed from. If a hash is cut
//! short, all builds whose hashes start with it are needed. A lock file lists everything that its specs depend on, so
//! what it needs is complete; for other files, a build that would be kept can depend on one that would go, and the
//! result names both.

use std::collections::{BTreeMap, HashSet};

use cache_index::build::Hash;
use cache_index::environment::{Environment, Root};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, Index};
use cache_query::search::graph::IndexGraph;
use serde_json::{Value, json};
use spack_spec::is_hash_part;

/// Returns the hash that the text of a root ends with, complete or cut short: `zlib/y4ovklt`.
pub fn hash_part(root: &Root) -> Option<&str> {
    let (_, hash) = root.spec.rsplit_once('/')?;
    is_hash_part(hash).then_some(hash)
}

/// The builds that no kept environment needs.
#[derive(Clone, Debug)]
pub struct Prunable {
    /// Those with a binary, in the order of the index.
    pub unneeded: Vec<BuildId>,
    /// The other builds that have a binary, in the order of the index.
    pub kept: Vec<BuildId>,
    /// The builds that are kept although something that they are linked with or run, directly or through others, is
    /// not. `None` if the cache does not list the dependencies of builds.
    pub broken: Option<Vec<BuildId>>,
}

impl Prunable {
    /// Compares a cache with the environments to keep.
    pub fn new<'e>(
        index: &Index,
        environments: impl IntoIterator<Item = &'e Environment>,
    ) -> Prunable {
        let mut hashes: Vec<Hash> = Vec::new();
        // Hashes that are cut short, by their length.
        let mut starts: BTreeMap<usize, HashSet<&str>> = BTreeMap::new();
        for Environment { nodes, roots, .. } in environments {
            let of_nodes = nodes.iter().flat_map(|node| [Some(node.build.hash), node.spliced_from]);
            // A list of hashes has roots only.
            hashes.extend(of_nodes.chain(roots.iter().map(|root| root.hash)).flatten());
            let only_roots = roots.iter().filter(|root| nodes.is_empty() && root.hash.is_none());
            for start in only_roots.filter_map(hash_part) {
                starts.entry(start.len()).or_default().insert(start);
            }
        }
        let mut is_needed = vec![false; index.specs() as usize];
        index.find_all(&hashes).into_iter().flatten().for_each(|id| is_needed[id.at()] = true);
        for id in (0..index.specs()).map(BuildId).filter(|_| !starts.is_empty()) {
            let Some(hash) = index.hash(id).map(|hash| hash.to_string()) else { continue };
            let is_one = |(length, starts): (&usize, &HashSet<&str>)| {
                hash.get(..*length).is_some_and(|start| starts.contains(start))
            };
            is_needed[id.at()] |= starts.iter().any(is_one);
        }
        let all_needed = (0..index.specs()).map(BuildId).filter(|id| is_needed[id.at()]);
        for (_, from) in index.installed_from(all_needed.collect::<Vec<_>>()) {
            if let EdgeTarget::Build(from) = from {
                is_needed[from.at()] = true;
            }
        }
        let (kept, unneeded): (Vec<BuildId>, Vec<BuildId>) =
            index.builds_with_binary().partition(|id| is_needed[id.at()]);
        let broken = index.has_dependencies().then(|| {
            let mut goes = vec![false; is_needed.len()];
            unneeded.iter().for_each(|id| goes[id.at()] = true);
            let breaks = losing(index, &goes);
            kept.iter().copied().filter(|id| breaks[id.at()]).collect()
        });
        Prunable { unneeded, kept, broken }
    }

    /// Returns the bytes of the binaries that are not needed, and how many of these have an unknown size.
    pub fn bytes(&self, index: &Index) -> (u64, usize) {
        self.unneeded.iter().fold((0, 0), |(bytes, unknown), &build| match index.size(build) {
            Some(size) => (bytes + size, unknown),
            None => (bytes, unknown + 1),
        })
    }

    /// Returns one object: `{"kept", "unneeded": [{"hash", "name", "version", "size"}], "bytes", "unknown_sizes",
    /// "broken": [hashes] or null}`.
    pub fn json(&self, index: &Index) -> Value {
        let hash = |build: BuildId| index.hash(build).map(|hash| hash.to_string());
        let unneeded: Vec<Value> = self
            .unneeded
            .iter()
            .map(|&build| {
                let row = index.row_of(build);
                json!({
                    "hash": hash(build),
                    "name": index.text(row, Facet::Package),
                    "version": index.text(row, Facet::Version),
                    "size": index.size(build),
                })
            })
            .collect();
        let broken = self.broken.as_ref();
        let broken = broken.map(|all| all.iter().map(|&build| hash(build)).collect::<Vec<_>>());
        let (bytes, unknown_sizes) = self.bytes(index);
        json!({
            "kept": self.kept.len(),
            "unneeded": unneeded,
            "bytes": bytes,
            "unknown_sizes": unknown_sizes,
            "broken": broken,
        })
    }
}

/// Returns for each build whether it loses anything that it is linked with or runs, directly or not.
pub(super) fn losing(index: &Index, goes: &[bool]) -> Vec<bool> {
    let mut loses = vec![false; goes.len()];
    for &build in IndexGraph::new(index).in_order().unwrap_or_default() {
        let mut needed = index.dependencies(build).into_iter().flatten();
        loses[build.at()] = needed.any(|edge| match edge.target {
            EdgeTarget::Build(lower) => {
                edge.is_needed_to_run() && (goes[lower.at()] || loses[lower.at()])
            }
            EdgeTarget::Unknown { .. } => false,
        });
    }
    loses
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use cache_index::environment::Node;
    use cache_index::index::{About, pack};
    use cache_index::sample;

    proptest! {
        #[test]
        fn keeps_what_is_in_an_environment_and_nothing_else(
            builds in sample::builds(),
            kept in prop::collection::btree_set(0usize..50, 0..20),
        ) {
            let index = pack(About::default(), builds.iter().cloned()).expect("different hashes");
            let node = |number: &usize| {
                let build = cache_index::build::Build { hash: sample::hash(*number), ..sample::one("zlib", "1.3") };
                Node { build, spliced_from: None }
            };
            let environment =
                Environment { nodes: kept.iter().map(node).collect(), ..Environment::default() };
            let prunable = Prunable::new(&index, [&environment]);
            let kept: BTreeSet<Hash> = kept.into_iter().map(sample::hash).collect();
            let hash = |id: &BuildId| index.hash(*id).expect("a hash");
            // The build that a spliced build is installed from is kept with it.
            let of_kept = builds.iter().filter(|build| kept.contains(&build.hash));
            let kept: BTreeSet<Hash> =
                of_kept.filter_map(|build| build.spliced_from).chain(kept.iter().copied()).collect();
            prop_assert!(prunable.kept.iter().all(|id| kept.contains(&hash(id))));
            prop_assert!(prunable.unneeded.iter().all(|id| !kept.contains(&hash(id))));
            let all = builds.iter().filter(|build| build.has_binary()).count();
            prop_assert_eq!(prunable.kept.len() + prunable.unneeded.len(), all);
            // A build breaks if and only if its closure has a build that goes.
            for id in prunable.broken.iter().flatten() {
                let closure = index.closure(*id).unwrap_or_default();
                let goes = |target: &EdgeTarget<'_>| {
                    matches!(target, EdgeTarget::Build(lower) if prunable.unneeded.contains(lower))
                };
                prop_assert!(closure.iter().any(goes));
            }
            let nothing_goes = Prunable::new(&index, [&of_all(&builds)]);
            prop_assert_eq!(nothing_goes.unneeded.len(), 0);
            prop_assert!(nothing_goes.broken.is_none_or(|broken| broken.is_empty()));
        }
    }

    fn of_all(builds: &[cache_index::build::Build]) -> Environment {
        let nodes = builds.iter().map(|build| Node { build: build.clone(), spliced_from: None });
        Environment { nodes: nodes.collect(), ..Environment::default() }
    }
}
