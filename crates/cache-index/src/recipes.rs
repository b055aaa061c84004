//! What Spack's recipes say of packages: plain data, which `cache-ingest` reads and an index keeps alongside its
//! builds.
//!
//! Surprises of the data: a package of a cache may have no recipe (it may come from a user's own repository), and a
//! cached version may no longer be in its recipe. Branches are among the versions, and Spack orders them above every
//! number. A list that `spack list` prints does not say which of its versions are deprecated.

use std::collections::BTreeMap;

use foldhash::HashSet;
use serde::{Deserialize, Serialize};
use spack_spec::{Variant, VariantValue, Version};

use crate::order::is_development;
use crate::sorting;

/// What recipes say, by the name of the package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipes(pub BTreeMap<String, Recipe>);

impl Recipes {
    /// Adds what another source says. Where both say something of a field, the later one wins.
    pub fn unite(&mut self, later: Recipes) {
        for (name, recipe) in later.0 {
            self.0.entry(name).or_default().unite(recipe);
        }
    }
}

/// What a recipe says of its package. A field is `None` if the source does not say it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Recipe {
    /// What the package is, in one line. An index keeps it in another part than the other fields.
    #[serde(skip)]
    pub description: Option<String>,
    /// The address of its home page, which may be any text: see [`Recipe::home_page`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// The class that builds it, such as `CMakePackage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build_system: Option<String>,
    /// Its licences as the recipe writes them; most are SPDX expressions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licenses: Option<Vec<String>>,
    /// `true` if the licences are one valid SPDX expression, which is determined when the index is published.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_spdx: bool,
    /// The names of those who maintain the recipe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maintainers: Option<Vec<String>>,
    /// The virtual packages that it provides, in some version at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provides: Option<Vec<String>>,
    /// Its variants, in the order of the recipe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variants: Option<Vec<RecipeVariant>>,
    /// All its versions, those that are deprecated and branches included, newest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versions: Option<Vec<String>>,
    /// Those of its versions that follow a branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches: Option<Vec<String>>,
    /// Those of its versions that are deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Vec<String>>,
    /// The version that Spack chooses unless something else is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferred: Option<String>,
}

/// A variant of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipeVariant {
    /// Its name.
    pub name: String,
    /// The default as text: `true` and `false` for one that is on or off.
    pub default: String,
    /// What it does; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

impl RecipeVariant {
    /// Returns the variant with its default, as a spec would have it.
    pub fn default_spec(&self) -> String {
        let RecipeVariant { name, default, .. } = self;
        match default.to_lowercase().as_str() {
            "true" => format!("+{name}"),
            "false" => format!("~{name}"),
            _ => format!("{name}={default}"),
        }
    }
}

impl Recipe {
    /// Takes the fields that another source states.
    pub fn unite(&mut self, later: Recipe) {
        fn take<T>(field: &mut Option<T>, later: Option<T>) {
            *field = later.or(field.take());
        }
        take(&mut self.description, later.description);
        take(&mut self.homepage, later.homepage);
        take(&mut self.build_system, later.build_system);
        take(&mut self.licenses, later.licenses);
        take(&mut self.maintainers, later.maintainers);
        take(&mut self.provides, later.provides);
        take(&mut self.variants, later.variants);
        take(&mut self.versions, later.versions);
        take(&mut self.branches, later.branches);
        take(&mut self.deprecated, later.deprecated);
        take(&mut self.preferred, later.preferred);
    }

