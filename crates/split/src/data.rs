//! Data that only one part uses.
//!
//! Where functions are in a module says nothing about the data that they read. What moves is either marked, and belongs to
//! the first part: the bytes between [`START`] and [`END`], which are comments in HTML. Or it is a [table](Part::tables) that is listed
//! for a part, unless code of another module refers to it. It is written into the same memory when the part is
//! instantiated; until then there are zeros in its place.

use std::convert::Infallible;
use std::ops::Range;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, ConstExpr, DataSection, Instruction, MemArg};
use wasmparser::{BinaryReaderError, DataKind, Operator, Parser, Payload};

use crate::later::{Later, PartId};
use crate::module::{FunctionId, Module};
use crate::places::Part;

/// What precedes marked data.
pub(crate) const START: &[u8] = b"<!--later-->";

/// What follows marked data.
pub(crate) const END: &[u8] = b"<!--/later-->";

/// The part of marked data.
const MARKED: PartId = PartId(0);

/// Bytes, and where they are in memory.
type Segment<'d> = (i32, &'d [u8]);

/// The data of a module, divided.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Data<'d> {
    /// The segments that stay.
    stay: Vec<Segment<'d>>,
    /// The segments that move to each part.
    parts: Vec<Vec<Segment<'d>>>,
}

impl<'d> Data<'d> {
    /// Divides the data of a module. Returns `None` if nothing in it moves, or if its segments cannot be divided, because
    /// code refers to them by number.
    pub(crate) fn divided(
        bytes: &'d [u8],
        module: &Module<'_>,
        later: &Later,
        parts: &[Part],
    ) -> Result<Option<Data<'d>>, BinaryReaderError> {
        let mut stay = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            let Payload::DataSection(segments) = payload? else { continue };
            for segment in segments {
                let segment = segment?;
                let DataKind::Active { memory_index: 0, offset_expr } = segment.kind else {
                    return Ok(None);
                };
                let Operator::I32Const { value } = offset_expr.get_operators_reader().read()?
                else {
                    return Ok(None);
                };
                stay.push((value, segment.data));
            }
        }
        let mut data = Data { stay, parts: parts.iter().map(|_| Vec::new()).collect() };
        while let Some(range) = data.find(marked) {
            data.take(MARKED, &range);
        }
        for (part, Part { tables, .. }) in (0..).map(PartId).zip(parts) {
            for table in *tables {
                let start = data.find(|bytes| {
                    find(bytes, table.start).map(|start| start..start + table.start.len())
                });
                let Some(start) = start.map(|found| found.start) else { continue };
                let range = start..start + table.length as i32;
                let mut others = module.ids().filter(|id| later.get(id) != Some(&part));
                if !others.any(|id| refers(module, id, &range)) {
                    data.take(part, &range);
                }
            }
        }
        Ok(data.parts.iter().any(|part| !part.is_empty()).then_some(data))
    }

    /// Returns where in memory something is, of which `find` returns the position in a segment.
    fn find(&self, find: impl Fn(&[u8]) -> Option<Range<usize>>) -> Option<Range<i32>> {
        self.stay.iter().find_map(|(offset, bytes)| {
            let Range { start, end } = find(bytes)?;
            Some(offset + start as i32..offset + end as i32)
        })
    }

    /// Moves what is in a range of memory to a part.
    fn take(&mut self, part: PartId, range: &Range<i32>) {
        let mut stay = Vec::new();
        for (offset, bytes) in std::mem::take(&mut self.stay) {
            let end = offset + bytes.len() as i32;
            let bounds =
                [offset, range.start.clamp(offset, end), range.end.clamp(offset, end), end];
            for (place, bound) in bounds.windows(2).enumerate() {
                let piece = &bytes[(bound[0] - offset) as usize..(bound[1] - offset) as usize];
                let to = if place == 1 { &mut self.parts[part.0] } else { &mut stay };
                if !piece.is_empty() {
                    to.push((bound[0], piece));
                }
            }
        }
        self.stay = stay;
    }

    /// Returns the number of segments of the first module.
    pub(crate) fn count(&self) -> u32 {
        self.stay.len() as u32
    }

    /// Returns the data of the first module.
    pub(crate) fn first(&self) -> DataSection {
        section(&self.stay)
    }

    /// Returns the data of a part, if it has any.
    pub(crate) fn of(&self, part: PartId) -> Option<DataSection> {
        let segments = &self.parts[part.0];
        (!segments.is_empty()).then(|| section(segments))
    }
}

/// Returns where the first marked bytes are.
fn marked(bytes: &[u8]) -> Option<Range<usize>> {
    let start = find(bytes, START)?;
    let end = start + find(&bytes[start..], END)? + END.len();
    Some(start..end)
}

/// Returns `true` if the code of a function refers to a range of memory.
fn refers(module: &Module<'_>, id: FunctionId, range: &Range<i32>) -> bool {
    let Some(function) = module.function(id) else { return false };
    let mut references = References { range: range.clone(), found: false };
    let parsed = references.parse_function_body(&mut CodeSection::new(), function.body.clone());
    parsed.is_err() || references.found
}

/// The last character, and the numbers after it, by which code that handles text says that there is no character, and why.
/// They lie where data may lie too.
const BEYOND_TEXT: Range<i32> = 0x10_ffff..0x11_0100;

/// Looks for references to a range of memory in code.
struct References {
    range: Range<i32>,
    found: bool,
}

impl Reencode for References {
    type Error = Infallible;

    fn instruction<'a>(
        &mut self,
        operator: Operator<'a>,
    ) -> Result<Instruction<'a>, Error<Infallible>> {
        if let Operator::I32Const { value } = operator {
            self.found |= !BEYOND_TEXT.contains(&value) && self.range.contains(&value);
        }
        utils::instruction(self, operator)
    }

    fn mem_arg(&mut self, arg: wasmparser::MemArg) -> Result<MemArg, Error<Infallible>> {
        self.found |= i32::try_from(arg.offset).is_ok_and(|offset| self.range.contains(&offset));
        utils::mem_arg(self, arg)
    }
}

fn section(segments: &[Segment<'_>]) -> DataSection {
    let mut section = DataSection::new();
    for (offset, bytes) in segments {
        section.active(0, &ConstExpr::i32_const(*offset), bytes.iter().copied());
    }
    section
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
