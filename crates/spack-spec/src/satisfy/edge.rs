//! What is asked of an edge.

use super::provided::is_provided;
use super::{Answer, Indexed, Link, Missing};
use crate::spec::{Dependency, Node};

/// What a link says to whether edges that have it are as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    No,
    Yes,
    /// If the lower end is as asked.
    Node,
    /// The lower end is called by the name of a virtual package that it stands for.
    Provider,
}

impl From<bool> for Says {
    fn from(is_yes: bool) -> Says {
        if is_yes { Says::Yes } else { Says::No }
    }
}

impl Link<'_> {
    /// What the name that is asked for, if any, says about this link.
    pub(super) fn called(&self, wanted: &Node) -> Says {
        match wanted.name.as_deref() {
            None => Says::Node,
            Some(name) if name == self.package => Says::Node,
            Some(name) if self.stands_for(name) => Says::Provider,
            Some(_) => Says::No,
        }
    }

    /// What it is to a `%x`.
    pub(super) fn direct(&self, wanted: &Dependency) -> Says {
        let virtuals = &wanted.virtuals;
        let is_for = virtuals.is_empty() || virtuals.iter().any(|name| self.stands_for(name));
        match is_for && self.deptypes.contains(wanted.deptypes) {
            true => self.called(&wanted.node),
            false => Says::No,
        }
    }
}

/// What it means that a node is asked for by the name of a virtual package that it stands for.
///
/// Spack looks into the recipe of the provider, and knows none but those of its own repository.
pub(super) fn as_provider<G: Indexed + ?Sized>(
    graph: &G,
    node: Option<G::Node>,
    wanted: &Node,
) -> Answer {
    let provided = node.and_then(|node| graph.provided(node));
    if let Some(provided) = provided
        && !wanted.is_bare_name()
    {
        return is_provided(provided, wanted);
    }
    let namespace = node.and_then(|node| graph.namespace(node));
    if namespace.is_some_and(|namespace| namespace != "builtin") {
        Answer::No
    } else if wanted.is_bare_name() {
        Answer::Yes
    } else {
        Answer::CannotTell(Missing::Providers)
    }
}
