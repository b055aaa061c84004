//! The class of a pair of builds: the most significant aspect in which they differ.

use cache_query::Class;

use crate::likeness::{Differences, Differs};

/// Returns the class of a pair of builds that differ in these aspects, most significant first.
pub(super) fn class_of(differs: &[Differs]) -> Class {
    of_first(differs.first().copied(), || differs.contains(&Differs::DependencyHashes))
}

/// Does the same as [`class_of`].
pub(super) fn class_of_coded(differs: Differences) -> Class {
    of_first(differs.first(), || differs.has(Differs::DependencyHashes))
}

fn of_first(first: Option<Differs>, dependencies_differ: impl Fn() -> bool) -> Class {
    match first {
        Some(Differs::Version) => Class::NewVersion,
        Some(Differs::Architecture) => Class::Machine,
        Some(Differs::Namespace) => Class::Namespace,
        Some(Differs::Compiler) => Class::Compiler,
        Some(Differs::Variants | Differs::Flags | Differs::Patches | Differs::External) => {
            Class::Variants
        }
        Some(Differs::Dependencies) => Class::Dependencies,
        Some(Differs::Recipe) if dependencies_differ() => Class::RecipeAndDependencies,
        Some(Differs::Recipe) => Class::RecipeOnly,
        Some(Differs::DependencyHashes) | None => Class::DependenciesOnly,
    }
}