    /// Returns the address of the home page if a link may point to it: anything but a web address could be a script or
    /// a file.
    pub fn home_page(&self) -> Option<&str> {
        let is_web = |address: &&str| {
            ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme))
        };
        self.homepage.as_deref().filter(is_web)
    }

    /// Returns the variants of a build that have none of the defaults that the recipe states for them: it may state several,
    /// each for some versions. Variants that the recipe does not have are left out.
    pub fn not_default<'b>(&self, variants: &'b [Variant]) -> Vec<&'b Variant> {
        let differs = |variant: &&Variant| {
            let stated = self.variants.iter().flatten().filter(|known| known.name == variant.name);
            let mut defaults = stated.map(|known| known.default.as_str()).peekable();
            defaults.peek().is_some() && !defaults.any(|default| has_value(variant, default))
        };
        variants.iter().filter(differs).collect()
    }

    /// Returns what a variant does and its default, in one line; `None` if the recipe does not have it. If the recipe states
    /// several defaults, each for some versions, the line has all of them.
    pub fn about_variant(&self, name: &str) -> Option<String> {
        let stated = || self.variants.iter().flatten().filter(|known| known.name == name);
        let mut defaults: Vec<String> = stated().map(RecipeVariant::default_spec).collect();
        sorting::sort_and_dedup(&mut defaults);
        let default = match &defaults[..] {
            [] => return None,
            defaults => defaults.join(" or "),
        };
        let does = stated().map(|known| known.description.as_str()).find(|text| !text.is_empty());
        Some(match does {
            Some(does) => format!("{does} (default: {default})"),
            None => format!("default: {default}"),
        })
    }

    /// Returns `true` if a version is known to be deprecated.
    pub fn is_deprecated(&self, version: &str) -> bool {
        contains(self.deprecated.as_ref(), version)
    }

    /// Returns `true` if a version is a release: neither a branch nor a commit.
    pub fn is_release(&self, version: &str) -> bool {
        !contains(self.branches.as_ref(), version) && !is_development(version)
    }

    /// Returns the releases that are not deprecated, newest first in Spack's order.
    ///
    /// If the source does not say which versions are deprecated, those above the preferred version may be, and are left
    /// out.
    pub fn releases(&self) -> Vec<&str> {
        let limit = self.preferred.as_deref().filter(|it| self.is_release(it));
        let limit = limit.filter(|_| self.deprecated.is_none()).and_then(read);
        let versions = self.versions.iter().flatten().map(String::as_str);
        let others = [&self.branches, &self.deprecated].into_iter().flatten().flatten();
        let others: HashSet<&str> = others.map(String::as_str).collect();
        let mut releases: Vec<(Version, &str)> = versions
            .filter(|version| !others.contains(version) && !is_development(version))
            .filter_map(|version| Some((read(version)?, version)))
            .filter(|(version, _)| limit.as_ref().is_none_or(|limit| version <= limit))
            .collect();
        sorting::sort_by(&mut releases, |(a, _), (b, _)| b.cmp(a));
        releases.dedup_by(|(a, _), (b, _)| a == b);
        releases.into_iter().map(|(_, text)| text).collect()
    }
}

/// Returns `true` if a variant has the value that a recipe writes like this.
fn has_value(variant: &Variant, written: &str) -> bool {
    match &variant.value {
        VariantValue::Bool(value) => written.eq_ignore_ascii_case(&value.to_string()),
        VariantValue::Single(value) => value == written,
        VariantValue::Multi(values) => {
            let mut written: Vec<&str> = written.split(',').map(str::trim).collect();
            sorting::sort_and_dedup(&mut written);
            values.iter().eq(&written)
        }
    }
}

fn contains(versions: Option<&Vec<String>>, version: &str) -> bool {
    versions.is_some_and(|versions| versions.iter().any(|other| other == version))
}

