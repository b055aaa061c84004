//! Finding recipes: a file, a folder of files, or a URL.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cache_index::number::counted;
use cache_index::recipes::Recipes;

use super::location::{Location, locate_given};
use super::machine::{FolderEntry, FolderEntryKind, Machine};
use crate::recipes::{FoundRecipes, RecipeReader, may_be_recipe, read_recipes};
use crate::report::Report;

/// Reads recipes from all these places and unites them; if two state the same field, the later one wins. Reports
/// everything that is wrong with them.
pub fn find_recipes(machine: &impl Machine, places: &[PathBuf], report: &mut Report) -> Recipes {
    let mut all = Recipes::default();
    for place in places {
        let location = match place.to_str().filter(|text| text.contains("://")) {
            None => Location::Path(place.clone()),
            Some(url) => match locate_given(url, &[]) {
                Ok(location) => location,
                Err(error) => {
                    report.error(&error);
                    continue;
                }
            },
        };
        let label = location.label(machine);
        let read = match &location {
            Location::Path(path) if machine.entry_kind(path) == FolderEntryKind::Folder => {
                read_folder(machine, path)
            }
            location => {
                if let Location::Url(url) = location {
                    machine.fetch(std::slice::from_ref(url), &BTreeSet::new());
                }
                match location.open(machine) {
                    Ok(file) => read_recipes(file, machine.size_limit()),
                    Err(error) => {
                        report.problem(&label, &error);
                        continue;
                    }
                }
            }
        };
        for problem in &read.problems {
            report.unusable(&label, problem);
        }
        let FoundRecipes { recipes, skipped } = read.value.unwrap_or_default();
        if skipped > 0 {
            let files =
                counted(skipped, "file in JSON is not a recipe", "files in JSON are not recipes");
            report.note_of_kind("files are not recipes", format!("{label}: {files}, and skipped"));
        }
        all.unite(recipes);
    }
    all
}

/// Reads the JSON files in a folder, except for those whose path below it has a name that starts with a dot.
fn read_folder(machine: &impl Machine, folder: &Path) -> crate::Read<FoundRecipes> {
    let mut reading = RecipeReader::default();
    let mut paths = Vec::new();
    machine.walk(folder, &mut |entry| match entry {
        Ok(FolderEntry { path, depth, kind }) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_hidden = depth > 0 && name.starts_with('.');
            if kind == FolderEntryKind::File && !is_hidden && may_be_recipe(&name) {
                paths.push(path);
            }
            !is_hidden
        }
        Err(error) => {
            reading.report(&error);
            false
        }
    });
    for path in paths {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        reading.in_file(&name, |reading| {
            let read = machine.open(&path);
            let read = read.and_then(|file| reading.read(file, machine.size_limit(), true));
            if let Err(error) = read {
                reading.report(&error);
            }
        });
    }
    reading.finish()
}
