//! Walking through JSON by its quotes and brackets alone, without interpreting it.
//!
//! An error within a value does not affect what follows: the reader of the value reports it. `RawValue` of `serde_json`
//! would also keep a value's bytes, but it stops at the first error in a file, and cannot read a file in chunks.

use std::ops::Range;

/// Why a walk cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// The bytes end too early.
    End,
    /// This is not valid JSON; contains what was expected.
    Syntax(&'static str),
}

/// A position in JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) at: usize,
    /// `true` if nothing follows these bytes, so that a number may end with them.
    pub(crate) is_whole: bool,
}

/// Returns `true` for the white space of JSON, to which a form feed does not belong.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

impl<'b> Walk<'b> {
    /// Starts a walk through bytes that are complete: nothing follows them.
    pub(crate) fn through(bytes: &'b [u8]) -> Walk<'b> {
        Walk { bytes, at: 0, is_whole: true }
    }

    /// Goes to the next byte that is not white space, and returns it.
    pub(crate) fn peek(&mut self) -> Result<u8, Obstacle> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if !is_space(byte) {
                return Ok(byte);
            }
            self.at += 1;
        }
        Err(Obstacle::End)
    }

    /// Skips a byte that is not white space.
    pub(crate) fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), Obstacle> {
        match self.peek()? == byte {
            true => self.at += 1,
            false => return Err(Obstacle::Syntax(expected)),
        }
        Ok(())
    }

    /// Goes to the next field of an object, and returns its name in quotes; its value comes next. `is_first` is `true`
    /// before the first, when the object has not been opened. Returns `None` after the last.
    pub(crate) fn field(&mut self, is_first: bool) -> Result<Option<Range<usize>>, Obstacle> {
        if is_first {
            self.expect(b'{', "`{`")?;
        }
        match self.peek()? {
            b'}' => {
                self.at += 1;
                return Ok(None);
            }
            b',' if !is_first => self.at += 1,
            _ if is_first => {}
            _ => return Err(Obstacle::Syntax("`,` or `}`")),
        }
        if self.peek()? != b'"' {
            return Err(Obstacle::Syntax("a name in quotes"));
        }
        let name = self.string()?;
        self.expect(b':', "`:`")?;
        Ok(Some(name))
    }

    /// Skips any value, and returns its range.
    pub(crate) fn value(&mut self) -> Result<Range<usize>, Obstacle> {
        match self.peek()? {
            b'"' => self.string(),
            b'{' | b'[' => self.nested(),
            _ => self.scalar(),
        }
    }

    fn nested(&mut self) -> Result<Range<usize>, Obstacle> {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        self.at += 1;
                        return Ok(start..self.at);
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        Err(Obstacle::End)
    }

    /// Skips a text in quotes that starts at the next byte.
    fn string(&mut self) -> Result<Range<usize>, Obstacle> {
        let start = self.at;
        let mut from = start + 1;
        loop {
            let rest = self.bytes.get(from..).unwrap_or_default();
            match memchr::memchr2(b'"', b'\\', rest) {
                Some(offset) if rest[offset] == b'"' => {
                    self.at = from + offset + 1;
                    return Ok(start..self.at);
                }
                // The character after a backslash cannot end the text.
                Some(offset) => from += offset + 2,
                None => return Err(Obstacle::End),
            }
        }
    }

    /// Skips a number or a word.
    fn scalar(&mut self) -> Result<Range<usize>, Obstacle> {
        let start = self.at;
        let is_end = |byte: &u8| {
            matches!(byte, b',' | b':' | b'}' | b']' | b'{' | b'[' | b'"') || is_space(*byte)
        };
        match self.bytes[start..].iter().position(is_end) {
            Some(0) => return Err(Obstacle::Syntax("a value")),
            Some(length) => self.at += length,
            None if self.is_whole => self.at = self.bytes.len(),
            None => return Err(Obstacle::End),
        }
        Ok(start..self.at)
    }
}
