//! What is known of builds: the other side of the question.

use super::{Answer, node};
use crate::spec::Node;
use crate::virtuals;
use crate::{Deptypes, Dialect, VariantValue, Version};

/// Concrete specs and what they depend on, however they are stored.
///
/// Each method answers for one node. Where a method's type has a way to say that the data does not
/// tell, that leads to [`Answer::CannotTell`] where it matters, and is never taken for a no.
///
/// A cache has many nodes and few kinds of them: whoever keeps each distinct version, set of
/// variants and so on once tells by [`kind`](Graph::kind) and by [`Link`]s what is alike, and is
/// asked about that once.
pub trait Graph {
    /// Names a node.
    type Node: Copy;

    /// How many nodes there are.
    fn node_count(&self) -> usize;

    /// The number of a node, below [`node_count`](Graph::node_count): no two have the same, and
    /// what is learnt of them is kept in lists by it.
    fn index(&self, node: Self::Node) -> usize;

    /// A number that only nodes have which agree in all that is asked below, but for hash, compiler
    /// and dependencies.
    fn kind(&self, node: Self::Node) -> usize {
        self.index(node)
    }

    /// A number above all kinds.
    fn kind_count(&self) -> usize {
        self.node_count()
    }

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
    fn dependencies(&self, node: Self::Node) -> Option<impl Iterator<Item = Edge<Self::Node>>>;

    /// How many links there are.
    fn link_count(&self) -> usize;

    /// What the [edges](Edge) with this link have in common.
    fn link(&self, link: usize) -> Link<'_>;

    /// Whether packages depend on this name without there being a package of that name. If in
    /// doubt, the answer to who is meant by it is [`Missing::Providers`](super::Missing).
    ///
    /// The virtual packages of Spack's own repository are known; add those that edges name.
    fn is_virtual(&self, name: &str) -> bool {
        virtuals::is_known(name)
    }

    /// The nodes that are known to stand for the virtual package of this name where something
    /// depends on them. Others may provide it too, without being needed for it.
    fn stood_for(&self, name: &str) -> Vec<Self::Node> {
        let _ = name;
        Vec::new()
    }

    /// Whether the node is what is asked of it, its dependencies apart. A propagated variant
    /// (`++x`) is asked of it only if it has it; a virtual package's name is as any that is not
    /// the node's own.
    fn matches(&self, node: Self::Node, wanted: &Node, dialect: Dialect) -> Answer {
        match node::kind_matches(self, node, wanted, dialect) {
            Answer::No => Answer::No,
            answer => answer.and(node::node_matches(self, node, wanted)),
        }
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
pub struct Edge<N> {
    /// The number of its [link](Graph::link).
    pub link: usize,
    /// The node depended on; none if the data has only its name.
    pub node: Option<N>,
}

/// What dependencies may have in common.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// The package depended on.
    pub package: &'a str,
    /// What it is needed for.
    pub deptypes: Deptypes,
    /// For which virtual packages it stands.
    pub virtuals: &'a [String],
}

impl Link<'_> {
    /// Whether it can be meant by a name: that of the package, or of a virtual one that it stands
    /// for.
    pub fn is_called(&self, name: &str) -> bool {
        self.package == name || self.stands_for(name)
    }

    /// Whether it stands for the virtual package of this name.
    pub fn stands_for(&self, name: &str) -> bool {
        self.virtuals.iter().any(|known| known == name)
    }

    /// Whether what is needed to run has it, and not only the build.
    pub(super) fn is_linked_or_run(&self) -> bool {
        self.deptypes.intersects(Deptypes::LINK.union(Deptypes::RUN))
    }
}
