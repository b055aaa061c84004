//! What was asked for, which no remedy may contradict.

use cache_index::build::Build;
use spack_spec::{Dependency, Dialect, Node, SortedList, Spec};

use super::OwnDifference;
use crate::differences::{Field, FieldEdge, FieldValue};

/// A spec that was asked for, and that has a node in an environment.
pub(super) struct RequestedSpec<'a> {
    pub(super) text: &'a str,
    pub(super) spec: Spec,
}

impl<'a> RequestedSpec<'a> {
    /// Reads a spec as the solver read it; `None` if the text is not a spec.
    pub(super) fn read(text: &'a str) -> Option<RequestedSpec<'a>> {
        Some(RequestedSpec { text, spec: Spec::parse(text, Dialect::V1).ok()? })
    }

    /// Returns the pieces of the spec that rule out its counterpart's value in a difference, so that no requirement can
    /// undo this difference; empty if none does.
    pub(super) fn ruling_out(&self, difference: &OwnDifference, old: &Build) -> Vec<String> {
        let Spec { root, dialect, .. } = &self.spec;
        let text = |root: Node| Spec { dialect: *dialect, root }.to_string();
        match difference.field {
            Field::Version
                if old.version.parse().is_ok_and(|version| !root.versions.matches(&version)) =>
            {
                vec![text(Node { versions: root.versions.clone(), ..Node::default() })]
            }
            Field::Target | Field::Os | Field::Platform
                if !root.architecture.matches(&old.platform, &old.os, &old.target, *dialect) =>
            {
                vec![text(Node { architecture: root.architecture.clone(), ..Node::default() })]
            }
            Field::Variants => {
                let value = old.variants.iter().find(|variant| variant.name == difference.name);
                let value = value.map(|variant| &variant.value);
                let asked = root.variants.iter();
                asked
                    .filter(|asked| asked.name == difference.name && !asked.matches(value))
                    .map(|asked| {
                        let variants = SortedList::from_iter([asked.clone()]);
                        text(Node { variants, ..Node::default() })
                    })
                    .collect()
            }
            Field::Edges => {
                let (FieldValue::Edges(old), FieldValue::Edges(new)) =
                    (&difference.old, &difference.new)
                else {
                    return Vec::new();
                };
                let asked = root.dependencies.iter().filter(|asked| {
                    let is_it = |edge: &FieldEdge| asked.node.name.as_ref() == Some(&edge.package);
                    let only_new = new.iter().any(is_it) && !old.iter().any(is_it);
                    only_new || old.iter().any(|edge| asks_for_other(asked, edge))
                });
                asked
                    .map(|asked| {
                        text(Node { dependencies: vec![asked.clone()], ..Node::default() })
                    })
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Returns `true` if what was asked for rules out this edge: it asks for another version, or for another package that
/// provides the same virtual one.
fn asks_for_other(asked: &Dependency, edge: &FieldEdge) -> bool {
    let is_it = asked.node.name.as_ref() == Some(&edge.package);
    let version = edge.version.as_ref().and_then(|version| version.parse().ok());
    let is_other_version = version.is_some_and(|version| !asked.node.versions.matches(&version));
    let is_in_its_place = asked.virtuals.iter().any(|name| edge.virtuals.contains(name));
    if is_it { is_other_version } else { asked.node.name.is_some() && is_in_its_place }
}
