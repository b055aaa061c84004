//! Which compiler made a build, where compilers are dependencies.
//!
//! A build may have a compiler for each of C, C++ and Fortran. Spack shows one of them for the whole
//! (`spack find` groups by it): the one for C, or else for C++, or else for Fortran.

use std::collections::BTreeMap;

use cache_index::build::{Build, Dependency, Hash};

/// The dependency that compiled a build.
pub(crate) type CompilerNode = Hash;

/// Picks it from a build's dependencies; none for a build that compiled nothing.
pub(crate) fn compiler_node(dependencies: &[Dependency]) -> Option<CompilerNode> {
    ["c", "cxx", "fortran"].into_iter().find_map(|language| {
        dependencies
            .iter()
            .find(|dependency| dependency.virtuals.iter().any(|name| name == language))
            .map(|dependency| dependency.hash)
    })
}

/// Gives each build the name and version of the node that compiled it. Where the file has no record
/// of that node its version is not known, and the build is left without a compiler.
pub(crate) fn resolve(builds: &mut [Build], nodes: &[Option<CompilerNode>]) {
    let mut names: BTreeMap<Hash, Option<String>> =
        nodes.iter().flatten().map(|&node| (node, None)).collect();
    for build in builds.iter() {
        if let Some(name) = names.get_mut(&build.hash) {
            *name = Some(format!("{}@{}", build.package, build.version));
        }
    }
    for (build, node) in builds.iter_mut().zip(nodes) {
        if let Some(node) = node {
            build.compiler = names.get(node).cloned().flatten();
        }
    }
}
