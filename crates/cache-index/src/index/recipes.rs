//! What recipes say, in three parts of an index that are loaded separately: what lists need, what the page of a package
//! needs, and the packages that Spack knows and the cache does not have.
//!
//! [`Index::take_recipes`] creates them.

use std::sync::OnceLock;

use super::{Index, ValueCode};
use crate::recipes::Recipe;

/// The parts that have been loaded.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecipeParts {
    pub(crate) list: OnceLock<RecipeList>,
    /// In the order of the list, each as JSON, which is parsed on request.
    pub(crate) details: OnceLock<Vec<Box<str>>>,
    pub(crate) others: OnceLock<OtherPackages>,
}

/// What lists show of the packages of the cache. Its columns have the same length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecipeList {
    /// The packages that have a recipe, ascending.
    pub packages: Vec<ValueCode>,
    /// By package: what it is, in one line; empty if the recipe does not say.
    pub descriptions: Vec<String>,
    /// By package: its newest release in Spack that is not deprecated; empty if there is none.
    pub newest: Vec<String>,
    /// By package: how many such releases are newer than the newest release in the cache.
    pub behind: Vec<u32>,
}

/// What lists show of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackageSummary<'i> {
    /// What the package is, in one line; may be empty.
    pub description: &'i str,
    /// Its newest release in Spack that is not deprecated; `None` if there is none.
    pub newest: Option<&'i str>,
    /// How many such releases are newer than the newest release in the cache.
    pub behind: u32,
}

impl RecipeList {
    /// Returns what lists show of a package; `None` if it has no recipe.
    pub fn of(&self, package: ValueCode) -> Option<PackageSummary<'_>> {
        let at = self.packages.binary_search(&package).ok()?;
        let newest = self.newest[at].as_str();
        Some(PackageSummary {
            description: &self.descriptions[at],
            newest: (!newest.is_empty()).then_some(newest),
            behind: self.behind[at],
        })
    }
}

/// The packages that Spack knows and the cache does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherPackages {
    /// Their names, sorted.
    pub names: Vec<String>,
    /// The newest release of each that is not deprecated; empty if there is none.
    pub newest: Vec<String>,
    /// By virtual package: its name and those of the packages that provide it, separated by spaces.
    pub providers: Vec<String>,
}

impl OtherPackages {
    /// Returns the newest release of a package in Spack, empty if it has none; `None` for a package that Spack does not
    /// know, or that the cache has.
    pub fn newest_of(&self, name: &str) -> Option<&str> {
        let at = self.names.binary_search_by(|other| other.as_str().cmp(name)).ok()?;
        Some(&self.newest[at])
    }

    /// Returns the packages that provide a virtual one.
    pub fn providers_of(&self, name: &str) -> Vec<&str> {
        let names = |line: &'_ String| line.split(' ').next() == Some(name);
        let line = self.providers.iter().find(|line| names(line));
        line.into_iter().flat_map(|line| line.split(' ').skip(1)).collect()
    }
}

impl Index {
    /// Returns what lists show of recipes, if that has been loaded.
    pub fn recipe_list(&self) -> Option<&RecipeList> {
        self.recipes.list.get()
    }

    /// Returns the packages that Spack knows and the cache does not have, if they have been loaded.
    pub fn other_packages(&self) -> Option<&OtherPackages> {
        self.recipes.others.get()
    }

    /// Returns `true` once the details of recipes have been loaded.
    pub fn has_recipe_details(&self) -> bool {
        self.recipes.details.get().is_some()
    }

    /// Replaces what is known of recipes. The details are in the order of the list.
    pub(super) fn describe(&mut self, list: RecipeList, details: &[Recipe], others: OtherPackages) {
        let json = |recipe: &Recipe| {
            let text = serde_json::to_string(recipe).expect("texts make JSON");
            text.into_boxed_str()
        };
        let details: Vec<_> = details.iter().map(json).collect();
        self.recipes =
            RecipeParts { list: list.into(), details: details.into(), others: others.into() };
    }
}
