//! The parts of a module that are needed to split it.

use std::collections::{BTreeMap, BTreeSet};

use wasmparser::{
    BinaryReaderError, ConstExpr, ElementItems, ElementKind, ExternalKind, FuncType, FunctionBody,
    KnownCustom, Name, Operator, Parser, Payload, TypeRef,
};

/// The index of a function in a module; imported functions come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FunctionId(pub u32);

/// A function with a body.
pub(crate) struct Function<'m> {
    /// The index of its type.
    pub(crate) type_index: u32,
    /// Its instructions.
    pub(crate) body: FunctionBody<'m>,
    /// Its path, without the hashes that the compiler puts into it. Empty if the module names no functions.
    pub(crate) name: String,
    /// The functions that it calls directly.
    pub(crate) calls: BTreeSet<FunctionId>,
    /// `true` if its instructions take a reference to a function.
    pub(crate) takes_references: bool,
}

/// A parsed module.
pub(crate) struct Module<'m> {
    /// Its types, which are all types of functions.
    pub(crate) types: Vec<FuncType>,
    /// The names of the imported functions, with the indexes of their types.
    pub(crate) imports: Vec<(&'m str, u32)>,
    /// The functions with bodies.
    pub(crate) functions: Vec<Function<'m>>,
    /// Which function each slot of the first table holds.
    pub(crate) slots: BTreeMap<u32, FunctionId>,
    /// How many slots the first table has at the start.
    pub(crate) table_size: u32,
    /// How many globals it has.
    pub(crate) globals: u32,
    /// The functions that are exported or run at the start.
    pub(crate) roots: BTreeSet<FunctionId>,
    /// The names of all exports.
    pub(crate) exports: BTreeSet<&'m str>,
}

impl<'m> Module<'m> {
    /// Reads a module. Returns an error if it uses a feature that [`split`](crate::split::split) does not support.
    pub(crate) fn read(bytes: &'m [u8]) -> Result<Module<'m>, String> {
        let mut module = Module {
            types: Vec::new(),
            imports: Vec::new(),
            functions: Vec::new(),
            slots: BTreeMap::new(),
            table_size: 0,
            globals: 0,
            roots: BTreeSet::new(),
            exports: BTreeSet::new(),
        };
        let mut type_indexes = Vec::new();
        let mut names = BTreeMap::new();
        for payload in Parser::new(0).parse_all(bytes) {
            module
                .take(payload.map_err(damaged)?, &mut type_indexes, &mut names)
                .map_err(|error| error.to_string())?;
        }
        if type_indexes.len() != module.functions.len() {
            return Err("expected one body for each function, found another number".to_owned());
        }
        let imported = module.imports.len() as u32;
        for ((place, function), type_index) in
            module.functions.iter_mut().enumerate().zip(type_indexes)
        {
            function.type_index = type_index;
            function.name = names.remove(&(imported + place as u32)).unwrap_or_default();
        }
        Ok(module)
    }

    fn take(
        &mut self,
        payload: Payload<'m>,
        type_indexes: &mut Vec<u32>,
        names: &mut BTreeMap<u32, String>,
    ) -> Result<(), String> {
        match payload {
            Payload::TypeSection(types) => {
                for function in types.into_iter_err_on_gc_types() {
                    self.types.push(function.map_err(damaged)?);
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import.map_err(damaged)?;
                    let TypeRef::Func(type_index) = import.ty else {
                        return Err(format!(
                            "expected imports of functions only, found {}",
                            import.name
                        ));
                    };
                    self.imports.push((import.name, type_index));
                }
            }
            Payload::FunctionSection(functions) => {
                for type_index in functions {
                    type_indexes.push(type_index.map_err(damaged)?);
                }
            }
            Payload::TableSection(tables) => {
                if let Some(first) = tables.into_iter().next() {
                    self.table_size = first.map_err(damaged)?.ty.initial as u32;
                }
            }
            Payload::GlobalSection(globals) => self.globals = globals.count(),
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export.map_err(damaged)?;
                    self.exports.insert(export.name);
                    if export.kind == ExternalKind::Func {
                        self.roots.insert(FunctionId(export.index));
                    }
                }
            }
            Payload::StartSection { func, .. } => {
                self.roots.insert(FunctionId(func));
            }
            Payload::ElementSection(elements) => {
                for element in elements {
                    self.take_element(element.map_err(damaged)?)?;
                }
            }
            Payload::CodeSectionEntry(body) => {
                self.functions.push(function(body).map_err(damaged)?)
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(subsections) = section.as_known() {
                    for subsection in subsections {
                        if let Name::Function(functions) = subsection.map_err(damaged)? {
                            for naming in functions {
                                let naming = naming.map_err(damaged)?;
                                names.insert(naming.index, without_hashes(naming.name));
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn take_element(&mut self, element: wasmparser::Element<'m>) -> Result<(), String> {
        let ElementKind::Active { table_index, offset_expr } = element.kind else { return Ok(()) };
        if table_index.unwrap_or(0) != 0 {
            return Ok(());
        }
        let offset =
            constant(&offset_expr).ok_or("expected a table that is filled at a constant offset")?;
        let ElementItems::Functions(functions) = element.items else {
            return Err("expected a table of functions, found expressions".to_owned());
        };
        for (slot, function) in (offset..).zip(functions) {
            self.slots.insert(slot, FunctionId(function.map_err(damaged)?));
        }
        Ok(())
    }

    /// Returns the function with this index; `None` for an imported one, which has no body.
    pub(crate) fn function(&self, id: FunctionId) -> Option<&Function<'m>> {
        self.functions.get((id.0 as usize).checked_sub(self.imports.len())?)
    }

    /// Returns all functions with bodies.
    pub(crate) fn ids(&self) -> impl Iterator<Item = FunctionId> + use<> {
        let imported = self.imports.len() as u32;
        (imported..imported + self.functions.len() as u32).map(FunctionId)
    }
}

fn function(body: FunctionBody<'_>) -> Result<Function<'_>, BinaryReaderError> {
    let mut calls = BTreeSet::new();
    let mut takes_references = false;
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                calls.insert(FunctionId(function_index));
            }
            Operator::RefFunc { .. } => takes_references = true,
            _ => {}
        }
    }
    Ok(Function { type_index: 0, body, name: String::new(), calls, takes_references })
}

fn constant(expression: &ConstExpr<'_>) -> Option<u32> {
    match expression.get_operators_reader().read().ok()? {
        Operator::I32Const { value } => u32::try_from(value).ok(),
        _ => None,
    }
}

/// Removes hashes from a name: `core[c5930c85a12de822]::fmt` becomes `core::fmt`.
fn without_hashes(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        let hash = after.split_once(']').filter(|(hash, _)| {
            hash.len() > 4 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        rest = match hash {
            Some((_, after)) => after,
            None => {
                plain.push('[');
                after
            }
        };
    }
    plain + rest
}

fn damaged(error: BinaryReaderError) -> String {
    format!("the module is damaged: {error}")
}
