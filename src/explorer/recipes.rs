//! What recipes say, as it arrives. All of this is in the rest of the app. A function returns `None` until what it returns is
//! there, and whatever reads it follows.

use std::cell::Cell;
use std::future::Future;

use cache_index::index::{OtherPackages, RecipeList, ValueCode};
use cache_index::recipes::Recipe;
use leptos::prelude::*;

use super::Explorer;
use crate::browser::parts::PartError;
use crate::browser::{recipes, tasks};

thread_local! {
    /// The parts that were asked for, in the order in which they are loaded: what lists show, details, other packages.
    static ASKED: [Cell<bool>; 3] = const { [const { Cell::new(false) }; 3] };
}

/// Reads what lists show of recipes.
#[inline(never)]
pub(crate) fn take_list(explorer: Explorer) {
    let load = recipes::load_list(explorer.index);
    take(explorer, 0, explorer.arrival.recipes.list, load);
}

/// Returns what lists show of recipes.
pub(crate) fn list(explorer: Explorer) -> Option<&'static RecipeList> {
    explorer.arrival.recipes.list.get().then(|| explorer.index.recipe_list()).flatten()
}

/// Returns what its recipe says of a package, and asks for it.
pub(crate) fn of_package(explorer: Explorer, package: ValueCode) -> Option<Recipe> {
    let here = explorer.arrival.recipes.details;
    take(explorer, 1, here, recipes::load_details(explorer.index));
    here.track();
    // What is damaged in the details of a package leaves the page without them.
    explorer.index.recipe_of(package).ok().flatten()
}

/// Returns which packages Spack knows and the cache does not have, and asks for them.
pub(crate) fn others(explorer: Explorer) -> Option<&'static OtherPackages> {
    let here = explorer.arrival.recipes.others;
    take(explorer, 2, here, recipes::load_others(explorer.index));
    here.track();
    explorer.index.other_packages()
}

/// Reads a part, unless that has begun or there is none.
fn take(
    explorer: Explorer,
    part: usize,
    here: RwSignal<bool>,
    load: impl Future<Output = Result<(), PartError>> + 'static,
) {
    let is_first = explorer.has_recipes() && !ASKED.with(|asked| asked[part].replace(true));
    if is_first {
        tasks::spawn(async move {
            match load.await {
                Ok(()) => here.set(true),
                Err(problem) => explorer.has_failed(&problem),
            }
        });
    }
}
