//! What recipes say: three parts of the index. The first is read after the first answer, the others when a page
//! needs them.

use cache_index::index::{Index, LoadError, Part};

use site::browser::parts::{PartError, text_of_part};

/// Reads what lists show about recipes, unless this has been done.
pub(crate) async fn load_list(index: &'static Index) -> Result<(), PartError> {
    load(Part::Recipes, || index.recipe_list().is_some(), |text| index.set_recipes(text)).await
}

/// Reads what the page of a package shows of its recipe, unless this has been done.
pub(crate) async fn load_details(index: &'static Index) -> Result<(), PartError> {
    load_list(index).await?;
    let is_read = || index.has_recipe_details();
    load(Part::RecipeDetails, is_read, |text| index.set_recipe_details(text)).await
}

/// Reads which packages Spack knows and the cache does not have, unless this has been done.
pub(crate) async fn load_others(index: &'static Index) -> Result<(), PartError> {
    let is_read = || index.other_packages().is_some();
    load(Part::OtherPackages, is_read, |text| index.set_other_packages(text)).await
}

/// Reads a part, unless this has been done. Two tasks may wait for the same part, which is in the page only until the first of
/// them has taken it.
async fn load(
    part: Part,
    is_read: impl Fn() -> bool,
    read: impl FnOnce(&str) -> Result<(), LoadError>,
) -> Result<(), PartError> {
    if is_read() {
        return Ok(());
    }
    let text = text_of_part(part).await;
    if !is_read()
        && let Some(text) = text?
    {
        read(&text.copied())?;
    }
    Ok(())
}
