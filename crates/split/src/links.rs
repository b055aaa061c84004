//! The constants of a module, and the numbers in its code and data that are addresses of constants or places in the table.
//!
//! Only the linker knows these numbers: it writes them into the linked module (`--emit-relocs`), in the format of the
//! [conventions](https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasmparser::{
    BinaryReader, BinaryReaderError, DataKind, KnownCustom, Linking, Name, Operator, Parser,
    Payload, RelocationEntry, RelocationType, SymbolInfo,
};

/// The name of the segment with the constants.
const CONSTANTS: &str = ".rodata";

/// The largest alignment of a constant, in bytes: the padding between two constants is shorter.
const ALIGNMENT: u32 = 16;

/// The position of a constant among all of a module.
pub(crate) type ConstantId = usize;

/// The constants of a module, and what refers to them.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// The position of each constant in memory, in order. Texts that share their end are one constant.
    pub(crate) constants: Vec<Range<u32>>,
    /// By number in the code: the constants that it is an address of. The address may be next to a constant: a loop may
    /// count from the end of a table, or from the element before the first.
    pub(crate) addresses: BTreeMap<u32, BTreeSet<ConstantId>>,
    /// By constant: the constants whose addresses it contains.
    pub(crate) within: Vec<BTreeSet<ConstantId>>,
    /// The constants whose addresses are in data that may change.
    pub(crate) held: BTreeSet<ConstantId>,
    pub(crate) slots: Slots,
}

/// The places in the table, by what contains them.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    /// The places that are numbers in the code. The table begins above most other numbers (`--table-base`), which could
    /// otherwise be mistaken for places.
    pub(crate) in_code: BTreeSet<u32>,
    /// By constant: the places that it contains.
    pub(crate) within: BTreeMap<ConstantId, BTreeSet<u32>>,
    /// The places in data that may change.
    pub(crate) held: BTreeSet<u32>,
}

impl Slots {
    /// Returns all places.
    pub(crate) fn all(&self) -> impl Iterator<Item = u32> {
        let within = self.within.values().flatten();
        self.in_code.iter().chain(within).chain(&self.held).copied()
    }
}

impl Links {
    /// Reads what the linker has written.
    ///
    /// # Errors
    ///
    /// Fails if the linker has written nothing, or something that does not fit the module.
    pub(crate) fn read(linked: &[u8]) -> Result<Links, String> {
        let linked = LinkedModule::read(linked).map_err(|error| error.to_string())?;
        if linked.symbols.is_empty() {
            return Err("expected a module that was linked with --emit-relocs".to_owned());
        }
        let constants = linked.constants();
        let mut links =
            Links { within: vec![BTreeSet::new(); constants.len()], constants, ..Links::default() };
        for entry in &linked.in_code {
            if entry.ty == RelocationType::TableIndexSleb {
                let slot = linked.number(linked.code + entry.offset as usize, entry.ty)?;
                links.slots.in_code.insert(slot);
                continue;
            }
            let Some(symbol) = linked.symbol(entry) else { continue };
            let found = linked.number(linked.code + entry.offset as usize, entry.ty)?;
            let meant = symbol.start.wrapping_add_signed(entry.addend as i32);
            if found != meant {
                return Err(format!(
                    "expected the address {meant:#x} in the code, found {found:#x}"
                ));
            }
            let constant = links.at(symbol.start);
            links.addresses.entry(found).or_default().extend(constant);
        }
        for entry in &linked.in_data {
            let place = linked.data + entry.offset as usize;
            let from = linked.address_of(place).and_then(|from| links.at(from));
            if entry.ty == RelocationType::TableIndexI32 {
                let slot = linked.number(place, entry.ty)?;
                match from {
                    Some(from) => links.slots.within.entry(from).or_default().insert(slot),
                    None => links.slots.held.insert(slot),
                };
                continue;
            }
            let Some(symbol) = linked.symbol(entry) else { continue };
            let to = links.at(symbol.start);
            match from {
                Some(from) => links.within[from].extend(to),
                None => links.held.extend(to),
            }
        }
        Ok(links)
    }

