//! The functions that a function uses: those that it calls, and those that it may call through the table. To call the
//! latter, it contains their place in the table, or the address of a constant that contains the place, such as the
//! methods of a trait object.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, Instruction, MemArg};
use wasmparser::Operator;

use crate::links::Links;
use crate::module::{FunctionId, Module};

/// Where the table has to begin (`--table-base`, see `Makefile`). A number in code that is also a place in the table
/// may be that place, and few other numbers are this large and below the first address. The base is above U+1680, which
/// is white space: a function at that place would seem to be used by all code that looks for white space.
const TABLE_BASE: u32 = 5800;

/// Where data begins if it was linked as `Makefile` says (`--global-base`): above [`END_OF_CHARACTERS`].
const DATA_BASE: u32 = 1_179_648;

/// The number after the last character of Unicode. Most code contains it, and would seem to use a constant at this address.
const END_OF_CHARACTERS: u32 = 0x11_0000;

/// The functions that each function of a module uses.
#[derive(Default)]
pub(crate) struct Uses {
    by_function: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// For each function in the table: the functions that contain its place. Code that calls it through the table got
    /// the place from one of these.
    holders: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// The functions in the table that may be called by any code: data that may change contains their place, or nothing
    /// is known to contain it.
    pub(crate) held: BTreeSet<FunctionId>,
}

impl Uses {
    /// Finds the functions that each function of a module uses.
    pub(crate) fn new(module: &Module<'_>, links: &Links) -> Uses {
        let mut uses = Uses::default();
        let mut known: BTreeSet<u32> = BTreeSet::new();
        for id in module.ids() {
            let numbers = numbers(module, id);
            let slots = links.slots_of(numbers.addresses, &numbers.slots);
            let called = module.function(id).into_iter().flat_map(|function| &function.calls);
            let mut used: BTreeSet<FunctionId> = called.copied().collect();
            for &in_table in slots.iter().filter_map(|slot| module.slots.get(slot)) {
                uses.holders.entry(in_table).or_default().insert(id);
                used.insert(in_table);
            }
            uses.by_function.insert(id, used);
            known.extend(slots);
        }
        let held = links.slots_held();
        let slots = module.slots.iter();
        let slots = slots.filter(|(slot, _)| held.contains(slot) || !known.contains(slot));
        uses.held = slots.map(|(_, &id)| id).collect();
        uses
    }

    /// Returns the functions that contain the place of this one in the table; `None` if any code may have the place.
    pub(crate) fn holders(&self, id: FunctionId) -> Option<&BTreeSet<FunctionId>> {
        self.holders.get(&id).filter(|_| !self.held.contains(&id))
    }

    /// Returns the functions that a function uses.
    pub(crate) fn of(&self, id: FunctionId) -> impl Iterator<Item = &FunctionId> {
        self.by_function.get(&id).into_iter().flatten()
    }
}

/// Checks that other numbers in the code cannot be mistaken for addresses or slots of the table, and that the linker's
/// slots are those of the table.
///
/// # Errors
///
/// If a constant is at [`END_OF_CHARACTERS`], if the table begins at a small number, or if it has no function in a slot that the
/// linker states.
pub(crate) fn check_numbers(module: &Module<'_>, links: &Links) -> Result<(), String> {
    if links.constants.iter().any(|range| range.contains(&END_OF_CHARACTERS)) {
        return Err(format!(
            "expected data that was linked with --global-base={DATA_BASE}, found a constant that includes {END_OF_CHARACTERS}"
        ));
    }
    let Some(begin) = module.slots.keys().next() else { return Ok(()) };
    if *begin < TABLE_BASE {
        return Err(format!(
            "expected a table that was linked with --table-base={TABLE_BASE}, found one that begins at {begin}"
        ));
    }
    match links.slots.all().find(|slot| !module.slots.contains_key(slot)) {
        Some(slot) => Err(format!("expected a function at {slot} in the table, found none")),
        None => Ok(()),
    }
}

/// Returns the numbers in the code of a function.
pub(crate) fn numbers(module: &Module<'_>, id: FunctionId) -> Numbers {
    let mut numbers = Numbers::default();
    if let Some(function) = module.function(id) {
        let parsed = numbers.parse_function_body(&mut CodeSection::new(), function.body.clone());
        parsed.expect("it has been read before");
    }
    numbers
}

/// Numbers in code.
#[derive(Default)]
pub(crate) struct Numbers {
    /// Those that may be addresses.
    pub(crate) addresses: Vec<u32>,
    /// The numbers among these that may be places in the table: all but the offsets of memory accesses, which are added
    /// to addresses.
    pub(crate) slots: Vec<u32>,
}

impl Reencode for Numbers {
    type Error = Infallible;

    fn instruction<'a>(
        &mut self,
        operator: Operator<'a>,
    ) -> Result<Instruction<'a>, Error<Infallible>> {
        match operator {
            Operator::I32Const { value } => {
                self.addresses.push(value.cast_unsigned());
                self.slots.push(value.cast_unsigned());
            }
            // Two numbers may be written together, such as an address and a length.
            Operator::I64Const { value } => {
                self.addresses.extend([value as u32, (value >> 32) as u32]);
                self.slots.extend([value as u32, (value >> 32) as u32]);
            }
            _ => {}
        }
        utils::instruction(self, operator)
    }

    fn mem_arg(&mut self, arg: wasmparser::MemArg) -> Result<MemArg, Error<Infallible>> {
        self.addresses.extend(u32::try_from(arg.offset));
        utils::mem_arg(self, arg)
    }
}
