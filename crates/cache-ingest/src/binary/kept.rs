//! The parts of a program or library that are needed to read its headers, in bounded memory.
//!
//! A file is read once, from its beginning to its end. The headers at its beginning say where the other parts are that
//! matter. So only two things are kept of a long file: these parts, and its beginning, where linkers put names and
//! versions.

use object::elf;
use object::endian::Endianness;
use object::read::ReadRef;
use object::read::elf::{FileHeader, ProgramHeader};

/// The number of bytes that are kept from the beginning of a file.
const BEGINNING: usize = 16 << 20;

/// The maximum length of a further part in bytes, and of all further parts together.
const LONGEST_PART: u64 = 4 << 20;
const LONGEST_PARTS: u64 = 8 << 20;

/// The maximum number of further parts: a linker makes some fifteen.
const MOST_PARTS: usize = 64;

/// The parts of a file that are kept.
#[derive(Debug, Default)]
pub(super) struct FileExcerpt {
    beginning: Vec<u8>,
    /// The parts after the beginning that are kept: the start and end of each, and its bytes so far.
    parts: Vec<(u64, u64, Vec<u8>)>,
    /// The number of bytes read so far.
    length: u64,
}

impl FileExcerpt {
    /// Reads the next piece of the file.
    pub(super) fn keep(&mut self, piece: &[u8]) {
        let start = self.length;
        self.length += piece.len() as u64;
        let room = BEGINNING - self.beginning.len();
        let (first, rest) = piece.split_at(room.min(piece.len()));
        self.beginning.extend_from_slice(first);
        if rest.is_empty() {
            return;
        }
        if !first.is_empty() || start == BEGINNING as u64 {
            self.parts = parts(&self.beginning);
        }
        let at = start + first.len() as u64;
        for (from, to, bytes) in &mut self.parts {
            let begin = (*from).clamp(at, self.length) - at;
            let end = (*to).clamp(at, self.length) - at;
            bytes.extend_from_slice(&rest[begin as usize..end as usize]);
        }
    }

    /// Returns the first bytes.
    pub(super) fn beginning(&self) -> &[u8] {
        &self.beginning
    }
}

/// Returns the parts that the headers at the beginning of a file point to.
fn parts(beginning: &[u8]) -> Vec<(u64, u64, Vec<u8>)> {
    let ranges = elf_ranges::<elf::FileHeader64<Endianness>>(beginning)
        .or_else(|_| elf_ranges::<elf::FileHeader32<Endianness>>(beginning))
        .unwrap_or_default();
    let mut left = LONGEST_PARTS;
    let mut parts = Vec::new();
    for (from, length) in ranges {
        let from = from.max(BEGINNING as u64);
        if parts.len() < MOST_PARTS
            && (1..=LONGEST_PART).contains(&length)
            && let Some(rest) = left.checked_sub(length)
            && let Some(to) = from.checked_add(length)
        {
            left = rest;
            parts.push((from, to, Vec::new()));
        }
    }
    parts
}

/// Returns where the segments of an ELF file are, shortest first: the dynamic section and notes are short.
fn elf_ranges<H: FileHeader<Endian = Endianness>>(
    beginning: &[u8],
) -> object::read::Result<Vec<(u64, u64)>> {
    let header = H::parse(beginning)?;
    let endian = header.endian()?;
    let segments = header.program_headers(endian, beginning)?;
    let mut ranges: Vec<(u64, u64)> =
        segments.iter().map(|segment| segment.file_range(endian)).collect();
    ranges.sort_by_key(|&(_, length)| length);
    Ok(ranges)
}

impl<'k> ReadRef<'k> for &'k FileExcerpt {
    fn len(self) -> Result<u64, ()> {
        Ok(self.length)
    }

    fn read_bytes_at(self, offset: u64, size: u64) -> Result<&'k [u8], ()> {
        let end = offset.checked_add(size).ok_or(())?;
        let within = |from: u64, bytes: &'k [u8]| {
            let start = usize::try_from(offset.checked_sub(from)?).ok()?;
            bytes.get(start..usize::try_from(end - from).ok()?)
        };
        let parts = self.parts.iter().map(|(from, _, bytes)| (*from, bytes.as_slice()));
        let mut all = std::iter::once((0, self.beginning.as_slice())).chain(parts);
        all.find_map(|(from, bytes)| within(from, bytes)).ok_or(())
    }

    fn read_bytes_at_until(
        self,
        range: std::ops::Range<u64>,
        delimiter: u8,
    ) -> Result<&'k [u8], ()> {
        // Names are short; a longer one would be looked at again for each of its uses.
        const LONGEST_NAME: u64 = 1 << 16;
        let end = range.end.min(range.start.saturating_add(LONGEST_NAME)).min(self.length);
        // The part that is kept may end before that.
        let mut size = end.checked_sub(range.start).ok_or(())?;
        let bytes = loop {
            match self.read_bytes_at(range.start, size) {
                Ok(bytes) => break bytes,
                Err(()) if size == 0 => return Err(()),
                Err(()) => size /= 2,
            }
        };
        let end = memchr::memchr(delimiter, bytes).ok_or(())?;
        Ok(&bytes[..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_beginning_of_a_long_file() {
        let mut kept = FileExcerpt::default();
        let piece = vec![7; 1 << 20];
        for _ in 0..40 {
            kept.keep(&piece);
        }
        assert_eq!((&kept).len(), Ok(40 << 20));
        assert_eq!((&kept).read_bytes_at(BEGINNING as u64 - 2, 2), Ok(&[7, 7][..]));
        assert_eq!((&kept).read_bytes_at(BEGINNING as u64 - 2, 3), Err(()));
        assert_eq!((&kept).read_bytes_at(u64::MAX, 3), Err(()));
    }
}