    /// Returns the constants that are needed by code with these numbers, directly or through others.
    pub(crate) fn needed(&self, numbers: impl Iterator<Item = u32>) -> BTreeSet<ConstantId> {
        let mut found = Vec::new();
        for number in numbers {
            found.extend(self.addresses.get(&number).into_iter().flatten());
            // It may be an address that was computed after the module was linked.
            found.extend(self.at(number));
        }
        self.reached(found)
    }

    /// Returns the constants that are needed by data that may change.
    pub(crate) fn always_needed(&self) -> BTreeSet<ConstantId> {
        self.reached(self.held.iter().copied().collect())
    }

    /// Returns the places in the table that code contains, itself or in the constants that it needs. Of its numbers,
    /// `addresses` may be addresses, and `slots` may be places.
    pub(crate) fn slots_of(&self, addresses: Vec<u32>, slots: &[u32]) -> BTreeSet<u32> {
        let constants = self.needed(addresses.into_iter());
        let own = slots.iter().copied().filter(|slot| self.slots.in_code.contains(slot));
        own.chain(self.slots_within(&constants)).collect()
    }

    /// Returns the places in the table that are in data that may change, or in the constants that this data needs.
    pub(crate) fn slots_held(&self) -> BTreeSet<u32> {
        let constants = self.always_needed();
        self.slots.held.iter().copied().chain(self.slots_within(&constants)).collect()
    }

    fn slots_within(&self, constants: &BTreeSet<ConstantId>) -> impl Iterator<Item = u32> {
        constants.iter().filter_map(|id| self.slots.within.get(id)).flatten().copied()
    }

    fn reached(&self, mut found: Vec<ConstantId>) -> BTreeSet<ConstantId> {
        let mut reached = BTreeSet::new();
        while let Some(constant) = found.pop() {
            if reached.insert(constant) {
                found.extend(&self.within[constant]);
            }
        }
        reached
    }

    /// Returns the constant at an address.
    fn at(&self, address: u32) -> Option<ConstantId> {
        let next = self.constants.partition_point(|constant| constant.start <= address);
        let place = next.checked_sub(1)?;
        self.constants[place].contains(&address).then_some(place)
    }
}

/// The part of a linked module that says where its code, data and symbols are.
#[derive(Default)]
struct LinkedModule<'l> {
    bytes: &'l [u8],
    /// Where the contents of the section with the code begin.
    code: usize,
    /// Where the contents of the section with the data begin.
    data: usize,
    /// By segment: where it is in memory, and in the file.
    segments: Vec<(u32, Range<usize>)>,
    /// By segment: whether it has constants.
    are_constants: Vec<bool>,
    /// By symbol: the number of its segment, and where it is in memory, if it is data.
    symbols: Vec<Option<(u32, Range<u32>)>>,
    in_code: Vec<RelocationEntry>,
    in_data: Vec<RelocationEntry>,
}

