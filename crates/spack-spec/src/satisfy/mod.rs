//! Satisfaction: decides, as Spack does, if a build satisfies a spec. There are three answers, yes, no and cannot tell,
//! because nothing is guessed where the data does not say.

mod edge;
mod graph;
mod index;
mod matcher;
mod node;
mod order;
mod provided;
mod satisfies;

pub use graph::{Compiler, Facts, Graph, Link};
pub use index::{Edge, IndexedGraph, NumberedGraph};
pub use matcher::Matcher;
pub use node::node_satisfies;
pub use order::dependency_order;
pub use satisfies::{MissingData, Satisfies};

use crate::Spec;

impl Spec {
    /// Answers for one node of a graph and its dependencies.
    ///
    /// This first reads the edges of the entire graph. To ask more than one question, create a [`NumberedGraph`] once,
    /// and a [`Matcher`] for each spec.
    pub fn is_satisfied_by<G: Graph + ?Sized>(&self, graph: &G, node: usize) -> Satisfies {
        Matcher::new(self, &NumberedGraph::new(graph)).answer(node)
    }
}
