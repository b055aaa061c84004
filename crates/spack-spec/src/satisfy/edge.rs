//! Constraints on edges.

use super::provided::is_provided;
use super::{IndexedGraph, Link, MissingData, Satisfies};
use crate::spec::{Dependency, Node};

/// What a link alone decides about the edges that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    No,
    Yes,
    /// The edge matches if its lower end does.
    Node,
    /// The lower end is named by a virtual package that it provides on this edge.
    Provider,
}

impl From<bool> for Says {
    fn from(is_yes: bool) -> Says {
        if is_yes { Says::Yes } else { Says::No }
    }
}

impl Link<'_> {
    /// Returns what the wanted name, if any, decides about this link.
    pub(super) fn called(&self, wanted: &Node) -> Says {
        match wanted.name.as_deref() {
            None => Says::Node,
            Some(name) if name == self.package => Says::Node,
            Some(name) if self.stands_for(name) => Says::Provider,
            Some(_) => Says::No,
        }
    }

    /// Returns what the link decides about a `%x`.
    pub(super) fn direct(&self, wanted: &Dependency) -> Says {
        let virtuals = &wanted.virtuals;
        let is_for = virtuals.is_empty() || virtuals.iter().any(|name| self.stands_for(name));
        match is_for && self.deptypes.contains(wanted.deptypes) {
            true => self.called(&wanted.node),
            false => Says::No,
        }
    }
}

/// Answers whether a node matches if it is wanted by the name of a virtual package that it provides.
///
/// Spack looks into the recipe of the provider, and knows only the recipes of its own repository.
pub(super) fn as_provider<G: IndexedGraph + ?Sized>(
    graph: &G,
    node: Option<G::Node>,
    wanted: &Node,
) -> Satisfies {
    let provided = node.and_then(|node| graph.provided(node));
    if let Some(provided) = provided
        && !wanted.is_bare_name()
    {
        return is_provided(provided, wanted);
    }
    let namespace = node.and_then(|node| graph.namespace(node));
    if namespace.is_some_and(|namespace| namespace != "builtin") {
        Satisfies::No
    } else if wanted.is_bare_name() {
        Satisfies::Yes
    } else {
        Satisfies::CannotTell(MissingData::Providers)
    }
}
