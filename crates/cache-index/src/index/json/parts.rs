//! An index as several texts, the most urgent first.
//!
//! A page contains each of them in a `<script type="application/json">` with its own id:
//!
//! | id | part | read by |
//! | --- | --- | --- |
//! | `index` | the columns, which answer every query; or all parts as one text | [`Index::from_json`], or [`Index::from_parsed`] if something else has parsed it |
//! | `index-hashes` | the hashes | [`Index::set_hashes`] |
//! | `index-details` | what only the page of a single build shows | [`Index::set_details`] |
//! | `index-dependencies` | which builds depend on which; most visits never need it | [`Index::set_dependencies`] |
//! | `index-changes` | what changed since an earlier publication | [`Index::set_changes`] |
//! | `index-recipes` | what recipes say of packages, as far as lists show it | [`Index::set_recipes`] |
//! | `index-recipe-details` | what only the page of a package shows of its recipe | [`Index::set_recipe_details`] |
//! | `index-other-packages` | the packages that Spack knows and the cache does not have | [`Index::set_other_packages`] |
//! | `index-facts` | what was found in binaries, by build | [`FactsByBuild::read`](super::FactsByBuild::read) |
//! | `index-contents` | the list of the shards with the files of builds | [`shard_of`](super::shard_of) |
//! | `index-files` | the list of the shards that say which builds have a file | `facts::shards` |

use std::sync::Arc;

#[cfg(doc)]
use crate::index::Index;
use crate::index::Summary;

/// A part of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The columns.
    Columns,
    /// The hashes.
    Hashes,
    /// The details of single builds.
    Details,
    /// The dependencies.
    Dependencies,
    /// What changed since an earlier publication.
    Changes,
    /// What lists show of recipes.
    Recipes,
    /// What the page of a package shows of its recipe.
    RecipeDetails,
    /// The packages that Spack knows and the cache does not have.
    OtherPackages,
    /// What was found in binaries, by build.
    Facts,
    /// The list of the shards with the files of builds.
    Contents,
    /// The list of the shards that say which builds have a file.
    Files,
}

impl Part {
    /// All parts, the most urgent first.
    pub const ALL: [Part; 11] = [
        Part::Columns,
        Part::Hashes,
        Part::Details,
        Part::Dependencies,
        Part::Changes,
        Part::Recipes,
        Part::RecipeDetails,
        Part::OtherPackages,
        Part::Facts,
        Part::Contents,
        Part::Files,
    ];

    /// The parts that are only fetched when a user asks for them, even if they are short.
    pub const ON_DEMAND: [Part; 3] = [Part::Facts, Part::Contents, Part::Files];

    /// Returns the id of the script that contains a shard in a page, if the part lists shards.
    pub fn shard_id(self, number: usize) -> String {
        format!("{}-{number}", self.id())
    }

    /// Returns the id of the script that contains the part in a page.
    pub const fn id(self) -> &'static str {
        match self {
            Part::Columns => "index",
            Part::Hashes => "index-hashes",
            Part::Details => "index-details",
            Part::Dependencies => "index-dependencies",
            Part::Changes => "index-changes",
            Part::Recipes => "index-recipes",
            Part::RecipeDetails => "index-recipe-details",
            Part::OtherPackages => "index-other-packages",
            Part::Facts => "index-facts",
            Part::Contents => "index-contents",
            Part::Files => "index-files",
        }
    }
}

/// The texts about binaries, each JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FactsTexts {
    /// The text of [`Part::Facts`].
    pub by_build: String,
    /// The shards with the files of builds, each from the number of a build.
    pub contents: Vec<Shard<u32>>,
    /// The shards with the builds of files, each from a name.
    pub files: Vec<Shard<String>>,
}

/// A shard of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard<K> {
    /// Where it begins. Anything from there up to the beginning of the next shard is in this one, if it is in any.
    pub from: K,
    /// Its text, JSON.
    pub text: String,
}

/// The texts of the parts of an index, each JSON. A part without data has no text.
///
/// The columns answer every query and are the only part that [`Index::from_json`] needs; the others
/// can follow in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The text of [`Part::Columns`].
    pub columns: String,
    /// The text of [`Part::Hashes`].
    pub hashes: Option<String>,
    /// The text of [`Part::Details`].
    pub details: Option<String>,
    /// The text of [`Part::Dependencies`].
    pub dependencies: Option<String>,
    /// The text of [`Part::Changes`].
    pub changes: Option<String>,
    /// The summary of the changes that a page shows before it has loaded them.
    pub summary: Option<Summary>,
    /// The text of [`Part::Recipes`].
    pub recipes: Option<String>,
    /// The text of [`Part::RecipeDetails`]. It belongs to [`Part::Recipes`].
    pub recipe_details: Option<String>,
    /// The text of [`Part::OtherPackages`].
    pub other_packages: Option<String>,
    /// The texts about binaries: that of [`Part::Facts`], and the shards that [`Part::Contents`] and [`Part::Files`] list.
    /// They may be long, so they are shared with the index.
    pub facts: Option<Arc<FactsTexts>>,
}

impl Parts {
    /// Returns the text of a part, if it has one. Those of [`Part::Contents`] and [`Part::Files`] depend on where their
    /// shards are, so the publisher of the index writes them.
    pub fn text(&self, part: Part) -> Option<&str> {
        match part {
            Part::Columns => Some(&self.columns),
            Part::Hashes => self.hashes.as_deref(),
            Part::Details => self.details.as_deref(),
            Part::Dependencies => self.dependencies.as_deref(),
            Part::Changes => self.changes.as_deref(),
            Part::Recipes => self.recipes.as_deref(),
            Part::RecipeDetails => self.recipe_details.as_deref(),
            Part::OtherPackages => self.other_packages.as_deref(),
            Part::Facts => self.facts.as_ref().map(|facts| facts.by_build.as_str()),
            Part::Contents | Part::Files => None,
        }
    }

    /// Returns the total length of all texts in bytes.
    pub fn bytes(&self) -> usize {
        let parts = Part::ALL.into_iter().filter_map(|part| self.text(part)).map(str::len);
        let facts = self.facts.as_deref();
        let contents = facts.into_iter().flat_map(|facts| &facts.contents);
        let files = facts.into_iter().flat_map(|facts| &facts.files);
        let shards =
            contents.map(|shard| shard.text.len()).chain(files.map(|shard| shard.text.len()));
        parts.chain(shards).sum()
    }
}
