//! The functions that move to the rest: those of pages that a first visit does not show, and functions that only these
//! call.

use std::collections::{BTreeMap, BTreeSet};

use crate::module::{FunctionId, Module};

/// The paths of code that the first answer does not need, without a `<` or `&` at their start. A function belongs to it
/// if its name starts with one of these, or contains one of those that are views: then it was instantiated for a type
/// from there.
pub(crate) const PLACES: &[&str] = &[
    "cache_explorer_site::view::pages::draw_later",
    "cache_explorer_site::view::pages::build::",
    "cache_explorer_site::view::pages::changes::",
    "cache_explorer_site::view::pages::compare::",
    "cache_explorer_site::view::pages::environment::",
    "cache_explorer_site::view::pages::package::",
    "cache_explorer_site::view::pages::room::",
    "cache_explorer_site::view::pages::packages::about::",
    "cache_explorer_site::view::pages::packages::help::",
    "cache_explorer_site::view::pages::packages::stacks::",
    "cache_explorer_site::browser::environments::",
    "cache_explorer_site::browser::opened::",
    "cache_explorer_site::browser::settings::",
    "cache_explorer_site::browser::returning::",
    "cache_explorer_site::view::parts::gaps::",
    "cache_explorer_site::view::parts::heat::",
    "cache_explorer_site::view::parts::export::__component_export::{closure",
    "cache_explorer_site::view::parts::spec::",
    "cache_index::address::seldom::push_spec",
    "cache_index::address::seldom::read",
    "cache_index::address::seldom::write_pre",
    "cache_index::changes::",
    "cache_index::compare::",
    "cache_index::environment::",
    "cache_index::likeness::",
    "cache_index::query::question::with_plus_signs",
    "cache_index::export::",
    "cache_index::query::install::",
    "cache_index::query::coverage::",
    "cache_index::query::examples::",
    "cache_index::query::gaps::",
    "cache_index::query::uses::",
    "cache_index::query::alike::",
    "cache_index::query::look_alikes::",
    "cache_index::query::similar::",
    "cache_index::query::variety::",
    "cache_index::index::json::dependencies::",
    "cache_index::host::verdict::Verdict",
    "cache_explorer_site::view::pages::packages::examples::",
    "cache_explorer_site::browser::published::load",
    "cache_explorer_site::browser::published::days_before",
    "cache_index::index::json::details::",
    "cache_index::index::Index>::read_details",
    "cache_index::index::Index>::set_details",
    "cache_index::index::json::earlier::",
    "cache_index::index::Index>::read_changes",
    "cache_index::index::Index>::set_changes",
    "cache_explorer_site::view::frame::notice::draw_ignored",
    "cache_explorer_site::view::frame::problems::",
    "cache_explorer_site::view::frame::panel::",
    "cache_explorer_site::view::frame::spack::",
    "cache_explorer_site::view::frame::rail::why_not::",
    "cache_explorer_site::view::frame::rail::seen::",
    "cache_explorer_site::explorer::Explorer>::builds_since",
    "cache_index::search::selection::Selection>::since",
    "cache_index::index::Index>::publications",
    "cache_index::reuse::below::",
    "cache_index::reuse::checklist::",
    "cache_index::reuse::machine::",
    "cache_index::reuse::preference::",
    "alloc::sync::Arc<cache_index::reuse::preference::",
    "cache_index::reuse::settings::",
    "cache_index::reuse::rule::",
    "cache_index::reuse::specs::",
    "cache_index::reuse::verdicts::",
    "cache_index::index::Index>::read_all",
    "cache_index::index::Index>::dependencies_reader",
    "cache_index::index::Index>::take_dependencies",
    "cache_index::search::prepare",
    "cache_explorer_site::browser::parts::take_edges",
    "cache_explorer_site::browser::scripting::asked",
    "spack_spec::parse::",
    "spack_spec::satisfy::",
    "spack_spec::print::",
    "spack_spec::constrain::",
    "spack_spec::merge::",
    "spack_spec::suggest::",
    "spack_spec::quote::",
    "spack_spec::shell::",
    "spack_spec::spec::",
    "spack_spec::version::constraint::",
    "spack_spec::version::range::",
    "core::fmt::float::",
    "core::num::imp::flt2dec",
    "as serde_core::ser::",
    "serde_wasm_bindgen::",
    "serde_json::error::",
    "cache_index::index::json::error::",
    "wasm_streams::",
    "cache_index::query::complete::",
    "cache_index::query::nearest::",
    "cache_index::query::runs_on::",
    "cache_index::query::ways_out::",
    "cache_index::search::words::",
    "cache_explorer_site::view::parts::runs_on::",
    "cache_index::search::problem::",
    "cache_index::search::facets::",
    "cache_index::search::meaning::of_spec",
    "cache_index::host::unknown_target::",
    "spack_spec::sorted::",
    "serde_json::value::Value as serde_core::ser::",
    "char>::escape_debug",
    "str as core::fmt::Debug>",
    "core::slice::sort::stable::drift::sort::<spack_spec::",
    "core::slice::sort::stable::quicksort::quicksort::<spack_spec::",
    "core::slice::sort::shared::smallsort::sort4_stable::<spack_spec::",
    "core::slice::sort::shared::smallsort::insert_tail::<spack_spec::",
    "core::slice::sort::shared::pivot::median3_rec::<spack_spec::",
    "core::str::slice_error_fail",
    "cache_explorer_site::view::parts::empty::",
    "cache_explorer_site::browser::scripting::publish::{closure",
    "cache_index::search::selection::Evaluation",
    "cache_index::search::Search>::read_plain",
    "cache_index::search::Search>::of_reading",
    "cache_index::search::Search>::hash_prefix",
    "cache_index::search::graph",
    "cache_index::query::table::builds",
    "cache_index::index::Index>::build_alone",
    "cache_index::index::Index>::variants_of",
    "spack_spec::variant::",
    "core::str::pattern::StrSearcher",
    "core::str::pattern::TwoWaySearcher",
    "core::fmt::builders::",
    "js_sys::futures::future_to_promise::",
    "_ as tachys::view::any_view::IntoAny>::into_any::rebuild",
    "_ as tachys::html::attribute::any_attribute::IntoAnyAttribute>::into_any_attr::rebuild",
];

