//! Splitting a database file into its records, without interpreting them.
//!
//! The file is read in chunks and passed on in [`Batch`]es of whole records. Each batch can be read on any thread, and
//! only a few batches are in memory at once. Brackets alone decide where a record ends, so an error within a record
//! only affects that record. An error between records affects the file: nothing after it can be trusted.

use std::io::{self, Read};
use std::ops::Range;

use cache_index::build::Place;

use super::{NEWEST_VERSION, OLDEST_VERSION, Records, records};
use crate::compression::decompress;
use crate::digest::{Digesting, Stated};
use crate::fields::Problems;
use crate::problem::{Finding, Notes, Novelty, Position, Problem};
use crate::value::{Text, Value};

/// Records are passed on once there are this many bytes of them.
const BATCH: usize = 2 << 20;

/// How many bytes are read from the input at once.
const CHUNK: usize = 256 << 10;

/// Whole records of a database file, in order.
#[derive(Debug)]
pub struct Batch {
    pub(super) bytes: Vec<u8>,
    pub(super) entries: Vec<Entry>,
    /// The file's version, if it comes before these records.
    pub(super) version: Option<u32>,
    /// The position of the first byte in the file.
    start: Point,
}

/// A record, as ranges in the bytes of its batch.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Counted from 1.
    pub(super) number: usize,
    /// The hash that the record is listed under, in quotes.
    pub(super) key: Range<usize>,
    pub(super) value: Range<usize>,
}

/// A position in a file: the lines before it, and the bytes before it in its own line.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    lines: usize,
    columns: usize,
}

/// The contents of a database file apart from its records.
#[derive(Debug)]
pub struct Outline {
    pub(super) version: Option<u32>,
    /// `true` if the records are known to be complete and unchanged.
    pub(super) is_whole: bool,
    pub(super) problems: Vec<Problem>,
    pub(super) notes: Notes,
}

impl Batch {
    /// Reads the records. Those with a binary are put in `place`.
    pub fn read(&self, place: &Place) -> Records {
        records::read(self, place)
    }

    /// Returns the position in the file of a byte of the batch.
    pub(super) fn position(&self, at: usize) -> Position {
        self.start.after(&self.bytes[..at]).position()
    }
}

impl Point {
    fn after(self, bytes: &[u8]) -> Point {
        match memchr::memrchr(b'\n', bytes) {
            None => Point { columns: self.columns + bytes.len(), ..self },
            Some(last) => Point {
                lines: self.lines + memchr::memchr_iter(b'\n', bytes).count(),
                columns: bytes.len() - last - 1,
            },
        }
    }

    fn position(self) -> Position {
        Position {
            line: Some(self.lines + 1),
            column: Some(self.columns + 1),
            ..Position::default()
        }
    }
}

/// Splits a database file, compressed or not, into records. If its digest is stated in advance, its bytes are checked.
pub fn scan(input: &mut dyn Read, stated: Option<&Stated>, each: &mut dyn FnMut(Batch)) -> Outline {
    let mut input = Digesting::new(input);
    let mut outline = match decompress(&mut input) {
        Ok(mut reader) => Scanner::new(&mut reader, each).scan(),
        Err(error) => Outline::of(vec![unreadable(&error)]),
    };
    if let Some(stated) = stated {
        let findings = input.finish(stated);
        let wrong: Vec<Problem> = match findings {
            Ok(findings) => findings.into_iter().map(whole_file).collect(),
            Err(error) => vec![unreadable(&error)],
        };
        if !wrong.is_empty() {
            // If the bytes are wrong, that may be the cause of the other problems.
            outline.is_whole = false;
            outline.problems.splice(0..0, wrong);
        }
    }
    outline
}

fn whole_file(finding: Finding) -> Problem {
    Problem { at: Position::default(), finding }
}

fn unreadable(error: &io::Error) -> Problem {
    whole_file(Finding::Unreadable { message: error.to_string() })
}

impl Outline {
    fn of(problems: Vec<Problem>) -> Outline {
        Outline { version: None, is_whole: false, problems, notes: Notes::default() }
    }
}

