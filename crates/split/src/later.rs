//! The functions that move to the rest: those of the places that are listed for it, and functions that only these call.

use std::collections::{BTreeMap, BTreeSet};

use crate::module::{FunctionId, Module};
use crate::places::Places;

/// A function that others may call stays if it has fewer bytes than this: the compiler merges equal functions under the
/// name of any of them, and its stub would hardly be smaller.
const SMALL: usize = 100;

/// The same limit for functions instantiated for a type, which are merged more often.
const SMALL_AND_GENERIC: usize = 300;

/// Returns the functions that are loaded later.
pub(crate) fn later(module: &Module<'_>, places: &Places) -> BTreeSet<FunctionId> {
    let in_table: BTreeSet<FunctionId> = module.slots.values().copied().collect();
    let mut callers: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
    for id in module.ids() {
        for &called in calls(module, id) {
            callers.entry(called).or_default().push(id);
        }
    }
    let only_called_by = |id: FunctionId, some: &BTreeSet<FunctionId>| {
        let mut callers = callers.get(&id).into_iter().flatten();
        callers.all(|caller| some.contains(caller) || *caller == id)
    };
    let may_move = |id: FunctionId| {
        !module.roots.contains(&id)
            && module.function(id).is_some_and(|function| !function.takes_references)
    };
    let mut later: BTreeSet<FunctionId> =
        module.ids().filter(|&id| may_move(id) && place(module, id, places).is_some()).collect();
    loop {
        let common = later.iter().copied().filter(|&id| {
            let size = module.function(id).map_or(0, |function| function.body.range().len());
            let limit = match place(module, id, places) {
                Some(Place::Home) => SMALL,
                _ => SMALL_AND_GENERIC,
            };
            size < limit && (in_table.contains(&id) || !only_called_by(id, &later))
        });
        let common: Vec<FunctionId> = common.collect();
        if common.is_empty() {
            break;
        }
        for id in common {
            later.remove(&id);
        }
    }
    // Everything that only these call follows them, even if it calls itself or each other: what is not reached without them.
    let mut reached: BTreeSet<FunctionId> = BTreeSet::new();
    let mut found: Vec<FunctionId> = module
        .ids()
        .filter(|id| !later.contains(id) && (!may_move(*id) || in_table.contains(id)))
        .collect();
    while let Some(id) = found.pop() {
        if reached.insert(id) {
            found.extend(calls(module, id).filter(|called| !later.contains(called)));
        }
    }
    later.extend(module.ids().filter(|id| !reached.contains(id)));
    later
}

fn calls<'p>(module: &'p Module<'_>, id: FunctionId) -> impl Iterator<Item = &'p FunctionId> {
    module.function(id).into_iter().flat_map(|function| &function.calls)
}

/// How a function belongs to the code that is loaded later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It is defined there.
    Home,
    /// It was instantiated for a type from there.
    For,
}

fn place(module: &Module<'_>, id: FunctionId, places: &Places) -> Option<Place> {
    let name = module.function(id)?.name.as_str();
    if places.stay.iter().any(|stays| name.contains(stays)) {
        return None;
    }
    let own = name.trim_start_matches(['<', '&']).trim_start_matches("mut ");
    match places.later.iter().any(|place| own.starts_with(place)) {
        true => Some(Place::Home),
        false => {
            let of_types = places.later.iter().filter(|place| place.starts_with(places.types));
            of_types.into_iter().any(|place| name.contains(place)).then_some(Place::For)
        }
    }
}
