//! Which packages of a cache Spack has newer releases of, and which of its versions are deprecated.

use std::cmp::Reverse;
use std::fmt::Write as _;

use cache_index::facet::Facet;
use cache_index::index::{Index, LoadError, ValueCode};
use cache_index::number::{counted, grouped};
use serde_json::{Value, json};

use crate::text::markdown_cell;

/// The outdated packages and versions of a cache. Only packages with a binary count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutdatedReport {
    /// The packages whose newest release in Spack is not cached, those that are furthest behind first.
    pub packages: Vec<OutdatedPackage>,
    /// The cached versions that are deprecated, by package and then newest first.
    pub deprecated: Vec<CachedDeprecated>,
    /// The number of packages that have a recipe.
    pub compared: usize,
    /// The packages that have no recipe, sorted.
    pub without_recipe: Vec<String>,
}

/// A package whose newest release in Spack is not cached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutdatedPackage {
    /// Its name.
    pub package: String,
    /// The newest release in the cache; `None` if it only has branches or commits.
    pub cached: Option<String>,
    /// The newest release in Spack that is not deprecated.
    pub newest: String,
    /// How many such releases are newer than the cached one.
    pub behind: u32,
}

/// A cached version that its recipe calls deprecated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedDeprecated {
    /// The name of the package.
    pub package: String,
    /// The version.
    pub version: String,
    /// How many builds of it have a binary in the cache.
    pub builds: usize,
}

impl OutdatedReport {
    /// Compares packages of a cache with the recipes that its index has; `None` if it has none.
    ///
    /// # Errors
    ///
    /// If what the index has of a recipe is damaged.
    pub fn of(
        index: &Index,
        is_wanted: impl Fn(ValueCode) -> bool,
    ) -> Result<Option<OutdatedReport>, LoadError> {
        let Some(list) = index.recipe_list() else { return Ok(None) };
        let mut outdated = OutdatedReport::default();
        for (package, name) in index.dictionary(Facet::Package).iter() {
            let versions = index.cached_versions(package);
            if versions.is_empty() || !is_wanted(package) {
                continue;
            }
            let (Some(listed), Some(recipe)) = (list.of(package), index.recipe_of(package)?) else {
                outdated.without_recipe.push(name.to_owned());
                continue;
            };
            outdated.compared += 1;
            if let (Some(newest), 1..) = (listed.newest, listed.behind) {
                outdated.packages.push(OutdatedPackage {
                    package: name.to_owned(),
                    cached: index.newest_cached(package, &recipe).map(str::to_owned),
                    newest: newest.to_owned(),
                    behind: listed.behind,
                });
            }
            for version in versions.into_iter().filter(|version| recipe.is_deprecated(version)) {
                outdated.deprecated.push(CachedDeprecated {
                    package: name.to_owned(),
                    version: version.to_owned(),
                    builds: builds_of(index, package, version),
                });
            }
        }
        // By name within the same number.
        outdated.packages.sort_by_key(|one| Reverse(one.behind));
        Ok(Some(outdated))
    }

    /// Returns one object: `{"compared", "outdated": [{"package", "cached", "newest", "behind"}], "deprecated": [{"package",
    /// "version", "builds"}], "without_recipe": […]}`.
    pub fn json(&self) -> Value {
        let packages = self.packages.iter().map(|one| {
            let OutdatedPackage { package, cached, newest, behind } = one;
            json!({"package": package, "cached": cached, "newest": newest, "behind": behind})
        });
        let deprecated = self.deprecated.iter().map(|one| {
            let CachedDeprecated { package, version, builds } = one;
            json!({"package": package, "version": version, "builds": builds})
        });
        json!({
            "compared": self.compared,
            "outdated": packages.collect::<Vec<_>>(),
            "deprecated": deprecated.collect::<Vec<_>>(),
            "without_recipe": self.without_recipe,
        })
    }

    /// Returns a section for a report: a headline and two tables.
    pub fn markdown(&self) -> String {
        let mut text = format!("**{}**\n", self.headline());
        if !self.packages.is_empty() {
            text += "\n| package | newest in the cache | newest in Spack | releases behind |\n";
            text += "| --- | --- | --- | ---: |\n";
        }
        for one in &self.packages {
            let [package, cached, newest] =
                [&one.package, one.cached_in_words(), &one.newest].map(markdown_cell);
            let _ = writeln!(text, "| {package} | {cached} | {newest} | {} |", one.behind);
        }
        if !self.deprecated.is_empty() {
            text += "\n| deprecated in Spack, and cached | builds |\n| --- | ---: |\n";
        }
        for CachedDeprecated { package, version, builds } in &self.deprecated {
            let spec = markdown_cell(&format!("{package}@{version}"));
            let _ = writeln!(text, "| {spec} | {} |", grouped(*builds));
        }
        text
    }

    /// Returns the result in one line.
    pub fn headline(&self) -> String {
        let of = counted(self.compared, "package", "packages");
        let mut line = match (self.compared, self.packages.len()) {
            (0, _) => "no package could be compared with a recipe".to_owned(),
            (_, 0) => format!("of {of}, none is behind Spack"),
            (_, 1) => format!("1 of {of} is behind Spack"),
            (_, behind) => format!("{} of {of} are behind Spack", grouped(behind)),
        };
        if !self.deprecated.is_empty() {
            let versions =
                counted(self.deprecated.len(), "cached version is", "cached versions are");
            let _ = write!(line, "; {versions} deprecated");
        }
        if !self.without_recipe.is_empty() {
            let packages = counted(self.without_recipe.len(), "package has", "packages have");
            let _ = write!(line, "; {packages} no recipe");
        }
        line
    }
}

impl OutdatedPackage {
    /// Returns the newest release in the cache, or says that there is none.
    pub fn cached_in_words(&self) -> &str {
        self.cached.as_deref().unwrap_or("no release")
    }
}

/// Returns how many builds of a version have a binary in the cache.
fn builds_of(index: &Index, package: ValueCode, version: &str) -> usize {
    let rows = index.rows_of(package).filter(|&row| index.has_binary(row));
    let rows = rows.filter(|&row| index.text(row, Facet::Version) == version);
    rows.map(|row| index.row_len(row) as usize).sum()
}
