//! What recipes say, as it arrives. A function returns `None` until its data is there, and whatever has called it is
//! notified when the data arrives.

use std::cell::{Cell, RefCell};
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
    /// For each of these parts, why it could not be read.
    static FAILED: [RefCell<Option<String>>; 3] = const { [const { RefCell::new(None) }; 3] };
}

/// Reads what lists show about recipes.
pub(crate) fn take_list(explorer: Explorer) {
    take(explorer, 0, recipes::load_list(explorer.index));
}

/// Returns the recipe of a package, and requests it.
pub(crate) fn of_package(explorer: Explorer, package: ValueCode) -> Option<Recipe> {
    take(explorer, 1, recipes::load_details(explorer.index));
    // If the details of a package are damaged, the page does without them.
    explorer.requested().recipe_of(package).ok().flatten()
}

/// Returns the versions of a package that its recipe calls deprecated, and requests the recipe.
pub(crate) fn deprecated(explorer: Explorer, package: ValueCode) -> Vec<String> {
    of_package(explorer, package).and_then(|recipe| recipe.deprecated).unwrap_or_default()
}

/// Returns which of the wanted packages are outdated, and requests the recipes. Damage is reported as a problem.
pub(crate) fn outdated(
    explorer: Explorer,
    is_wanted: impl Fn(ValueCode) -> bool,
) -> Option<Result<OutdatedReport, String>> {
    take(explorer, 1, recipes::load_details(explorer.index));
    let index = explorer.requested();
    if let Some(problem) = failed(1) {
        return Some(Err(problem));
    }
    let outdated = index.has_recipe_details().then(|| OutdatedReport::of(index, is_wanted))?;
    outdated.map_err(|problem| problem.to_string()).transpose()
}

/// Returns the licences of the packages, and requests the recipes. Damage is reported as a problem.
pub(crate) fn licenses(explorer: Explorer) -> Option<Result<Licenses, String>> {
    take(explorer, 1, recipes::load_details(explorer.index));
    let index = explorer.requested();
    if let Some(problem) = failed(1) {
        return Some(Err(problem));
    }
    let licenses = index.has_recipe_details().then(|| Licenses::of(index))?;
    licenses.map_err(|problem| problem.to_string()).transpose()
}

/// Returns which packages Spack knows and the cache does not have, and requests them.
pub(crate) fn others(explorer: Explorer) -> Option<&'static OtherPackages> {
    take(explorer, 2, recipes::load_others(explorer.index));
    explorer.requested().other_packages()
}

/// Returns why a part could not be read; `None` if it was read, or has not been yet.
fn failed(part: usize) -> Option<String> {
    FAILED.with(|failed| failed[part].borrow().clone())
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
                Err(problem) => {
                    FAILED.with(|failed| *failed[part].borrow_mut() = Some(problem.to_string()));
                    explorer.note_requested();
                    explorer.report_failure(&problem);
                }
            }
        });
    }
}
