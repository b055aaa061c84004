//! What was asked for, which no remedy may contradict.

use cache_index::build::Build;
use spack_spec::{Dependency, Dialect, Spec};

use super::OwnDifference;
use crate::differences::{Field, FieldEdge, FieldValue};

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
            Field::Edges => {
                let (FieldValue::Edges(old), FieldValue::Edges(new)) =
                    (&difference.old, &difference.new)
                else {
                    return false;
                };
                root.dependencies.iter().any(|asked| {
                    let is_it = |edge: &FieldEdge| asked.node.name.as_ref() == Some(&edge.package);
                    let only_new = new.iter().any(is_it) && !old.iter().any(is_it);
                    only_new || old.iter().any(|edge| asks_for_other(asked, edge))
                })
            }
            _ => false,
        }
    }
}

/// Returns `true` if a dependency that was asked for is not the one that this edge leads to: another version, or another
/// package for the same virtual one.
fn asks_for_other(asked: &Dependency, edge: &FieldEdge) -> bool {
    let is_it = asked.node.name.as_ref() == Some(&edge.package);
    let version = edge.version.as_ref().and_then(|version| version.parse().ok());
    let is_other_version = version.is_some_and(|version| !asked.node.versions.matches(&version));
    let is_in_its_place = asked.virtuals.iter().any(|name| edge.virtuals.contains(name));
    if is_it { is_other_version } else { asked.node.name.is_some() && is_in_its_place }
}
