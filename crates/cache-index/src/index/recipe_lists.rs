//! Creating the parts of an index with what recipes say, and comparing that with the versions in a cache.

use std::collections::BTreeMap;

use spack_spec::Version;
use spdx::{Expression, ParseMode};

use super::{Index, OtherPackages, RecipeList, ValueCode};
use crate::facet::Facet;
use crate::recipes::{Recipe, Recipes};

impl Index {
    /// Replaces the three parts with what these recipes say: the list and the details for the packages of this index, and
    /// the names of all other packages.
    pub fn take_recipes(&mut self, recipes: Recipes) {
        let mut recipes = recipes.0;
        let mut list = RecipeList::default();
        let mut details = Vec::new();
        for (package, name) in self.dictionary(Facet::Package).iter() {
            let Some(mut recipe) = recipes.remove(name) else { continue };
            let releases = recipe.releases();
            list.packages.push(package);
            list.newest.push(releases.first().copied().unwrap_or_default().to_owned());
            list.behind.push(newer(&releases, self.newest_cached(package, &recipe)));
            list.descriptions.push(recipe.description.clone().unwrap_or_default());
            recipe.is_spdx = is_spdx(recipe.licenses.as_deref().unwrap_or_default());
            details.push(recipe);
        }
        let mut others = OtherPackages::default();
        let mut providers: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, recipe) in recipes {
            let newest = recipe.releases().first().copied().unwrap_or_default().to_owned();
            for provided in recipe.provides.iter().flatten() {
                let provided = provided.split_once('@').map_or(&provided[..], |(name, _)| name);
                let providers = providers.entry(provided.to_owned()).or_default();
                if providers.last() != Some(&name) {
                    providers.push(name.clone());
                }
            }
            others.names.push(name);
            others.newest.push(newest);
        }
        let line = |(provided, packages): (String, Vec<String>)| {
            format!("{provided} {}", packages.join(" "))
        };
        others.providers = providers.into_iter().map(line).collect();
        self.describe(list, &details, others);
    }

    /// Returns the newest release of a package that has a binary in the cache.
    pub fn newest_cached(&self, package: ValueCode, recipe: &Recipe) -> Option<&str> {
        self.cached_versions(package).into_iter().find(|version| recipe.is_release(version))
    }

    /// Returns the versions of a package that have a binary in the cache, newest first.
    pub fn cached_versions(&self, package: ValueCode) -> Vec<&str> {
        let rows = self.rows_of(package).filter(|&row| self.has_binary(row));
        let mut versions: Vec<&str> = rows.map(|row| self.text(row, Facet::Version)).collect();
        versions.dedup();
        versions
    }
}

/// Returns `true` if these licences are one expression that the rules of SPDX allow, such as `MIT OR Apache-2.0`.
fn is_spdx(licences: &[String]) -> bool {
    matches!(licences, [text] if Expression::parse_mode(text, ParseMode::STRICT).is_ok())
}

/// Returns how many releases are newer than a cached one, or cannot be compared with it; all of them if no release is
/// cached.
fn newer(releases: &[&str], cached: Option<&str>) -> u32 {
    let cached: Option<Version> = cached.and_then(|cached| cached.parse().ok());
    let is_newer = |release: &&&str| match (release.parse::<Version>(), &cached) {
        (Ok(release), Some(cached)) => release > *cached,
        _ => true,
    };
    releases.iter().take_while(is_newer).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_only_what_the_rules_of_spdx_allow_for_an_expression() {
        #[track_caller]
        fn check(licences: &[&str], expected: bool) {
            let texts: Vec<String> = licences.iter().map(|&text| text.to_owned()).collect();
            assert_eq!(is_spdx(&texts), expected, "{licences:?}");
        }
        check(&["MIT"], true);
        check(&["MIT OR Apache-2.0"], true);
        check(&["GPL-2.0-or-later WITH Classpath-exception-2.0"], true);
        check(&[], false);
        check(&[""], false);
        check(&["Custom"], false);
        check(&["MIT or Apache"], false);
        check(&["MIT", "BSD-3-Clause"], false);
    }
}
