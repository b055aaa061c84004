//! Writes a module as a first module and parts that are loaded later.
//!
//! A module has a stub for each function of another part that it calls, with the same type. The first module also has
//! one for each function of a part that is in the table, unless only this part contains the function's place there. A
//! stub calls the function in its slot of the table; if the part has not been loaded, it first calls the imported
//! function that [loads it](crate::places::Places::load). When a part is instantiated, it fills its slots, writes its
//! [data](crate::data), and sets its flag. The first module owns the memory, the tables and the globals; the parts
//! import them, and the functions that they call, from [`FROM_FIRST`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, GlobalType, ImportSection, Instruction,
    Module as Encoded, NameMap, NameSection, StartSection, TableSection, TableType, ValType,
};
use wasmparser::{Parser, Payload};

use crate::data::Data;
use crate::glue::ShortNames;
use crate::later::{Later, PartId};
use crate::links::Links;
use crate::module::{FunctionId, Module};
use crate::places::Places;
use crate::plan::Plan;
use crate::uses::Uses;

/// The name of the module from which parts import.
const FROM_FIRST: &str = "m";

const FLAG: GlobalType = GlobalType { val_type: ValType::I32, mutable: true, shared: false };

/// The modules.
pub(crate) struct Modules {
    pub(crate) first: Vec<u8>,
    pub(crate) parts: Vec<Vec<u8>>,
}

/// The names in the modules.
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
    later: &Later,
    places: &Places,
    links: &Links,
    names: Names<'_>,
) -> Result<Modules, String> {
    let load = module.imports.iter().position(|(name, _)| name.starts_with(places.load));
    let load =
        load.ok_or_else(|| format!("expected an imported function {}…, found none", places.load))?;
    let starter = module
        .types
        .iter()
        .position(|type_| type_.params().is_empty() && type_.results().is_empty());
    let starter = starter.ok_or("expected a function without arguments and results, found none")?;
    let data = Data::divided(bytes, module, later, places, links);
    let data = data.map_err(|error| error.to_string())?;
    let parts = places.parts.len();
    let uses = Uses::new(module, links);
    let plan = Plan::new(module, later, &uses, parts, FunctionId(load as u32), starter as u32);
    let writer = Writer { bytes, plan, data, names };
    let first = writer.first().map_err(|error| error.to_string())?;
    let parts = (0..parts).map(|number| writer.part(PartId(number)));
    let parts: Result<_, _> = parts.collect();
    Ok(Modules { first, parts: parts.map_err(|error| error.to_string())? })
}

struct Writer<'w, 'm> {
    bytes: &'w [u8],
    plan: Plan<'w, 'm>,
    /// The data, if some of it moves.
    data: Option<Data<'w>>,
    names: Names<'w>,
}