fn read(version: &str) -> Option<Version> {
    version.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Option<Vec<String>> {
        Some(texts.iter().map(|&text| text.to_owned()).collect())
    }

    #[test]
    fn knows_releases_from_branches_and_from_what_is_deprecated() {
        let recipe = Recipe {
            versions: texts(&["develop-2.0", "1.15", "feature", "1.9", "1.14", "main"]),
            branches: texts(&["feature"]),
            deprecated: texts(&["1.15"]),
            ..Recipe::default()
        };
        assert_eq!(recipe.releases(), ["1.14", "1.9"]);
        assert!(recipe.is_deprecated("1.15") && !recipe.is_deprecated("1.14"));
    }

    #[test]
    fn knows_which_variants_of_a_build_are_not_the_default() {
        let stated = |name: &str, default: &str| RecipeVariant {
            name: name.to_owned(),
            default: default.to_owned(),
            description: String::new(),
        };
        let recipe = Recipe {
            variants: Some(vec![
                stated("mpi", "True"),
                stated("shared", "true"),
                stated("build_type", "Release"),
                stated("languages", "fortran, c"),
                stated("api", "v18"),
                stated("api", "default"),
            ]),
            ..Recipe::default()
        };
        let not_default = |variants: &[&str]| {
            let variants = variants.iter().map(|text| text.parse::<Variant>().expect("a variant"));
            let variants: Vec<Variant> = variants.collect();
            let found = recipe.not_default(&variants).into_iter().map(ToString::to_string);
            found.collect::<Vec<_>>().join(" ")
        };
        let defaults = ["+mpi", "build_type=Release", "languages:=c,fortran", "api=default"];
        assert_eq!(not_default(&defaults), "");
        assert_eq!(not_default(&["~mpi", "+shared", "api=v18", "patches:=abc"]), "~mpi");
        let others = ["build_type=Debug", "languages:=c", "api=v16"];
        assert_eq!(not_default(&others), "build_type=Debug languages=c api=v16");
    }

    #[test]
    fn says_what_a_variant_does_and_its_defaults() {
        let stated = |name: &str, default: &str, description: &str| RecipeVariant {
            name: name.to_owned(),
            default: default.to_owned(),
            description: description.to_owned(),
        };
        let recipe = Recipe {
            variants: Some(vec![
                stated("mpi", "True", "Use MPI"),
                stated("api", "v18", ""),
                stated("api", "default", "Which interface"),
                stated("pic", "False", ""),
            ]),
            ..Recipe::default()
        };
        #[track_caller]
        fn check(recipe: &Recipe, name: &str, expected: Option<&str>) {
            assert_eq!(recipe.about_variant(name).as_deref(), expected, "{name}");
        }
        check(&recipe, "mpi", Some("Use MPI (default: +mpi)"));
        check(&recipe, "api", Some("Which interface (default: api=default or api=v18)"));
        check(&recipe, "pic", Some("default: ~pic"));
        check(&recipe, "shared", None);
    }

    #[test]
    fn trusts_the_preferred_version_where_nothing_says_what_is_deprecated() {
        let listed = Recipe {
            versions: texts(&["master", "3.0", "2.1", "2.0"]),
            preferred: Some("2.1".to_owned()),
            ..Recipe::default()
        };
        assert_eq!(listed.releases(), ["2.1", "2.0"]);
        let known = Recipe { deprecated: texts(&[]), ..listed.clone() };
        assert_eq!(known.releases(), ["3.0", "2.1", "2.0"]);
        // A package that only has branches prefers one of them.
        let of_branch = Recipe { preferred: Some("master".to_owned()), ..listed };
        assert_eq!(of_branch.releases(), ["3.0", "2.1", "2.0"]);
    }

    #[test]
    fn lets_the_later_source_win_where_it_says_something() {
        let of = |recipe| Recipes(BTreeMap::from([("zlib".to_owned(), recipe)]));
        let early = Recipe {
            description: Some("A library.".to_owned()),
            versions: texts(&["1.2"]),
            deprecated: texts(&["1.2"]),
            ..Recipe::default()
        };
        let mut recipes = of(early.clone());
        recipes.unite(of(Recipe { versions: texts(&["1.3", "1.2"]), ..Recipe::default() }));
        assert_eq!(recipes, of(Recipe { versions: texts(&["1.3", "1.2"]), ..early }));
    }

    #[test]
    fn links_only_to_the_web() {
        #[track_caller]
        fn check(homepage: &str, leads: bool) {
            let recipe = Recipe { homepage: Some(homepage.to_owned()), ..Recipe::default() };
            assert_eq!(recipe.home_page().is_some(), leads, "{homepage}");
        }
        check("https://zlib.net", true);
        check("http://zlib.net", true);
        check("javascript:alert(1)", false);
        check(" https://zlib.net", false);
        check("file:///etc/passwd", false);
        check("HTTPS://zlib.net", false);
    }
}
