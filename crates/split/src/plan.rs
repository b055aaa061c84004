//! Plans a split: where each function goes, and how functions of other modules are called.

use std::collections::{BTreeMap, BTreeSet};

use crate::later::{Later, PartId};
use crate::module::{FunctionId, Module};
use crate::order::by_likeness;
use crate::uses::Uses;

/// The plan of a split.
pub(crate) struct Plan<'p, 'm> {
    pub(crate) module: &'p Module<'m>,
    /// The imported function that loads a part.
    pub(crate) load: FunctionId,
    /// The type of a function without arguments and results.
    pub(crate) starter: u32,
    /// The first module, and then the parts.
    pub(crate) modules: Vec<Contents>,
    /// The part of each function that moves.
    later: &'p Later,
    /// The slots of the functions that move and that other modules call, or that were in the table before.
    slots: BTreeMap<FunctionId, u32>,
    /// Functions that move and that no code calls before their part has been loaded: only this part calls them directly
    /// and contains their place in the table.
    pub(crate) within: BTreeSet<FunctionId>,
    /// The number of slots in the first table, with those added at its end.
    pub(crate) table_size: u32,
    /// Names under which parts import functions of the first module, in the order of the functions there.
    pub(crate) shared: Vec<(FunctionId, String)>,
}

/// The functions of one module.
pub(crate) struct Contents {
    /// Its own functions, in the order in which they are written.
    pub(crate) own: Vec<FunctionId>,
    /// Functions of parts, for which it has a stub.
    pub(crate) stubs: BTreeSet<FunctionId>,
    /// The functions that it calls.
    used: BTreeSet<FunctionId>,
}

impl Contents {
    /// Returns the functions that have a body in this module.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &FunctionId> {
        self.own.iter().chain(&self.stubs)
    }
}

impl<'p, 'm> Plan<'p, 'm> {
    /// Plans a split into the first module and this number of parts.
    pub(crate) fn new(
        module: &'p Module<'m>,
        later: &'p Later,
        uses: &Uses,
        parts: usize,
        load: FunctionId,
        starter: u32,
    ) -> Plan<'p, 'm> {
        let of_module = |part: Option<PartId>| {
            let own = module.ids().filter(|id| later.get(id).copied() == part);
            let own: Vec<FunctionId> = own.collect();
            let functions = own.iter().filter_map(|&id| module.function(id));
            let used = functions.flat_map(|function| &function.calls).copied();
            let used: BTreeSet<FunctionId> = used.collect();
            let elsewhere = |id: &FunctionId| later.get(id).is_some_and(|of| Some(*of) != part);
            let stubs = used.iter().copied().filter(elsewhere).collect();
            Contents { own: arranged(module, own), stubs, used }
        };
        let parts = (0..parts).map(|number| of_module(Some(PartId(number))));
        let mut modules: Vec<Contents> = std::iter::once(of_module(None)).chain(parts).collect();

        let mut slots: BTreeMap<FunctionId, u32> = BTreeMap::new();
        for (&slot, id) in module.slots.iter().filter(|(_, id)| later.contains_key(id)) {
            slots.entry(*id).or_insert(slot);
        }
        let part_of = |id: &FunctionId| later.get(id);
        let (within, held): (Vec<FunctionId>, Vec<FunctionId>) = slots.keys().partition(|&id| {
            let holders = uses.holders(*id);
            holders.is_some_and(|all| all.iter().all(|holder| part_of(holder) == part_of(id)))
        });
        modules[0].stubs.extend(held);
        let called: BTreeSet<FunctionId> =
            modules.iter().flat_map(|module| &module.stubs).copied().collect();
        let added = called.into_iter().filter(|id| !slots.contains_key(id));
        let added: Vec<_> = added.zip(module.table_size..).collect();
        let table_size = module.table_size + added.len() as u32;
        slots.extend(added);

        let mut used: BTreeSet<FunctionId> =
            modules[1..].iter().flat_map(|part| &part.used).copied().collect();
        if modules[1..].iter().any(|part| !part.stubs.is_empty()) {
            used.insert(load);
        }
        let imported = (0..module.imports.len() as u32).map(FunctionId);
        let shared = imported.chain(modules[0].own.iter().copied()).filter(|id| used.contains(id));
        let unused = short_names().filter(|name| !module.exports.contains(name.as_str()));
        let shared = shared.zip(unused).collect();
        let within = within.into_iter().filter(|id| !modules[0].stubs.contains(id)).collect();
        Plan { module, load, starter, modules, later, slots, within, table_size, shared }
    }

    pub(crate) fn type_of(&self, id: FunctionId) -> u32 {
        match self.module.function(id) {
            Some(function) => function.type_index,
            None => self.module.imports[id.0 as usize].1,
        }
    }

    /// Returns the global that is not 0 once a part has been loaded.
    pub(crate) fn flag(&self, part: PartId) -> u32 {
        self.module.globals + part.0 as u32
    }

    /// Returns the part that a function moves to, and its slot in the table.
    pub(crate) fn place(&self, id: FunctionId) -> (PartId, u32) {
        (self.later[&id], self.slots[&id])
    }

    /// Returns what a part imports from the first module.
    pub(crate) fn imports(&self, part: PartId) -> impl Iterator<Item = (FunctionId, &str)> {
        let contents = &self.modules[part.0 + 1];
        let loads = !contents.stubs.is_empty();
        let shared = self.shared.iter().map(|(id, name)| (*id, name.as_str()));
        shared.filter(move |(id, _)| contents.used.contains(id) || loads && *id == self.load)
    }

    /// Returns the slots that a part fills, in order: all that its functions had before, and those that were added.
    pub(crate) fn filled(&self, part: PartId) -> BTreeMap<u32, FunctionId> {
        let before = self.module.slots.iter().map(|(&slot, &id)| (slot, id));
        let all = before.chain(self.slots.iter().map(|(&id, &slot)| (slot, id)));
        all.filter(|(_, id)| self.later.get(id) == Some(&part)).collect()
    }
}

/// Returns functions in the order in which they are written.
fn arranged(module: &Module<'_>, ids: Vec<FunctionId>) -> Vec<FunctionId> {
    let bodies: Vec<&[u8]> =
        ids.iter().filter_map(|&id| Some(module.function(id)?.body.as_bytes())).collect();
    by_likeness(&bodies).into_iter().map(|place| ids[place]).collect()
}

/// Returns short names: `a`, `b`, …, `Z`, `aa`, …
fn short_names() -> impl Iterator<Item = String> {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    (0..).map(|number: usize| {
        let mut rest = number;
        let mut name = Vec::new();
        loop {
            name.push(LETTERS[rest % LETTERS.len()]);
            match rest / LETTERS.len() {
                0 => break,
                more => rest = more - 1,
            }
        }
        name.reverse();
        name.into_iter().map(char::from).collect()
    })
}
