//! The files of a mirror that an environment is installed from, for a machine without a network.
//!
//! An index does not say which files a mirror has. The manifest of a build has a name that follows from its spec, but
//! blobs are named by their digests, which only the manifests contain. So a complete list needs the mirror itself
//! (`cache_ingest::mirror::carried`); without it, the list [says](CarryList::unknown) what it cannot know.

use std::collections::BTreeSet;

use cache_index::build::Hash;
use cache_index::environment::{CarriedFile, CarryList, Environment};
use cache_index::facet::Facet;
use cache_index::file_names::manifest_path;
use cache_index::index::{BuildId, Index};
use cache_index::number::{counted, grouped};

use super::coverage::{dependencies, installed_from, numbers};
use super::{Coverage, Status};

/// Returns the nodes that are installed from the cache: the roots, what an installed node is linked with or runs, and for
/// a node that must be built everything that it depends on, and what it is spliced from. Build dependencies of a cached
/// node are not installed. Ascending.
pub fn carried_nodes(environment: &Environment, coverage: &Coverage) -> Vec<usize> {
    let nodes = &environment.nodes;
    let numbers = numbers(nodes);
    let mut is_installed = vec![false; nodes.len()];
    let mut open: Vec<usize> = (0..nodes.len()).filter(|&node| coverage.is_root(node)).collect();
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut is_installed[node], true) {
            continue;
        }
        let is_built = coverage.status(node) == Status::Missing;
        if coverage.status(node) != Status::External {
            let edges = dependencies(&nodes[node].build, &numbers);
            let edges = edges.filter(|(_, edge)| is_built || edge.is_needed_to_run());
            open.extend(edges.map(|(below, _)| below));
        }
        if is_built {
            open.extend(nodes[node].spliced_from.and_then(|from| numbers.get(&from).copied()));
        }
    }
    let is_cached = |node: &usize| matches!(coverage.status(*node), Status::Cached(_));
    (0..nodes.len()).filter(|&node| is_installed[node]).filter(is_cached).collect()
}

/// Returns the hashes of the binaries that [these nodes](carried_nodes) are installed from; for spliced nodes, of those
/// that they were spliced from.
pub fn carried_hashes(environment: &Environment, coverage: &Coverage) -> Vec<Hash> {
    let nodes = carried_nodes(environment, coverage).into_iter();
    nodes.map(|node| installed_from(&environment.nodes[node])).collect()
}

/// Returns what an index says about the files of some nodes in a mirror of layout v3.
pub fn carry_list(index: &Index, environment: &Environment, coverage: &Coverage) -> CarryList {
    let build = |node: usize| match coverage.status(node) {
        Status::Cached(build) => Some(build),
        _ => None,
    };
    // Several spliced nodes can be installed from one binary.
    let builds: BTreeSet<BuildId> =
        carried_nodes(environment, coverage).into_iter().filter_map(build).collect();
    let file = |&build: &BuildId| {
        let row = index.row_of(build);
        let [name, version] = [Facet::Package, Facet::Version].map(|facet| index.text(row, facet));
        let hash = index.hash(build)?;
        Some(CarriedFile { path: manifest_path(name, version, hash), size: None })
    };
    let mut files: Vec<CarriedFile> = builds.iter().filter_map(file).collect();
    files.push(CarriedFile { path: "v3/layout.json".to_owned(), size: None });
    files.sort();
    let sizes: Vec<u64> = builds.iter().filter_map(|&build| index.size(build)).collect();
    let binaries = counted(builds.len(), "binary", "binaries");
    let size = match sizes.len() {
        0 => "of unknown size".to_owned(),
        known => {
            format!("{} bytes for {} of them", grouped(sizes.iter().sum::<u64>() as usize), known)
        }
    };
    let unknown = vec![
        format!("the blobs of {binaries} ({size}): the manifests contain their names, and an index does not"),
        "the index of the mirror and its keys: v3/manifests/index, v3/manifests/key and their blobs".to_owned(),
        "whether the mirror has layout v3; one of layout v2 has its files in build_cache".to_owned(),
        "the command lists all files: cache-explorer environment FILE --from MIRROR_FOLDER --carry LIST".to_owned(),
    ];
    CarryList { files, unknown }
}
