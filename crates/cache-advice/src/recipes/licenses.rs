//! The licences of the packages of a cache, by what their recipes say.

use std::collections::BTreeMap;

use cache_index::facet::Facet;
use cache_index::index::{Index, LoadError, ValueCode};
use cache_index::recipes::Recipe;

/// The licences that packages of a cache have, by name. A package has several if its recipe leaves the choice, asks to keep
/// all of them, or states others for other versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Licenses(BTreeMap<String, Vec<ValueCode>>);

impl Licenses {
    /// Reads the licences in the recipes of an index; `None` if it has no recipes.
    ///
    /// # Errors
    ///
    /// If what the index has of a recipe is damaged.
    pub fn of(index: &Index) -> Result<Option<Licenses>, LoadError> {
        if index.recipe_list().is_none() {
            return Ok(None);
        }
        let mut by_name: BTreeMap<String, Vec<ValueCode>> = BTreeMap::new();
        for (package, _) in index.dictionary(Facet::Package).iter() {
            let Some(recipe) = index.recipe_of(package)? else { continue };
            for name in names(&recipe) {
                let packages = by_name.entry(name.to_owned()).or_default();
                if packages.last() != Some(&package) {
                    packages.push(package);
                }
            }
        }
        Ok(Some(Licenses(by_name)))
    }

    /// Returns the licences with the packages that have them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[ValueCode])> {
        self.0.iter().map(|(name, packages)| (name.as_str(), packages.as_slice()))
    }

    /// Returns the packages with a licence; none if no package has it.
    pub fn packages(&self, name: &str) -> &[ValueCode] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Returns the names of the licences in a recipe: for an SPDX expression, each licence without its exceptions; for any
/// other text, the entire text.
fn names(recipe: &Recipe) -> Vec<&str> {
    let licenses = recipe.licenses.iter().flatten().map(|text| text.trim());
    let licenses = licenses.filter(|text| !text.is_empty());
    if !recipe.is_spdx {
        return licenses.collect();
    }
    let words =
        licenses.flat_map(|text| text.split(|c: char| c.is_whitespace() || "()".contains(c)));
    let mut names = Vec::new();
    let mut is_exception = false;
    for word in words.filter(|word| !word.is_empty()) {
        match word.to_ascii_uppercase().as_str() {
            "AND" | "OR" => {}
            "WITH" => is_exception = true,
            _ if std::mem::take(&mut is_exception) => {}
            _ => names.push(word),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_each_licence_of_an_expression() {
        #[track_caller]
        fn check(licenses: &[&str], is_spdx: bool, expected: &[&str]) {
            let licenses = licenses.iter().map(|text| (*text).to_owned()).collect();
            let recipe = Recipe { licenses: Some(licenses), is_spdx, ..Recipe::default() };
            assert_eq!(names(&recipe), expected);
        }
        check(&["MIT"], true, &["MIT"]);
        check(
            &["(Apache-2.0 WITH LLVM-exception OR MIT) AND Zlib"],
            true,
            &["Apache-2.0", "MIT", "Zlib"],
        );
        check(&["Apache-2.0", "BSD-3-Clause"], true, &["Apache-2.0", "BSD-3-Clause"]);
        check(&["custom and odd", " "], false, &["custom and odd"]);
        assert_eq!(names(&Recipe::default()), [""; 0]);
    }
}
