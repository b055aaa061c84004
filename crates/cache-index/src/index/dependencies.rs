//! Which builds depend on which, in a separate part of the index.
//!
//! A build has ten to sixty dependencies, and most visits look at none. So they are stored in few numbers, four bytes
//! per edge: builds that need the same packages for the same purposes share a *shape*, a list of *links* (package,
//! deptypes, virtuals), and only the target of each link is stored for each edge. The inverse, from a build to its
//! dependents, is computed when it is first needed. As compressed text they take [2 to 4 bytes per build](super::json).
//!
//! A dependency can refer to a hash that no build in the cache has: it is kept as [unknown](EdgeTarget::Unknown). So is
//! a dependency whose hash belongs to a build of another package than the one it names.

use std::ops::Range;
use std::sync::OnceLock;

use super::{BuildId, Index, ValueCode};
use crate::build::{Dependency, Deptypes, Hash, is_needed_to_run};
use crate::facet::Facet;
use crate::sorting;

/// A dependency as seen from the dependent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge<'i> {
    /// The package depended on.
    pub package: &'i str,
    /// The build depended on.
    pub target: EdgeTarget<'i>,
    /// Why it is needed.
    pub deptypes: Deptypes,
    /// The virtual packages that it provides, sorted.
    pub virtuals: &'i [String],
}

impl Edge<'_> {
    /// Returns `true` if it is needed after the build, not only to build or test.
    pub fn is_needed_to_run(&self) -> bool {
        is_needed_to_run(self.deptypes)
    }
}

/// The target of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeTarget<'i> {
    /// A spec of this cache, with a binary or without.
    Build(BuildId),
    /// A spec that is not in this cache.
    Unknown {
        /// Its package.
        package: &'i str,
        /// Its hash.
        hash: Hash,
    },
}

/// The purposes of a dependency, and the virtual packages that it provides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    /// The purposes.
    pub deptypes: Deptypes,
    /// The virtual packages, sorted.
    pub virtuals: Vec<String>,
}

/// Package and kind of an edge, as codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    /// In the dictionary of packages, continued by [`Dependencies::further`].
    pub package: u32,
    /// The position of the kind in [`Dependencies::kinds`].
    pub kind: u32,
}

/// All edges of a cache.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    /// Packages without a build in the cache, sorted.
    pub further: Vec<String>,
    /// Sorted.
    pub kinds: Vec<Kind>,
    /// Sorted.
    pub links: Vec<Link>,
    /// Distinct lists of links, each ascending; in the order in which builds first have them.
    pub shapes: Vec<Vec<u32>>,
    /// By build: the position of its shape in `shapes`. The shape of builds that do not list their
    /// dependencies is empty.
    pub shape: Vec<u32>,
    /// By build: its first edge; one more entry than there are builds.
    pub starts: Vec<u32>,
    /// By edge: a build, or the number of builds plus a position in `unknown`.
    pub targets: Vec<u32>,
    /// Package and hash, sorted.
    pub unknown: Vec<(u32, Hash)>,
    dependents: OnceLock<Dependents>,
    in_order: OnceLock<Vec<BuildId>>,
    below: OnceLock<Vec<u8>>,
}

/// The inverse of the edges.
#[derive(Clone, Debug)]
struct Dependents {
    /// By build: its first edge in `edges`; one more entry than there are builds.
    starts: Vec<u32>,
    /// The edges that point to each build, by dependent.
    edges: Vec<u32>,
}

impl Dependencies {
    pub(crate) fn new(
        further: Vec<String>,
        kinds: Vec<Kind>,
        links: Vec<Link>,
        shapes: Vec<Vec<u32>>,
        shape: Vec<u32>,
        targets: Vec<u32>,
        unknown: Vec<(u32, Hash)>,
    ) -> Dependencies {
        let mut starts = Vec::with_capacity(shape.len() + 1);
        let mut end = 0;
        starts.push(end);
        for &shape in &shape {
            end += shapes[shape as usize].len() as u32;
            starts.push(end);
        }
        let (dependents, in_order, below) = Default::default();
        Dependencies {
            further,
            kinds,
            links,
            shapes,
            shape,
            starts,
            targets,
            unknown,
            dependents,
            in_order,
            below,
        }
    }

    /// Returns the edges of a build as numbers: their links and their targets. A number that is not a build represents
    /// an unknown spec.
    #[inline(always)] // A search asks for the edges of every build.
    pub fn numbers(&self, build: usize) -> (&[u32], &[u32]) {
        (self.links(build), &self.targets[self.edges(build)])
    }

    /// Returns all builds in a fixed order, which is computed when it is first needed.
    pub fn in_order(&self, order: impl FnOnce() -> Vec<BuildId>) -> &[BuildId] {
        self.in_order.get_or_init(order)
    }

    /// Returns what `cache_advice::reuse` keeps for each build about everything it depends on, which is computed when
    /// it is first needed.
    pub fn below(&self, below: impl FnOnce() -> Vec<u8>) -> &[u8] {
        self.below.get_or_init(below)
    }

    /// Returns the number of builds.
    fn builds(&self) -> usize {
        self.shape.len()
    }

