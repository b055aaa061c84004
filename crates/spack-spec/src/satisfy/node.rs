//! One node: all that is asked of it but its dependencies.

use std::collections::BTreeSet;

use super::{Answer, Compiler, Graph, Missing};
use crate::parse::RENAMED_COMPILERS;
use crate::spec::{CompilerConstraint, Node};
use crate::{Dialect, VariantConstraint};

/// The languages that a compiler stands for on an edge.
const LANGUAGES: [&str; 3] = ["c", "cxx", "fortran"];

pub(super) fn matches<G: Graph + ?Sized>(
    graph: &G,
    node: G::Node,
    wanted: &Node,
    dialect: Dialect,
) -> Answer {
    if let Some(name) = &wanted.name
        && name != graph.name(node)
    {
        return match graph.is_virtual(name) && wanted.hash_is_of(graph, node) {
            true => Answer::CannotTell(Missing::Providers),
            false => Answer::No,
        };
    }
    let [platform, os, target] = graph.architecture(node);
    let is_no = !wanted.versions.matches(graph.version(node))
        || !wanted.architecture.matches(platform, os, target, dialect)
        || !wanted.variants.iter().all(|asked| asked.matches(graph.variant(node, &asked.name)))
        || !wanted.hash_is_of(graph, node);
    if is_no {
        return Answer::No;
    }
    let mut answer = Answer::Yes;
    if let Some(wanted) = &wanted.namespace {
        answer = answer.and(match graph.namespace(node) {
            Some(namespace) => (wanted == namespace).into(),
            None => Answer::CannotTell(Missing::Namespace),
        });
    }
    for asked in &wanted.flags {
        answer = answer.and(match graph.flags(node, &asked.name) {
            Some(flags) => asked.matches(flags).into(),
            None => Answer::CannotTell(Missing::Flags),
        });
    }
    if let Some(wanted) = &wanted.compiler {
        answer = answer.and(compiler(graph, node, wanted));
    }
    let propagated: Vec<&VariantConstraint> =
        wanted.variants.iter().filter(|asked| asked.propagate).collect();
    if answer != Answer::No && !propagated.is_empty() {
        answer = answer.and(nothing_contradicts(graph, node, &propagated));
    }
    answer
}

impl Node {
    fn hash_is_of<G: Graph + ?Sized>(&self, graph: &G, node: G::Node) -> bool {
        self.hash.as_ref().is_none_or(|prefix| graph.hash_starts_with(node, prefix))
    }
}

/// `%gcc@13` as an attribute of the node.
fn compiler<G: Graph + ?Sized>(graph: &G, node: G::Node, wanted: &CompilerConstraint) -> Answer {
    match graph.compiler(node) {
        Compiler::NotRecorded => Answer::No,
        Compiler::Recorded { name, version } => {
            (wanted.name == name && wanted.versions.matches(version)).into()
        }
        Compiler::Dependency => {
            let Some(edges) = graph.dependencies(node) else {
                return Answer::CannotTell(Missing::Dependencies);
            };
            let is_wanted = |package: &str| {
                wanted.name == package
                    || RENAMED_COMPILERS.contains(&(wanted.name.as_str(), package))
            };
            edges
                .filter(|edge| {
                    is_wanted(edge.package)
                        && edge.virtuals.iter().any(|name| LANGUAGES.contains(&name.as_str()))
                })
                .map(|edge| match edge.node {
                    Some(node) => wanted.versions.matches(graph.version(node)).into(),
                    None if wanted.versions.is_any() => Answer::Yes,
                    None => Answer::CannotTell(Missing::Dependencies),
                })
                .fold(Answer::No, Answer::or)
        }
    }
}

/// `++x`: asked of the node and of all below it that have the variant.
fn nothing_contradicts<G: Graph + ?Sized>(
    graph: &G,
    node: G::Node,
    propagated: &[&VariantConstraint],
) -> Answer {
    let nodes = reachable(graph, node);
    let agrees = |node: &G::Node| {
        propagated.iter().all(|asked| asked.matches(graph.variant(*node, &asked.name)))
    };
    match nodes.seen.iter().all(agrees) {
        true if nodes.is_complete => Answer::Yes,
        true => Answer::CannotTell(Missing::Dependencies),
        false => Answer::No,
    }
}

/// A node and all that it depends on, in whatever way.
pub(super) struct Reachable<N> {
    pub(super) seen: BTreeSet<N>,
    pub(super) is_complete: bool,
}

pub(super) fn reachable<G: Graph + ?Sized>(graph: &G, node: G::Node) -> Reachable<G::Node> {
    let mut nodes = Reachable { seen: BTreeSet::from([node]), is_complete: true };
    let mut left = vec![node];
    while let Some(node) = left.pop() {
        let Some(edges) = graph.dependencies(node) else {
            nodes.is_complete = false;
            continue;
        };
        for edge in edges {
            match edge.node {
                Some(child) if nodes.seen.insert(child) => left.push(child),
                Some(_) => {}
                None => nodes.is_complete = false,
            }
        }
    }
    nodes
}
