//! The kinds of changes, most significant first.

use std::fmt;

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Class {
    /// The old side has no build of the package.
    NewPackage,
    /// The new side has no build of the package.
    Gone,
    /// The new side has a newer release than the old one.
    NewVersion,
    /// The new side has a version that the old one does not have, and that is not newer than all versions of the old
    /// side.
    OtherVersion,
    /// The old side has a version that the new one does not.
    VersionGone,
    /// The repository of the recipe differs.
    Namespace,
    /// The compiler differs.
    Compiler,
    /// Variants, flags or patches differ.
    Variants,
    /// Operating system or target differ.
    Machine,
    /// The packages that it depends on differ, or the purposes.
    Dependencies,
    /// Only the recipe differs.
    RecipeOnly,
    /// The recipe differs, and so do builds that it depends on.
    RecipeAndDependencies,
    /// Only builds that it depends on differ.
    DependenciesOnly,
    /// Builds came, none went, and the versions are the same.
    MoreBuilds,
    /// Builds went, none came, and the versions are the same.
    FewerBuilds,
}

impl Class {
    /// All classes, in order.
    pub const ALL: [Class; 15] = [
        Class::NewPackage,
        Class::Gone,
        Class::NewVersion,
        Class::OtherVersion,
        Class::VersionGone,
        Class::Namespace,
        Class::Compiler,
        Class::Variants,
        Class::Machine,
        Class::Dependencies,
        Class::RecipeOnly,
        Class::RecipeAndDependencies,
        Class::DependenciesOnly,
        Class::MoreBuilds,
        Class::FewerBuilds,
    ];

    /// Returns the name in URLs.
    pub fn key(self) -> &'static str {
        match self {
            Class::NewPackage => "new-package",
            Class::Gone => "gone",
            Class::NewVersion => "new-version",
            Class::OtherVersion => "other-version",
            Class::VersionGone => "version-gone",
            Class::Namespace => "namespace",
            Class::Compiler => "compiler",
            Class::Variants => "variants",
            Class::Machine => "machine",
            Class::Dependencies => "dependencies",
            Class::RecipeOnly => "recipe",
            Class::RecipeAndDependencies => "recipe-and-dependencies",
            Class::DependenciesOnly => "dependencies-only",
            Class::MoreBuilds => "more-builds",
            Class::FewerBuilds => "fewer-builds",
        }
    }

    /// Returns the class with this name in URLs.
    pub fn from_key(key: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.key() == key)
    }
}

impl fmt::Display for Class {
    /// Writes the name that people and JSON use.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::NewPackage => "new package",
            Class::Gone => "gone",
            Class::NewVersion => "newer version",
            Class::OtherVersion => "another version",
            Class::VersionGone => "version gone",
            Class::Namespace => "namespace",
            Class::Compiler => "compiler",
            Class::Variants => "variants",
            Class::Machine => "target/OS",
            Class::Dependencies => "dependencies",
            Class::RecipeOnly => "recipe only",
            Class::RecipeAndDependencies => "recipe and dependencies",
            Class::DependenciesOnly => "dependencies only",
            Class::MoreBuilds => "more builds",
            Class::FewerBuilds => "fewer builds",
        })
    }
}