    /// Returns the edges of a build.
    #[inline(always)] // As above.
    pub fn edges(&self, build: usize) -> Range<usize> {
        self.starts[build] as usize..self.starts[build + 1] as usize
    }

    /// Returns the links of a build, one for each of its edges.
    #[inline(always)] // As above.
    pub fn links(&self, build: usize) -> &[u32] {
        &self.shapes[self.shape[build] as usize]
    }

    fn dependents(&self) -> &Dependents {
        self.dependents.get_or_init(|| {
            let builds = self.builds();
            let known = |target: &u32| (*target as usize) < builds;
            let mut starts = vec![0; builds + 1];
            for &target in self.targets.iter().filter(|&target| known(target)) {
                starts[target as usize + 1] += 1;
            }
            for build in 0..builds {
                starts[build + 1] += starts[build];
            }
            let mut next = starts.clone();
            let mut edges = vec![0; starts[builds] as usize];
            for (edge, target) in (0..).zip(&self.targets).filter(|(_, target)| known(target)) {
                let place = &mut next[*target as usize];
                edges[*place as usize] = edge;
                *place += 1;
            }
            Dependents { starts, edges }
        })
    }
}

impl Index {
    /// Returns `true` once the dependencies have been loaded, which never happens if this cache [lists
    /// none](Index::lists_any_dependencies).
    pub fn has_dependencies(&self) -> bool {
        self.dependencies.get().is_some()
    }

    /// Returns `true` if any build of this cache lists its dependencies.
    pub fn lists_any_dependencies(&self) -> bool {
        !self.dictionary(Facet::Libc).is_empty()
    }

    /// Returns the direct dependencies of a build, by package; `None` if the build does not list them or they have not
    /// been loaded.
    pub fn dependencies(&self, build: BuildId) -> Option<impl ExactSizeIterator<Item = Edge<'_>>> {
        let all = self.dependencies.get()?;
        let build = self.lists_dependencies(self.row_of(build)).then_some(build.at())?;
        let links = all.links(build);
        Some(all.edges(build).zip(links).map(move |(edge, &link)| self.edge(all, edge, link)))
    }

    /// Returns the builds that directly depend on a build, in the order of the index, each with its edge; `None` if the
    /// dependencies have not been loaded.
    pub fn dependents(
        &self,
        build: BuildId,
    ) -> Option<impl ExactSizeIterator<Item = (BuildId, Edge<'_>)>> {
        let all = self.dependencies.get()?;
        let back = all.dependents();
        let edges = back.starts[build.at()] as usize..back.starts[build.at() + 1] as usize;
        Some(back.edges[edges].iter().map(move |&edge| {
            let dependent = all.starts.partition_point(|&start| start <= edge) - 1;
            let link = all.links(dependent)[(edge - all.starts[dependent]) as usize];
            (BuildId(dependent as u32), self.edge(all, edge as usize, link))
        }))
    }

    fn edge<'i>(&'i self, all: &'i Dependencies, edge: usize, link: u32) -> Edge<'i> {
        let link = all.links[link as usize];
        let kind = &all.kinds[link.kind as usize];
        let package = self.package_or_further(all, link.package);
        let target = all.targets[edge];
        let target = match (target as usize).checked_sub(all.builds()) {
            None => EdgeTarget::Build(BuildId(target)),
            Some(place) => EdgeTarget::Unknown { package, hash: all.unknown[place].1 },
        };
        Edge { package, target, deptypes: kind.deptypes, virtuals: &kind.virtuals }
    }

    /// Returns all edges, once they have been loaded.
    pub fn edges(&self) -> Option<&Dependencies> {
        self.dependencies.get()
    }

    /// Returns the packages that any build depends on, each once; empty until the dependencies have been loaded.
    pub fn depended_on(&self) -> Vec<&str> {
        let Some(all) = self.edges() else { return Vec::new() };
        let packages = all.links.iter().map(|link| self.package_or_further(all, link.package));
        let mut packages: Vec<&str> = packages.collect();
        sorting::sort_and_dedup(&mut packages);
        packages
    }

    /// Returns the name of a package that any build depends on, whether the cache has builds of it or not.
    pub fn package_or_further<'i>(&'i self, all: &'i Dependencies, package: u32) -> &'i str {
        let packages = self.dictionary(Facet::Package);
        match (package as usize).checked_sub(packages.len()) {
            None => packages.text(ValueCode(package)),
            Some(place) => &all.further[place],
        }
    }

    /// Returns the dependencies in full, in the order of [`Build`](crate::build::Build).
    pub fn dependencies_of(&self, build: BuildId) -> Option<Vec<Dependency>> {
        let hash_of = |target| match target {
            EdgeTarget::Build(build) => self.hash(build),
            EdgeTarget::Unknown { hash, .. } => Some(hash),
        };
        let edges = self.dependencies(build)?;
        let mut dependencies: Vec<Dependency> = edges
            .filter_map(|edge| {
                Some(Dependency {
                    package: edge.package.to_owned(),
                    hash: hash_of(edge.target)?,
                    deptypes: edge.deptypes,
                    virtuals: edge.virtuals.to_vec(),
                })
            })
            .collect();
        sorting::sort_by(&mut dependencies, Dependency::cmp);
        Some(dependencies)
    }
}
