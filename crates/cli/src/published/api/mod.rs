//! The interface of a site for programs: static files of JSON, which any program can fetch without running the page.
//!
//! | file | contents |
//! | --- | --- |
//! | `api/index.json` | the cache: when and from what it was made, how many builds there are for which systems, its mirrors |
//! | `api/packages.json` | each package, in a line: its versions, newest first, and how many builds there are for which systems |
//! | `api/package/NAME.json` | each build of a package, in a line, with everything that is known about it; newest first |
//! | `api/badge/NAME.json` | the newest version of a package and the number of its builds, as badge services read it |
//! | `llms.txt` | where these files are and what is in them, for language models |
//!
//! Every JSON file except the badges begins with `"api":1`. As long as this number stays, fields may be added, but none is
//! removed or changes its meaning. `docs/api.schema.json` describes the files, and the tests validate what is written.
//!
//! Only `index.json` says when the cache was published, so that the files of a package change only if its builds do.

mod cache;
mod llms;
mod package;

use std::sync::Arc;

use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use serde::Serialize;

use super::badge::{badge, newest_and_builds};
use super::names::PackageFiles;
use super::{PublishedCache, SYSTEM, Systems};
use crate::output::{Kind, Shelf, Tree};

/// The version of the interface.
const API: u32 = 1;

/// The file about the cache.
const INDEX: &str = "api/index.json";
/// The file with all packages.
const PACKAGES: &str = "api/packages.json";
/// The file for language models, at the path where they look for it.
const LLMS: &str = "llms.txt";
/// The files whose names are the same for every cache, and their kinds.
pub(crate) const FILES: [(&str, Kind); 3] =
    [(INDEX, Kind::Interface), (PACKAGES, Kind::Interface), (LLMS, Kind::Llms)];
/// The files with the builds of one package each.
const OF_PACKAGES: Shelf = Shelf { before: "api/package/", after: ".json", kind: Kind::Interface };
/// The badges of packages.
const BADGES: Shelf = Shelf { before: "api/badge/", after: ".json", kind: Kind::Badge };

/// The folders that only this program fills.
pub(crate) const SHELVES: [Shelf; 2] = [OF_PACKAGES, BADGES];

pub(crate) use self::llms::pointer as in_llms;
pub(crate) use self::package::build;

/// Returns all files of the interface.
pub(crate) fn tree(cache: &Arc<PublishedCache>) -> Tree {
    let mut tree = Tree::default();
    let all = Arc::clone(cache);
    tree.add(INDEX.to_owned(), Kind::Interface, move || cache::index(&all));
    let all = Arc::clone(cache);
    tree.add(PACKAGES.to_owned(), Kind::Interface, move || cache::packages(&all));
    let all = Arc::clone(cache);
    tree.add(LLMS.to_owned(), Kind::Llms, move || llms::llms(&all));
    let files = |write: fn(&PublishedCache, ValueCode) -> String| {
        cache.packages().filter_map(move |PackageFiles { package, file }| {
            let cache = Arc::clone(cache);
            Some((file?, move || write(&cache, package)))
        })
    };
    tree.fill(OF_PACKAGES, files(package::package));
    tree.fill(BADGES, files(badge_of));
    tree
}

/// Writes the badge of a package.
fn badge_of(cache: &PublishedCache, package: ValueCode) -> String {
    let message = newest_and_builds(cache.index, &cache.answer, package);
    badge(cache.name(Facet::Package, package), &message, "blue")
}

/// Writes an object whose last field is a list with one item per line, so that line-based tools can read it too.
fn with_lines<T: Serialize>(
    head: &impl Serialize,
    field: &str,
    items: impl Iterator<Item = T>,
) -> String {
    let head = json(head);
    let head = head.strip_suffix('}').unwrap_or(&head);
    let items: Vec<String> = items.map(|item| json(&item)).collect();
    format!("{head},\"{field}\":[\n{}\n]}}\n", items.join(",\n"))
}

/// Writes a struct as JSON, which cannot fail.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
