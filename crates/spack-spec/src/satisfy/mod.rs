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
//! There are three answers. Where the data does not say (a cache's pages list no dependencies, a
//! build does not say what it provides), the answer is [`Answer::CannotTell`] and never a guess.

mod answer;
mod closure;
mod graph;
mod node;
mod v0;
mod v1;

pub use answer::{Answer, Missing};
pub use graph::{Compiler, Edge, Graph};

pub use crate::virtuals::is_known as is_known_virtual;
use crate::{Dialect, Spec};

impl Spec {
    /// Whether a node of the graph is what this asks for, dependencies and all.
    pub fn is_satisfied_by<G: Graph + ?Sized>(&self, graph: &G, node: G::Node) -> Answer {
        satisfies(graph, node, self)
    }
}

fn satisfies<G: Graph + ?Sized>(graph: &G, node: G::Node, spec: &Spec) -> Answer {
    let answer = graph.matches(node, &spec.root, spec.dialect);
    let dependencies = &spec.root.dependencies;
    if answer == Answer::No || dependencies.is_empty() {
        return answer;
    }
    answer.and(match spec.dialect {
        Dialect::V0 => v0::dependencies(graph, node, dependencies),
        Dialect::V1 => v1::dependencies(graph, node, &spec.root),
    })
}
