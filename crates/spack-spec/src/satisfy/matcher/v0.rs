//! Dependencies as Spack before 1.0 resolves them.
//!
//! Any node below the root can satisfy a `^x`, at any depth and with any dependency type. Only virtual packages are
//! searched as Spack 1.x searches for everything: among link and run dependencies, and the root's own build
//! dependencies.

use super::Matcher;
use super::reach::Question;
use crate::satisfy::{IndexedGraph, MissingData, Satisfies};
use crate::spec::Dependency;

impl<'s, G: IndexedGraph + ?Sized> Matcher<'s, G> {
    pub(super) fn dependencies_v0(&mut self, root: G::Node, wanted: &'s [Dependency]) -> Satisfies {
        match self.graph.dependencies(root).map(|mut edges| edges.next().is_none()) {
            None => return Satisfies::CannotTell(MissingData::Dependencies),
            Some(true) => return Satisfies::No,
            Some(false) => {}
        }
        let mut answer = Satisfies::Yes;
        for (at, dependency) in wanted.iter().enumerate() {
            if dependency.node.name.is_none() && !dependency.virtuals.is_empty() {
                return Satisfies::No;
            }
            for wanted in &dependency.virtuals {
                let question = Question::StandsFor(dependency, wanted);
                answer = answer.and(self.ask_own(question, root));
            }
            answer = answer.and(match self.virtual_dependencies[at] {
                true => self.ask_own(Question::Linked(dependency), root),
                false => self.ask(Question::Below(&dependency.node), root),
            });
            if answer == Satisfies::No {
                return answer;
            }
        }
        answer
    }
}
