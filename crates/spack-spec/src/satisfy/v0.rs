//! Dependencies as Spack before 1.0 finds them.
//!
//! A `^x` may be met by any node of the graph below the root, however far, and whatever it is
//! needed for. Only the virtual packages are looked for among the edges that
//! [`Closure`] has.

use super::closure::Closure;
use super::node::reachable;
use super::{Answer, Graph, Missing};
use crate::Dialect;
use crate::spec::Dependency;

pub(super) fn dependencies<G: Graph + ?Sized>(
    graph: &G,
    root: G::Node,
    wanted: &[Dependency],
) -> Answer {
    match graph.dependencies(root).map(|mut edges| edges.next().is_none()) {
        None => return Answer::CannotTell(Missing::Dependencies),
        Some(true) => return Answer::No,
        Some(false) => {}
    }
    let nodes = reachable(graph, root);
    let missing = (!nodes.is_complete).then_some(Missing::Dependencies);
    let mut closure = None;
    let mut answer = Answer::Yes;
    for dependency in wanted {
        let node = &dependency.node;
        let is_package = |name: &str| nodes.seen.iter().any(|other| graph.name(*other) == name);
        let is_virtual = |name: &&str| graph.is_virtual(name) && !is_package(name);
        let virtual_name = node.name.as_deref().filter(is_virtual);
        if virtual_name.is_some() || !dependency.virtuals.is_empty() {
            let closure = closure.get_or_insert_with(|| Closure::of(graph, root));
            answer = answer.and(virtuals(closure, dependency, virtual_name));
        }
        answer = answer.and(match (virtual_name, &closure) {
            (Some(name), Some(closure)) => closure
                .named(Some(name))
                .map(|edge| edge.as_provider(graph, node))
                .fold(Answer::No, Answer::or)
                .unless_incomplete(closure.missing),
            _ => nodes
                .seen
                .iter()
                .filter(|other| **other != root)
                .map(|other| graph.matches(*other, node, Dialect::V0))
                .fold(Answer::No, Answer::or)
                .unless_incomplete(missing),
        });
        if answer == Answer::No {
            return answer;
        }
    }
    answer
}

/// Whether edges of the dependency's name stand for all the virtual packages.
fn virtuals<N: Copy + Ord>(
    closure: &Closure<'_, N>,
    dependency: &Dependency,
    virtual_name: Option<&str>,
) -> Answer {
    let Some(name) = dependency.node.name.as_deref() else { return Answer::No };
    let stand_for = |wanted: &str| closure.named(Some(name)).any(|edge| edge.stands_for(wanted));
    let all = dependency.virtuals.iter().map(String::as_str).chain(virtual_name);
    Answer::from(all.into_iter().all(stand_for)).unless_incomplete(closure.missing)
}
