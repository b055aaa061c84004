//! The page of a package.

use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::mirror::notices;
use cache_index::number::{counted, grouped};
use cache_index::recipes::Recipe;
use cache_query::PackageRow;
use maud::{Markup, html};
use serde_json::json;

use super::{Head, PublishedCache, page as whole};
use crate::published::{Systems, ToInstall};
use crate::site_url::below;

/// The maximum number of versions, and of kinds of machines, in a table. The site shows all of them.
const MOST_VERSIONS: usize = 50;
const MOST_SYSTEMS: usize = 12;

/// The longest purpose of a package in the description for search engines, in characters: they cut longer ones.
const LONGEST_PURPOSE: usize = 150;

/// The maximum number of names in a sentence.
const MOST_NAMED: usize = 5;

/// Writes the page of a package. `file` is the name of its files.
pub(super) fn page(cache: &PublishedCache, package: ValueCode, file: &str) -> String {
    let row = PackageRow::new(cache.index, &cache.answer, package);
    let name = cache.name(Facet::Package, package);
    let (release, branch) = row.newest(cache.index);
    let newest = release.or(branch).map(|code| cache.name(Facet::Version, code));
    let titled = [Some(name), newest].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let title = format!("{titled}: prebuilt binaries for Spack");
    // If the recipes are damaged, the page does without them.
    let recipe = cache.index.recipe_of(package).ok().flatten();
    let there = what_is_there(cache, &row, name);
    let purpose = recipe.as_ref().and_then(purpose);
    let description = match purpose {
        Some(purpose) => format!("{purpose} {there}"),
        None => there.clone(),
    };
    let licence = recipe.as_ref().and_then(licence);
    let home_page = recipe.as_ref().and_then(Recipe::home_page);
    let path = format!("package/{file}/");
    let linked_data = json!({
        "@context": "https://schema.org",
        "@type": "SoftwareApplication",
        "name": name,
        "description": description,
        "applicationCategory": "DeveloperApplication",
        "operatingSystem": names(cache, Facet::Os, &row.oses).join(", "),
        "softwareVersion": newest,
        "license": licence,
        "sameAs": home_page,
        "url": cache.site_url.as_deref().map(|url| below(url, &path)),
    });
    let linked_data = without_unknown(linked_data);
    let to_site = "../../";
    let in_site = format!("{to_site}?package={file}");
    let in_full = match row.builds {
        1 => "See this build in full".to_owned(),
        builds => format!("See, filter and compare all {} builds", grouped(builds as usize)),
    };
    let main = html! {
        p { a href="../" { "All packages" } }
        h1 { bdi { (name) } }
        @if let Some(text) = recipe.as_ref().and_then(|recipe| recipe.description.as_ref()) {
            p { bdi { (text) } }
        }
        p { (there) }
        @if home_page.is_some() || licence.is_some() {
            p {
                @if let Some(address) = home_page { a href=(address) rel="noopener" { "Home page" } " " }
                @if let Some(licence) = &licence { "Licence: " bdi { (licence) } }
            }
        }
        p { a id="in-site" href=(in_site) { (in_full) } }
        (install(cache, package))
        (table(cache, &row))
    };
    let head = Head {
        title: &title,
        description: &description,
        path: &path,
        to_site,
        linked_data: Some(linked_data),
        take_over: Some("../take-over.js"),
    };
    whole(cache, head, &main)
}

/// Returns the first sentence of the description in a recipe, with its full stop, unless it is too long.
fn purpose(recipe: &Recipe) -> Option<String> {
    let text = recipe.description.as_deref()?.trim();
    let sentence = text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.');
    let fits = !sentence.is_empty() && sentence.chars().count() <= LONGEST_PURPOSE;
    fits.then(|| format!("{sentence}."))
}

/// Returns the licences in a recipe, as it writes them.
fn licence(recipe: &Recipe) -> Option<String> {
    recipe.licenses.as_ref().filter(|licences| !licences.is_empty()).map(|all| all.join(", "))
}

