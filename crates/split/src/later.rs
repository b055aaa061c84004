//! Decides which functions move to a part: those from the places that are listed for it, and functions that only these call.

use std::collections::{BTreeMap, BTreeSet};

use crate::links::Links;
use crate::module::{FunctionId, Module};
use crate::places::Places;
use crate::uses::Uses;

/// A function that others may call stays if it has fewer bytes than this: the compiler merges equal functions under the
/// name of any of them, and its stub would hardly be smaller.
const SMALL: usize = 100;

/// The same limit for functions instantiated for a type, which are merged more often.
const SMALL_AND_GENERIC: usize = 300;

/// The position of a part in [`Places::parts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PartId(pub usize);

/// The functions that are loaded later, and with which part.
pub(crate) type Later = BTreeMap<FunctionId, PartId>;

/// Returns the functions that are loaded later.
pub(crate) fn later(module: &Module<'_>, places: &Places, links: &Links) -> Later {
    let uses = Uses::new(module, links);
    let mut callers: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
    for id in module.ids() {
        for &called in uses.of(id) {
            callers.entry(called).or_default().push(id);
        }
    }
    let only_called_within = |id: FunctionId, part: PartId, later: &Later| {
        let mut callers = callers.get(&id).into_iter().flatten();
        callers.all(|caller| later.get(caller) == Some(&part) || *caller == id)
    };
    let may_move = |id: FunctionId| {
        !module.roots.contains(&id)
            && module.function(id).is_some_and(|function| !function.takes_references)
    };
    let listed = |id: FunctionId| Some((id, place(module, id, places)?.part));
    let mut later: Later = module.ids().filter(|&id| may_move(id)).filter_map(listed).collect();
    loop {
        let common = later.iter().filter(|&(&id, &part)| {
            let size = module.function(id).map_or(0, |function| function.body.range().len());
            let limit = match place(module, id, places) {
                Some(Place { is_home: true, .. }) => SMALL,
                _ => SMALL_AND_GENERIC,
            };
            size < limit && (uses.held.contains(&id) || !only_called_within(id, part, &later))
        });
        let common: Vec<FunctionId> = common.map(|(&id, _)| id).collect();
        if common.is_empty() {
            break;
        }
        for id in common {
            later.remove(&id);
        }
    }
    // Functions that only these call follow them, even if they call themselves or each other: all that are not reached
    // without them.
    let first = module.ids().filter(|id| !may_move(*id) || uses.held.contains(id));
    let stays = |id: FunctionId| !later.contains_key(&id);
    let with_first = reached(&uses, first.filter(|&id| stays(id)), stays);
    let mut followers: BTreeMap<FunctionId, BTreeSet<PartId>> = BTreeMap::new();
    for part in (0..places.parts.len()).map(PartId) {
        let own = later.iter().filter(|&(_, of)| *of == part).map(|(&id, _)| id);
        let called = own.flat_map(|id| uses.of(id)).copied();
        // Imported functions have no body that could move.
        let follows = |id| module.function(id).is_some() && stays(id) && !with_first.contains(&id);
        for id in reached(&uses, called.filter(|&id| follows(id)), follows) {
            followers.entry(id).or_default().insert(part);
        }
    }
    // A function that several parts call goes to the part that all of them need. If there is none, it stays.
    for (id, parts) in followers {
        if let Some(part) = common_part(&parts, places) {
            later.insert(id, part);
        }
    }
    later
}

/// Returns the entries of the lists that no function of a module matches: the code that they named has moved, or has been
/// renamed, and would be in the first module.
pub(crate) fn unmatched(module: &Module<'_>, places: &Places) -> Vec<&'static str> {
    let functions = || module.ids().filter_map(|id| module.function(id));
    let is_code = |path: &str| {
        let is_type = places.has_type(path);
        functions().any(|function| {
            own_path(&function.name).starts_with(path) || is_type && function.name.contains(path)
        })
    };
    let code = places.parts.iter().flat_map(|part| part.code).filter(|path| !is_code(path));
    let is_named = |text: &str| functions().any(|function| function.name.contains(text));
    let stay = places.stay.iter().filter(|text| !is_named(text));
    code.chain(stay).copied().collect()
}

/// Returns the one of these parts that is loaded whenever any of them is, if there is one.
pub(crate) fn common_part(parts: &BTreeSet<PartId>, places: &Places) -> Option<PartId> {
    let is_there = |part: PartId| parts.iter().all(|&other| comes_with(other, part, places));
    parts.iter().copied().find(|&part| is_there(part))
}

/// Returns `true` if `part` is loaded whenever `caller` is.
fn comes_with(caller: PartId, part: PartId, places: &Places) -> bool {
    caller == part || places.parts[caller.0].with.contains(&places.parts[part.0].name)
}

/// Returns these functions and all that they use, directly or through others, as far as these may be visited.
fn reached(
    uses: &Uses,
    from: impl Iterator<Item = FunctionId>,
    may_visit: impl Fn(FunctionId) -> bool,
) -> BTreeSet<FunctionId> {
    let mut reached = BTreeSet::new();
    let mut found: Vec<FunctionId> = from.collect();
    while let Some(id) = found.pop() {
        if reached.insert(id) {
            found.extend(uses.of(id).filter(|called| may_visit(**called)));
        }
    }
    reached
}

/// How a function belongs to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    part: PartId,
    /// `true` if it is defined there, and `false` if it was instantiated for a type from there.
    is_home: bool,
}

fn place(module: &Module<'_>, id: FunctionId, places: &Places) -> Option<Place> {
    let name = module.function(id)?.name.as_str();
    if places.stay.iter().any(|stays| name.contains(stays)) {
        return None;
    }
    let own = own_path(name);
    let longest = |fits: &dyn Fn(&str) -> bool| {
        let parts = (0..).map(PartId).zip(places.parts);
        let paths = parts.flat_map(|(id, part)| part.code.iter().map(move |path| (id, path)));
        paths.filter(|(_, path)| fits(path)).max_by_key(|(_, path)| path.len()).map(|(id, _)| id)
    };
    let home = longest(&|path| own.starts_with(path));
    let of_type = || longest(&|path| places.has_type(path) && name.contains(path));
    match home {
        Some(part) => Some(Place { part, is_home: true }),
        None => Some(Place { part: of_type()?, is_home: false }),
    }
}

/// Returns a function's name from its path on, without the `<`, `&` and `mut` that may precede the path.
fn own_path(name: &str) -> &str {
    name.trim_start_matches(['<', '&']).trim_start_matches("mut ")
}
