//! Writes a module as two.
//!
//! A function that moves to the rest is replaced by a stub of the same type if anything in the first module refers to it.
//! A stub calls the function in its slot of the table. If the rest has not been loaded, it first calls [`LOAD`], which
//! the module imports. When the rest is instantiated, it fills these slots, writes its [data](crate::data), and sets a flag.
//! The first module owns the memory, the tables and the globals; the rest imports them, and the functions that it calls, from [`FROM_FIRST`].

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, GlobalType, ImportSection, Instruction,
    Module as Encoded, NameMap, NameSection, StartSection, TableSection, ValType,
};
use wasmparser::{Parser, Payload};

use crate::data::Data;
use crate::glue::ShortNames;
use crate::module::{FunctionId, Module};
use crate::order::by_likeness;

/// The start of the name of the imported function that loads the rest: synchronously, if its argument is 1.
pub(crate) const LOAD: &str = "__wbg_loadRest_";

/// The name of the module from which the rest imports.
const FROM_FIRST: &str = "m";

const FLAG: GlobalType = GlobalType { val_type: ValType::I32, mutable: true, shared: false };

/// The two modules.
pub(crate) struct Parts {
    /// The code of the first answer.
    pub(crate) first: Vec<u8>,
    /// The code that is loaded later.
    pub(crate) rest: Vec<u8>,
}

/// The names in the two modules.
#[derive(Clone, Copy)]
pub(crate) enum Names<'n> {
    /// Functions keep their names, so that stack traces in a browser show them.
    Full,
    /// Functions have no names, and these replace the names of imports and exports.
    Short(&'n ShortNames),
}

impl Names<'_> {
    /// Returns the name of an import or export.
    fn of<'n>(&'n self, name: &'n str) -> &'n str {
        match self {
            Names::Full => name,
            Names::Short(short) => short.get(name).map_or(name, String::as_str),
        }
    }
}

/// Splits a module.
pub(crate) fn split(
    bytes: &[u8],
    module: &Module<'_>,
    later: &BTreeSet<FunctionId>,
    names: Names<'_>,
) -> Result<Parts, String> {
    let load = module.imports.iter().position(|(name, _)| name.starts_with(LOAD));
    let load = load.ok_or_else(|| format!("expected an imported function {LOAD}…, found none"))?;
    let starter = module
        .types
        .iter()
        .position(|type_| type_.params().is_empty() && type_.results().is_empty());
    let starter = starter.ok_or("expected a function without arguments and results, found none")?;
    let data = Data::divided(bytes).map_err(|error| error.to_string())?;
    let plan = Plan { data, ..Plan::new(module, later, load as u32, starter as u32, names) };
    let first = plan.first(bytes).map_err(|error| error.to_string())?;
    let rest = plan.rest(bytes).map_err(|error| error.to_string())?;
    Ok(Parts { first, rest })
}

/// Which function goes where.
struct Plan<'p, 'm> {
    module: &'p Module<'m>,
    /// The imported function that loads the rest.
    load: u32,
    /// The type of a function without arguments and results.
    starter: u32,
    /// The global that is not 0 once the rest has been loaded.
    flag: u32,
    /// The functions that stay, in the order in which they are written.
    stay: Vec<FunctionId>,
    /// The functions that move, in the order in which they are written.
    move_: Vec<FunctionId>,
    /// The functions that leave a stub, with the slot that the stub calls.
    stubs: BTreeMap<FunctionId, u32>,
    /// The functions of the slots that are added to the first table.
    added: Vec<FunctionId>,
    /// Names under which the rest imports functions of the first, in the order in which these are written.
    shared: Vec<(FunctionId, String)>,
    /// The data, if some of it moves.
    data: Option<Data<'p>>,
    names: Names<'p>,
}