/// Returns a sentence that says which builds the cache has.
fn what_is_there(cache: &PublishedCache, row: &PackageRow, name: &str) -> String {
    let builds = counted(row.builds as usize, "prebuilt binary", "prebuilt binaries");
    let versions = match &row.versions[..] {
        [only] => format!("version {}", cache.name(Facet::Version, *only)),
        [newest, .., oldest] => format!(
            "{} versions from {} to {}",
            grouped(row.versions.len()),
            cache.name(Facet::Version, *oldest),
            cache.name(Facet::Version, *newest),
        ),
        [] => "no version".to_owned(),
    };
    let listed = |facet, codes: &[ValueCode]| listed(&names(cache, facet, codes));
    let (oses, targets) = (listed(Facet::Os, &row.oses), listed(Facet::Target, &row.targets));
    let title = cache.index.about().title();
    format!("{builds} of {name} for Spack in {title}: {versions}, for {oses} on {targets}.")
}

fn names(cache: &PublishedCache, facet: Facet, codes: &[ValueCode]) -> Vec<&'static str> {
    codes.iter().map(|&code| cache.name(facet, code)).collect()
}

/// Joins a few names, and adds how many others there are.
fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => shown,
        others => format!("{shown} and {others} more"),
    }
}

/// Leaves out the fields of an object that are not known.
fn without_unknown(mut object: serde_json::Value) -> serde_json::Value {
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

/// Writes the commands that install the recommended build.
fn install(cache: &PublishedCache, package: ValueCode) -> Markup {
    let recommended = cache.recommended(package);
    let recommended = recommended
        .and_then(|to_install| Some((cache.index.build_alone(to_install.build)?, to_install)));
    html! {
        @if let Some((build, ToInstall { commands, mirror, .. })) = recommended {
            h2 { "Install " bdi { (build.package) "@" (build.version) } }
            @for notice in notices(std::slice::from_ref(&mirror)) { p { (notice) } }
            p.muted { "On " bdi { (build.os) } " and " bdi { (build.target) } ", without compiling:" }
            pre {
                code {
                    @for (at, command) in commands.iter().enumerate() {
                        @if at > 0 { "\n" }
                        (command)
                    }
                }
            }
        }
    }
}

/// Writes how many builds there are of each version for each kind of machine.
fn table(cache: &PublishedCache, row: &PackageRow) -> Markup {
    let rows = || cache.answer.matching_rows(cache.index, row.package);
    // Only the kinds of machines with the most builds get a column.
    let mut columns: Vec<([ValueCode; 3], u32)> = cache.systems(rows()).into_iter().collect();
    columns.sort_by_key(|&(codes, builds)| (std::cmp::Reverse(builds), codes));
    let others = columns.split_off(columns.len().min(MOST_SYSTEMS)).len();
    columns.sort_unstable();
    let of_version = |version: ValueCode| -> Systems {
        cache.systems(rows().filter(|&row| cache.index.value(row, Facet::Version) == version))
    };
    let older = row.versions.len().saturating_sub(MOST_VERSIONS);
    html! {
        h2 { "Builds by version" }
        div.scroll {
            table {
                thead {
                    tr {
                        th scope="col" { "Version" }
                        @for ([_, os, target], _) in &columns {
                            th scope="col" { bdi { (cache.name(Facet::Os, *os)) } "/" wbr; bdi { (cache.name(Facet::Target, *target)) } }
                        }
                        @if others > 0 { th scope="col" { "others" } }
                    }
                }
                tbody {
                    @for &version in row.versions.iter().take(MOST_VERSIONS) {
                        @let counts = of_version(version);
                        @let all: u32 = counts.values().sum();
                        @let shown: u32 = columns.iter().filter_map(|(codes, _)| counts.get(codes)).sum();
                        tr {
                            th scope="row" { bdi { (cache.name(Facet::Version, version)) } }
                            @for (codes, _) in &columns { (cell(counts.get(codes).copied().unwrap_or_default())) }
                            @if others > 0 { (cell(all - shown)) }
                        }
                    }
                }
            }
        }
        @if older > 0 { p.muted { (counted(older, "older version", "older versions")) " in the site." } }
    }
}

/// Writes a count. A text browser would show nothing at all for an empty cell, and shift the others.
fn cell(count: u32) -> Markup {
    match count {
        0 => html! { td.none { "0" } },
        _ => html! { td { (grouped(count as usize)) } },
    }
}
