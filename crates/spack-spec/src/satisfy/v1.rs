//! Dependencies as Spack 1.x finds them.
//!
//! A `%x` must be met by one edge of the node before it; a `^x` by one of those that [`Closure`]
//! has. Two surprises: the virtual packages in `%c,cxx=gcc` are alternatives, one of them is
//! enough; those in `^c,cxx=gcc` may be spread over several edges of that name. And of a node that
//! an older Spack wrote nothing but the recorded compiler is looked at for `%x`.

use super::closure::Closure;
use super::{Answer, Compiler, Edge, Graph, Missing, satisfies};
use crate::spec::{Dependency, Node};
use crate::{Dialect, Version};

/// Recorded compilers, by their names, of which recipes say for which languages they stand without
/// asking for a variant, which a record does not have. All others stand for none.
const STAND_FOR: [(&str, &[&str]); 5] = [
    ("aocc", &["c", "cxx", "fortran"]),
    ("apple-clang", &["c", "cxx"]),
    ("cce", &["c", "cxx", "fortran"]),
    ("fj", &["c", "cxx", "fortran"]),
    ("nvhpc", &["c", "cxx", "fortran"]),
];

pub(super) fn dependencies<G: Graph + ?Sized>(graph: &G, root: G::Node, wanted: &Node) -> Answer {
    let search = Search { graph, root, name: wanted.name.as_deref() };
    let mut closure = None;
    let mut answer = Answer::Yes;
    for dependency in &wanted.dependencies {
        answer = answer.and(search.edge(None, dependency, &mut closure));
        for below in &dependency.node.dependencies {
            if answer == Answer::No {
                return answer;
            }
            let parent = dependency.node.name.as_deref();
            answer = answer.and(search.edge(Some(parent), below, &mut closure));
        }
    }
    answer
}

/// A root, and what the spec calls it.
struct Search<'a, G: Graph + ?Sized> {
    graph: &'a G,
    root: G::Node,
    name: Option<&'a str>,
}

impl<'a, G: Graph + ?Sized> Search<'a, G> {
    /// Whether an edge is as asked. The parent is the root, or what a `^` names, if it has a name.
    fn edge(
        &self,
        parent: Option<Option<&str>>,
        wanted: &Dependency,
        closure: &mut Option<Closure<'a, G::Node>>,
    ) -> Answer {
        let parent_name = parent.unwrap_or(self.name);
        let condition = wanted.when.as_ref().map_or(Answer::Yes, |when| {
            let node = match parent_name {
                Some(name) if name != self.graph.name(self.root) => self.find(name, closure),
                _ => Some(self.root),
            };
            // Where there is no such node, the condition is as good as met.
            node.map_or(Answer::Yes, |node| satisfies(self.graph, node, when))
        });
        if condition == Answer::No {
            return Answer::Yes;
        }
        let answer = if wanted.direct {
            self.direct(parent_name, wanted, closure)
        } else {
            self.transitive(wanted, closure)
        };
        if condition == Answer::Yes { answer } else { answer.or(condition) }
    }

    fn direct(
        &self,
        parent: Option<&str>,
        wanted: &Dependency,
        closure: &mut Option<Closure<'a, G::Node>>,
    ) -> Answer {
        let name = wanted.node.name.as_deref();
        // Spack takes `gcc %gcc` for a compiler that was built by another, wherever it stands.
        let node = match parent {
            Some(parent) if name != Some(parent) && parent != self.graph.name(self.root) => {
                match self.find(parent, closure) {
                    Some(node) => node,
                    None => {
                        let missing = closure.as_ref().and_then(|closure| closure.missing);
                        return Answer::No.unless_incomplete(missing);
                    }
                }
            }
            _ => self.root,
        };
        match self.graph.compiler(node) {
            Compiler::NotRecorded => Answer::No,
            Compiler::Recorded { name, version } => recorded(&wanted.node, name, version),
            Compiler::Dependency => {
                let Some(edges) = self.graph.dependencies(node) else {
                    return Answer::CannotTell(Missing::Dependencies);
                };
                let virtuals = &wanted.virtuals;
                edges
                    .filter(|edge| {
                        name.is_none_or(|name| edge.is_called(name))
                            && edge.deptypes.contains(wanted.deptypes)
                            && (virtuals.is_empty()
                                || virtuals.iter().any(|name| edge.stands_for(name)))
                    })
                    .map(|edge| self.child(&edge, &wanted.node))
                    .fold(Answer::No, Answer::or)
            }
        }
    }

    fn transitive(
        &self,
        wanted: &Dependency,
        closure: &mut Option<Closure<'a, G::Node>>,
    ) -> Answer {
        let closure = closure.get_or_insert_with(|| Closure::of(self.graph, self.root));
        let name = wanted.node.name.as_deref();
        let stand_for = |wanted: &String| closure.named(name).any(|edge| edge.stands_for(wanted));
        Answer::from(wanted.virtuals.iter().all(stand_for))
            .and(
                closure
                    .named(name)
                    .map(|edge| self.child(edge, &wanted.node))
                    .fold(Answer::No, Answer::or),
            )
            .unless_incomplete(closure.missing)
    }

    /// Whether the lower end of an edge, which has the right name, is as asked.
    fn child(&self, edge: &Edge<'_, G::Node>, wanted: &Node) -> Answer {
        match edge.node {
            _ if wanted.name.as_deref().is_some_and(|name| name != edge.package) => {
                edge.as_provider(self.graph, wanted)
            }
            Some(node) => self.graph.matches(node, wanted, Dialect::V1),
            None if wanted.is_bare_name() => Answer::Yes,
            None => Answer::CannotTell(Missing::Dependencies),
        }
    }

    /// The node that Spack takes for a name: the nearest.
    fn find(&self, name: &str, closure: &mut Option<Closure<'a, G::Node>>) -> Option<G::Node> {
        let closure = closure.get_or_insert_with(|| Closure::of(self.graph, self.root));
        closure.named(Some(name)).find_map(|edge| edge.node)
    }
}

/// Whether a recorded compiler is what is asked for after a `%`.
///
/// It is known by name and version; whatever else is asked, it does not have.
fn recorded(wanted: &Node, name: &str, version: &Version) -> Answer {
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
                true if wanted.is_bare_name() => Answer::Yes,
                true => Answer::CannotTell(Missing::Providers),
                false => Answer::No,
            }
        }
        _ => (!asks_more && wanted.versions.matches(version)).into(),
    }
}
