//! What indexes say besides their builds, carried over into the index of several inputs: what recipes say about
//! packages, and what was found in binaries.

use std::collections::BTreeMap;

use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::index::{BinaryFacts, Index, LoadError};
use cache_index::recipes::{Recipe, Recipes};

/// What several indexes say besides their builds. If two describe the same thing, the later one wins, as with recipes
/// that the user gives.
#[derive(Clone, Debug, Default)]
pub struct IndexExtras {
    /// The recipes of packages in the caches.
    recipes: Recipes,
    /// Packages that one of the caches did not have, with their newest release and what they provide.
    others: Recipes,
    binaries: BTreeMap<Hash, BinaryFacts>,
}

impl IndexExtras {
    /// Takes what an index says.
    ///
    /// # Errors
    ///
    /// If that is damaged.
    pub(super) fn take(&mut self, index: &Index) -> Result<(), LoadError> {
        let mut recipes = BTreeMap::new();
        for (package, name) in index.dictionary(Facet::Package).iter() {
            if let Some(recipe) = index.recipe_of(package)? {
                recipes.insert(name.to_owned(), recipe);
            }
        }
        self.recipes.unite(Recipes(recipes));
        self.others.unite(others_of(index));
        for (hash, binary) in index.facts_by_hash()? {
            let known = self.binaries.entry(hash).or_default();
            if binary.files.is_some() || known.files.is_none() {
                *known = binary;
            }
        }
        Ok(())
    }

    /// Adds this to the index of all builds.
    pub(super) fn say_in(self, index: &mut Index) {
        let IndexExtras { recipes: Recipes(mut recipes), others, binaries } = self;
        // For a package that is in the cache, the newest release alone would be half of what its recipe says.
        let is_other = |name: &str| index.dictionary(Facet::Package).code(name).is_none();
        for (name, recipe) in others.0.into_iter().filter(|(name, _)| is_other(name)) {
            recipes.entry(name).or_insert(recipe);
        }
        if !recipes.is_empty() {
            index.take_recipes(Recipes(recipes));
        }
        index.take_binaries(&binaries);
    }
}

/// Returns what an index says about packages that its cache does not have.
fn others_of(index: &Index) -> Recipes {
    let Some(others) = index.other_packages() else { return Recipes::default() };
    let newest = |release: &String| (!release.is_empty()).then(|| vec![release.clone()]);
    let recipe = |release| Recipe { versions: newest(release), ..Recipe::default() };
    let recipes = others.names.iter().cloned().zip(others.newest.iter().map(recipe));
    let mut recipes: BTreeMap<String, Recipe> = recipes.collect();
    for line in &others.providers {
        let mut names = line.split(' ');
        let Some(provided) = names.next() else { continue };
        for name in names {
            if let Some(recipe) = recipes.get_mut(name) {
                recipe.provides.get_or_insert_default().push(provided.to_owned());
            }
        }
    }
    Recipes(recipes)
}
