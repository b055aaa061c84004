//! Data follows the code that needs it: a [constant](Links) that only a part needs moves to that part, and is written
//! into the same memory when the part is instantiated. Until then its place in memory contains zeros, which no code
//! reads.

use std::collections::BTreeSet;
use std::ops::Range;

use wasm_encoder::{ConstExpr, DataSection};
use wasmparser::{BinaryReaderError, DataKind, Operator, Parser, Payload};

use crate::later::{Later, PartId, common_part};
use crate::links::{ConstantId, Links};
use crate::module::Module;
use crate::places::Places;
use crate::uses::numbers;

/// An address in memory, and the bytes there.
type Segment<'d> = (u32, &'d [u8]);

/// The overhead of a segment, in bytes.
const SEGMENT: usize = 8;

/// The data of a module, divided between the first module and the parts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Data<'d> {
    /// The segments that stay.
    stay: Vec<Segment<'d>>,
    /// The segments that move to each part.
    parts: Vec<Vec<Segment<'d>>>,
}

impl<'d> Data<'d> {
    /// Divides the data of a module. Returns `None` if its segments cannot be divided, because code refers to them by
    /// number or their addresses are not known.
    pub(crate) fn divided(
        bytes: &'d [u8],
        module: &Module<'_>,
        later: &Later,
        places: &Places,
        links: &Links,
    ) -> Result<Option<Data<'d>>, BinaryReaderError> {
        let Some(segments) = segments(bytes)? else { return Ok(None) };
        let mut data = Data { stay: Vec::new(), parts: vec![Vec::new(); places.parts.len()] };
        let moves = moving(module, later, places, links);
        for (start, bytes) in segments {
            let end = start + bytes.len() as u32;
            let mut done = start;
            let from = moves.partition_point(|(range, _)| range.end <= start);
            for (range, part) in &moves[from..] {
                if range.start >= end {
                    break;
                }
                let range = range.start.max(start)..range.end.min(end);
                let piece = |from: u32, until: u32| {
                    &bytes[(from - start) as usize..(until - start) as usize]
                };
                if done < range.start {
                    data.stay.push((done, piece(done, range.start)));
                }
                data.parts[part.0].push((range.start, piece(range.start, range.end)));
                done = range.end;
            }
            if done < end {
                data.stay.push((done, &bytes[(done - start) as usize..]));
            }
        }
        Ok(Some(data))
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

/// Reads the segments of a module, in order; `None` if one of them is not written to a known address at the start.
fn segments(bytes: &[u8]) -> Result<Option<Vec<Segment<'_>>>, BinaryReaderError> {
    let mut found = Vec::new();
    for payload in Parser::new(0).parse_all(bytes) {
        let Payload::DataSection(segments) = payload? else { continue };
        for segment in segments {
            let segment = segment?;
            let DataKind::Active { memory_index: 0, offset_expr } = segment.kind else {
                return Ok(None);
            };
            let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else {
                return Ok(None);
            };
            found.push((value.cast_unsigned(), segment.data));
        }
    }
    Ok(Some(found))
}

/// Returns the ranges of memory that move, in order, each with its part. Adjacent constants that move to the same part
/// are one range.
fn moving(
    module: &Module<'_>,
    later: &Later,
    places: &Places,
    links: &Links,
) -> Vec<(Range<u32>, PartId)> {
    let needed = |part: Option<PartId>| {
        let own = module.ids().filter(|id| later.get(id).copied() == part);
        links.needed(own.flat_map(|id| numbers(module, id).addresses))
    };
    let (first, held) = (needed(None), links.always_needed());
    let parts = (0..places.parts.len()).map(PartId);
    let parts: Vec<(PartId, BTreeSet<ConstantId>)> =
        parts.map(|part| (part, needed(Some(part)))).collect();
    let mut moving: Vec<(Range<u32>, PartId)> = Vec::new();
    for (id, range) in links.constants.iter().enumerate() {
        if first.contains(&id) || held.contains(&id) {
            continue;
        }
        let with = parts.iter().filter(|(_, needed)| needed.contains(&id)).map(|(part, _)| *part);
        // Constants that no part seems to need stay. So do those that several parts need, unless one of these parts is
        // always loaded with the others.
        let Some(part) = common_part(&with.collect(), places) else { continue };
        match moving.last_mut() {
            Some((last, of)) if last.end == range.start && *of == part => last.end = range.end,
            _ => moving.push((range.clone(), part)),
        }
    }
    // For a shorter range, a segment of its own costs more than moving it saves.
    moving.retain(|(range, _)| range.len() >= SEGMENT);
    moving
}

fn section(segments: &[Segment<'_>]) -> DataSection {
    let mut section = DataSection::new();
    for (offset, bytes) in segments {
        section.active(0, &ConstExpr::i32_const(offset.cast_signed()), bytes.iter().copied());
    }
    section
}
