//! Questions about a node's edges and everything below it, asked of many nodes.
//!
//! Builds share most of their dependencies, so the results for one are kept for the next. A question visits nodes in an
//! [`Order`](crate::satisfy::order::Order) in which each comes after those that it depends on, and so looks at each
//! edge once. What a link decides is worked out once for each link, and whether nodes match, once for each kind.

use super::Matcher;
use crate::Deptypes;
use crate::satisfy::edge::{Says, as_provider};
use crate::satisfy::{Edge, IndexedGraph, Link, MissingData, Satisfies, node};
use crate::spec::{Dependency, Node};

/// A question about a node's edges, and perhaps about those below it.
#[derive(Clone, Copy)]
pub(super) enum Question<'s> {
    /// Is there a matching node below, along any edges? Spack before 1.0 searches for dependencies like this.
    Below(&'s Node),
    /// Is there an edge to such a dependency, along link and run dependencies?
    Linked(&'s Dependency),
    /// Is there an edge that has the dependency's name and provides the virtual package, along link and run
    /// dependencies?
    StandsFor(&'s Dependency, &'s str),
    /// Does this node or one below contradict a propagated variant?
    Contradicts(&'s Node),
    /// Does an edge of the node itself lead to such a dependency?
    Direct(&'s Dependency),
}

/// How a question treats a link.
#[derive(Clone, Copy)]
struct Regard {
    says: Says,
    /// `true` if the question goes on below such an edge.
    follows: bool,
    /// If `follows` is `false`: whether such an edge counts for the node that it starts at.
    is_own: bool,
}

/// What has been found out for a node.
#[derive(Clone, Copy)]
struct Learnt {
    /// The answer from the nodes below along the edges that are followed; for [`Question::Contradicts`], including the
    /// node itself.
    below: Satisfies,
    /// The same, combined with the edges that count for this node alone.
    own: Satisfies,
}

impl Learnt {
    const NOTHING: Learnt = Learnt { below: Satisfies::No, own: Satisfies::No };
}

/// The answers to one question so far.
pub(super) struct Memory<'s> {
    question: Question<'s>,
    /// For each link.
    links: Vec<Regard>,
    /// For each kind, whether its nodes match.
    kinds: Vec<Option<Satisfies>>,
    /// For each node, by its index; empty for a question that does not go below.
    known: Vec<Learnt>,
    /// How many nodes of the order have been evaluated.
    done: usize,
    /// `true` if nodes of one kind may differ in whether they match.
    asks_beyond_kind: bool,
}

impl<'s> Question<'s> {
    fn is(self, other: Question<'s>) -> bool {
        use Question::{Below, Contradicts, Direct, Linked, StandsFor};
        match (self, other) {
            (Below(one), Below(two)) | (Contradicts(one), Contradicts(two)) => {
                std::ptr::eq(one, two)
            }
            (Linked(one), Linked(two)) | (Direct(one), Direct(two)) => std::ptr::eq(one, two),
            (StandsFor(one, name), StandsFor(two, other)) => {
                std::ptr::eq(one, two) && name == other
            }
            _ => false,
        }
    }

    fn wanted(self) -> &'s Node {
        match self {
            Question::Below(wanted) | Question::Contradicts(wanted) => wanted,
            Question::Linked(wanted)
            | Question::StandsFor(wanted, _)
            | Question::Direct(wanted) => &wanted.node,
        }
    }

    fn regards(self, link: Link<'_>) -> Regard {
        let says = match self {
            Question::Contradicts(_) => Says::No,
            Question::Below(wanted) => match link.called(wanted) {
                Says::Provider => Says::No,
                says => says,
            },
            Question::Linked(wanted) => link.called(&wanted.node),
            Question::StandsFor(wanted, name) => {
                (link.called(&wanted.node) != Says::No && link.stands_for(name)).into()
            }
            Question::Direct(wanted) => link.direct(wanted),
        };
        let (follows, is_own) = match self {
            Question::Below(_) | Question::Contradicts(_) => (true, true),
            Question::Linked(_) | Question::StandsFor(..) => {
                (link.is_linked_or_run(), link.deptypes.intersects(Deptypes::BUILD))
            }
            Question::Direct(_) => (false, true),
        };
        Regard { says, follows, is_own }
    }
}

impl<'s> Memory<'s> {
    fn new<G: IndexedGraph + ?Sized>(question: Question<'s>, graph: &G) -> Memory<'s> {
        let nodes = match question {
            Question::Direct(_) => 0,
            _ => graph.node_count(),
        };
        Memory {
            question,
            links: (0..graph.link_count()).map(|link| question.regards(graph.link(link))).collect(),
            kinds: vec![None; graph.kind_count()],
            known: vec![Learnt::NOTHING; nodes],
            done: 0,
            asks_beyond_kind: node::asks_beyond_kind(question.wanted()),
        }
    }
}

impl<'s, G: IndexedGraph + ?Sized> Matcher<'s, G> {
    /// Returns the answer from everything below a node; for [`Question::Contradicts`], including the node itself.
    pub(super) fn ask(&mut self, question: Question<'s>, node: G::Node) -> Satisfies {
        self.known(question, node).below
    }

    /// Like [`ask`](Self::ask), but includes the edges that count for the node alone: for a question along link and run
    /// dependencies, those to its build dependencies.
    pub(super) fn ask_own(&mut self, question: Question<'s>, node: G::Node) -> Satisfies {
        self.known(question, node).own
    }

    /// Answers a question for each node, by its [index](IndexedGraph::index), as [`ask_own`](Self::ask_own) does. The
    /// order must be complete. `None` while the question is being answered.
    pub(super) fn ask_own_of_all(
        &mut self,
        question: Question<'s>,
    ) -> Option<impl Iterator<Item = Satisfies>> {
        let place = self.place(question);
        let mut memory = self.memories[place].1.take()?;
        self.evaluate_order(&mut memory);
        let memory = self.memories[place].1.insert(memory);
        Some(memory.known.iter().map(|learnt| learnt.own))
    }

    fn known(&mut self, question: Question<'s>, node: G::Node) -> Learnt {
        let place = self.place(question);
        if let Some(memory) = &self.memories[place].1
            && self.order.is_complete
            && memory.done == self.order.nodes.len()
        {
            return memory.known[self.graph.index(node)];
        }
        // Taken out while in use, because looking at a node may ask another question.
        let Some(mut memory) = self.memories[place].1.take() else { return Learnt::NOTHING };
        let known = if let Question::Direct(_) = question {
            self.look_at(&mut memory, node)
        } else {
            self.order.add(self.graph, node, self.looks_everywhere);
            self.evaluate_order(&mut memory);
            memory.known[self.graph.index(node)]
        };
        self.memories[place].1 = Some(memory);
        known
    }

    /// Returns the place of a question's memory.
    fn place(&mut self, question: Question<'s>) -> usize {
        match self.memories.iter().position(|(known, _)| known.is(question)) {
            Some(place) => place,
            None => {
                let memory = Box::new(Memory::new(question, self.graph));
                self.memories.push((question, Some(memory)));
                self.memories.len() - 1
            }
        }
    }

    /// Evaluates the remaining nodes of the order.
    fn evaluate_order(&mut self, memory: &mut Memory<'s>) {
        while let Some(&next) = self.order.nodes.get(memory.done) {
            memory.known[self.graph.index(next)] = self.look_at(memory, next);
            memory.done += 1;
        }
    }

    /// Evaluates a node and its edges, given what is known about the nodes below.
    fn look_at(&mut self, memory: &mut Memory<'s>, node: G::Node) -> Learnt {
        let graph = self.graph;
        if let Question::Contradicts(wanted) = memory.question {
            let kind = &mut memory.kinds[graph.kind(node)];
            let stands_against = kind.get_or_insert_with(|| {
                let mut asked = wanted.variants.iter().filter(|asked| asked.propagate);
                asked.any(|asked| !asked.matches(graph.variant(node, &asked.name))).into()
            });
            if stands_against.is_yes() {
                return Learnt { below: Satisfies::Yes, own: Satisfies::Yes };
            }
        }
        let cannot_tell = Satisfies::CannotTell(MissingData::Dependencies);
        let Some(edges) = graph.dependencies(node) else {
            return Learnt { below: cannot_tell, own: cannot_tell };
        };
        let (mut below, mut own) = (Satisfies::No, Satisfies::No);
        for edge in edges {
            let regard = memory.links.as_slice()[edge.link];
            if regard.says != Says::No {
                let found = self.edge(memory, regard.says, edge);
                match regard.follows {
                    true => below = below.or(found),
                    false if regard.is_own => own = own.or(found),
                    false => {}
                }
            }
            if regard.follows {
                let known = memory.known.as_slice();
                let further = edge.node.map(|child| known[graph.index(child)].below);
                below = below.or(further.unwrap_or(cannot_tell));
            }
            if below == Satisfies::Yes || own == Satisfies::Yes && memory.known.is_empty() {
                break;
            }
        }
        Learnt { below, own: own.or(below) }
    }

    /// Evaluates an edge that has the right name, ignoring everything below its lower end.
    fn edge(&mut self, memory: &mut Memory<'s>, says: Says, edge: Edge<G::Node>) -> Satisfies {
        let graph = self.graph;
        let wanted = memory.question.wanted();
        match (says, edge.node) {
            (Says::No, _) => Satisfies::No,
            (Says::Yes, _) => Satisfies::Yes,
            (Says::Provider, node) => as_provider(graph, node, wanted),
            (Says::Node, None) if wanted.is_bare_name() => Satisfies::Yes,
            (Says::Node, None) => Satisfies::CannotTell(MissingData::Dependencies),
            (Says::Node, Some(node)) => {
                let dialect = self.spec.dialect;
                let kind = &mut memory.kinds[graph.kind(node)];
                let kind =
                    kind.get_or_insert_with(|| node::kind_matches(graph, node, wanted, dialect));
                match *kind {
                    Satisfies::No => Satisfies::No,
                    kind if !memory.asks_beyond_kind => kind,
                    kind => kind.and(self.beyond_kind(node, wanted)),
                }
            }
        }
    }
}