/// Why nothing after this point can be trusted.
enum Stop {
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

struct Scanner<'s> {
    input: &'s mut dyn Read,
    each: &'s mut dyn FnMut(Batch),
    /// The bytes that were read and not passed on.
    bytes: Vec<u8>,
    /// How many of them have been scanned.
    at: usize,
    start: Point,
    entries: Vec<Entry>,
    records: usize,
    version: Option<u32>,
    has_version: bool,
    /// `true` if the records have a version that cannot be read.
    is_refused: bool,
    problems: Problems,
}

impl<'s> Scanner<'s> {
    fn new(input: &'s mut dyn Read, each: &'s mut dyn FnMut(Batch)) -> Scanner<'s> {
        Scanner {
            input,
            each,
            bytes: Vec::new(),
            at: 0,
            start: Point::default(),
            entries: Vec::new(),
            records: 0,
            version: None,
            has_version: false,
            is_refused: false,
            problems: Problems::default(),
        }
    }

    fn scan(mut self) -> Outline {
        let outcome = self.file();
        let is_whole = match &outcome {
            Ok(()) => !self.is_refused,
            Err(stop) => {
                self.report(stop);
                false
            }
        };
        self.hand_on();
        let read = self.problems.read(Some(()));
        Outline { version: self.version, is_whole, problems: read.problems, notes: read.notes }
    }

    fn report(&mut self, stop: &Stop) {
        let at = self.start.after(&self.bytes[..self.at.min(self.bytes.len())]).position();
        match stop {
            Stop::Reported => {}
            Stop::Unreadable(error) => {
                let finding = Finding::Unreadable { message: error.to_string() };
                self.problems.report_at(Position::default(), finding);
            }
            Stop::End => self.problems.report_at(at, Finding::CutOff),
            Stop::Syntax(expected) => {
                let message = format!("expected {expected}");
                self.problems.report_at(at, Finding::InvalidJson { message });
            }
        }
    }

    /// Scans the whole file: an object with the field `database`.
    fn file(&mut self) -> Result<(), Stop> {
        match self.peek()? {
            None => {
                self.problems.report("", Finding::NothingInIt);
                return Err(Stop::Reported);
            }
            Some(b'{') => {}
            Some(_) => {
                let value = self.value()?;
                let found = self.describe(value);
                let expected = "an object with the field database";
                self.problems.report("", Finding::UnexpectedType { expected, found });
                return Err(Stop::Reported);
            }
        }
        let mut has_database = false;
        self.object(|scanner, key| {
            let name = scanner.text(key)?;
            if name != "database" {
                scanner.value()?;
                scanner.problems.note(Novelty::UnknownField { field: name });
            } else if has_database {
                scanner.value()?;
                scanner.problems.report("database", Finding::RepeatedField);
            } else {
                has_database = true;
                scanner.database()?;
            }
            Ok(())
        })?;
        if self.peek()?.is_some() {
            return Err(Stop::Syntax("nothing after the database"));
        }
        if !has_database {
            self.problems.report("database", Finding::MissingField);
            return Err(Stop::Reported);
        }
        Ok(())
    }

    /// Scans the object with `version` and `installs`.
    fn database(&mut self) -> Result<(), Stop> {
        if !self.expect_object("an object with the fields version and installs", "database")? {
            return Err(Stop::Reported);
        }
        let mut has_installs = false;
        self.object(|scanner, key| {
            let name = scanner.text(key)?;
            match name.as_str() {
                "version" if !scanner.has_version => scanner.version(),
                "installs" if !has_installs => {
                    has_installs = true;
                    scanner.installs()
                }
                "version" | "installs" => {
                    scanner.value()?;
                    let field = format!("database.{name}");
                    scanner.problems.report(&*field, Finding::RepeatedField);
                    Ok(())
                }
                _ => {
                    scanner.value()?;
                    let field = format!("database.{name}");
                    scanner.problems.note(Novelty::UnknownField { field });
                    Ok(())
                }
            }
        })?;
        if !self.has_version {
            self.problems.report("database.version", Finding::MissingField);
        }
        if !has_installs {
            self.problems.report("database.installs", Finding::MissingField);
            return Err(Stop::Reported);
        }
        Ok(())
    }

    fn version(&mut self) -> Result<(), Stop> {
        self.has_version = true;
        let value = self.value()?;
        let parsed = serde_json::from_slice::<Value<'_>>(&self.bytes[value.clone()]);
        // Spack writes a text; a number means the same.
        let number = match &parsed {
            Ok(Value::Text(text)) => text.parse().ok(),
            Ok(Value::Whole(number)) => u32::try_from(*number).ok(),
            _ => None,
        };
        match number {
            Some(number) if number >= OLDEST_VERSION => {
                self.version = Some(number);
                if number > NEWEST_VERSION {
                    self.problems.note(Novelty::NewerDatabase { version: number });
                }
            }
            number => {
                // Records of an old version are different; without a version they may still be readable.
                self.is_refused = number.is_some();
                let found = self.describe(value);
                let finding = Finding::UnknownDatabaseVersion { found };
                self.problems.report("database.version", finding);
            }
        }
        Ok(())
    }

    /// Scans all records by their hashes.
    fn installs(&mut self) -> Result<(), Stop> {
        if !self.expect_object("an object of records by their hashes", "database.installs")? {
            return Err(Stop::Reported);
        }
        self.object(|scanner, key| {
            let value = scanner.value()?;
            scanner.records += 1;
            scanner.entries.push(Entry { number: scanner.records, key, value });
            if scanner.at >= BATCH {
                scanner.hand_on();
            }
            Ok(())
        })
    }

    /// Passes on all records seen so far, and forgets their bytes.
    fn hand_on(&mut self) {
        let at = self.at.min(self.bytes.len());
        let rest = self.bytes.split_off(at);
        let bytes = std::mem::replace(&mut self.bytes, rest);
        let start = self.start;
        self.start = start.after(&bytes);
        self.at = 0;
        let entries = std::mem::take(&mut self.entries);
        if !entries.is_empty() && !self.is_refused {
            (self.each)(Batch { bytes, entries, version: self.version, start });
        }
    }

    /// Reports and skips a value that is not an object.
    fn expect_object(&mut self, expected: &'static str, field: &str) -> Result<bool, Stop> {
        if self.peek()? == Some(b'{') {
            return Ok(true);
        }
        let value = self.value()?;
        let found = self.describe(value);
        self.problems.report(field, Finding::UnexpectedType { expected, found });
        Ok(false)
    }

    /// Visits the fields of an object, each with its name in quotes; its value comes next.
    fn object(
        &mut self,
        mut field: impl FnMut(&mut Scanner<'s>, Range<usize>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.take(b'{', "`{`")?;
        if self.peek()? == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            match self.peek()? {
                Some(b'"') => {}
                Some(_) => return Err(Stop::Syntax("a name in quotes")),
                None => return Err(Stop::End),
            }
            let name = self.string()?;
            self.take(b':', "`:`")?;
            field(self, name)?;
            match self.peek()? {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(_) => return Err(Stop::Syntax("`,` or `}`")),
                None => return Err(Stop::End),
            }
        }
    }

    /// Skips any value, and returns its range.
    fn value(&mut self) -> Result<Range<usize>, Stop> {
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
            if matches!(byte, b',' | b':' | b'}' | b']' | b'{' | b'[' | b'"')
                || byte.is_ascii_whitespace()
            {
                break;
            }
            self.at += 1;
        }
        if self.at == start { Err(Stop::Syntax("a value")) } else { Ok(start..self.at) }
    }

    fn take(&mut self, byte: u8, expected: &'static str) -> Result<(), Stop> {
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
    fn peek(&mut self) -> Result<Option<u8>, Stop> {
        while let Some(byte) = self.byte()? {
            if !byte.is_ascii_whitespace() {
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

    fn text(&self, quoted: Range<usize>) -> Result<String, Stop> {
        let text = serde_json::from_slice::<Text<'_>>(&self.bytes[quoted]);
        text.map(|Text(text)| text.into_owned()).map_err(|_| Stop::Syntax("a name in quotes"))
    }

    fn describe(&self, value: Range<usize>) -> String {
        match serde_json::from_slice::<Value<'_>>(&self.bytes[value]) {
            Ok(value) => value.describe(),
            Err(_) => "something that is not JSON".to_string(),
        }
    }
}
