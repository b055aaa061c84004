//! Skipping JSON values without interpreting them, in an input that is read in chunks.
//!
//! Only quotes and brackets count, so that what is wrong within a value does not concern what follows it: whoever reads
//! the value reports that. What was skipped stays in memory until it is taken.

use std::io::{self, Read};
use std::ops::Range;

/// How many bytes are read from the input at once.
const CHUNK: usize = 256 << 10;

/// Why nothing after this point can be trusted.
pub(super) enum Stop {
    Unreadable(io::Error),
    /// The file ends too early.
    End,
    /// This is not valid JSON.
    Syntax(&'static str),
    /// The problem has been reported.
    Reported,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Unreadable(error)
    }
}

/// Returns `true` for the white space of JSON, to which a form feed does not belong.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// A position in JSON that is being read.
pub(super) struct Skipper<'s> {
    input: &'s mut dyn Read,
    /// The bytes that were read and not taken.
    bytes: Vec<u8>,
    /// How many of them have been skipped.
    at: usize,
}

impl<'s> Skipper<'s> {
    pub(super) fn new(input: &'s mut dyn Read) -> Skipper<'s> {
        Skipper { input, bytes: Vec::new(), at: 0 }
    }

    /// Returns the bytes that were skipped and not taken.
    pub(super) fn skipped(&self) -> &[u8] {
        &self.bytes[..self.at.min(self.bytes.len())]
    }

    /// Returns what a method has skipped.
    pub(super) fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.bytes[range]
    }

    /// Takes the bytes that were skipped. Ranges before this no longer mean anything.
    pub(super) fn take(&mut self) -> Vec<u8> {
        let at = self.skipped().len();
        let rest = self.bytes.split_off(at);
        self.at = 0;
        std::mem::replace(&mut self.bytes, rest)
    }

    /// Skips to the next field of an object, and returns its name in quotes; its value comes next. `is_first` is `true`
    /// before the first, when the object has not been opened. Returns `None` after the last.
    pub(super) fn field(&mut self, is_first: &mut bool) -> Result<Option<Range<usize>>, Stop> {
        let is_opening = std::mem::take(is_first);
        if is_opening {
            self.expect(b'{', "`{`")?;
        }
        match self.peek()? {
            Some(b'}') => {
                self.at += 1;
                return Ok(None);
            }
            Some(b',') if !is_opening => self.at += 1,
            Some(_) if is_opening => {}
            Some(_) => return Err(Stop::Syntax("`,` or `}`")),
            None => return Err(Stop::End),
        }
        match self.peek()? {
            Some(b'"') => {}
            Some(_) => return Err(Stop::Syntax("a name in quotes")),
            None => return Err(Stop::End),
        }
        let name = self.string()?;
        self.expect(b':', "`:`")?;
        Ok(Some(name))
    }

    /// Skips any value, and returns its range.
    pub(super) fn value(&mut self) -> Result<Range<usize>, Stop> {
        match self.peek()? {
            None => Err(Stop::End),
            Some(b'"') => self.string(),
            Some(b'{' | b'[') => self.nested(),
            Some(_) => self.scalar(),
        }
    }

    fn nested(&mut self) -> Result<Range<usize>, Stop> {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
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
            if !self.fill()? {
                return Err(Stop::End);
            }
        }
    }

    /// Skips a text in quotes that starts at the next byte.
    fn string(&mut self) -> Result<Range<usize>, Stop> {
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
                None => {
                    from = from.max(self.bytes.len());
                    if !self.fill()? {
                        self.at = self.bytes.len();
                        return Err(Stop::End);
                    }
                }
            }
        }
    }

    /// Skips a number or a word.
    fn scalar(&mut self) -> Result<Range<usize>, Stop> {
        let start = self.at;
        while let Some(byte) = self.byte()? {
            if matches!(byte, b',' | b':' | b'}' | b']' | b'{' | b'[' | b'"') || is_space(byte) {
                break;
            }
            self.at += 1;
        }
        if self.at == start { Err(Stop::Syntax("a value")) } else { Ok(start..self.at) }
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), Stop> {
        match self.peek()? {
            Some(found) if found == byte => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Stop::Syntax(expected)),
            None => Err(Stop::End),
        }
    }

    /// Returns the next byte that is not white space, without consuming it.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, Stop> {
        while let Some(byte) = self.byte()? {
            if !is_space(byte) {
                return Ok(Some(byte));
            }
            self.at += 1;
        }
        Ok(None)
    }

    fn byte(&mut self) -> Result<Option<u8>, Stop> {
        if self.at >= self.bytes.len() && !self.fill()? {
            return Ok(None);
        }
        Ok(self.bytes.get(self.at).copied())
    }

    /// Reads more; returns `false` at the end of the input.
    fn fill(&mut self) -> Result<bool, Stop> {
        let length = self.bytes.len();
        self.bytes.resize(length + CHUNK, 0);
        loop {
            match self.input.read(&mut self.bytes[length..]) {
                Ok(count) => {
                    self.bytes.truncate(length + count);
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.bytes.truncate(length);
                    return Err(error.into());
                }
            }
        }
    }
}
