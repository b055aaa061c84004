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
//! | `targets` | of all builds in order, for each link of its shape: the build of that package | [`edges`](crate::index::json::edges) |
//!
//! *Distances* are explained in [`recency`](crate::index::json::recency).
//!
//! Sizes: on three thousand builds of real caches with 7.6 dependencies each, a build takes 3.7 bytes under brotli:
//! `shapes` 1.6, `targets` 1.4, `shape` 0.5, `links` and `kinds` 0.1 each. As package names and hashes it would take
//! 31. Larger caches take less, because shapes repeat: the generated cache of 145,000 builds takes 1.4 bytes per build,
//! 1.1 of them for `targets`. `cache-explorer stats` prints the sizes for any cache.

use serde::{Deserialize, Serialize};

use crate::build::{Deptypes, Hash};
use crate::facet::Facet;
use crate::index::Index;
use crate::index::dependencies::{Dependencies, Kind, Link};
use crate::index::json::edges::EdgeCodec;
use crate::index::json::recency::{from_distances, to_distances};
use crate::index::json::{LoadError, numbers};

#[derive(Serialize, Deserialize)]
pub(in crate::index::json) struct DependenciesDocument {
    packages: Vec<String>,
    kinds: Vec<(u8, Vec<String>)>,
    #[serde(deserialize_with = "numbers::lists")]
    links: Vec<Vec<u32>>,
    #[serde(deserialize_with = "numbers::lists")]
    shapes: Vec<Vec<u32>>,
    #[serde(deserialize_with = "numbers::list")]
    shape: Vec<u32>,
    unknown: Vec<(u32, Vec<String>)>,
    #[serde(deserialize_with = "numbers::list")]
    targets: Vec<u32>,
}

impl DependenciesDocument {
    pub(in crate::index::json) fn new(index: &Index, all: &Dependencies) -> DependenciesDocument {
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
        let mut codec = EdgeCodec::new(index, packages);
        let mut targets = all.targets.clone();
        for_each_edge(&mut codec, all, &mut 0, usize::MAX, |codec, package, edge| {
            targets[edge] = codec.number(&all.unknown, package, all.targets[edge]);
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

    /// Checks everything but the targets.
    fn read(self, index: &Index) -> Result<StartedReading<'_>, LoadError> {
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

        let all = Dependencies::new(
            self.packages,
            kinds,
            links,
            self.shapes,
            shape,
            self.targets,
            unknown,
        );
        Ok(StartedReading { codec: EdgeCodec::new(index, packages), all, place: 0 })
    }
}

/// Reads dependencies in steps, so that a page can answer in between.
pub struct DependenciesReader<'i>(State<'i>);

enum State<'i> {
    /// Nothing has been checked.
    Parsed(&'i Index, Box<DependenciesDocument>),
    Reading(Box<StartedReading<'i>>),
    /// Something was wrong.
    Failed,
}

struct StartedReading<'i> {
    codec: EdgeCodec<'i>,
    /// Complete but for the targets, which are numbers before they have been read.
    all: Dependencies,
    /// How many rows have been read.
    place: usize,
}

impl<'i> DependenciesReader<'i> {
    pub(in crate::index::json) fn new(index: &'i Index, document: DependenciesDocument) -> Self {
        DependenciesReader(State::Parsed(index, Box::new(document)))
    }

    /// Checks what was parsed, or reads at least this many dependencies; returns `true` if all have been read.
    pub fn read(&mut self, edges: usize) -> Result<bool, LoadError> {
        match std::mem::replace(&mut self.0, State::Failed) {
            State::Parsed(index, document) => {
                self.0 = State::Reading(Box::new(document.read(index)?));
                Ok(false)
            }
            State::Reading(mut reading) => {
                let bad = LoadError::BadCode("dependencies.targets");
                let is_done = reading.read(edges).ok_or(bad)?;
                self.0 = State::Reading(reading);
                Ok(is_done)
            }
            State::Failed => Ok(true),
        }
    }

    /// Returns what was read; `None` unless everything has been read.
    pub(in crate::index::json) fn finish(self) -> Option<Dependencies> {
        let State::Reading(reading) = self.0 else { return None };
        reading.codec.row(reading.place).is_none().then_some(reading.all)
    }
}

impl StartedReading<'_> {
    fn read(&mut self, edges: usize) -> Option<bool> {
        let mut targets = std::mem::take(&mut self.all.targets);
        let StartedReading { codec, all, place } = self;
        let is_done = for_each_edge(codec, all, place, edges, |codec, package, edge| {
            targets[edge] = codec.target(&all.unknown, package, targets[edge])?;
            Some(())
        });
        self.all.targets = targets;
        is_done
    }
}

/// Visits dependencies in the order in which they are numbered, each with its package: row by row from `place` on, until
/// at least `edges` have been visited. Returns `true` at the end, and `None` as soon as a visit returns `None`.
fn for_each_edge<'i>(
    codec: &mut EdgeCodec<'i>,
    all: &Dependencies,
    place: &mut usize,
    edges: usize,
    mut visit: impl FnMut(&mut EdgeCodec<'i>, u32, usize) -> Option<()>,
) -> Option<bool> {
    let mut visited = 0;
    while visited < edges {
        let Some(row) = codec.row(*place) else { return Some(true) };
        *place += 1;
        codec.start(row);
        for build in codec.builds(row) {
            for (edge, &link) in all.edges(build).zip(all.links(build)) {
                visit(codec, all.links[link as usize].package, edge)?;
                visited += 1;
            }
        }
    }
    Some(codec.row(*place).is_none())
}

/// Reads the dependencies, unless they have been loaded already.
pub(in crate::index::json) fn take(
    index: &Index,
    document: DependenciesDocument,
) -> Result<(), LoadError> {
    let mut reader = DependenciesReader::new(index, document);
    while !reader.read(usize::MAX)? {}
    index.take_dependencies(reader);
    Ok(())
}