/// Code that the list of packages shares with the tables of other pages, and which may be named after these.
const SHARED: &[&str] = &[
    "view::parts::rows::__component_rows::<cache_index::index::code::ValueCode",
    "view::parts::rows::__component_rows<cache_index::index::code::ValueCode",
];

/// A function that others may call stays if it has fewer bytes than this: the compiler merges equal functions under the
/// name of any of them, and its stub would hardly be smaller.
const SMALL: usize = 100;

/// The same limit for functions instantiated for a type, which are merged more often.
const SMALL_AND_GENERIC: usize = 300;

/// Returns the functions that are loaded later.
pub(crate) fn later(module: &Module<'_>) -> BTreeSet<FunctionId> {
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
        module.ids().filter(|&id| may_move(id) && place(module, id).is_some()).collect();
    loop {
        let common = later.iter().copied().filter(|&id| {
            let size = module.function(id).map_or(0, |function| function.body.range().len());
            let limit = match place(module, id) {
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

fn place(module: &Module<'_>, id: FunctionId) -> Option<Place> {
    let name = module.function(id)?.name.as_str();
    if SHARED.iter().any(|shared| name.contains(shared)) {
        return None;
    }
    let own = name.trim_start_matches(['<', '&']).trim_start_matches("mut ");
    match PLACES.iter().any(|place| own.starts_with(place)) {
        true => Some(Place::Home),
        false => {
            let views =
                PLACES.iter().filter(|place| place.starts_with("cache_explorer_site::view"));
            views.into_iter().any(|place| name.contains(place)).then_some(Place::For)
        }
    }
}
