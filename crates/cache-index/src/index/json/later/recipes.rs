//! What recipes say, as JSON: the field `recipes` of an index, or three parts of a page.
//!
//! | field | part | meaning | shape |
//! | --- | --- | --- | --- |
//! | `list` | `index-recipes` | what lists show of the packages of the cache | object |
//! | `details` | `index-recipe-details` | by package of the list: what its page shows, as below | objects |
//! | `others` | `index-other-packages` | the packages that Spack knows and the cache does not have | object |
//!
//! | field | meaning | shape |
//! | --- | --- | --- |
//! | `list.packages` | the packages that have a recipe → `values.package`, each as its step from the one before | numbers |
//! | `list.descriptions` | by package of the list: what it is, in one line; empty if unknown | strings |
//! | `list.newest` | by package of the list: its newest release in Spack that is not deprecated; empty if there is none | strings |
//! | `list.behind` | by package of the list: how many such releases are newer than the newest release in the cache | numbers |
//! | `others.names` | the names, sorted | strings |
//! | `others.newest` | by name: as `list.newest` | strings |
//! | `others.providers` | by virtual package, sorted: its name and those of the packages that provide it, separated by spaces; absent if there is none | strings |
//!
//! An object of `details` has the fields of [`Recipe`](crate::recipes::Recipe) that its recipe states, except for the
//! description.
//!
//! The parts were added without a new number of the format: a page that skips them shows the cache as it is. Sizes under
//! brotli: 50 bytes for each package of the list, 95 for its details, and 6 for each other package, 4 for its name.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::facet::Facet;
use crate::index::json::steps::{from_steps, to_steps};
use crate::index::json::{LoadError, numbers, text};
use crate::index::recipes::{OtherPackages, RecipeList, RecipeParts};
use crate::index::{Index, ValueCode};
use crate::recipes::Recipe;

/// The field of an index.
#[derive(Serialize, Deserialize)]
pub(in crate::index::json) struct RecipesDocument {
    list: ListDocument,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    details: Option<Vec<Box<RawValue>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    others: Option<OthersDocument>,
}

#[derive(Serialize, Deserialize)]
struct ListDocument {
    #[serde(deserialize_with = "numbers::list")]
    packages: Vec<u32>,
    descriptions: Vec<String>,
    newest: Vec<String>,
    #[serde(deserialize_with = "numbers::list")]
    behind: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct OthersDocument {
    names: Vec<String>,
    newest: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    providers: Vec<String>,
}

impl Index {
    /// Returns the field `recipes`, if there is anything to say.
    pub(in crate::index::json) fn recipes_document(&self) -> Option<RecipesDocument> {
        self.recipe_list().map(|list| document_of(list, &self.recipes))
    }

    /// Returns the text of [`Part::Recipes`](crate::index::json::Part::Recipes).
    pub(in crate::index::json) fn recipe_list_text(&self) -> Option<String> {
        self.recipe_list().map(|list| text(&list_of(list)))
    }

    /// Returns the text of [`Part::RecipeDetails`](crate::index::json::Part::RecipeDetails).
    pub(in crate::index::json) fn recipe_details_text(&self) -> Option<String> {
        self.recipes.details.get().map(|details| text(&details_of(details)))
    }

    /// Returns the text of [`Part::OtherPackages`](crate::index::json::Part::OtherPackages).
    pub(in crate::index::json) fn other_packages_text(&self) -> Option<String> {
        self.other_packages().map(|others| text(&others_of(others)))
    }

    /// Returns what the recipe of a package says; `None` if it has no recipe, or the details have not been loaded.
    ///
    /// # Errors
    ///
    /// If what the index has of the package is damaged.
    pub fn recipe_of(&self, package: ValueCode) -> Result<Option<Recipe>, LoadError> {
        let (Some(list), Some(details)) = (self.recipe_list(), self.recipes.details.get()) else {
            return Ok(None);
        };
        let Ok(at) = list.packages.binary_search(&package) else { return Ok(None) };
        let mut recipe: Recipe = serde_json::from_str(&details[at])?;
        recipe.description = Some(list.descriptions[at].clone()).filter(|text| !text.is_empty());
        Ok(Some(recipe))
    }

