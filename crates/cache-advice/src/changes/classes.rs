//! The class of a pair of builds: the most significant aspect in which they differ.

use cache_query::Class;

use crate::differences::{Aspect, AspectSet};

/// Returns the class of a pair of builds that differ in these aspects.
pub(super) fn class_of(differs: AspectSet) -> Class {
    match differs.iter().next() {
        Some(Aspect::Version) => Class::NewVersion,
        Some(Aspect::Architecture) => Class::Machine,
        Some(Aspect::Namespace) => Class::Namespace,
        Some(Aspect::Compiler) => Class::Compiler,
        Some(Aspect::Variants | Aspect::Flags | Aspect::Patches | Aspect::External) => {
            Class::Variants
        }
        Some(Aspect::Dependencies) => Class::Dependencies,
        Some(Aspect::Recipe) if differs.has(Aspect::DependencyHashes) => {
            Class::RecipeAndDependencies
        }
        Some(Aspect::Recipe) => Class::RecipeOnly,
        Some(Aspect::DependencyHashes) | None => Class::DependenciesOnly,
    }
}
