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
//!
//! An object of `details` has the fields of [`Recipe`](crate::recipes::Recipe) that its recipe states, except for the
//! description.
//!
//! The parts were added without a new number of the format: a page that skips them shows the cache as it is. Sizes under
//! brotli: 50 bytes for each package of the list, 95 for its details, and 6 for each other package, of which 4 are the name.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::steps::{from_steps, to_steps};
use super::{LoadError, numbers, text};
use crate::facet::Facet;
use crate::index::recipes::{OtherPackages, RecipeList};
use crate::index::{Index, ValueCode};

/// The field of an index.
#[derive(Serialize, Deserialize)]
struct RecipesDocument {
    list: Box<RawValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    details: Option<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    others: Option<Box<RawValue>>,
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
}

/// Takes a text that is JSON as it is.
fn raw(json: impl Into<String>) -> Box<RawValue> {
    RawValue::from_string(json.into()).expect("what was written as JSON, or read from it")
}

impl Index {
    /// Returns the field `recipes`, if there is anything to say.
    pub(super) fn recipes_field(&self) -> Option<Box<RawValue>> {
        let document = RecipesDocument {
            list: raw(self.recipe_list_text()?),
            details: self.recipe_details_text().map(raw),
            others: self.other_packages_text().map(raw),
        };
        Some(raw(text(&document)))
    }

    /// Returns the text of [`Part::Recipes`](super::Part::Recipes).
    pub(super) fn recipe_list_text(&self) -> Option<String> {
        let RecipeList { packages, descriptions, newest, behind } = self.recipe_list()?.clone();
        let packages = to_steps(packages.iter().map(|package| package.0));
        Some(text(&ListDocument { packages, descriptions, newest, behind }))
    }

    /// Returns the text of [`Part::RecipeDetails`](super::Part::RecipeDetails).
    pub(super) fn recipe_details_text(&self) -> Option<String> {
        let details = self.recipes.details.get()?.iter();
        Some(text(&details.map(|json| raw(json.clone())).collect::<Vec<_>>()))
    }

    /// Returns the text of [`Part::OtherPackages`](super::Part::OtherPackages).
    pub(super) fn other_packages_text(&self) -> Option<String> {
        let OtherPackages { names, newest } = self.other_packages()?.clone();
        Some(text(&OthersDocument { names, newest }))
    }

    /// Reads all parts.
    // A first visit never does this.
    #[inline(never)]
    pub(super) fn read_recipes(&self, json: &RawValue) -> Result<(), LoadError> {
        let RecipesDocument { list, details, others } = serde_json::from_str(json.get())?;
        self.set_recipes(list.get())?;
        details.map_or(Ok(()), |details| self.set_recipe_details(details.get()))?;
        others.map_or(Ok(()), |others| self.set_other_packages(others.get()))
    }

    /// Reads [`Parts::recipes`](super::Parts::recipes), unless they have been loaded already.
    pub fn set_recipes(&self, json: &str) -> Result<(), LoadError> {
        let ListDocument { packages, descriptions, newest, behind } = serde_json::from_str(json)?;
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

    /// Reads [`Parts::recipe_details`](super::Parts::recipe_details), unless they have been loaded already. The list must
    /// have been loaded.
    pub fn set_recipe_details(&self, json: &str) -> Result<(), LoadError> {
        let details: Vec<Box<RawValue>> = serde_json::from_str(json)?;
        let listed = self.recipe_list().map_or(0, |list| list.packages.len());
        is_as_long("recipes.details", details.len(), listed)?;
        let details = details.into_iter().map(|json| json.get().into()).collect();
        let _ = self.recipes.details.set(details);
        Ok(())
    }

    /// Reads [`Parts::other_packages`](super::Parts::other_packages), unless they have been loaded already.
    pub fn set_other_packages(&self, json: &str) -> Result<(), LoadError> {
        let OthersDocument { names, newest } = serde_json::from_str(json)?;
        is_as_long("recipes.others.newest", newest.len(), names.len())?;
        if !names.is_sorted_by(|one, other| one < other) {
            return Err(LoadError::Unsorted("recipes.others.names"));
        }
        let _ = self.recipes.others.set(OtherPackages { names, newest });
        Ok(())
    }
}

fn is_as_long(field: &'static str, length: usize, expected: usize) -> Result<(), LoadError> {
    if length == expected { Ok(()) } else { Err(LoadError::UnequalColumns(field)) }
}
