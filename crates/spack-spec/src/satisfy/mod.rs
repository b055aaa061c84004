//! Whether a build is what a spec asks for, as Spack answers.
//!
//! A build is a node of a [`Graph`], which is a view of the builds however they are stored. What
//! is asked of one node can be evaluated on each kind of value by itself, which is what an index
//! does:
//!
//! | kind | where |
//! |---|---|
//! | version | [`VersionConstraint::matches`](crate::VersionConstraint::matches) |
//! | variant | [`VariantConstraint::matches`](crate::VariantConstraint::matches) |
//! | architecture | [`ArchitectureConstraint::matches`](crate::ArchitectureConstraint::matches) |
//! | flags | [`FlagConstraint::matches`](crate::FlagConstraint::matches) |
//!
//! A graph of one build:
//!
//! ```
//! use spack_spec::satisfy::{Answer, Compiler, Edge, Graph, Link, Missing};
//! use spack_spec::{Dialect, Spec, Variant, VariantValue, Version};
//!
//! struct Hdf5 {
//!     version: Version,
//!     mpi: Variant,
//! }
//!
//! impl Graph for Hdf5 {
//!     type Node = ();
//!
//!     fn node_count(&self) -> usize {
//!         1
//!     }
//!     fn index(&self, (): ()) -> usize {
//!         0
//!     }
//!     fn name(&self, (): ()) -> &str {
//!         "hdf5"
//!     }
//!     fn version(&self, (): ()) -> &Version {
//!         &self.version
//!     }
//!     fn variant(&self, (): (), name: &str) -> Option<&VariantValue> {
//!         (name == self.mpi.name).then_some(&self.mpi.value)
//!     }
//!     fn architecture(&self, (): ()) -> [&str; 3] {
//!         ["linux", "ubuntu24.04", "x86_64_v3"]
//!     }
//!     fn hash_starts_with(&self, (): (), prefix: &str) -> bool {
//!         "rusemfbegqdqpg2s7dh6xzcv4mg4ysrb".starts_with(prefix)
//!     }
//!     // This data does not tell.
//!     fn namespace(&self, (): ()) -> Option<&str> {
//!         None
//!     }
//!     fn flags(&self, (): (), _: &str) -> Option<&[String]> {
//!         None
//!     }
//!     fn compiler(&self, (): ()) -> Compiler<'_> {
//!         Compiler::Dependency
//!     }
//!     fn dependencies(&self, (): ()) -> Option<impl Iterator<Item = Edge<()>>> {
//!         None::<std::iter::Empty<_>>
//!     }
//!     fn link_count(&self) -> usize {
//!         0
//!     }
//!     fn link(&self, _: usize) -> Link<'_> {
//!         unreachable!("there are none")
//!     }
//! }
//!
//! let hdf5 = Hdf5 { version: "1.14.5".parse()?, mpi: "+mpi".parse()? };
//! let answer = |text: &str| Ok::<_, Box<dyn std::error::Error>>(
//!     Spec::parse(text, Dialect::V1)?.is_satisfied_by(&hdf5, ()),
//! );
//! assert_eq!(answer("hdf5@1.12: target=x86_64_v2:")?, Answer::Yes);
//! assert_eq!(answer("~mpi")?, Answer::No);
//! assert_eq!(answer("hdf5 ^mpich")?, Answer::CannotTell(Missing::Dependencies));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There are three answers. Where the data does not say (a cache's pages list no dependencies, a
//! build does not say what it provides), the answer is [`Answer::CannotTell`] and never a guess.

mod answer;
mod edge;
mod graph;
mod matcher;
mod nearest;
mod node;
mod order;
mod reach;
mod v0;
mod v1;

pub use answer::{Answer, Missing};
pub use graph::{Compiler, Edge, Graph, Link};
pub use matcher::Matcher;
pub use order::in_order;

use crate::Spec;
pub use crate::virtuals::is_known as is_known_virtual;

impl Spec {
    /// Whether a node of the graph is what this asks for, dependencies and all. To ask it of many,
    /// make a [`Matcher`].
    pub fn is_satisfied_by<G: Graph + ?Sized>(&self, graph: &G, node: G::Node) -> Answer {
        Matcher::new(self, graph).answer(node)
    }
}
