//! Moving all builds of an index, each with what it is linked with or runs.

use std::cell::RefCell;
use std::collections::HashMap;

use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};

use super::Destination;
use super::needed::{AnswersBelow, NeededSpec, needed};
use super::rule::{Obstacle, Relocation, relocate, relocate_by_room};
use crate::binaries::{Binaries, whole};

/// Where the builds of an index can be moved to.
pub struct Relocations<'m> {
    index: &'m Index,
    binaries: Binaries<'m>,
    to: &'m Destination,
    alone: RefCell<HashMap<u32, Relocation>>,
    with_needed: AnswersBelow<Relocation>,
}

impl<'m> Relocations<'m> {
    /// Returns the answers for an install tree.
    pub fn new(index: &'m Index, binaries: Binaries<'m>, to: &'m Destination) -> Relocations<'m> {
        Relocations {
            index,
            binaries,
            to,
            alone: RefCell::default(),
            with_needed: AnswersBelow::default(),
        }
    }

    /// Decides whether a build can be moved together with all that it is linked with or runs.
    pub fn of(&self, build: BuildId) -> Relocation {
        self.with_needed.of(self.index, build, |build, below| self.worst(build, below))
    }

    /// Returns the worst of a build's own answer and those of what it needs, which are known.
    fn worst(&self, build: BuildId, below: &dyn Fn(BuildId) -> Option<Relocation>) -> Relocation {
        let mut worst = self.alone(build);
        if self.index.dependencies(build).is_none() && matches!(worst, Relocation::Yes { .. }) {
            return Relocation::Unknown(Obstacle::UnknownDependencies);
        }
        for needed in needed(self.index, build) {
            let lower = match needed {
                // Dependencies in a circle are reported elsewhere.
                NeededSpec::Build(lower) => below(lower),
                NeededSpec::Unlisted(..) => Some(Relocation::Unknown(Obstacle::NotInCache)),
            };
            let because = |obstacle| self.because(needed, obstacle);
            worst = match (worst, lower) {
                (Relocation::No(obstacle), _) => return Relocation::No(obstacle),
                (_, Some(Relocation::No(obstacle))) => return Relocation::No(because(obstacle)),
                (Relocation::Yes { .. }, Some(Relocation::Unknown(obstacle))) => {
                    Relocation::Unknown(because(obstacle))
                }
                (Relocation::Yes { .. }, Some(Relocation::Yes { needs_patchelf: true })) => {
                    Relocation::Yes { needs_patchelf: true }
                }
                (worst, _) => worst,
            };
        }
        worst
    }

    /// Returns an obstacle to moving what a build needs as an obstacle to moving the build.
    fn because(&self, needed: NeededSpec<'_>, obstacle: Obstacle) -> Obstacle {
        if matches!(obstacle, Obstacle::Dependency { .. } | Obstacle::RootTooLong { .. }) {
            return obstacle;
        }
        let (package, hash) = match needed {
            NeededSpec::Build(lower) => {
                let package = self.index.text(self.index.row_of(lower), Facet::Package);
                (package, self.index.hash(lower))
            }
            NeededSpec::Unlisted(package, hash) => (package, Some(hash)),
        };
        Obstacle::Dependency { package: package.to_owned(), hash, obstacle: Box::new(obstacle) }
    }

    /// Decides whether a build can be moved, whatever it depends on.
    pub fn alone(&self, build: BuildId) -> Relocation {
        if let Some(known) = self.alone.borrow().get(&build.0) {
            return known.clone();
        }
        let outcome = match self.binaries {
            Binaries::Inspected(facts) => whole(facts, self.index, build)
                .map(|facts| relocate(facts, self.to, |hash| self.new_prefix(hash))),
            Binaries::InIndex(by_build) => {
                by_build.room(build).map(|room| relocate_by_room(room, self.to))
            }
        };
        let outcome = outcome.unwrap_or_else(|| {
            Relocation::Unknown(match self.index.has_binary(self.index.row_of(build)) {
                true => Obstacle::NoFacts,
                false => Obstacle::NotInCache,
            })
        });
        self.alone.borrow_mut().insert(build.0, outcome.clone());
        outcome
    }

    /// Returns the prefix of a build in the install tree.
    fn new_prefix(&self, hash: Hash) -> Option<String> {
        let build = self.index.find(hash)?;
        let relative = self.index.path_in_tree(build, self.to.spack.tree_layout())?;
        Some(self.to.prefix(&relative))
    }
}