    /// Reads [`Parts::recipes`](crate::index::json::Parts::recipes), unless they have been loaded already.
    pub fn set_recipes(&self, json: &str) -> Result<(), LoadError> {
        self.read_recipe_list(serde_json::from_str(json)?)
    }

    /// Reads [`Parts::recipe_details`](crate::index::json::Parts::recipe_details), unless they have been loaded already. The
    /// list must have been loaded.
    pub fn set_recipe_details(&self, json: &str) -> Result<(), LoadError> {
        self.read_recipe_details(serde_json::from_str(json)?)
    }

    /// Reads [`Parts::other_packages`](crate::index::json::Parts::other_packages), unless they have been loaded already.
    pub fn set_other_packages(&self, json: &str) -> Result<(), LoadError> {
        self.read_other_packages(serde_json::from_str(json)?)
    }

    fn read_recipe_list(&self, list: ListDocument) -> Result<(), LoadError> {
        let ListDocument { packages, descriptions, newest, behind } = list;
        let limit = self.dictionary(Facet::Package).len() as u32;
        let packages = from_steps("recipes.list.packages", &packages, limit)?;
        for (field, length) in [
            ("recipes.list.descriptions", descriptions.len()),
            ("recipes.list.newest", newest.len()),
            ("recipes.list.behind", behind.len()),
        ] {
            is_as_long(field, length, packages.len())?;
        }
        let packages = packages.into_iter().map(ValueCode).collect();
        let _ = self.recipes.list.set(RecipeList { packages, descriptions, newest, behind });
        Ok(())
    }

    fn read_recipe_details(&self, details: Vec<Box<RawValue>>) -> Result<(), LoadError> {
        let listed = self.recipe_list().map_or(0, |list| list.packages.len());
        is_as_long("recipes.details", details.len(), listed)?;
        let details = details.into_iter().map(|json| json.get().into()).collect();
        let _ = self.recipes.details.set(details);
        Ok(())
    }

    fn read_other_packages(&self, others: OthersDocument) -> Result<(), LoadError> {
        let OthersDocument { names, newest, providers } = others;
        is_as_long("recipes.others.newest", newest.len(), names.len())?;
        if !names.is_sorted_by(|one, other| one < other) {
            return Err(LoadError::Unsorted("recipes.others.names"));
        }
        let _ = self.recipes.others.set(OtherPackages { names, newest, providers });
        Ok(())
    }
}

/// Reads the field `recipes` of an index.
#[inline(never)] // A first visit does without it, see `crates/split`.
pub(in crate::index::json) fn take(
    index: &Index,
    document: RecipesDocument,
) -> Result<(), LoadError> {
    let RecipesDocument { list, details, others } = document;
    index.read_recipe_list(list)?;
    details.map_or(Ok(()), |details| index.read_recipe_details(details))?;
    others.map_or(Ok(()), |others| index.read_other_packages(others))
}

#[inline(never)] // Only an index has recipes; the reader in the page loads it later, see `crates/split`.
fn document_of(list: &RecipeList, parts: &RecipeParts) -> RecipesDocument {
    RecipesDocument {
        list: list_of(list),
        details: parts.details.get().map(|details| details_of(details)),
        others: parts.others.get().map(others_of),
    }
}

fn list_of(list: &RecipeList) -> ListDocument {
    let RecipeList { packages, descriptions, newest, behind } = list.clone();
    let packages = to_steps(packages.iter().map(|package| package.0));
    ListDocument { packages, descriptions, newest, behind }
}

fn details_of(details: &[Box<str>]) -> Vec<Box<RawValue>> {
    let raw = |json: &str| {
        RawValue::from_string(json.to_owned()).expect("what was written as JSON, or read from it")
    };
    details.iter().map(|json| raw(json)).collect()
}

fn others_of(others: &OtherPackages) -> OthersDocument {
    let OtherPackages { names, newest, providers } = others.clone();
    OthersDocument { names, newest, providers }
}

fn is_as_long(field: &'static str, length: usize, expected: usize) -> Result<(), LoadError> {
    if length == expected { Ok(()) } else { Err(LoadError::UnequalColumns(field)) }
}
