//! Constraints on one node, without its dependencies.
//!
//! A propagated variant constrains the node like any other, except that the node need not have it; its effect on the
//! nodes below is evaluated elsewhere.

use super::{Compiler, IndexedGraph, MissingData, Satisfies};
use crate::Dialect;
use crate::parse::RENAMED_COMPILERS;
use crate::spec::{CompilerConstraint, Node};
use crate::virtuals::LANGUAGES;

/// Answers for all constraints on a node itself, not on its dependencies. A propagated variant (`++x`) only
/// constrains a node that has the variant; the name of a virtual package is treated like any name other than the
/// node's own.
pub fn node_satisfies<G: IndexedGraph + ?Sized>(
    graph: &G,
    node: G::Node,
    wanted: &Node,
    dialect: Dialect,
) -> Satisfies {
    match kind_matches(graph, node, wanted, dialect) {
        Satisfies::No => Satisfies::No,
        answer => answer.and(node_matches(graph, node, wanted)),
    }
}

/// Evaluates the constraints that all nodes of one kind satisfy or none does.
pub(super) fn kind_matches<G: IndexedGraph + ?Sized>(
    graph: &G,
    node: G::Node,
    wanted: &Node,
    dialect: Dialect,
) -> Satisfies {
    let has_architecture = || {
        let [platform, os, target] = graph.architecture(node);
        wanted.architecture.matches(platform, os, target, dialect)
    };
    let is_yes = wanted.name.as_ref().is_none_or(|name| name == graph.name(node))
        && (wanted.versions.is_any() || wanted.versions.matches(graph.version(node)))
        && (wanted.architecture.is_any() || has_architecture())
        && wanted.variants.iter().all(|asked| asked.matches(graph.variant(node, &asked.name)));
    if !is_yes {
        return Satisfies::No;
    }
    let mut answer = Satisfies::Yes;
    if let Some(wanted) = &wanted.namespace {
        answer = answer.and(match graph.namespace(node) {
            Some(namespace) => (wanted == namespace).into(),
            None => Satisfies::CannotTell(MissingData::Namespace),
        });
    }
    for asked in &wanted.flags {
        answer = answer.and(match graph.flags(node, &asked.name) {
            Some(flags) => asked.matches(flags).into(),
            None => Satisfies::CannotTell(MissingData::Flags),
        });
    }
    answer
}

/// Returns `true` if some nodes of one kind may match and others not, because of their hash, their compiler or the
/// nodes below them.
pub(super) fn asks_beyond_kind(wanted: &Node) -> bool {
    wanted.hash.is_some()
        || wanted.compiler.is_some()
        || wanted.variants.iter().any(|asked| asked.propagate)
}

/// Evaluates the constraints that only some nodes of one kind may satisfy, apart from those on dependencies.
pub(super) fn node_matches<G: IndexedGraph + ?Sized>(
    graph: &G,
    node: G::Node,
    wanted: &Node,
) -> Satisfies {
    match &wanted.compiler {
        _ if !hash_matches(graph, node, wanted) => Satisfies::No,
        Some(wanted) => compiler(graph, node, wanted),
        None => Satisfies::Yes,
    }
}

pub(super) fn hash_matches<G: IndexedGraph + ?Sized>(
    graph: &G,
    node: G::Node,
    wanted: &Node,
) -> bool {
    wanted.hash.as_ref().is_none_or(|prefix| graph.hash_starts_with(node, prefix))
}

/// Evaluates `%gcc@13` as an attribute of the node.
fn compiler<G: IndexedGraph + ?Sized>(
    graph: &G,
    node: G::Node,
    wanted: &CompilerConstraint,
) -> Satisfies {
    match graph.compiler(node) {
        Compiler::NotRecorded => Satisfies::No,
        Compiler::Recorded { name, version } => {
            (wanted.name == name && wanted.versions.matches(version)).into()
        }
        Compiler::Dependency => {
            let Some(edges) = graph.dependencies(node) else {
                return Satisfies::CannotTell(MissingData::Dependencies);
            };
            let is_wanted = |package: &str| {
                wanted.name == package
                    || RENAMED_COMPILERS.contains(&(wanted.name.as_str(), package))
            };
            edges
                .filter(|edge| {
                    let link = graph.link(edge.link);
                    is_wanted(link.package)
                        && link.virtuals.iter().any(|name| LANGUAGES.contains(&name.as_str()))
                })
                .map(|edge| match edge.node {
                    Some(node) => wanted.versions.matches(graph.version(node)).into(),
                    None if wanted.versions.is_any() => Satisfies::Yes,
                    None => Satisfies::CannotTell(MissingData::Dependencies),
                })
                .fold(Satisfies::No, Satisfies::or)
        }
    }
}