impl<'l> LinkedModule<'l> {
    fn read(bytes: &'l [u8]) -> Result<LinkedModule<'l>, BinaryReaderError> {
        let mut linked = LinkedModule { bytes, ..LinkedModule::default() };
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::CodeSectionStart { range, .. } => linked.code = range.start,
                Payload::DataSection(segments) => {
                    linked.data = segments.range().start;
                    for segment in segments {
                        let segment = segment?;
                        let start = match segment.kind {
                            DataKind::Active { offset_expr, .. } => {
                                offset_expr.get_operators_reader().read()?
                            }
                            DataKind::Passive => Operator::Nop,
                        };
                        let Operator::I32Const { value } = start else { continue };
                        let end = segment.range.end;
                        linked
                            .segments
                            .push((value.cast_unsigned(), end - segment.data.len()..end));
                    }
                }
                Payload::CustomSection(section) => match (section.name(), section.as_known()) {
                    ("reloc.CODE", KnownCustom::Reloc(entries)) => {
                        linked.in_code = entries.entries().into_iter().collect::<Result<_, _>>()?;
                    }
                    ("reloc.DATA", KnownCustom::Reloc(entries)) => {
                        linked.in_data = entries.entries().into_iter().collect::<Result<_, _>>()?;
                    }
                    (_, KnownCustom::Linking(parts)) => {
                        for part in parts.subsections() {
                            if let Linking::SymbolTable(symbols) = part? {
                                linked.symbols = symbols
                                    .into_iter()
                                    .map(|symbol| Ok(linked.place_of(&symbol?)))
                                    .collect::<Result<_, BinaryReaderError>>()?;
                            }
                        }
                    }
                    (_, KnownCustom::Name(parts)) => {
                        for part in parts {
                            let Name::Data(names) = part? else { continue };
                            for name in names {
                                linked.are_constants.push(name?.name == CONSTANTS);
                            }
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        Ok(linked)
    }

    fn place_of(&self, symbol: &SymbolInfo<'_>) -> Option<(u32, Range<u32>)> {
        let SymbolInfo::Data { symbol: Some(data), .. } = symbol else { return None };
        let (start, _) = self.segments.get(data.index as usize)?;
        let start = start + data.offset;
        Some((data.index, start..start + data.size))
    }

    /// Returns the bounds of the constants, in order and without overlap.
    fn constants(&self) -> Vec<Range<u32>> {
        let is_constant = |segment: u32| self.are_constants.get(segment as usize) == Some(&true);
        let all = self.symbols.iter().flatten().filter(|(segment, _)| is_constant(*segment));
        let mut all: Vec<Range<u32>> =
            all.map(|(_, range)| range.clone()).filter(|range| !range.is_empty()).collect();
        all.sort_unstable_by_key(|range| (range.start, range.end));
        let mut constants: Vec<Range<u32>> = Vec::new();
        for range in all {
            match constants.last_mut() {
                Some(last) if range.start < last.end => last.end = last.end.max(range.end),
                _ => constants.push(range),
            }
        }
        for place in 1..constants.len() {
            let next = constants[place].start;
            let before = &mut constants[place - 1];
            if next - before.end < ALIGNMENT {
                before.end = next;
            }
        }
        constants
    }

    /// Returns the position in memory of the data that an entry refers to.
    fn symbol(&self, entry: &RelocationEntry) -> Option<&Range<u32>> {
        let (_, range) = self.symbols.get(entry.index as usize)?.as_ref()?;
        Some(range)
    }

    /// Returns the number at a place in the file.
    fn number(&self, at: usize, kind: RelocationType) -> Result<u32, String> {
        let mut reader = BinaryReader::new(self.bytes.get(at..).unwrap_or_default(), at);
        let number = match kind {
            RelocationType::MemoryAddrLeb => reader.read_var_u32(),
            RelocationType::MemoryAddrSleb | RelocationType::TableIndexSleb => {
                reader.read_var_i32().map(i32::cast_unsigned)
            }
            RelocationType::TableIndexI32 => reader.read_u32(),
            _ => return Err(format!("expected an address, found {kind:?}")),
        };
        number.map_err(|error| error.to_string())
    }

    /// Returns the address in memory of a place in the file.
    fn address_of(&self, at: usize) -> Option<u32> {
        let (start, range) = self.segments.iter().find(|(_, range)| range.contains(&at))?;
        Some(start + (at - range.start) as u32)
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{
        CodeSection, ConstExpr, CustomSection, DataSection, DataSymbolDefinition, Encode, Function,
        FunctionSection, LinkingSection, MemorySection, MemoryType, Module, NameMap, NameSection,
        SymbolTable, TypeSection,
    };

    use super::*;

    /// An entry: its kind, its place, the symbol, and the number that is added to the symbol's address.
    type Entry = (RelocationType, u32, u32, i32);

    /// Returns a module with constants at 1000, 1004, 1006 (the end of the one before) and 1008, a variable at 2000,
    /// and a function with one number.
    fn linked(number: i32, in_code: &[Entry], in_data: &[Entry]) -> Vec<u8> {
        let mut module = Module::new();
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut code = CodeSection::new();
        let mut function = Function::new([]);
        function.instructions().i32_const(number).drop().end();
        code.function(&function);
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(1000), *b"\xf0\x03\0\0abc\0dddd");
        data.active(0, &ConstExpr::i32_const(2000), *b"\xe8\x03\0\0");
        let mut symbols = SymbolTable::new();
        for (index, offset, size) in [(0, 0, 4), (0, 4, 4), (0, 6, 2), (0, 8, 4), (1, 0, 4)] {
            symbols.data(0, "", Some(DataSymbolDefinition { index, offset, size }));
        }
        let mut linking = LinkingSection::new();
        linking.symbol_table(&symbols);
        let mut names = NameSection::new();
        let mut segments = NameMap::new();
        segments.append(0, ".rodata");
        segments.append(1, ".data");
        names.data(&segments);
        module.section(&types).section(&functions).section(&memories).section(&code).section(&data);
        module.section(&linking);
        for (name, section, entries) in [("reloc.CODE", 3_u32, in_code), ("reloc.DATA", 4, in_data)]
        {
            let mut contents = Vec::new();
            section.encode(&mut contents);
            (entries.len() as u32).encode(&mut contents);
            for (kind, place, symbol, addend) in entries {
                contents.push(*kind as u8);
                place.encode(&mut contents);
                symbol.encode(&mut contents);
                // Entries for places in the table have no addend.
                if [IN_CODE, IN_DATA].contains(kind) {
                    addend.encode(&mut contents);
                }
            }
            module.section(&CustomSection { name: name.into(), data: contents.into() });
        }
        module.section(&names);
        module.finish()
    }

    const IN_CODE: RelocationType = RelocationType::MemoryAddrSleb;
    const IN_DATA: RelocationType = RelocationType::MemoryAddrI32;

    /// The place of the number of the function, and those of the contents of both segments.
    const NUMBER: u32 = 4;
    const FIRST: u32 = 7;
    const SECOND: u32 = FIRST + 12 + 6;

    fn needed(links: &Links, number: u32) -> Vec<ConstantId> {
        links.needed([number].into_iter()).into_iter().collect()
    }

    #[test]
    fn knows_what_a_number_is_an_address_of() {
        // First the end of the second constant, then an address before the last.
        let links = Links::read(&linked(1008, &[(IN_CODE, NUMBER, 1, 4)], &[])).expect("links");
        assert_eq!(links.constants, [1000..1004, 1004..1008, 1008..1012]);
        assert_eq!(needed(&links, 1008), [1, 2]);
        assert_eq!(needed(&links, 1007), [1]);
        assert_eq!(needed(&links, 1012), []);
        let links = Links::read(&linked(992, &[(IN_CODE, NUMBER, 3, -16)], &[])).expect("links");
        assert_eq!(needed(&links, 992), [2]);
    }

    #[test]
    fn follows_addresses_in_data() {
        let in_data = [(IN_DATA, FIRST, 3, 0), (IN_DATA, SECOND, 0, 0)];
        let links = Links::read(&linked(0, &[], &in_data)).expect("links");
        assert_eq!(needed(&links, 1000), [0, 2]);
        assert_eq!(needed(&links, 1004), [1]);
        assert_eq!(links.always_needed(), BTreeSet::from([0, 2]));
    }

    #[test]
    fn knows_what_has_a_place_in_the_table() {
        let in_code = [(RelocationType::TableIndexSleb, NUMBER, 0, 0)];
        let in_data = [
            (RelocationType::TableIndexI32, FIRST, 0, 0),
            (RelocationType::TableIndexI32, SECOND, 0, 0),
        ];
        let links = Links::read(&linked(5001, &in_code, &in_data)).expect("links");
        assert_eq!(links.slots_of(vec![5001], &[5001, 5002]), BTreeSet::from([5001]));
        // The numbers that are written at the two places.
        assert_eq!(links.slots_of(vec![1000], &[]), BTreeSet::from([1008]));
        assert_eq!(links.slots_held(), BTreeSet::from([1000]));
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let refused = |bytes: &[u8]| Links::read(bytes).expect_err("no links");
        let plain = Module::new().finish();
        assert_eq!(refused(&plain), "expected a module that was linked with --emit-relocs");
        let other = linked(1001, &[(IN_CODE, NUMBER, 0, 0)], &[]);
        assert_eq!(refused(&other), "expected the address 0x3e8 in the code, found 0x3e9");
        assert!(!refused(b"no module").is_empty());
    }
}
