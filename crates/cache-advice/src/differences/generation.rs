//! The generations of hashes.
//!
//! A new version of Spack's spec format changes what is hashed, so the same build has another hash in it. An environment
//! of one generation finds nothing by hash in a cache of another, even if each of its builds is there.
//!
//! | format | Spack | changes |
//! | --- | --- | --- |
//! | up to 3 | before 0.18 | |
//! | 4 | 0.18 to 0.23 | the recipe and the build dependencies are hashed |
//! | 5 | 1.0 to 1.2 | the compiler is a dependency |
//! | 6 | 1.3 | the virtual packages that a build provides, and the format itself, are hashed |

use std::collections::BTreeSet;
use std::fmt;

use cache_index::build::Build;
use cache_index::index::{Index, RowId};

/// A generation of hashes: the version of the spec format that a hash was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Generation(u32);

impl Generation {
    /// The newest generation in which specs do not name their recipe.
    const WITHOUT_RECIPES: u32 = 3;

    /// Returns the generation of a spec; `None` if its source does not say, as cache pages do not.
    pub fn of(build: &Build) -> Option<Generation> {
        Generation::from_fields(
            build.spec_format,
            build.namespace.is_some(),
            build.package_hash.is_some(),
        )
    }

    /// Returns the generations of the builds of an index that have a binary.
    pub fn all_of(index: &Index) -> BTreeSet<Generation> {
        let rows = (0..index.rows() as u32).map(RowId);
        let generation = |row| {
            let origin = index.origin(row);
            let first = index.builds_of(row).next()?;
            Generation::from_fields(
                origin.spec_format,
                origin.namespace.is_some(),
                index.package_hash(first).is_some(),
            )
        };
        rows.filter(|&row| index.has_binary(row)).filter_map(generation).collect()
    }

    /// Returns the version of the spec format.
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// Returns the generation with this version of the spec format.
    pub(crate) fn of_number(spec_format: u32) -> Generation {
        Generation(spec_format)
    }

    fn from_fields(
        spec_format: Option<u32>,
        is_from_database: bool,
        has_recipe: bool,
    ) -> Option<Generation> {
        // Older formats do not state their version.
        let unstated = Generation::WITHOUT_RECIPES + u32::from(has_recipe);
        spec_format.or_else(|| is_from_database.then_some(unstated)).map(Generation)
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ..=Generation::WITHOUT_RECIPES => f.write_str("Spack before 0.18"),
            4 => f.write_str("Spack 0.18 to 0.23"),
            5 => f.write_str("Spack 1.0 to 1.2"),
            6 => f.write_str("Spack 1.3"),
            newer => write!(f, "a Spack with spec format {newer}"),
        }
    }
}
