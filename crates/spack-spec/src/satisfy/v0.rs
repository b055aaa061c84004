//! Dependencies as Spack before 1.0 finds them.
//!
//! A `^x` may be met by any node below the root, however far, and whatever it is needed for. Only
//! virtual packages are looked for as Spack 1.x looks for all: among what is linked or run, and
//! what the root itself was built with.

use super::reach::Question;
use super::{Answer, Indexed, Matcher, Missing};
use crate::spec::Dependency;

impl<'s, G: Indexed + ?Sized> Matcher<'s, G> {
    pub(super) fn dependencies_v0(&mut self, root: G::Node, wanted: &'s [Dependency]) -> Answer {
        match self.graph.dependencies(root).map(|mut edges| edges.next().is_none()) {
            None => return Answer::CannotTell(Missing::Dependencies),
            Some(true) => return Answer::No,
            Some(false) => {}
        }
        let mut answer = Answer::Yes;
        for (at, dependency) in wanted.iter().enumerate() {
            if dependency.node.name.is_none() && !dependency.virtuals.is_empty() {
                return Answer::No;
            }
            for wanted in &dependency.virtuals {
                let question = Question::StandsFor(dependency, wanted);
                answer = answer.and(self.ask_own(question, root));
            }
            answer = answer.and(match self.virtual_dependencies[at] {
                true => self.ask_own(Question::Linked(dependency), root),
                false => self.ask(Question::Below(&dependency.node), root),
            });
            if answer == Answer::No {
                return answer;
            }
        }
        answer
    }
}
