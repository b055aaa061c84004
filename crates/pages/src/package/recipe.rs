//! What the recipe of a package says: what it is, whose it is, and which versions and variants Spack has of it.
//!
//! All of this is text from outsiders: only a home page on the web is a link.

use cache_index::facet::Facet;
use cache_index::index::{Index, PackageSummary, ValueCode};
use cache_index::number::counted;
use cache_index::recipes::Recipe;
use leptos::prelude::*;
use maud::{Markup, html};

use crate::data::recipes;
use site::explorer::Explorer;
use site::html::list::list;

/// Draws what the recipe of a package says, as far as it has arrived.
#[component]
pub(crate) fn AboutPackage(
    /// The package.
    package: ValueCode,
) -> impl IntoView {
    let explorer = Explorer::here();
    let write = move || {
        let Some(listed) = explorer.recipe_list().and_then(|list| list.of(package)) else {
            return html! {};
        };
        let recipe = recipes::of_package(explorer, package);
        let cached = cached_versions(explorer.index, package);
        html! {
            @if !listed.description.is_empty() { p.description { bdi { (listed.description) } } }
            (facts(listed, recipe.as_ref(), &cached))
            @if let Some(recipe) = &recipe {
                div.more-of-recipe {
                    (versions(recipe, &cached))
                    (variants(recipe))
                    (origin(recipe))
                }
            }
        }
    };
    list("recipe", "recipe", NodeRef::new(), write, |_, _| ())
}

/// Returns the versions that have a binary in the cache, newest first.
fn cached_versions(index: &'static Index, package: ValueCode) -> Vec<&'static str> {
    let rows = index.rows_of(package).filter(|&row| index.has_binary(row));
    let mut versions: Vec<&str> = rows.map(|row| index.text(row, Facet::Version)).collect();
    versions.dedup();
    versions
}

/// Writes one line of facts.
fn facts(listed: PackageSummary<'_>, recipe: Option<&Recipe>, cached: &[&str]) -> Markup {
    // A package without a binary is not behind.
    let newer = listed.newest.filter(|_| listed.behind > 0 && !cached.is_empty());
    let deprecated = |recipe: &Recipe| {
        let versions = cached.iter().copied().filter(|version| recipe.is_deprecated(version));
        versions.collect::<Vec<_>>().join(", ")
    };
    let deprecated = recipe.map(deprecated).unwrap_or_default();
    html! {
        ul.facts {
            @if let Some(newest) = newer {
                li {
                    b.spec-version { bdi { (newest) } } " is newer, not cached"
                    @if listed.behind > 1 { " (" (listed.behind) " releases behind)" }
                }
            }
            @if !deprecated.is_empty() {
                li { "cached, but deprecated in Spack: " b.spec-version { bdi { (deprecated) } } }
            }
            @if let Some(recipe) = recipe {
                @if let Some(address) = recipe.home_page() {
                    li { a href=(address) rel="noopener" { "Home page" } }
                } @else if let Some(text) = &recipe.homepage {
                    li { "home page " bdi { (text) } }
                }
                (fact("licence ", recipe.licenses.as_deref()))
                (fact("provides ", recipe.provides.as_deref()))
            }
        }
    }
}

/// Writes how the package is built, and by whom its recipe is maintained.
fn origin(recipe: &Recipe) -> Markup {
    let build_system = recipe.build_system.as_ref().map(std::slice::from_ref);
    html! {
        @if build_system.is_some() || recipe.maintainers.as_ref().is_some_and(|it| !it.is_empty()) {
            details data-key="origin" {
                summary data-testid="recipe-origin" { "recipe" }
                ul.facts {
                    (fact("built by ", build_system))
                    (fact("maintained by ", recipe.maintainers.as_deref()))
                }
            }
        }
    }
}

/// Writes a fact with its values, if there are any.
fn fact(name: &str, values: Option<&[String]>) -> Markup {
    html! {
        @if let Some([_, ..]) = values {
            li { (name) bdi { (values.unwrap_or_default().join(", ")) } }
        }
    }
}

/// Writes the versions that Spack has and the cache does not.
fn versions(recipe: &Recipe, cached: &[&str]) -> Markup {
    let lacking = recipe.versions.iter().flatten().filter(|it| !cached.contains(&it.as_str()));
    let lacking: Vec<&String> = lacking.collect();
    html! {
        @if !lacking.is_empty() {
            details data-key="versions" {
                summary data-testid="recipe-versions" { (counted(lacking.len(), "version", "versions")) " in Spack, not cached" }
                ul.known-versions {
                    @for version in lacking {
                        li {
                            code { bdi { (version) } }
                            @if recipe.is_deprecated(version) { span.muted { " deprecated" } }
                            @else if !recipe.is_release(version) { span.muted { " branch" } }
                        }
                    }
                }
            }
        }
    }
}

/// Writes the variants with their defaults, as a spec would have them.
fn variants(recipe: &Recipe) -> Markup {
    html! {
        @if let Some(variants @ [_, ..]) = recipe.variants.as_deref() {
            details data-key="variants" {
                summary { (counted(variants.len(), "variant", "variants")) }
                ul {
                    @for variant in variants {
                        li {
                            code { bdi { (variant.default_spec()) } } " "
                            span.muted { bdi { (variant.description) } }
                        }
                    }
                }
            }
        }
    }
}
