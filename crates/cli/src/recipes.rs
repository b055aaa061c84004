//! The option `--recipes`: what Spack's recipes say of packages.

use std::path::{Path, PathBuf};

use cache_index::index::Index;
use cache_ingest::inputs::find_recipes;
use clap::Args;

use crate::inputs::ReadingArguments;
use crate::report::{Failure, Report};

/// Where recipes are.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RecipeArguments {
    /// What Spack's recipes say of packages: a folder, a tarball or a JSON list of packages.spack.io's files, or what
    /// `spack list --format version_json` prints, here or at an https:// URL. May be repeated: where two say something of a
    /// field, the later wins.
    #[arg(long, value_name = "FILE|FOLDER|URL")]
    recipes: Vec<PathBuf>,
}

impl RecipeArguments {
    /// Returns the paths and URLs of recipes.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.recipes.iter().map(PathBuf::as_path)
    }

    /// Adds what the recipes say to an index. Without recipes, the index stays unchanged.
    pub(crate) fn describe(
        &self,
        index: &mut Index,
        reading: &ReadingArguments,
        report: &mut Report,
    ) -> Result<(), Failure> {
        if self.recipes.is_empty() {
            return Ok(());
        }
        let mut disk = reading.disk();
        let mut places = self.recipes.clone();
        for place in &mut places {
            disk.spool(place)?;
        }
        let recipes = find_recipes(&disk, &places, report);
        if report.has_problems() {
            return Err(Failure::Reported("the recipes were not read".to_owned()));
        }
        index.take_recipes(recipes);
        Ok(())
    }
}
