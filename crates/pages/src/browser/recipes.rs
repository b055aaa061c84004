//! What recipes say: three parts of the index. The first is read after the first answer, the others when a page
//! needs them.

use cache_index::index::{Index, Part};

use site::browser::parts::{PartError, text_of_part};

/// Reads what lists show about recipes, unless this has been done.
pub(crate) async fn load_list(index: &'static Index) -> Result<(), PartError> {
    if index.recipe_list().is_none()
        && let Some(text) = text_of_part(Part::Recipes).await?
    {
        index.set_recipes(&text.copied())?;
    }
    Ok(())
}

/// Reads what the page of a package shows of its recipe, unless this has been done.
pub(crate) async fn load_details(index: &'static Index) -> Result<(), PartError> {
    load_list(index).await?;
    if !index.has_recipe_details()
        && let Some(text) = text_of_part(Part::RecipeDetails).await?
    {
        index.set_recipe_details(&text.copied())?;
    }
    Ok(())
}

/// Reads which packages Spack knows and the cache does not have, unless this has been done.
pub(crate) async fn load_others(index: &'static Index) -> Result<(), PartError> {
    if index.other_packages().is_none()
        && let Some(text) = text_of_part(Part::OtherPackages).await?
    {
        index.set_other_packages(&text.copied())?;
    }
    Ok(())
}
