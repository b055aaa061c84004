//! Matches builds by the virtual packages that they list as provided.
//!
//! Spack accepts a provided virtual package whose versions overlap with the wanted ones: `mpi@3:` matches a provider of
//! `mpi` and of `mpi@:3.1`, but not of `mpi@2`. For any constraint other than a version, only the recipe has the
//! answer.

use super::{MissingData, Satisfies};
use crate::VersionConstraint;
use crate::spec::Node;

/// Answers whether a node with this list provides the wanted virtual package. The node's hash and dependencies are
/// evaluated elsewhere.
pub(super) fn is_provided(provided: &[String], wanted: &Node) -> Satisfies {
    let name = wanted.name.as_deref().unwrap_or_default();
    let versions = provided.iter().filter_map(|text| match text.split_once('@') {
        Some((known, version)) if known == name => Some(version),
        None if text == name => Some(""),
        _ => None,
    });
    let of_version: Vec<Satisfies> = versions
        .map(|version| match version.parse::<VersionConstraint>() {
            _ if version.is_empty() => Satisfies::Yes,
            Ok(version) => version.intersects(&wanted.versions).into(),
            Err(_) => Satisfies::CannotTell(MissingData::Providers),
        })
        .collect();
    match of_version.into_iter().fold(Satisfies::No, Satisfies::or) {
        Satisfies::Yes if !asks_only_for_a_version(wanted) => {
            Satisfies::CannotTell(MissingData::Providers)
        }
        answer => answer,
    }
}

fn asks_only_for_a_version(wanted: &Node) -> bool {
    let bare = Node { versions: VersionConstraint::any(), hash: None, ..wanted.clone() };
    bare.is_bare_name()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, Spec};

    #[test]
    fn finds_providers_by_name_and_version() {
        #[track_caller]
        fn check(provided: &[&str], wanted: &str, expected: Satisfies) {
            let provided: Vec<String> = provided.iter().map(|text| text.to_string()).collect();
            let spec = Spec::parse(wanted, Dialect::V1).expect("a spec");
            assert_eq!(is_provided(&provided, &spec.root), expected, "{provided:?} {wanted}");
        }
        let cannot_tell = Satisfies::CannotTell(MissingData::Providers);
        check(&["mpi"], "mpi", Satisfies::Yes);
        check(&["mpi"], "mpi@3:", Satisfies::Yes);
        check(&["mpi@:3.1"], "mpi@3:", Satisfies::Yes);
        check(&["mpi@:3.1"], "mpi@4:", Satisfies::No);
        check(&["libgfortran@5"], "libgfortran@5", Satisfies::Yes);
        check(&["libgfortran@5"], "libgfortran@4", Satisfies::No);
        check(&["blas", "lapack"], "mpi", Satisfies::No);
        check(&["mpich"], "mpi", Satisfies::No);
        check(&[], "mpi", Satisfies::No);
        check(&["mpi"], "mpi+cuda", cannot_tell);
        check(&[], "mpi+cuda", Satisfies::No);
        check(&["mpi@!"], "mpi", cannot_tell);
    }
}
