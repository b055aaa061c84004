//! Making the parts of an index that have what recipes say.

use cache_index::facet::Facet;
use cache_index::index::{Index, OtherPackages, RecipeList, ValueCode};
use cache_index::recipes::{Recipe, Recipes};
use spack_spec::Version;

/// Adds to an index what recipes say of its packages, and the names of all other packages that have a recipe.
pub fn publish(index: &mut Index, recipes: Recipes) {
    let mut recipes = recipes.0;
    let mut list = RecipeList::default();
    let mut details = Vec::new();
    for (package, name) in index.dictionary(Facet::Package).iter() {
        let Some(recipe) = recipes.remove(name) else { continue };
        let releases = recipe.releases();
        list.packages.push(package);
        list.newest.push(releases.first().copied().unwrap_or_default().to_owned());
        list.behind.push(newer(&releases, newest_cached(index, package, &recipe)));
        list.descriptions.push(recipe.description.clone().unwrap_or_default());
        details.push(recipe);
    }
    let mut others = OtherPackages::default();
    for (name, recipe) in recipes {
        let newest = recipe.releases().first().copied().unwrap_or_default().to_owned();
        for provided in recipe.provides.iter().flatten() {
            let provided = provided.split_once('@').map_or(&provided[..], |(name, _)| name);
            let providers = others.providers.entry(provided.to_owned()).or_default();
            if providers.last() != Some(&name) {
                providers.push(name.clone());
            }
        }
        others.names.push(name);
        others.newest.push(newest);
    }
    index.describe(list, &details, others);
}

/// Returns how many releases are newer than a cached one; all of them if no release is cached.
fn newer(releases: &[&str], cached: Option<&str>) -> u32 {
    let cached: Option<Version> = cached.and_then(|cached| cached.parse().ok());
    let is_newer = |release: &&&str| match (release.parse::<Version>(), &cached) {
        (Ok(release), Some(cached)) => release > *cached,
        _ => true,
    };
    releases.iter().take_while(is_newer).count() as u32
}

/// Returns the newest release of a package that has a binary in the cache.
pub(super) fn newest_cached<'i>(
    index: &'i Index,
    package: ValueCode,
    recipe: &Recipe,
) -> Option<&'i str> {
    cached_versions(index, package).into_iter().find(|version| recipe.is_release(version))
}

/// Returns the versions of a package that have a binary in the cache, newest first.
pub(super) fn cached_versions(index: &Index, package: ValueCode) -> Vec<&str> {
    let rows = index.rows_of(package).filter(|&row| index.has_binary(row));
    let mut versions: Vec<&str> = rows.map(|row| index.text(row, Facet::Version)).collect();
    versions.dedup();
    versions
}