impl Writer<'_, '_> {
    /// Returns the first module: the original without the functions that move.
    fn first(&self) -> Result<Vec<u8>, Error<Infallible>> {
        let plan = &self.plan;
        let contents = &plan.modules[0];
        let imported = plan.module.imports.len() as u32;
        let mut places: BTreeMap<u32, u32> = (0..imported).map(|index| (index, index)).collect();
        places.extend((imported..).zip(contents.bodies()).map(|(place, id)| (id.0, place)));
        // No code calls these through the table before the part fills their slots, which hold something of another type
        // until then.
        places.extend(plan.within.iter().map(|id| (id.0, plan.load.0)));
        let mut renumber = Renumber { places, types: None };
        let mut written = Encoded::new();
        for payload in Parser::new(0).parse_all(self.bytes) {
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
                    for &id in contents.bodies() {
                        section.function(plan.type_of(id));
                    }
                    written.section(&section);
                }
                Payload::TableSection(tables) => {
                    let mut section = TableSection::new();
                    for (index, table) in tables.into_iter().enumerate() {
                        section.table(self.table(index, table?.ty)?);
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
                    for _ in self.parts() {
                        section.global(FLAG, &ConstExpr::i32_const(0));
                    }
                    written.section(&section);
                }
                Payload::ExportSection(exports) => {
                    let mut section = ExportSection::new();
                    for export in exports {
                        let wasmparser::Export { name, kind, index } = export?;
                        let index = renumber.external_index(kind, index)?;
                        section.export(self.names.of(name), renumber.export_kind(kind)?, index);
                    }
                    for (id, name) in &plan.shared {
                        section.export(name, ExportKind::Func, renumber.function_index(id.0)?);
                    }
                    for (name, kind, index) in self.kept()? {
                        section.export(&name, kind, index);
                    }
                    written.section(&section);
                }
                Payload::StartSection { func, .. } => {
                    let function_index = renumber.function_index(func)?;
                    written.section(&StartSection { function_index });
                }
                Payload::ElementSection(elements) => {
                    let mut section = ElementSection::new();
                    renumber.parse_element_section(&mut section, elements)?;
                    written.section(&section);
                }
                Payload::CodeSectionStart { .. } => {
                    let mut section = CodeSection::new();
                    self.write_code(&mut section, &mut renumber, None)?;
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
            written.section(&self.names(imported, contents.bodies()));
        }
        Ok(written.finish())
    }

    /// Returns a part: its functions, which import everything else from the first module.
    fn part(&self, part: PartId) -> Result<Vec<u8>, Error<Infallible>> {
        let plan = &self.plan;
        let contents = &plan.modules[part.0 + 1];
        let mut imports = ImportSection::new();
        let mut places = BTreeMap::new();
        let mut types = UsedTypes::default();
        for (id, name) in plan.imports(part) {
            let type_ = types.place(plan.type_of(id));
            imports.import(FROM_FIRST, name, EntityType::Function(type_));
            places.insert(id.0, places.len() as u32);
        }
        let imported = places.len() as u32;
        places.extend((imported..).zip(contents.bodies()).map(|(place, id)| (id.0, place)));
        let mut renumber = Renumber { places, types: Some(types) };
        for payload in Parser::new(0).parse_all(self.bytes) {
            match payload? {
                Payload::TableSection(tables) => {
                    for (index, table) in tables.into_iter().enumerate() {
                        let type_ = self.table(index, table?.ty)?;
                        imports.import(FROM_FIRST, &format!("t.{index}"), type_);
                    }
                }
                Payload::MemorySection(memories) => {
                    for (index, memory) in memories.into_iter().enumerate() {
                        let type_ = renumber.memory_type(memory?)?;
                        imports.import(FROM_FIRST, &format!("m.{index}"), type_);
                    }
                }
                Payload::GlobalSection(globals) => {
                    for (index, global) in globals.into_iter().enumerate() {
                        let type_ = renumber.global_type(global?.ty)?;
                        imports.import(FROM_FIRST, &format!("g.{index}"), type_);
                    }
                    for other in self.parts() {
                        imports.import(FROM_FIRST, &format!("g.{}", plan.flag(other)), FLAG);
                    }
                }
                _ => {}
            }
        }
        let mut functions = FunctionSection::new();
        for &id in contents.bodies() {
            functions.function(renumber.type_index(plan.type_of(id))?);
        }
        let mut code = CodeSection::new();
        self.write_code(&mut code, &mut renumber, Some(part))?;
        // The start function runs after the slots have been filled.
        let mut start = Function::new([]);
        start.instruction(&Instruction::I32Const(1));
        start.instruction(&Instruction::GlobalSet(plan.flag(part)));
        start.instruction(&Instruction::End);
        functions.function(renumber.type_index(plan.starter)?);
        code.function(&start);
        let function_index = imported + contents.bodies().count() as u32;
        let filled = self.filled(part, &mut renumber)?;
        let mut types = wasm_encoder::TypeSection::new();
        for type_ in renumber.types.into_iter().flat_map(|used| used.order) {
            let type_ = plan.module.types[type_ as usize].clone();
            types.ty().func_type(&Renumber::default().func_type(type_)?);
        }
        let mut written = Encoded::new();
        written.section(&types).section(&imports).section(&functions);
        written.section(&StartSection { function_index });
        written.section(&filled).section(&code);
        if let Some(data) = self.data.as_ref().and_then(|data| data.of(part)) {
            written.section(&data);
        }
        if matches!(self.names, Names::Full) {
            written.section(&self.names(imported, contents.bodies()));
        }
        Ok(written.finish())
    }

    fn parts(&self) -> impl Iterator<Item = PartId> + use<> {
        (0..self.plan.modules.len() - 1).map(PartId)
    }

    /// Writes the code of the first module or of a part, without the start function that is added to a part.
    fn write_code(
        &self,
        code: &mut CodeSection,
        renumber: &mut Renumber,
        part: Option<PartId>,
    ) -> Result<(), Error<Infallible>> {
        let contents = &self.plan.modules[part.map_or(0, |part| part.0 + 1)];
        for &id in &contents.own {
            let function = self.plan.module.function(id).expect("it has a body");
            utils::parse_function_body(renumber, code, function.body.clone())?;
        }
        for &id in &contents.stubs {
            code.function(&self.stub(id, renumber)?);
        }
        Ok(())
    }

    fn stub(&self, id: FunctionId, renumber: &mut Renumber) -> Result<Function, Error<Infallible>> {
        let plan = &self.plan;
        let (part, slot) = plan.place(id);
        let type_index = plan.type_of(id);
        let types = &plan.module.types;
        let mut stub = Function::new([]);
        stub.instruction(&Instruction::GlobalGet(plan.flag(part)));
        stub.instruction(&Instruction::I32Eqz);
        stub.instruction(&Instruction::If(BlockType::Empty));
        stub.instruction(&Instruction::I32Const(part.0 as i32 + 1));
        stub.instruction(&Instruction::Call(renumber.function_index(plan.load.0)?));
        for _ in types[plan.type_of(plan.load) as usize].results() {
            stub.instruction(&Instruction::Drop);
        }
        stub.instruction(&Instruction::End);
        for parameter in 0..types[type_index as usize].params().len() {
            stub.instruction(&Instruction::LocalGet(parameter as u32));
        }
        stub.instruction(&Instruction::I32Const(slot as i32));
        let type_index = renumber.type_index(type_index)?;
        stub.instruction(&Instruction::CallIndirect { type_index, table_index: 0 });
        stub.instruction(&Instruction::End);
        Ok(stub)
    }

    /// Returns the type of a table, with the slots that were added to the first.
    fn table(
        &self,
        index: usize,
        type_: wasmparser::TableType,
    ) -> Result<TableType, Error<Infallible>> {
        let mut type_ = Renumber::default().table_type(type_)?;
        if index == 0 {
            let more = u64::from(self.plan.table_size - self.plan.module.table_size);
            type_.minimum += more;
            type_.maximum = type_.maximum.map(|maximum| maximum + more);
        }
        Ok(type_)
    }

    /// Returns the names of functions that are numbered consecutively from `first` on.
    fn names<'f>(
        &self,
        first: u32,
        functions: impl Iterator<Item = &'f FunctionId>,
    ) -> NameSection {
        let mut named = NameMap::new();
        for (place, id) in (first..).zip(functions) {
            let function = self.plan.module.function(*id);
            named.append(place, function.map_or("", |function| &function.name));
        }
        let mut names = NameSection::new();
        names.functions(&named);
        names
    }

