//! Evaluating one spec for many builds.

mod nearest;
mod reach;
mod v0;
mod v1;

use self::nearest::Ways;
use self::reach::{Memory, Question};
use super::order::Order;
use super::provided::is_provided;
use super::{IndexedGraph, MissingData, Satisfies, node};
use crate::spec::{Dependency, Node};
use crate::{Dialect, Spec};

/// Evaluates one spec for many nodes of one graph, and remembers what it learns about their dependencies.
///
/// The graph is a [`NumberedGraph`](crate::NumberedGraph), or an index that implements
/// [`IndexedGraph`] itself.
///
/// ```
/// use spack_spec::{IndexedGraph, Matcher, Satisfies, Spec};
///
/// fn matching<G: IndexedGraph>(spec: &Spec, graph: &G, nodes: &[G::Node]) -> Vec<G::Node> {
///     let mut matcher = Matcher::new(spec, graph);
///     nodes.iter().copied().filter(|node| matcher.answer(*node) == Satisfies::Yes).collect()
/// }
/// ```
pub struct Matcher<'s, G: IndexedGraph + ?Sized> {
    spec: &'s Spec,
    /// The root's name, if it is a virtual package, and for each node whether it is known to provide it.
    provided: Option<(&'s str, Vec<bool>)>,
    graph: &'s G,
    /// `true` if nodes of one kind can differ in whether the root matches.
    asks_beyond_kind: bool,
    /// `true` if any question follows edges other than link and run dependencies.
    looks_everywhere: bool,
    order: Order<'s, G::Node>,
    /// The memory of each question; `None` while it is in use.
    memories: Vec<(Question<'s>, Option<Box<Memory<'s>>>)>,
    /// For each dependency of the root, whether its name is a virtual package.
    virtual_dependencies: Vec<bool>,
    ways: Vec<Ways<'s, G::Node>>,
    /// The matchers of the conditions in the spec.
    conditions: Vec<Matcher<'s, G>>,
    /// For each kind, whether its nodes satisfy the root; empty before the first question.
    kinds: Vec<Option<Satisfies>>,
}

