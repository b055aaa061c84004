//! What was asked for, which no remedy may contradict.

use cache_index::build::Build;
use spack_spec::{Dialect, Spec};

use super::OwnDifference;
use crate::differences::Field;

/// A spec that was asked for, and that an environment has a node for.
pub(super) struct RequestedSpec<'a> {
    pub(super) text: &'a str,
    pub(super) spec: Spec,
}

impl<'a> RequestedSpec<'a> {
    /// Reads a spec as the solver read it; `None` if it is none.
    pub(super) fn read(text: &'a str) -> Option<RequestedSpec<'a>> {
        Some(RequestedSpec { text, spec: Spec::parse(text, Dialect::V1).ok()? })
    }

    /// Returns `true` if the spec rules out what its counterpart has where they differ, so that no requirement undoes that.
    pub(super) fn rules_out(&self, difference: &OwnDifference, old: &Build) -> bool {
        let Spec { root, dialect, .. } = &self.spec;
        match difference.field {
            Field::Version => {
                old.version.parse().is_ok_and(|version| !root.versions.matches(&version))
            }
            Field::Target | Field::Os | Field::Platform => {
                !root.architecture.matches(&old.platform, &old.os, &old.target, *dialect)
            }
            Field::Variants => {
                let value = old.variants.iter().find(|variant| variant.name == difference.name);
                let value = value.map(|variant| &variant.value);
                let mut asked = root.variants.iter();
                asked.any(|asked| asked.name == difference.name && !asked.matches(value))
            }
            _ => false,
        }
    }
}
