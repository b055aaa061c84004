//! What is known of builds: the other side of the question.

use super::{Answer, node};
use crate::spec::{Deptypes, Node};
use crate::virtuals;
use crate::{Dialect, VariantValue, Version};

/// Concrete specs and what they depend on, however they are stored.
///
/// Each method answers for one node. Where a method's type has a way to say that the data does not
/// tell, that leads to [`Answer::CannotTell`] where it matters, and is never taken for a no.
pub trait Graph {
    /// Names a node.
    type Node: Copy;

    /// How many nodes there are.
    fn node_count(&self) -> usize;

    /// The number of a node, below [`node_count`](Graph::node_count): no two have the same, and
    /// what is learnt of them is kept in lists by it.
    fn index(&self, node: Self::Node) -> usize;

    /// The package.
    fn name(&self, node: Self::Node) -> &str;

    /// Whether the hash starts so. Case counts.
    fn hash_starts_with(&self, node: Self::Node, prefix: &str) -> bool;

    /// The repository of the recipe; none if the data does not tell.
    fn namespace(&self, node: Self::Node) -> Option<&str>;

    /// The version.
    fn version(&self, node: Self::Node) -> &Version;

    /// What the variant of that name is set to; none if the node has no such variant.
    fn variant(&self, node: Self::Node, name: &str) -> Option<&VariantValue>;

    /// Platform, operating system and target.
    fn architecture(&self, node: Self::Node) -> [&str; 3];

    /// The compiler flags of one name (`cflags`); none if the data does not tell.
    fn flags(&self, node: Self::Node, name: &str) -> Option<&[String]>;

    /// By what it was compiled, and how the data says so.
    fn compiler(&self, node: Self::Node) -> Compiler<'_>;

    /// The direct dependencies; none if the data does not tell.
    fn dependencies(&self, node: Self::Node) -> Option<impl Iterator<Item = Edge<'_, Self::Node>>>;

    /// Whether packages depend on this name without there being a package of that name. If in
    /// doubt, the answer to who is meant by it is [`Missing::Providers`](super::Missing).
    ///
    /// The virtual packages of Spack's own repository are known; add those that edges name.
    fn is_virtual(&self, name: &str) -> bool {
        virtuals::is_known(name)
    }

    /// Whether the node is what is asked of it, its dependencies apart. A propagated variant
    /// (`++x`) is asked of it only if it has it; a virtual package's name is as any that is not
    /// the node's own.
    ///
    /// Nothing but this looks at versions, variants and the like: an index that keeps each distinct
    /// value once can evaluate each once, and answer from there.
    fn matches(&self, node: Self::Node, wanted: &Node, dialect: Dialect) -> Answer {
        node::matches(self, node, wanted, dialect)
    }
}

/// By what a node was compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler<'a> {
    /// By what its dependencies say: those which stand for `c`, `cxx` or `fortran`. So it is in
    /// what Spack 1.x wrote.
    Dependency,
    /// By this, as older Spacks recorded it (`gcc`, `clang`, `oneapi`); whoever reads such a file
    /// knows no more.
    Recorded {
        /// The compiler's name, which is not always that of a package.
        name: &'a str,
        /// Its version.
        version: &'a Version,
    },
    /// By nothing, or by what was not recorded, in a file of an older Spack.
    NotRecorded,
}

/// A dependency of a node.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a, N> {
    /// The package depended on.
    pub package: &'a str,
    /// The node depended on; none if the data has only its name.
    pub node: Option<N>,
    /// What it is needed for.
    pub deptypes: Deptypes,
    /// For which virtual packages it stands here.
    pub virtuals: &'a [String],
}
