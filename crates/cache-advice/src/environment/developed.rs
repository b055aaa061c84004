//! The packages that an environment builds from sources on the user's machine (`develop:` in `spack.yaml`).
//!
//! Spack uses these sources wherever the package occurs, so the cache provides neither a build of it nor any that is
//! linked with it or runs it.

use std::collections::BTreeSet;

use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use spack_spec::{Dialect, Spec};

use super::prune::losing;

/// The developed packages, and what depends on them.
#[derive(Clone, Debug)]
pub(super) struct Developed {
    packages: BTreeSet<String>,
    /// By build: `true` if it needs one of them to run; `None` if there are none, or the index lists no dependencies.
    needs: Option<Vec<bool>>,
}

impl Developed {
    /// Looks up the builds of an index that need what an environment develops.
    pub(super) fn new(index: &Index, environment: &Environment) -> Developed {
        let packages: BTreeSet<String> = environment.developed.iter().cloned().collect();
        let needs = (!packages.is_empty() && index.has_dependencies()).then(|| {
            let builds = (0..index.specs()).map(BuildId);
            let package = |build| index.text(index.row_of(build), Facet::Package);
            let is_developed: Vec<bool> =
                builds.map(|build| packages.contains(package(build))).collect();
            losing(index, &is_developed)
        });
        Developed { packages, needs }
    }

    /// Returns `true` if a spec asks for one of the packages.
    pub(super) fn is_package_of(&self, spec: &str) -> bool {
        !self.packages.is_empty()
            && Spec::parse(spec, Dialect::V1)
                .is_ok_and(|spec| spec.root.name.is_some_and(|name| self.packages.contains(&name)))
    }

    /// Returns `true` if a build needs one of the packages to run.
    pub(super) fn is_below(&self, build: BuildId) -> bool {
        self.needs.as_ref().is_some_and(|needs| needs[build.at()])
    }
}
