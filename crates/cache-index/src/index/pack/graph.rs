//! The dependencies of builds in the numbers of their arrival.
//!
//! An edge is two numbers here: its link (package, deptypes and virtuals, of which a cache has a few
//! thousand) and the hash that it leads to. A cache of a million builds has twenty million edges.

use super::intern::Interner;
use crate::build::{Dependency, Deptypes, Hash};

/// The edges of builds, as they arrive.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// Packages that something depends on.
    pub(super) packages: Interner<String>,
    pub(super) kinds: Interner<Kind>,
    pub(super) links: Interner<Link>,
    /// Hashes that something depends on.
    pub(super) hashes: Interner<Hash>,
    /// By arrival: where the build's edges end; none if it does not list any.
    ends: Vec<(usize, bool)>,
    edges: Vec<(u32, u32)>,
}

/// What a dependency is needed for, and the virtual packages that it stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Kind {
    pub(crate) deptypes: Deptypes,
    pub(crate) virtuals: Vec<String>,
}

/// Package and kind of an edge, as codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Link {
    pub(crate) package: u32,
    pub(crate) kind: u32,
}

impl Graph {
    /// Adds the dependencies of the next build.
    pub(super) fn push(&mut self, dependencies: Option<&[Dependency]>) {
        for dependency in dependencies.unwrap_or_default() {
            let kind =
                Kind { deptypes: dependency.deptypes, virtuals: dependency.virtuals.clone() };
            let link = Link {
                package: self.packages.code(dependency.package.as_str()),
                kind: self.kinds.code(&kind),
            };
            self.edges.push((self.links.code(&link), self.hashes.code(&dependency.hash)));
        }
        self.ends.push((self.edges.len(), dependencies.is_some()));
    }

    /// Links and hashes of a build by its arrival; none if it does not list its dependencies.
    pub(super) fn of(&self, arrival: usize) -> Option<&[(u32, u32)]> {
        let start = if arrival == 0 { 0 } else { self.ends[arrival - 1].0 };
        let (end, listed) = self.ends[arrival];
        listed.then(|| &self.edges[start..end])
    }

    /// All builds in the order of their arrival, as [`of`](Graph::of) gives them.
    pub(super) fn iter(&self) -> impl Iterator<Item = Option<&[(u32, u32)]>> {
        (0..self.ends.len()).map(|arrival| self.of(arrival))
    }
}
