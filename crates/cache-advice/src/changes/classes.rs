//! The class of a pair of builds: the most significant aspect in which they differ.

use cache_query::Class;

use crate::differences::Aspect;
use crate::differences::likeness::Differences;

/// Returns the class of a pair of builds that differ in these aspects, most significant first.
pub(super) fn class_of(differs: &[Aspect]) -> Class {
    of_first(differs.first().copied(), || differs.contains(&Aspect::DependencyHashes))
}

/// Does the same as [`class_of`].
pub(super) fn class_of_coded(differs: Differences) -> Class {
    of_first(differs.first(), || differs.has(Aspect::DependencyHashes))
}

fn of_first(first: Option<Aspect>, dependencies_differ: impl Fn() -> bool) -> Class {
    match first {
        Some(Aspect::Version) => Class::OtherVersion,
        Some(Aspect::Architecture) => Class::Machine,
        Some(Aspect::Namespace) => Class::Namespace,
        Some(Aspect::Compiler) => Class::Compiler,
        Some(Aspect::Variants | Aspect::Flags | Aspect::Patches | Aspect::External) => {
            Class::Variants
        }
        Some(Aspect::Dependencies) => Class::Dependencies,
        Some(Aspect::Recipe) if dependencies_differ() => Class::RecipeAndDependencies,
        Some(Aspect::Recipe) => Class::RecipeOnly,
        Some(Aspect::DependencyHashes) | None => Class::DependenciesOnly,
    }
}
