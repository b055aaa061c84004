//! [Walking](Walk) through JSON that is read in chunks. Skipped bytes stay in memory until they are taken.

use std::io::{self, Read};
use std::ops::Range;

use super::walk::{Obstacle, Walk};

/// How many bytes are read from the input at once.
const CHUNK: usize = 256 << 10;

/// Why nothing after this point can be trusted.
pub(crate) enum Stop {
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

/// A position in JSON that is being read.
pub(crate) struct Skipper<'s> {
    input: &'s mut dyn Read,
    /// The bytes that were read and not taken.
    bytes: Vec<u8>,
    /// How many of them have been skipped.
    at: usize,
    /// `true` if the input has ended.
    is_whole: bool,
}

impl<'s> Skipper<'s> {
    pub(crate) fn new(input: &'s mut dyn Read) -> Skipper<'s> {
        Skipper { input, bytes: Vec::new(), at: 0, is_whole: false }
    }

    /// Returns the bytes that were skipped and not taken.
    pub(crate) fn skipped(&self) -> &[u8] {
        &self.bytes[..self.at.min(self.bytes.len())]
    }

    /// Returns what a method has skipped.
    pub(crate) fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.bytes[range]
    }

    /// Takes the bytes that were skipped. Ranges before this no longer mean anything.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        let at = self.skipped().len();
        let rest = self.bytes.split_off(at);
        self.at = 0;
        std::mem::replace(&mut self.bytes, rest)
    }

    /// Skips to the next field of an object, as [`Walk::field`] does.
    pub(crate) fn field(&mut self, is_first: &mut bool) -> Result<Option<Range<usize>>, Stop> {
        let is_opening = std::mem::take(is_first);
        self.walk(|walk| walk.field(is_opening))
    }

    /// Skips any value, and returns its range.
    pub(crate) fn value(&mut self) -> Result<Range<usize>, Stop> {
        self.walk(|walk| walk.value())
    }

    /// Returns the next byte that is not white space, without consuming it; `None` at the end of the input.
    pub(crate) fn peek(&mut self) -> Result<Option<u8>, Stop> {
        match self.walk(|walk| walk.peek()) {
            Err(Stop::End) => Ok(None),
            next => next.map(Some),
        }
    }

    /// Takes a step. Whenever the bytes read so far do not suffice, reads more and starts the step again.
    fn walk<T>(&mut self, step: impl Fn(&mut Walk<'_>) -> Result<T, Obstacle>) -> Result<T, Stop> {
        loop {
            let (bytes, is_whole) = (&self.bytes[..], self.is_whole);
            let mut walk = Walk { bytes, at: self.at, is_whole };
            let outcome = step(&mut walk);
            let at = walk.at;
            match outcome {
                Err(Obstacle::End) if !self.is_whole => self.fill()?,
                Err(Obstacle::End) => {
                    self.at = self.bytes.len();
                    return Err(Stop::End);
                }
                Err(Obstacle::Syntax(expected)) => {
                    self.at = at;
                    return Err(Stop::Syntax(expected));
                }
                Ok(outcome) => {
                    self.at = at;
                    return Ok(outcome);
                }
            }
        }
    }

    /// Reads at least as many bytes as the step has already walked through, so that long values are not walked through
    /// too often.
    fn fill(&mut self) -> Result<(), Stop> {
        let wanted = CHUNK.max(self.bytes.len() - self.at) as u64;
        self.bytes.reserve(wanted as usize);
        let read = Read::take(&mut *self.input, wanted).read_to_end(&mut self.bytes)?;
        self.is_whole = (read as u64) < wanted;
        Ok(())
    }
}