impl<'p, 'm> Plan<'p, 'm> {
    fn new(
        module: &'p Module<'m>,
        later: &BTreeSet<FunctionId>,
        load: u32,
        starter: u32,
        names: Names<'p>,
    ) -> Plan<'p, 'm> {
        let called_by = |is_later: bool| {
            let ids = module.ids().filter(move |id| later.contains(id) == is_later);
            ids.filter_map(|id| module.function(id)).flat_map(|function| &function.calls).copied()
        };
        let mut slots: BTreeMap<FunctionId, u32> = BTreeMap::new();
        for (&slot, &id) in &module.slots {
            slots.entry(id).or_insert(slot);
        }
        let mut added = Vec::new();
        let mut stubs = BTreeMap::new();
        let in_first =
            called_by(false).chain(slots.keys().copied()).filter(|id| later.contains(id));
        for id in in_first.collect::<BTreeSet<_>>() {
            let slot = slots.get(&id).copied().unwrap_or_else(|| {
                added.push(id);
                module.table_size + added.len() as u32 - 1
            });
            stubs.insert(id, slot);
        }
        let (move_, stay): (Vec<_>, Vec<_>) = module.ids().partition(|id| later.contains(id));
        let [move_, stay] = [move_, stay].map(|ids| arranged(module, ids));
        let used: BTreeSet<FunctionId> = called_by(true).collect();
        let imported = (0..module.imports.len() as u32).map(FunctionId);
        let shared = imported.chain(stay.iter().copied()).filter(|id| used.contains(id));
        let unused = short_names().filter(|name| !module.exports.contains(name.as_str()));
        let shared = shared.zip(unused).collect();
        let flag = module.globals;
        Plan { module, load, starter, flag, stay, move_, stubs, added, shared, data: None, names }
    }

    fn type_of(&self, id: FunctionId) -> u32 {
        match self.module.function(id) {
            Some(function) => function.type_index,
            None => self.module.imports[id.0 as usize].1,
        }
    }

