//! How a build was made, apart from what can be searched for: the fields in which nearly all builds of a cache agree.

use serde::{Deserialize, Serialize};

use crate::build::{Build, CompilerSource, FoundAt, Hash};

/// Where a build's recipe and compiler were read from, and what else is known about how it was made.
///
/// A cache has few distinct origins. Pages do not describe them, so builds from pages all have the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// The repository of the recipe: [`Build::namespace`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// `true` if Spack found it on the machine: [`Build::external`].
    #[serde(skip_serializing_if = "is_default")]
    pub external: bool,
    /// Where on the machine it was found: [`Build::found_at`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_at: Option<FoundAt>,
    /// The build that it was spliced from: [`Build::spliced_from`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spliced_from: Option<Hash>,
    /// Where the compiler was read from: [`Build::compiler_source`].
    #[serde(skip_serializing_if = "is_default")]
    pub compiler_source: CompilerSource,
    /// The version of the spec format: [`Build::spec_format`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec_format: Option<u32>,
    /// The virtual packages that it provides: [`Build::provided_virtuals`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provided_virtuals: Option<Vec<String>>,
    /// Compiler flags by name: [`Build::flags`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<(String, Vec<String>)>,
}

impl Origin {
    /// Returns the origin of a build.
    pub fn of(build: &Build) -> Origin {
        Origin {
            namespace: build.namespace.clone(),
            external: build.external,
            found_at: build.found_at.clone(),
            spliced_from: build.spliced_from,
            compiler_source: build.compiler_source,
            spec_format: build.spec_format,
            provided_virtuals: build.provided_virtuals.clone(),
            flags: build.flags.clone(),
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