    /// Returns the memory, tables and globals, with the names under which parts import them.
    fn kept(&self) -> Result<Vec<(String, ExportKind, u32)>, Error<Infallible>> {
        let mut kept = Vec::new();
        let mut add = |letter: &str, kind: ExportKind, count: u32| {
            kept.extend((0..count).map(|index| (format!("{letter}.{index}"), kind, index)));
        };
        for payload in Parser::new(0).parse_all(self.bytes) {
            match payload? {
                Payload::TableSection(tables) => add("t", ExportKind::Table, tables.count()),
                Payload::MemorySection(memories) => add("m", ExportKind::Memory, memories.count()),
                Payload::GlobalSection(globals) => {
                    let flags = self.parts().count() as u32;
                    add("g", ExportKind::Global, globals.count() + flags);
                }
                _ => {}
            }
        }
        Ok(kept)
    }

    /// Returns the slots that a part fills, in as few runs as possible.
    fn filled(
        &self,
        part: PartId,
        renumber: &mut Renumber,
    ) -> Result<ElementSection, Error<Infallible>> {
        let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
        for (slot, id) in self.plan.filled(part) {
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

/// Gives functions and types their new indexes, and changes nothing else.
#[derive(Default)]
struct Renumber {
    places: BTreeMap<u32, u32>,
    /// The types of a part. In the first module, types keep their indexes.
    types: Option<UsedTypes>,
}

impl Reencode for Renumber {
    type Error = Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        Ok(*self.places.get(&index).expect("what is referred to has a place"))
    }

    fn type_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.types.as_mut().map_or(index, |types| types.place(index)))
    }
}

/// The types that a part uses, numbered in the order in which they are first used.
#[derive(Default)]
struct UsedTypes {
    order: Vec<u32>,
    places: BTreeMap<u32, u32>,
}

impl UsedTypes {
    fn place(&mut self, index: u32) -> u32 {
        *self.places.entry(index).or_insert_with(|| {
            self.order.push(index);
            self.order.len() as u32 - 1
        })
    }
}
