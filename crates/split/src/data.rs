//! Data that only the rest uses.
//!
//! Where functions are in a module says nothing about the data that they read, so what moves is marked: the bytes between
//! [`START`] and [`END`], which are comments in HTML. They are written into the same memory when the rest is instantiated;
//! until then there are zeros in their place.

use wasm_encoder::{ConstExpr, DataSection};
use wasmparser::{BinaryReaderError, DataKind, Operator, Parser, Payload};

/// What precedes marked data.
pub(crate) const START: &[u8] = b"<!--later-->";

/// What follows marked data.
pub(crate) const END: &[u8] = b"<!--/later-->";

/// Bytes, and where they are in memory.
type Segment<'d> = (i32, &'d [u8]);

/// The data of a module, divided.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Data<'d> {
    stay: Vec<Segment<'d>>,
    move_: Vec<Segment<'d>>,
}

impl<'d> Data<'d> {
    /// Divides the data of a module. Returns `None` if nothing in it is marked, or if its segments cannot be divided, because
    /// code refers to them by number.
    pub(crate) fn divided(module: &'d [u8]) -> Result<Option<Data<'d>>, BinaryReaderError> {
        let mut data = Data::default();
        for payload in Parser::new(0).parse_all(module) {
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
                data.divide(value, segment.data);
            }
        }
        Ok((!data.move_.is_empty()).then_some(data))
    }

    fn divide(&mut self, mut offset: i32, mut bytes: &'d [u8]) {
        while let Some(start) = find(bytes, START)
            && let Some(end) = find(&bytes[start..], END)
        {
            let (before, marked) = bytes.split_at(start);
            let (marked, after) = marked.split_at(end + END.len());
            if !before.is_empty() {
                self.stay.push((offset, before));
            }
            offset += before.len() as i32;
            self.move_.push((offset, marked));
            offset += marked.len() as i32;
            bytes = after;
        }
        if !bytes.is_empty() {
            self.stay.push((offset, bytes));
        }
    }

    /// Returns the number of segments of the first module.
    pub(crate) fn count(&self) -> u32 {
        self.stay.len() as u32
    }

    /// Returns the data of the first module.
    pub(crate) fn first(&self) -> DataSection {
        section(&self.stay)
    }

    /// Returns the data of the rest.
    pub(crate) fn rest(&self) -> DataSection {
        section(&self.move_)
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
