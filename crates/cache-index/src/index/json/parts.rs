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
}

impl Part {
    /// All parts, the most urgent first.
    pub const ALL: [Part; 8] = [
        Part::Columns,
        Part::Hashes,
        Part::Details,
        Part::Dependencies,
        Part::Changes,
        Part::Recipes,
        Part::RecipeDetails,
        Part::OtherPackages,
    ];

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
        }
    }
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
    /// What a page says about the changes before it has them.
    pub summary: Option<Summary>,
    /// The text of [`Part::Recipes`].
    pub recipes: Option<String>,
    /// The text of [`Part::RecipeDetails`]. It belongs to [`Part::Recipes`].
    pub recipe_details: Option<String>,
    /// The text of [`Part::OtherPackages`].
    pub other_packages: Option<String>,
}

impl Parts {
    /// Returns the text of a part, if it has one.
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
        }
    }
}
