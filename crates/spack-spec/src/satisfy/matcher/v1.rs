//! Dependencies as Spack 1.x resolves them.
//!
//! A `%x` must match one edge of the node before it; a `^x` must match an edge among the link and run dependencies from
//! the root down, or one of the root's own build dependencies. Two surprises: the virtual packages in `%c,cxx=gcc` are
//! alternatives, so one is enough, while those in `^c,cxx=gcc` may be spread over several edges of that name. And for a
//! node written by an older Spack, only the recorded compiler can match a `%x`.

use super::Matcher;
use super::reach::Question;
use crate::Version;
use crate::satisfy::{Compiler, IndexedGraph, MissingData, Satisfies};
use crate::spec::{Dependency, Node};

/// Recorded compilers and the languages that their recipes provide unconditionally. Recipes that require a variant do
/// not count, because a record has no variants. All other compilers provide none.
const STAND_FOR: [(&str, &[&str]); 5] = [
    ("aocc", &["c", "cxx", "fortran"]),
    ("apple-clang", &["c", "cxx"]),
    ("cce", &["c", "cxx", "fortran"]),
    ("fj", &["c", "cxx", "fortran"]),
    ("nvhpc", &["c", "cxx", "fortran"]),
];

impl<'s, G: IndexedGraph + ?Sized> Matcher<'s, G> {
    pub(super) fn dependencies_v1(&mut self, root: G::Node, wanted: &'s Node) -> Satisfies {
        let mut answer = Satisfies::Yes;
        for dependency in &wanted.dependencies {
            answer = answer.and(self.edge_v1(root, wanted.name.as_deref(), dependency));
            for below in &dependency.node.dependencies {
                if answer == Satisfies::No {
                    return answer;
                }
                let parent = dependency.node.name.as_deref();
                answer = answer.and(self.edge_v1(root, parent, below));
            }
        }
        answer
    }

    /// Answers whether an edge matches. The parent is the name of the root or of the dependency after a `^`, if it has one.
    fn edge_v1(
        &mut self,
        root: G::Node,
        parent: Option<&'s str>,
        wanted: &'s Dependency,
    ) -> Satisfies {
        let mut condition = Satisfies::Yes;
        if let Some(when) = &wanted.when {
            let node = match parent {
                Some(name) if name != self.graph.name(root) => self.nearest(root, name).ok(),
                _ => Some(root),
            };
            // If there is no such node, the condition counts as met.
            condition = node.map_or(Satisfies::Yes, |node| self.meets(when, node));
        }
        if condition == Satisfies::No {
            return Satisfies::Yes;
        }
        let answer = if wanted.direct {
            self.direct(root, parent, wanted)
        } else {
            wanted
                .virtuals
                .iter()
                .map(|name| self.ask_own(Question::StandsFor(wanted, name), root))
                .fold(Satisfies::Yes, Satisfies::and)
                .and(self.ask_own(Question::Linked(wanted), root))
        };
        if condition == Satisfies::Yes { answer } else { answer.or(condition) }
    }

    fn direct(
        &mut self,
        root: G::Node,
        parent: Option<&'s str>,
        wanted: &'s Dependency,
    ) -> Satisfies {
        let name = wanted.node.name.as_deref();
        // Spack reads `gcc %gcc` as a compiler built by another compiler, wherever it is written.
        let node = match parent {
            Some(parent) if name != Some(parent) && parent != self.graph.name(root) => {
                match self.nearest(root, parent) {
                    Ok(node) => node,
                    Err(missing) => return missing.map_or(Satisfies::No, Satisfies::CannotTell),
                }
            }
            _ => root,
        };
        match self.graph.compiler(node) {
            Compiler::NotRecorded => Satisfies::No,
            Compiler::Recorded { name, version } => recorded(&wanted.node, name, version),
            Compiler::Dependency => self.ask_own(Question::Direct(wanted), node),
        }
    }
}

/// Answers whether a recorded compiler matches what follows a `%`.
///
/// Only its name and version are known; it satisfies no other constraint.
fn recorded(wanted: &Node, name: &str, version: &Version) -> Satisfies {
    let asks_more = wanted.hash.is_some()
        || wanted.variants.iter().any(|variant| !variant.propagate)
        || !wanted.flags.is_empty()
        || !wanted.architecture.is_any();
    match wanted.name.as_deref() {
        Some(wanted_name) if wanted_name != name => {
            let stands_for = STAND_FOR
                .iter()
                .any(|(known, languages)| *known == name && languages.contains(&wanted_name));
            match stands_for {
                true if wanted.is_bare_name() => Satisfies::Yes,
                true => Satisfies::CannotTell(MissingData::Providers),
                false => Satisfies::No,
            }
        }
        _ => (!asks_more && wanted.versions.matches(version)).into(),
    }
}
