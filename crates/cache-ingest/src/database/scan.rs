//! Splitting a database file into its records, without interpreting them.
//!
//! The file is read in chunks and passed on in [`Batch`]es of complete records. Each batch can be read on any thread,
//! and only a few batches are in memory at once. Brackets alone decide where a record ends, so an error within a record
//! only affects that record. An error between records affects the file: nothing after it can be trusted.

use std::io::{self, Read};
use std::ops::Range;

use super::skip::{Skipper, Stop};
use crate::compression::{SizeLimit, decompress};
use crate::database_version::{NEWEST_VERSION, OLDEST_VERSION};
use crate::digest::{DigestReader, Fingerprint};
use crate::fields::Problems;
use crate::problem::{Finding, Notes, Novelty, Position, Problem};
use crate::value::{Text, Value};

/// The number of bytes after which the records read so far are passed on.
const BATCH: usize = 2 << 20;

/// Complete records of a database file, in order.
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
pub fn scan(
    input: &mut dyn Read,
    limit: SizeLimit,
    stated: Option<&Fingerprint>,
    each: &mut dyn FnMut(Batch),
) -> Outline {
    let Some(stated) = stated else { return scan_any(input, limit, each) };
    let mut input = DigestReader::new(input);
    let mut outline = scan_any(&mut input, limit, each);
    let wrong: Vec<Problem> = match input.finish(stated) {
        Ok(findings) => findings.into_iter().map(whole_file).collect(),
        Err(error) => vec![unreadable(&error)],
    };
    if !wrong.is_empty() {
        // Wrong bytes may be the cause of the other problems.
        outline.is_whole = false;
        let is_length =
            |problem: &Problem| matches!(problem.finding, Finding::LengthDisagrees { .. });
        if stated.length.is_some() && !wrong.iter().any(is_length) {
            let cut = outline.problems.iter_mut().filter(|it| it.finding == Finding::CutOff);
            let message = "expected the end of a value";
            cut.for_each(|it| it.finding = Finding::InvalidJson { message: message.to_owned() });
        }
        outline.problems.splice(0..0, wrong);
    }
    outline
}

fn scan_any(input: &mut dyn Read, limit: SizeLimit, each: &mut dyn FnMut(Batch)) -> Outline {
    match decompress(input, limit) {
        Ok(mut reader) => Scanner::new(&mut reader, each).scan(),
        Err(error) => Outline::of(vec![unreadable(&error)]),
    }
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

struct Scanner<'s> {
    json: Skipper<'s>,
    each: &'s mut dyn FnMut(Batch),
    /// The position of the first byte that was not passed on.
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
            json: Skipper::new(input),
            each,
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
        let at = self.start.after(self.json.skipped()).position();
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
        match self.json.peek()? {
            None => {
                self.problems.report("", Finding::NothingInIt);
                return Err(Stop::Reported);
            }
            Some(b'{') => {}
            Some(_) => {
                let value = self.json.value()?;
                let found = self.describe(value);
                let expected = "an object with the field database";
                self.problems.report("", Finding::UnexpectedType { expected, found });
                return Err(Stop::Reported);
            }
        }
        let mut has_database = false;
        let mut is_first = true;
        while let Some(key) = self.json.field(&mut is_first)? {
            let name = self.text(key)?;
            if name != "database" {
                self.json.value()?;
                self.problems.note(Novelty::UnknownField { field: name });
            } else if has_database {
                self.json.value()?;
                self.problems.report("database", Finding::RepeatedField);
            } else {
                has_database = true;
                self.database()?;
            }
        }
        if self.json.peek()?.is_some() {
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
        let mut is_first = true;
        while let Some(key) = self.json.field(&mut is_first)? {
            let name = self.text(key)?;
            match name.as_str() {
                "version" if !self.has_version => self.version()?,
                "installs" if !has_installs => {
                    has_installs = true;
                    self.installs()?;
                }
                "version" | "installs" => {
                    self.json.value()?;
                    let field = format!("database.{name}");
                    self.problems.report(&*field, Finding::RepeatedField);
                }
                _ => {
                    self.json.value()?;
                    let field = format!("database.{name}");
                    self.problems.note(Novelty::UnknownField { field });
                }
            }
        }
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
        let value = self.json.value()?;
        let parsed = Value::of_json(self.json.bytes(value.clone()));
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
        let mut is_first = true;
        while let Some(key) = self.json.field(&mut is_first)? {
            let value = self.json.value()?;
            self.records += 1;
            self.entries.push(Entry { number: self.records, key, value });
            if self.json.skipped().len() >= BATCH {
                self.hand_on();
            }
        }
        Ok(())
    }

    /// Passes on all records seen so far, and forgets their bytes.
    fn hand_on(&mut self) {
        let bytes = self.json.take();
        let start = self.start;
        self.start = start.after(&bytes);
        let entries = std::mem::take(&mut self.entries);
        if !entries.is_empty() && !self.is_refused {
            (self.each)(Batch { bytes, entries, version: self.version, start });
        }
    }

    /// Reports and skips a value that is not an object.
    fn expect_object(&mut self, expected: &'static str, field: &str) -> Result<bool, Stop> {
        if self.json.peek()? == Some(b'{') {
            return Ok(true);
        }
        let value = self.json.value()?;
        let found = self.describe(value);
        self.problems.report(field, Finding::UnexpectedType { expected, found });
        Ok(false)
    }

    fn text(&self, quoted: Range<usize>) -> Result<String, Stop> {
        let text = serde_json::from_slice::<Text<'_>>(self.json.bytes(quoted));
        text.map(|Text(text)| text.into_owned()).map_err(|_| Stop::Syntax("a name in quotes"))
    }

    fn describe(&self, value: Range<usize>) -> String {
        match Value::of_json(self.json.bytes(value)) {
            Ok(value) => value.describe(),
            Err(_) => "something that is not JSON".to_string(),
        }
    }
}
