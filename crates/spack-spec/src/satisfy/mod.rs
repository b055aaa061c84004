//! Satisfaction: decides, as Spack does, if a build satisfies a spec.
//!
//! A build is a node of a [`Graph`], a view of the builds however they are stored. The constraints on one node can be
//! evaluated separately for each kind of value, which is what an index does:
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
//! use spack_spec::satisfy::{Satisfies, Facts, Graph, Link, Missing};
//! use spack_spec::{Dialect, Spec, Variant, VariantValue, Version};
//!
//! struct Hdf5 {
//!     version: Version,
//!     mpi: Variant,
//! }
//!
//! impl Graph for Hdf5 {
//!     fn node_count(&self) -> usize {
//!         1
//!     }
//!     // This data does not say which repository the recipe is from.
//!     fn facts(&self, _: usize) -> Facts<'_> {
//!         Facts {
//!             hash: "rusemfbegqdqpg2s7dh6xzcv4mg4ysrb",
//!             architecture: ["linux", "ubuntu24.04", "x86_64_v3"],
//!             ..Facts::new("hdf5", &self.version)
//!         }
//!     }
//!     fn variant(&self, _: usize, name: &str) -> Option<&VariantValue> {
//!         (name == self.mpi.name).then_some(&self.mpi.value)
//!     }
//!     fn dependencies(&self, _: usize) -> Option<Vec<(Link<'_>, Option<usize>)>> {
//!         None
//!     }
//! }
//!
//! let hdf5 = Hdf5 { version: "1.14.5".parse()?, mpi: "+mpi".parse()? };
//! let answer = |text: &str| Ok::<_, Box<dyn std::error::Error>>(
//!     Spec::parse(text, Dialect::V1)?.is_satisfied_by(&hdf5, 0),
//! );
//! assert_eq!(answer("hdf5@1.12: target=x86_64_v2:")?, Satisfies::Yes);
//! assert_eq!(answer("~mpi")?, Satisfies::No);
//! assert_eq!(answer("hdf5 ^mpich")?, Satisfies::CannotTell(Missing::Dependencies));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There are three answers. Where the data does not say (a cache's pages list no dependencies, a build does not say
//! what it provides), the answer is [`Satisfies::CannotTell`], never a guess.

mod edge;
mod graph;
pub mod index;
mod matcher;
mod nearest;
mod node;
mod order;
mod provided;
mod reach;
mod satisfies;
mod v0;
mod v1;

pub use graph::{Compiler, Facts, Graph, Link};
pub use index::Numbered;
use index::{Edge, Indexed};
pub use matcher::Matcher;
pub use satisfies::{Missing, Satisfies};

use crate::Spec;

impl Spec {
    /// Answers for one node of a graph and its dependencies.
    ///
    /// This first reads the edges of the whole graph. To ask more than one question, create a [`Numbered`] once, and a
    /// [`Matcher`] for each spec.
    pub fn is_satisfied_by<G: Graph + ?Sized>(&self, graph: &G, node: usize) -> Satisfies {
        Matcher::new(self, &Numbered::new(graph)).answer(node)
    }
}
