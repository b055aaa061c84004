//! Which compiler made a build, where compilers are dependencies.
//!
//! A build may have a compiler for each of C, C++ and Fortran. Spack shows one of them for the whole
//! (`spack find` groups by it): the one for C, or else for C++, or else for Fortran.

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::{Build, CompilerSource, Dependency, Hash};

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

/// Names and versions of compilers, by the nodes that they are.
#[derive(Debug, Default)]
pub(crate) struct Compilers(BTreeMap<Hash, String>);

impl Compilers {
    /// Finds the compilers of all builds among them.
    pub(crate) fn among<'b>(builds: impl Iterator<Item = &'b Build> + Clone) -> Compilers {
        let nodes: BTreeSet<Hash> = builds.clone().filter_map(node_of).collect();
        let compilers = builds.filter(|build| nodes.contains(&build.hash));
        let name = |build: &Build| (build.hash, format!("{}@{}", build.package, build.version));
        Compilers(compilers.map(name).collect())
    }

    /// The compiler of a build, if that is a dependency and its node is known. Where it is not, its
    /// version is not known either, and the build is left without a compiler.
    pub(crate) fn of(&self, build: &Build) -> Option<&String> {
        self.0.get(&node_of(build)?)
    }
}

fn node_of(build: &Build) -> Option<CompilerNode> {
    match build.compiler_source {
        CompilerSource::Dependency => {
            compiler_node(build.dependencies.as_deref().unwrap_or_default())
        }
        CompilerSource::Field | CompilerSource::Annotation => None,
    }
}
