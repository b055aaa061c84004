//! The dependencies of builds, numbered in the order of arrival.
//!
//! An edge is two numbers: its link (package, deptypes and virtuals; a cache has a few thousand) and the hash
//! of its target. A cache of a million builds has twenty million edges.

use std::ops::Range;

use super::Record;
use super::intern::{Interner, sort_values};
use crate::build::{Dependency, Hash};
use crate::index::dependencies::{Dependencies, Kind, Link};
use crate::index::{Dictionary, ValueCode};

/// The edges of builds, as they arrive.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The packages that builds depend on.
    pub(super) packages: Interner<String>,
    pub(super) kinds: Interner<Kind>,
    pub(super) links: Interner<Link>,
    /// The hashes that builds depend on.
    pub(super) hashes: Interner<Hash>,
    /// By arrival: the build's edges; `None` if it does not list any.
    pub(super) ranges: Vec<Option<Range<u32>>>,
    /// Codes of links and hashes, in the order of [`Build::dependencies`](crate::build::Build::dependencies).
    pub(super) edges: Vec<(u32, u32)>,
}

impl Graph {
    /// Adds the dependencies of the next build.
    pub(super) fn push(&mut self, dependencies: Option<&[Dependency]>) {
        let edges = self.edges.len();
        for dependency in dependencies.unwrap_or_default() {
            let edge = (self.link(dependency), self.hashes.code(&dependency.hash));
            self.edges.push(edge);
        }
        self.ranges.push(dependencies.map(|_| edges as u32..self.edges.len() as u32));
    }

    /// Removes the build that was added last.
    pub(super) fn pop(&mut self) {
        if let Some(Some(range)) = self.ranges.pop() {
            self.edges.truncate(range.start as usize);
        }
    }

    /// Replaces a build with the one that was added last.
    pub(super) fn replace_with_last(&mut self, arrival: usize) {
        self.ranges.swap_remove(arrival);
    }

    /// Returns the code of a dependency without its hash.
    pub(super) fn link(&mut self, dependency: &Dependency) -> u32 {
        let kind = Kind { deptypes: dependency.deptypes, virtuals: dependency.virtuals.clone() };
        let package = self.packages.code(dependency.package.as_str());
        let kind = self.kinds.code(&kind);
        self.links.code(&Link { package, kind })
    }

    /// Returns the links and hashes of a build by its arrival; `None` if it does not list its dependencies.
    pub(super) fn of(&self, arrival: usize) -> Option<&[(u32, u32)]> {
        let range = self.ranges[arrival].as_ref()?;
        Some(&self.edges[range.start as usize..range.end as usize])
    }

    /// Iterates over all builds in the order of arrival, with the same items as [`of`](Graph::of).
    pub(super) fn iter(&self) -> impl Iterator<Item = Option<&[(u32, u32)]>> {
        (0..self.ranges.len()).map(|arrival| self.of(arrival))
    }
}

impl Graph {
    /// Converts the edges to the numbers of the index: the codes of its packages, and builds as positions among the
    /// records. `None` if no build lists its dependencies.
    pub(super) fn into_dependencies(
        self,
        records: &[Record],
        packages: &Dictionary,
    ) -> Option<Dependencies> {
        if !self.ranges.iter().any(Option::is_some) {
            return None;
        }
        let mut further: Vec<String> = Vec::new();
        for name in self.packages.by_code() {
            if packages.code(name).is_none() {
                further.push(name.clone());
            }
        }
        further.sort_unstable();
        let package_code = |name: &String| match packages.code(name) {
            Some(ValueCode(code)) => code,
            None => (packages.len() + further.partition_point(|other| other < name)) as u32,
        };
        let new_package: Vec<u32> = self.packages.by_code().into_iter().map(package_code).collect();
        let kinds: Vec<Kind> = self.kinds.by_code().into_iter().cloned().collect();
        let (kinds, new_kind) = sort_values(kinds);
        let links = self.links.by_code().into_iter().map(|link| Link {
            package: new_package[link.package as usize],
            kind: new_kind[link.kind as usize],
        });
        let (links, new_link) = sort_values(links.collect());

        let hashes: Vec<Hash> = self.hashes.by_code().into_iter().copied().collect();
        let mut build_of = vec![None; hashes.len()];
        for (build, record) in (0..).zip(records) {
            if let Some(hash) = self.hashes.get(&record.hash) {
                build_of[hash as usize] = Some(build);
            }
        }
        // A target is known if it is a build of the package that the edge names.
        let known = |link: u32, hash: u32| -> Option<u32> {
            let build: u32 = build_of[hash as usize]?;
            let package = links[new_link[link as usize] as usize].package;
            (records[build as usize].package == package).then_some(build)
        };
        let unknown_of = |link: u32, hash: u32| {
            (links[new_link[link as usize] as usize].package, hashes[hash as usize])
        };
        let mut unknown: Vec<(u32, Hash)> = self
            .edges
            .iter()
            .filter(|&&(link, hash)| known(link, hash).is_none())
            .map(|&(link, hash)| unknown_of(link, hash))
            .collect();
        unknown.sort_unstable();
        unknown.dedup();

        let mut shapes: Interner<Vec<u32>> = Interner::default();
        let mut shape = Vec::with_capacity(records.len());
        let mut targets = Vec::with_capacity(self.edges.len());
        let (mut edges, mut shape_of_build) = (Vec::new(), Vec::new());
        for record in records {
            let old = self.of(record.arrival as usize).unwrap_or_default();
            edges.clear();
            edges.extend(old.iter().map(|&(link, hash)| {
                let target = known(link, hash).unwrap_or_else(|| {
                    let of = unknown_of(link, hash);
                    (records.len() + unknown.partition_point(|other| *other < of)) as u32
                });
                (new_link[link as usize], target)
            }));
            edges.sort_unstable();
            shape_of_build.clear();
            shape_of_build.extend(edges.iter().map(|(link, _)| *link));
            shape.push(shapes.code(shape_of_build.as_slice()));
            targets.extend(edges.iter().map(|(_, target)| *target));
        }
        let shapes = shapes.into_values();
        Some(Dependencies::new(further, kinds, links, shapes, shape, targets, unknown))
    }
}
