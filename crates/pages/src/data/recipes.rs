//! What recipes say, as it arrives. A function returns `None` until what it returns is
//! there, and whatever reads it follows.

use std::cell::Cell;
use std::future::Future;

use cache_advice::recipes::{Licenses, OutdatedReport};
use cache_index::index::{OtherPackages, ValueCode};
use cache_index::recipes::Recipe;

use crate::browser::recipes;
use site::browser::parts::PartError;
use site::browser::tasks;
use site::explorer::Explorer;

thread_local! {
    /// The parts that were asked for, in the order in which they are loaded: what lists show, details, other packages.
    static ASKED: [Cell<bool>; 3] = const { [const { Cell::new(false) }; 3] };
}

/// Reads what lists show of recipes.
pub(crate) fn take_list(explorer: Explorer) {
    take(explorer, 0, recipes::load_list(explorer.index));
}

/// Returns what its recipe says of a package, and asks for it.
pub(crate) fn of_package(explorer: Explorer, package: ValueCode) -> Option<Recipe> {
    take(explorer, 1, recipes::load_details(explorer.index));
    // What is damaged in the details of a package leaves the page without them.
    explorer.requested().recipe_of(package).ok().flatten()
}

/// Returns the versions of a package that its recipe calls deprecated, and asks for what it says.
pub(crate) fn deprecated(explorer: Explorer, package: ValueCode) -> Vec<String> {
    of_package(explorer, package).and_then(|recipe| recipe.deprecated).unwrap_or_default()
}

/// Returns which packages that are wanted are outdated, and asks for what recipes say. What is damaged is a problem.
pub(crate) fn outdated(
    explorer: Explorer,
    is_wanted: impl Fn(ValueCode) -> bool,
) -> Option<Result<OutdatedReport, String>> {
    take(explorer, 1, recipes::load_details(explorer.index));
    let index = explorer.requested();
    let outdated = index.has_recipe_details().then(|| OutdatedReport::of(index, is_wanted))?;
    outdated.map_err(|problem| problem.to_string()).transpose()
}

/// Returns the licences of the packages, and asks for what recipes say. What is damaged is a problem.
pub(crate) fn licenses(explorer: Explorer) -> Option<Result<Licenses, String>> {
    take(explorer, 1, recipes::load_details(explorer.index));
    let index = explorer.requested();
    let licenses = index.has_recipe_details().then(|| Licenses::of(index))?;
    licenses.map_err(|problem| problem.to_string()).transpose()
}

/// Returns which packages Spack knows and the cache does not have, and asks for them.
pub(crate) fn others(explorer: Explorer) -> Option<&'static OtherPackages> {
    take(explorer, 2, recipes::load_others(explorer.index));
    explorer.requested().other_packages()
}

/// Reads a part, unless that has begun or there is none.
fn take(
    explorer: Explorer,
    part: usize,
    load: impl Future<Output = Result<(), PartError>> + 'static,
) {
    let is_first = explorer.has_recipes() && !ASKED.with(|asked| asked[part].replace(true));
    if is_first {
        tasks::spawn(async move {
            match load.await {
                Ok(()) => explorer.note_requested(),
                Err(problem) => explorer.has_failed(&problem),
            }
        });
    }
}