    /// Returns the first module: the original without the functions that move.
    fn first(&self, bytes: &[u8]) -> Result<Vec<u8>, Error<Infallible>> {
        let imported = self.module.imports.len() as u32;
        let bodies = self.stay.iter().chain(self.stubs.keys());
        let mut places: BTreeMap<u32, u32> = (0..imported).map(|index| (index, index)).collect();
        places.extend((imported..).zip(bodies).map(|(place, id)| (id.0, place)));
        let mut renumber = Renumber { places };
        let mut written = Encoded::new();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(types) => {
                    let mut section = wasm_encoder::TypeSection::new();
                    renumber.parse_type_section(&mut section, types)?;
                    written.section(&section);
                }
                Payload::ImportSection(imports) => {
                    let mut section = ImportSection::new();
                    for import in imports.into_imports() {
                        let import = import?;
                        let type_ = renumber.entity_type(import.ty)?;
                        section.import(import.module, self.names.of(import.name), type_);
                    }
                    written.section(&section);
                }
                Payload::FunctionSection(_) => {
                    let mut section = FunctionSection::new();
                    for &id in self.stay.iter().chain(self.stubs.keys()) {
                        section.function(self.type_of(id));
                    }
                    written.section(&section);
                }
                Payload::TableSection(tables) => {
                    let mut section = TableSection::new();
                    for (place, table) in tables.into_iter().enumerate() {
                        let mut type_ = renumber.table_type(table?.ty)?;
                        if place == 0 {
                            let more = self.added.len() as u64;
                            type_.minimum += more;
                            type_.maximum = type_.maximum.map(|maximum| maximum + more);
                        }
                        section.table(type_);
                    }
                    written.section(&section);
                }
                Payload::MemorySection(memories) => {
                    let mut section = wasm_encoder::MemorySection::new();
                    renumber.parse_memory_section(&mut section, memories)?;
                    written.section(&section);
                }
                Payload::GlobalSection(globals) => {
                    let mut section = wasm_encoder::GlobalSection::new();
                    renumber.parse_global_section(&mut section, globals)?;
                    section.global(FLAG, &ConstExpr::i32_const(0));
                    written.section(&section);
                }
                Payload::ExportSection(exports) => {
                    let mut section = ExportSection::new();
                    for export in exports {
                        let wasmparser::Export { name, kind, index } = export?;
                        let index = renumber.external_index(kind, index)?;
                        section.export(self.names.of(name), renumber.export_kind(kind)?, index);
                    }
                    for (id, name) in &self.shared {
                        section.export(name, ExportKind::Func, renumber.function_index(id.0)?);
                    }
                    for (name, kind, index) in self.kept(bytes)? {
                        section.export(&name, kind, index);
                    }
                    written.section(&section);
                }
                Payload::StartSection { func, .. } => {
                    let function_index = renumber.function_index(func)?;
                    written.section(&wasm_encoder::StartSection { function_index });
                }
                Payload::ElementSection(elements) => {
                    let mut section = ElementSection::new();
                    renumber.parse_element_section(&mut section, elements)?;
                    if !self.added.is_empty() {
                        let stubs: Result<Vec<u32>, _> =
                            self.added.iter().map(|id| renumber.function_index(id.0)).collect();
                        let offset = ConstExpr::i32_const(self.module.table_size as i32);
                        section.active(None, &offset, Elements::Functions(Cow::Owned(stubs?)));
                    }
                    written.section(&section);
                }
                Payload::CodeSectionStart { .. } => {
                    let mut section = CodeSection::new();
                    for &id in &self.stay {
                        let function = self.module.function(id).expect("it has a body");
                        renumber.parse_function_body(&mut section, function.body.clone())?;
                    }
                    for (&id, &slot) in &self.stubs {
                        section.function(&self.stub(id, slot));
                    }
                    written.section(&section);
                }
                Payload::DataSection(data) => {
                    let mut section = wasm_encoder::DataSection::new();
                    match &self.data {
                        Some(divided) => section = divided.first(),
                        None => renumber.parse_data_section(&mut section, data)?,
                    }
                    written.section(&section);
                }
                Payload::DataCountSection { count, .. } => {
                    let count = self.data.as_ref().map_or(count, Data::count);
                    written.section(&wasm_encoder::DataCountSection { count });
                }
                _ => {}
            }
        }
        if matches!(self.names, Names::Full) {
            let functions = self.stay.iter().chain(self.stubs.keys());
            written.section(&self.names(imported, functions));
        }
        Ok(written.finish())
    }

    /// Returns the names of functions that are numbered in order from a number on.
    fn names<'f>(
        &self,
        first: u32,
        functions: impl Iterator<Item = &'f FunctionId>,
    ) -> NameSection {
        let mut named = NameMap::new();
        for (place, id) in (first..).zip(functions) {
            named.append(place, self.module.function(*id).map_or("", |function| &function.name));
        }
        let mut names = NameSection::new();
        names.functions(&named);
        names
    }

    fn stub(&self, id: FunctionId, slot: u32) -> Function {
        let type_index = self.type_of(id);
        let mut stub = Function::new([]);
        stub.instruction(&Instruction::GlobalGet(self.flag));
        stub.instruction(&Instruction::I32Eqz);
        stub.instruction(&Instruction::If(BlockType::Empty));
        stub.instruction(&Instruction::I32Const(1));
        stub.instruction(&Instruction::Call(self.load));
        for _ in self.module.types[self.type_of(FunctionId(self.load)) as usize].results() {
            stub.instruction(&Instruction::Drop);
        }
        stub.instruction(&Instruction::End);
        for parameter in 0..self.module.types[type_index as usize].params().len() {
            stub.instruction(&Instruction::LocalGet(parameter as u32));
        }
        stub.instruction(&Instruction::I32Const(slot as i32));
        stub.instruction(&Instruction::CallIndirect { type_index, table_index: 0 });
        stub.instruction(&Instruction::End);
        stub
    }

    /// Returns the memory, tables and globals, with the names under which the rest imports them.
    fn kept(&self, bytes: &[u8]) -> Result<Vec<(String, ExportKind, u32)>, Error<Infallible>> {
        let mut kept = Vec::new();
        let mut add = |letter: &str, kind: ExportKind, count: u32| {
            kept.extend((0..count).map(|index| (format!("{letter}.{index}"), kind, index)));
        };
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TableSection(tables) => add("t", ExportKind::Table, tables.count()),
                Payload::MemorySection(memories) => add("m", ExportKind::Memory, memories.count()),
                Payload::GlobalSection(globals) => {
                    add("g", ExportKind::Global, globals.count() + 1)
                }
                _ => {}
            }
        }
        Ok(kept)
    }

    /// Returns the rest: the functions that move, which import everything else from the first module.
    fn rest(&self, bytes: &[u8]) -> Result<Vec<u8>, Error<Infallible>> {
        let mut imports = ImportSection::new();
        let mut places = BTreeMap::new();
        for (place, (id, name)) in self.shared.iter().enumerate() {
            imports.import(FROM_FIRST, name, EntityType::Function(self.type_of(*id)));
            places.insert(id.0, place as u32);
        }
        places
            .extend((self.shared.len() as u32..).zip(&self.move_).map(|(place, id)| (id.0, place)));
        let mut renumber = Renumber { places };
        let mut types = wasm_encoder::TypeSection::new();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(section) => {
                    renumber.parse_type_section(&mut types, section)?
                }
                Payload::TableSection(tables) => {
                    for (index, table) in tables.into_iter().enumerate() {
                        let mut type_ = renumber.table_type(table?.ty)?;
                        if index == 0 {
                            let more = self.added.len() as u64;
                            type_.minimum += more;
                            type_.maximum = type_.maximum.map(|maximum| maximum + more);
                        }
                        imports.import(FROM_FIRST, &format!("t.{index}"), type_);
                    }
                }
                Payload::MemorySection(memories) => {
                    for (index, memory) in memories.into_iter().enumerate() {
                        imports.import(
                            FROM_FIRST,
                            &format!("m.{index}"),
                            renumber.memory_type(memory?)?,
                        );
                    }
                }
                Payload::GlobalSection(globals) => {
                    for (index, global) in globals.into_iter().enumerate() {
                        imports.import(
                            FROM_FIRST,
                            &format!("g.{index}"),
                            renumber.global_type(global?.ty)?,
                        );
                    }
                    imports.import(FROM_FIRST, &format!("g.{}", self.flag), FLAG);
                }
                _ => {}
            }
        }
        let mut functions = FunctionSection::new();
        let mut code = CodeSection::new();
        for &id in &self.move_ {
            functions.function(self.type_of(id));
            let function = self.module.function(id).expect("it has a body");
            utils::parse_function_body(&mut renumber, &mut code, function.body.clone())?;
        }
        // It runs after the slots have been filled.
        let mut start = Function::new([]);
        start.instruction(&Instruction::I32Const(1));
        start.instruction(&Instruction::GlobalSet(self.flag));
        start.instruction(&Instruction::End);
        functions.function(self.starter);
        code.function(&start);
        let function_index = (self.shared.len() + self.move_.len()) as u32;
        let mut written = Encoded::new();
        written.section(&types).section(&imports).section(&functions);
        written.section(&StartSection { function_index });
        written.section(&self.filled(&mut renumber)?).section(&code);
        if let Some(data) = &self.data {
            written.section(&data.rest());
        }
        if matches!(self.names, Names::Full) {
            written.section(&self.names(self.shared.len() as u32, self.move_.iter()));
        }
        Ok(written.finish())
    }

    /// Returns the slots of the functions that move, in as few runs as possible.
    fn filled(&self, renumber: &mut Renumber) -> Result<ElementSection, Error<Infallible>> {
        let moved = |id: &FunctionId| self.stubs.contains_key(id);
        let in_table =
            self.module.slots.iter().filter(|(_, id)| moved(id)).map(|(&slot, &id)| (slot, id));
        let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
        for (slot, id) in in_table.chain((self.module.table_size..).zip(self.added.iter().copied()))
        {
            let place = renumber.function_index(id.0)?;
            match runs.last_mut() {
                Some((start, run)) if *start + run.len() as u32 == slot => run.push(place),
                _ => runs.push((slot, vec![place])),
            }
        }
        let mut section = ElementSection::new();
        for (start, run) in runs {
            section.active(
                None,
                &ConstExpr::i32_const(start as i32),
                Elements::Functions(Cow::Owned(run)),
            );
        }
        Ok(section)
    }
}

/// Returns functions in the order in which they are written.
fn arranged(module: &Module<'_>, ids: Vec<FunctionId>) -> Vec<FunctionId> {
    let bodies: Vec<&[u8]> =
        ids.iter().filter_map(|&id| Some(module.function(id)?.body.as_bytes())).collect();
    by_likeness(&bodies).into_iter().map(|place| ids[place]).collect()
}

/// Gives functions their new indexes, and changes nothing else.
struct Renumber {
    places: BTreeMap<u32, u32>,
}

impl Reencode for Renumber {
    type Error = Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        Ok(*self.places.get(&index).expect("what is referred to has a place"))
    }
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
