//! The compiler of a build, in formats where compilers are dependencies.
//!
//! A build may have different compilers for C, C++ and Fortran. Spack shows one of them as the build's compiler (`spack
//! find` groups by it): the one for C, or else for C++, or else for Fortran.

use foldhash::{HashMap, HashSet};

use cache_index::build::{Build, CompilerSource, Dependency, Hash};
use cache_index::index::Packer;
use spack_spec::LANGUAGES;

/// The dependency that compiled a build.
pub(crate) type CompilerNode = Hash;

/// Returns the compiler among a build's dependencies; `None` for a build that compiled nothing.
pub(crate) fn compiler_node(dependencies: &[Dependency]) -> Option<CompilerNode> {
    let ranked = dependencies.iter().filter_map(|edge| Some((rank(&edge.virtuals)?, edge.hash)));
    // If more than one compiles this language, the first counts.
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, node)| node)
}

/// Returns the position of the first language that a dependency compiles. The dependency with the lowest position is
/// the build's compiler.
fn rank(virtuals: &[String]) -> Option<usize> {
    LANGUAGES.iter().position(|language| virtuals.iter().any(|name| name == language))
}

/// The rank of each link of a packer, if it compiles a language.
pub(crate) struct CompilerLinks(Vec<Option<usize>>);

impl CompilerLinks {
    pub(crate) fn of(builds: &Packer) -> CompilerLinks {
        CompilerLinks((0..builds.links() as u32).map(|link| rank(builds.link(link).2)).collect())
    }

    /// Returns the compiler among the dependencies of a build of the packer, as the code of a target.
    pub(crate) fn target(&self, builds: &Packer, build: usize) -> Option<u32> {
        let edges = builds.edges(build)?.iter();
        let ranked = edges.filter_map(|&(link, target)| Some((self.0[link as usize]?, target)));
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, target)| target)
    }
}

/// Names and versions of compilers, by the hash of their node.
#[derive(Debug, Default)]
pub(crate) struct Compilers(HashMap<Hash, String>);

impl Compilers {
    /// Finds the compilers of all builds among these builds.
    pub(crate) fn among<'b>(builds: impl Iterator<Item = &'b Build> + Clone) -> Compilers {
        let nodes: HashSet<Hash> = builds.clone().filter_map(node_of).collect();
        let compilers = builds.filter(|build| nodes.contains(&build.hash));
        let name = |build: &Build| (build.hash, format!("{}@{}", build.package, build.version));
        Compilers(compilers.map(name).collect())
    }

    /// Returns the compiler of a build, if it is a dependency whose node is known. If the node is unknown, so is its
    /// version, and the build has no compiler.
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
