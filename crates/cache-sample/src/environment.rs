//! Environments most of whose nodes are in a generated cache.

use cache_index::build::{Build, Hash, Variant, VariantValue};
use cache_index::environment::{Environment, Node, Root};
use cache_index::index::{BuildId, Index};

/// Returns an environment with this many nodes, spread over a cache with dependencies. A quarter of them are changed so
/// that the cache does not have them: each gets another hash, and a variant that no build has.
///
/// # Panics
///
/// If the cache has fewer builds, or a part of its index is missing.
pub fn environment(index: &Index, nodes: usize) -> Environment {
    let step = index.specs() as usize / nodes;
    let node = |number: usize| {
        let mut build: Build = index.build(BuildId((number * step) as u32)).expect("all parts");
        build.places = Default::default();
        if number.is_multiple_of(4) {
            build.hash = unknown_hash(number);
            let value = VariantValue::Bool(true);
            build.variants.insert(0, Variant { name: "aa_changed".to_owned(), value });
        }
        Node { build, spliced_from: None }
    };
    let nodes: Vec<Node> = (0..nodes).map(node).collect();
    let root = |node: &Node| Root {
        spec: format!("{}@{}", node.build.package, node.build.version),
        group: None,
        hash: Some(node.build.hash),
    };
    let roots = nodes.iter().step_by(100).map(root).collect();
    Environment { roots, nodes, ..Environment::default() }
}

/// Returns a hash that no generated build has, different for each number.
pub fn unknown_hash(number: usize) -> Hash {
    let digits = format!("{number:032b}").replace('0', "a").replace('1', "b");
    digits.parse().expect("32 characters of base32")
}
