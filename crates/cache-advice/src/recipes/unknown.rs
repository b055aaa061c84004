//! What a spec asks for although the recipe of its package does not have it, as far as recipes are known: Spack refuses
//! the spec.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::recipes::Recipe;
use spack_spec::{Spec, VersionElement};

/// The variants that every package has, whatever its recipe says.
const OF_ALL: [&str; 4] = ["build_system", "commit", "dev_path", "patches"];

/// Returns the variants that a spec asks for and the recipe does not have. A variant that is propagated, as in `++shared`, is
/// only for those packages in the graph that have it.
pub fn unknown_variants(index: &Index, spec: &str) -> Vec<String> {
    let Some((spec, recipe)) = with_recipe(index, spec) else { return Vec::new() };
    let Some(known) = recipe.variants else { return Vec::new() };
    let asked = spec.root.variants.iter().filter(|variant| !variant.propagate);
    let asked = asked.map(|variant| variant.name.as_str());
    let is_known =
        |name: &&str| OF_ALL.contains(name) || known.iter().any(|variant| variant.name == **name);
    asked.filter(|name| !is_known(name)).map(str::to_owned).collect()
}

/// Returns `true` if the recipe has no version that the spec allows. Spack takes a git reference from the repository of the
/// package, not from its recipe.
pub fn has_no_version(index: &Index, spec: &str) -> bool {
    let Some((spec, recipe)) = with_recipe(index, spec) else { return false };
    let is_git = |element: &VersionElement| matches!(element, VersionElement::Exact(version) if version.git_reference().is_some());
    let wanted = &spec.root.versions;
    let is_in_recipe = !wanted.elements().iter().any(is_git);
    recipe.versions.filter(|_| is_in_recipe).is_some_and(|versions| {
        let mut versions = versions.iter().filter_map(|version| version.parse().ok());
        !versions.any(|version| wanted.matches(&version))
    })
}

/// Returns a spec and the recipe of its package, as far as that has been read.
fn with_recipe(index: &Index, spec: &str) -> Option<(Spec, Recipe)> {
    let spec = Spec::parse(spec, index.dialect()).ok()?;
    let package = index.dictionary(Facet::Package).code(spec.root.name.as_deref()?)?;
    let recipe = index.recipe_of(package).ok().flatten()?;
    Some((spec, recipe))
}