impl<'s, G: IndexedGraph + ?Sized> Matcher<'s, G> {
    /// Creates a matcher without looking at any node.
    pub fn new(spec: &'s Spec, graph: &'s G) -> Matcher<'s, G> {
        let virtual_name = spec.root.name.as_deref().filter(|name| graph.is_virtual(name));
        let provided = virtual_name.map(|name| {
            let mut is_known = vec![false; graph.node_count()];
            graph.stood_for(name).into_iter().for_each(|node| is_known[graph.index(node)] = true);
            (name, is_known)
        });
        let is_propagated = |node: &Node| node.variants.iter().any(|asked| asked.propagate);
        let mut below = spec.root.dependencies.iter();
        let looks_everywhere = spec.dialect == Dialect::V0
            || is_propagated(&spec.root)
            || below.any(|one| {
                let further = &one.node.dependencies;
                is_propagated(&one.node) || further.iter().any(|one| is_propagated(&one.node))
            });
        let is_virtual = |name: &String| graph.is_virtual(name);
        let dependencies = spec.root.dependencies.iter();
        let virtual_dependencies =
            dependencies.map(|one| one.node.name.as_ref().is_some_and(is_virtual)).collect();
        Matcher {
            spec,
            provided,
            graph,
            asks_beyond_kind: node::asks_beyond_kind(&spec.root),
            looks_everywhere,
            order: Order::empty(),
            memories: Vec::new(),
            virtual_dependencies,
            ways: Vec::new(),
            conditions: Vec::new(),
            kinds: Vec::new(),
        }
    }

    /// Creates a matcher for questions about most nodes. Giving all nodes [in order](crate::dependency_order) saves
    /// time; the order does not depend on the spec and is worth keeping.
    pub fn over_all(spec: &'s Spec, graph: &'s G, nodes_in_order: &'s [G::Node]) -> Matcher<'s, G> {
        Matcher { order: Order::complete(nodes_in_order), ..Matcher::new(spec, graph) }
    }

    /// Answers for a node and its dependencies.
    pub fn answer(&mut self, node: G::Node) -> Satisfies {
        let Spec { root, dialect } = self.spec;
        if let Some((name, is_known)) = &self.provided
            && *name != self.graph.name(node)
        {
            return self.provides(node, is_known[self.graph.index(node)]);
        }
        if self.kinds.is_empty() {
            self.kinds = vec![None; self.graph.kind_count()];
        }
        let kind = &mut self.kinds[self.graph.kind(node)];
        let kind = kind.get_or_insert_with(|| node::kind_matches(self.graph, node, root, *dialect));
        match *kind {
            Satisfies::No => Satisfies::No,
            kind => kind.and(self.beyond(node)),
        }
    }

    /// Answers for the constraints that only some nodes of one kind may satisfy: on hash, compiler and dependencies.
    ///
    /// An index uses this if it has already found the nodes that match in everything else.
    pub fn beyond(&mut self, node: G::Node) -> Satisfies {
        let root = &self.spec.root;
        let answer = match self.asks_beyond_kind {
            true => self.beyond_kind(node, root),
            false => Satisfies::Yes,
        };
        if answer == Satisfies::No || root.dependencies.is_empty() {
            return answer;
        }
        answer.and(match self.spec.dialect {
            Dialect::V0 => self.dependencies_v0(node, &root.dependencies),
            Dialect::V1 => self.dependencies_v1(node, root),
        })
    }

    /// Returns what [`beyond`](Matcher::beyond) answers for each node, by its [index](IndexedGraph::index), if the
    /// matcher was given [all nodes](Matcher::over_all) and the spec asks for nothing but plain dependencies
    /// (`^zlib@1.3 ^mpich`); otherwise `None`. This is faster than asking for each node.
    pub fn beyond_of_all(&mut self) -> Option<Vec<Satisfies>> {
        let Spec { root, dialect } = self.spec;
        let is_plain = |wanted: &Dependency| {
            let Dependency { node, direct, when, virtuals, .. } = wanted;
            !direct && when.is_none() && virtuals.is_empty() && node.dependencies.is_empty()
        };
        let is_for_all = self.order.is_complete && !self.asks_beyond_kind;
        if !is_for_all || !root.dependencies.iter().all(is_plain) {
            return None;
        }
        let mut answers = vec![Satisfies::Yes; self.graph.node_count()];
        for (at, wanted) in root.dependencies.iter().enumerate() {
            let question = match dialect {
                Dialect::V0 if !self.virtual_dependencies[at] => Question::Below(&wanted.node),
                Dialect::V0 | Dialect::V1 => Question::Linked(wanted),
            };
            let all = self.ask_own_of_all(question)?;
            answers.iter_mut().zip(all).for_each(|(answer, this)| *answer = answer.and(this));
        }
        Some(answers)
    }

    /// Answers for a node with another name that may provide the virtual package that the root names.
    fn provides(&self, node: G::Node, is_known: bool) -> Satisfies {
        let graph = self.graph;
        let root = &self.spec.root;
        // Before it asks the recipe, Spack only compares the hash, and it knows only the recipes of its own repository.
        if let Some(provided) = graph.provided(node) {
            return match is_provided(provided, root) {
                _ if !node::hash_matches(graph, node, root) => Satisfies::No,
                Satisfies::Yes if !root.dependencies.is_empty() => {
                    Satisfies::CannotTell(MissingData::Providers)
                }
                answer => answer,
            };
        }
        let is_of_others = graph.namespace(node).is_some_and(|namespace| namespace != "builtin");
        if !node::hash_matches(graph, node, root) || is_of_others {
            Satisfies::No
        } else if is_known && root.is_bare_name() && root.dependencies.is_empty() {
            Satisfies::Yes
        } else {
            Satisfies::CannotTell(MissingData::Providers)
        }
    }

    /// Answers for a node whose kind matches: its hash, its compiler, and constraints that apply to all nodes below it.
    fn beyond_kind(&mut self, node: G::Node, wanted: &'s Node) -> Satisfies {
        let answer = node::node_matches(self.graph, node, wanted);
        let is_propagated = wanted.variants.iter().any(|asked| asked.propagate);
        if answer == Satisfies::No || !is_propagated {
            return answer;
        }
        answer.and(match self.ask(Question::Contradicts(wanted), node) {
            Satisfies::Yes => Satisfies::No,
            Satisfies::No => Satisfies::Yes,
            cannot_tell => cannot_tell,
        })
    }

    /// Answers whether a node meets a condition.
    fn meets(&mut self, condition: &'s Spec, node: G::Node) -> Satisfies {
        let known = self.conditions.iter().position(|one| std::ptr::eq(one.spec, condition));
        let place = known.unwrap_or_else(|| {
            self.conditions.push(Matcher::new(condition, self.graph));
            self.conditions.len() - 1
        });
        self.conditions[place].answer(node)
    }
}
