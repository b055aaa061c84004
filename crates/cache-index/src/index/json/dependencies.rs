//! The dependencies as JSON: a separate part, because it is larger than all columns together and most
//! visits do not need it.
//!
//! Packages are codes of `values.package`, continued by `packages`.
//!
//! | field | meaning | shape |
//! | --- | --- | --- |
//! | `packages` | packages that builds depend on and that have no build in the cache, sorted | strings |
//! | `kinds` | the purposes of a dependency (1 build, 2 link, 4 run, 8 test, added up) and the virtual packages that it provides | pairs, sorted |
//! | `links` | by package: the `kinds` in which builds depend on it; numbered across all packages, these are links | lists of codes, ascending |
//! | `shapes` | distinct lists of links, in the order in which builds first have them | lists of codes, ascending |
//! | `shape` | by build → `shapes`; an empty shape for a build that does not list its dependencies | *distances* |
//! | `unknown` | hashes that builds depend on and that are not in the cache, by package | pairs of package and hashes, ascending |
//! | `targets` | of all builds in order, for each link of its shape: the build of that package | [`nearby`](super::nearby) |
//!
//! *Distances* are explained in [`met`](super::met).
//!
//! Sizes: on three thousand builds of real caches with 7.6 dependencies each, a build takes 3.7 bytes under brotli:
//! `shapes` 1.6, `targets` 1.4, `shape` 0.5, `links` and `kinds` 0.1 each. As package names and hashes it would take
//! 31. Larger caches take less, because shapes repeat: the generated cache of 145,000 builds takes 1.4 bytes per build,
//! of which `targets` take 1.1. `cache-explorer stats` prints the sizes for any cache.

use serde::{Deserialize, Serialize};

use super::LoadError;
use super::met::{from_distances, to_distances};
use super::nearby::Nearby;
use crate::build::{Deptypes, Hash};
use crate::facet::Facet;
use crate::index::Index;
use crate::index::dependencies::{Dependencies, Kind, Link};

#[derive(Serialize, Deserialize)]
pub(super) struct DependenciesDocument {
    packages: Vec<String>,
    kinds: Vec<(u8, Vec<String>)>,
    links: Vec<Vec<u32>>,
    shapes: Vec<Vec<u32>>,
    shape: Vec<u32>,
    unknown: Vec<(u32, Vec<String>)>,
    targets: Vec<u32>,
}

impl DependenciesDocument {
    pub(super) fn new(index: &Index, all: &Dependencies) -> DependenciesDocument {
        let packages = index.dictionary(Facet::Package).len() + all.further.len();
        let mut links = vec![Vec::new(); packages];
        for link in &all.links {
            links[link.package as usize].push(link.kind);
        }
        let mut unknown: Vec<(u32, Vec<String>)> = Vec::new();
        for (package, hash) in &all.unknown {
            match unknown.last_mut() {
                Some((last, hashes)) if last == package => hashes.push(hash.to_string()),
                _ => unknown.push((*package, vec![hash.to_string()])),
            }
        }
        let mut nearby = Nearby::new(index, &all.unknown);
        let mut targets = Vec::with_capacity(all.targets.len());
        for_each_build(index, all.shape.len(), |build, row| {
            let setting = nearby.setting(row);
            for &link in all.links(build) {
                let package = all.links[link as usize].package;
                let target = all.targets[targets.len()];
                targets.push(nearby.number(package, setting, target));
            }
            Some(())
        });
        DependenciesDocument {
            packages: all.further.clone(),
            kinds: all
                .kinds
                .iter()
                .map(|kind| (kind.deptypes.bits(), kind.virtuals.clone()))
                .collect(),
            links,
            shapes: all.shapes.clone(),
            shape: to_distances(&all.shape),
            unknown,
            targets,
        }
    }

    pub(super) fn read(self, index: &Index) -> Result<Dependencies, LoadError> {
        let packages = index.dictionary(Facet::Package).len() + self.packages.len();
        let kinds: Option<Vec<Kind>> = self
            .kinds
            .into_iter()
            .map(|(bits, virtuals)| {
                Deptypes::from_bits(bits).map(|deptypes| Kind { deptypes, virtuals })
            })
            .collect();
        let kinds = kinds.ok_or(LoadError::BadCode("dependencies.kinds"))?;

        if self.links.len() != packages {
            return Err(LoadError::UnequalColumns("dependencies.links"));
        }
        let mut links = Vec::new();
        for (package, of_package) in (0..).zip(self.links) {
            links.extend(of_package.into_iter().map(|kind| Link { package, kind }));
        }
        if links.iter().any(|link| link.kind as usize >= kinds.len()) {
            return Err(LoadError::BadCode("dependencies.links"));
        }
        if self.shapes.iter().flatten().any(|&link| link as usize >= links.len()) {
            return Err(LoadError::BadCode("dependencies.shapes"));
        }

        let builds = index.specs() as usize;
        if self.shape.len() != builds {
            return Err(LoadError::UnequalColumns("dependencies.shape"));
        }
        let shape = from_distances(&self.shape, self.shapes.len())
            .ok_or(LoadError::BadCode("dependencies.shape"))?;
        let edges: u64 = shape.iter().map(|&shape| self.shapes[shape as usize].len() as u64).sum();
        if edges != self.targets.len() as u64 {
            return Err(LoadError::UnequalColumns("dependencies.targets"));
        }

        let mut unknown = Vec::new();
        for (package, hashes) in self.unknown {
            for hash in hashes {
                unknown.push((package, hash.parse::<Hash>().map_err(LoadError::BadUnknownHash)?));
            }
        }
        let in_order = unknown.is_sorted_by(|a, b| a < b)
            && unknown.last().is_none_or(|(package, _)| (*package as usize) < packages)
            && u32::try_from(builds as u64 + unknown.len() as u64).is_ok();
        if !in_order {
            return Err(LoadError::BadCode("dependencies.unknown"));
        }

        let mut nearby = Nearby::new(index, &unknown);
        let mut numbers = self.targets.iter();
        let mut targets = Vec::with_capacity(self.targets.len());
        for_each_build(index, builds, |build, row| {
            let setting = nearby.setting(row);
            let shape = &self.shapes[shape[build] as usize];
            for (&link, &number) in shape.iter().zip(&mut numbers) {
                let package = links[link as usize].package;
                targets.push(nearby.target(package, setting, number)?);
            }
            Some(())
        })
        .ok_or(LoadError::BadCode("dependencies.targets"))?;
        Ok(Dependencies::new(self.packages, kinds, links, self.shapes, shape, targets, unknown))
    }
}

/// Visits all builds in order, each with its row, until one returns `None`.
fn for_each_build(
    index: &Index,
    builds: usize,
    mut visit: impl FnMut(usize, usize) -> Option<()>,
) -> Option<()> {
    let mut row = 0;
    for build in 0..builds {
        while index.rows.build_start[row + 1] as usize <= build {
            row += 1;
        }
        visit(build, row)?;
    }
    Some(())
}
