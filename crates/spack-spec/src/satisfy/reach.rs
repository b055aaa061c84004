//! Questions about all that lies below a node, asked of many nodes.
//!
//! Builds share most of what they depend on, so what was found out below one is kept for the next:
//! asking about all nodes of a graph looks at each edge a few times, however the nodes hang
//! together. Nothing recurses, so that no chain of dependencies is too long; should the graph have
//! a circle, it is walked once.

use super::{Answer, Edge, Graph, Matcher, Missing};
use crate::Dialect;
use crate::spec::{Dependency, Deptypes, Node};

/// Whether somewhere below a node, over certain edges, there is what is asked for.
#[derive(Clone, Copy)]
pub(super) enum Question<'s> {
    /// A node that is so, over any edges. The Spack before 1.0 looks for dependencies like this.
    Below(&'s Node),
    /// An edge to such a dependency, over what is linked or run.
    Linked(&'s Dependency),
    /// An edge that is called as the dependency is, and stands for the virtual package, over what
    /// is linked or run.
    StandsFor(&'s Dependency, &'s str),
    /// A node that stands against a propagated variant: this one, or any below.
    Contradicts(&'s Node),
}

/// What is known of a node.
#[derive(Clone, Copy)]
enum Known {
    Nothing,
    /// What it is by itself; what lies below is being looked at.
    Begun(Answer),
    All(Answer),
}

/// The answers to one question, by number of node.
pub(super) struct Memory<'s> {
    question: Question<'s>,
    known: Vec<Known>,
}

impl<'s> Question<'s> {
    fn is(self, other: Question<'s>) -> bool {
        use Question::{Below, Contradicts, Linked, StandsFor};
        match (self, other) {
            (Below(one), Below(two)) | (Contradicts(one), Contradicts(two)) => {
                std::ptr::eq(one, two)
            }
            (Linked(one), Linked(two)) => std::ptr::eq(one, two),
            (StandsFor(one, name), StandsFor(two, other)) => {
                std::ptr::eq(one, two) && name == other
            }
            _ => false,
        }
    }

    fn follows(self, deptypes: Deptypes) -> bool {
        match self {
            Question::Below(_) | Question::Contradicts(_) => true,
            Question::Linked(_) | Question::StandsFor(..) => {
                deptypes.intersects(Deptypes::LINK.union(Deptypes::RUN))
            }
        }
    }
}

impl<'s, G: Graph + ?Sized> Matcher<'s, G> {
    /// The answer for what lies below a node, or, for [`Question::Contradicts`], from it down.
    pub(super) fn ask(&mut self, question: Question<'s>, node: G::Node) -> Answer {
        let place = match self.memories.iter().position(|memory| memory.question.is(question)) {
            Some(place) => place,
            None => {
                let known = vec![Known::Nothing; self.graph.node_count()];
                self.memories.push(Memory { question, known });
                self.memories.len() - 1
            }
        };
        // Taken out, because looking at a node may ask another question.
        let mut known = std::mem::take(&mut self.memories[place].known);
        let answer = self.look_down(question, node, &mut known);
        self.memories[place].known = known;
        answer
    }

    /// An edge of the node itself on which a dependency may be found besides: one that is needed
    /// to build it.
    pub(super) fn ask_with_builds(&mut self, question: Question<'s>, node: G::Node) -> Answer {
        let graph = self.graph;
        let mut answer = self.ask(question, node);
        for edge in graph.dependencies(node).into_iter().flatten() {
            if !question.follows(edge.deptypes) && edge.deptypes.intersects(Deptypes::BUILD) {
                answer = answer.or(self.edge(question, &edge));
            }
        }
        answer
    }

    fn look_down(&mut self, question: Question<'s>, root: G::Node, known: &mut [Known]) -> Answer {
        let graph = self.graph;
        let mut left = vec![root];
        while let Some(&node) = left.last() {
            let number = graph.index(node);
            known[number] = match known[number] {
                Known::All(_) => {
                    left.pop();
                    continue;
                }
                Known::Nothing => {
                    let own = self.own(question, node, known, &mut left);
                    // With nothing left to look at below, that is all.
                    let is_last = left.last().is_some_and(|last| graph.index(*last) == number);
                    if is_last { Known::All(own) } else { Known::Begun(own) }
                }
                Known::Begun(own) => Known::All(
                    graph
                        .dependencies(node)
                        .into_iter()
                        .flatten()
                        .filter(|edge| question.follows(edge.deptypes))
                        .filter_map(|edge| match known[graph.index(edge.node?)] {
                            Known::All(below) | Known::Begun(below) => Some(below),
                            Known::Nothing => None,
                        })
                        .fold(own, Answer::or),
                ),
            };
        }
        match known[graph.index(root)] {
            Known::All(answer) | Known::Begun(answer) => answer,
            Known::Nothing => Answer::No,
        }
    }

    /// What a node and its edges say, with what is known below. What is not is left to be looked
    /// at, if it matters.
    fn own(
        &mut self,
        question: Question<'s>,
        node: G::Node,
        known: &[Known],
        left: &mut Vec<G::Node>,
    ) -> Answer {
        let graph = self.graph;
        if let Question::Contradicts(wanted) = question {
            let stands_against = wanted
                .variants
                .iter()
                .any(|asked| asked.propagate && !asked.matches(graph.variant(node, &asked.name)));
            if stands_against {
                return Answer::Yes;
            }
        }
        let Some(edges) = graph.dependencies(node) else {
            return Answer::CannotTell(Missing::Dependencies);
        };
        let mut answer = Answer::No;
        let before = left.len();
        for edge in edges.filter(|edge| question.follows(edge.deptypes)) {
            answer = answer.or(self.edge(question, &edge));
            let below = edge.node.map(|child| (child, known[graph.index(child)]));
            match below {
                None => answer = answer.or(Answer::CannotTell(Missing::Dependencies)),
                Some((_, Known::All(below) | Known::Begun(below))) => answer = answer.or(below),
                Some((child, Known::Nothing)) => left.push(child),
            }
            if answer == Answer::Yes {
                left.truncate(before);
                break;
            }
        }
        answer
    }

    /// What an edge says, without what is below its lower end.
    fn edge(&mut self, question: Question<'s>, edge: &Edge<'_, G::Node>) -> Answer {
        let is_called =
            |wanted: &Node| wanted.name.as_deref().is_none_or(|name| edge.is_called(name));
        match question {
            Question::Contradicts(_) => Answer::No,
            Question::Below(wanted) => match edge.node {
                Some(node) => self.node(node, wanted, Dialect::V0),
                None => Answer::No,
            },
            Question::Linked(wanted) if is_called(&wanted.node) => self.child(edge, &wanted.node),
            Question::StandsFor(wanted, name) => {
                (is_called(&wanted.node) && edge.stands_for(name)).into()
            }
            Question::Linked(_) => Answer::No,
        }
    }
}
