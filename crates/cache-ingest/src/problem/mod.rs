//! What is wrong with an input, and where.
//!
//! A [`Problem`] is a [`Finding`] at a [`Position`]; its text is one lower-case sentence such as
//! `line 6, record 3 (24fngvd4f3yz7zj63yh4i2wjhfyscqp3), field size: expected "-" or a whole number,
//! found true`. Which input it was found in is the caller's to say.

mod finding;
#[cfg(test)]
mod tests;

use std::fmt;

pub use finding::Finding;

/// One thing that is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it was found.
    pub at: Position,
    /// What was found, and what was expected.
    pub finding: Finding,
}

/// A place within an input, as far as it is known; by default the input as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// The byte within the line, counted from 1.
    pub column: Option<usize>,
    /// The record, in inputs that list records.
    pub record: Option<Record>,
    /// The field within the record or the input, with dots between the levels:
    /// `meta.num_specs`; empty for none.
    pub field: String,
}

/// Which record of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Counted from 1.
    pub number: usize,
    /// What the record says its hash is, however wrong; empty if it says nothing.
    pub hash: String,
}

/// A text from an input as it is shown in a message: at most 60 characters, in quotes, with quotes,
/// control characters and invisible characters escaped.
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.to_string();
        if at.is_empty() {
            return self.finding.fmt(f);
        }
        write!(f, "{at}: {}", self.finding)
    }
}

impl std::error::Error for Problem {}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        match (self.line, self.column) {
            (Some(line), Some(column)) => parts.push(format!("line {line} column {column}")),
            (Some(line), None) => parts.push(format!("line {line}")),
            (None, _) => {}
        }
        match &self.record {
            Some(Record { number, hash }) if hash.is_empty() => {
                parts.push(format!("record {number}"));
            }
            // A hash that is one stands as it is; what is none may be anything.
            Some(Record { number, hash }) if hash.bytes().all(|b| b.is_ascii_alphanumeric()) => {
                parts.push(format!("record {number} ({hash:.32})"));
            }
            Some(Record { number, hash }) => {
                parts.push(format!("record {number} ({})", quote(hash)));
            }
            None => {}
        }
        if !self.field.is_empty() {
            parts.push(format!("field {}", shown(&self.field)));
        }
        f.write_str(&parts.join(", "))
    }
}

/// A field's name, which may be anything, as it stands in a message.
fn shown(field: &str) -> String {
    const LONGEST: usize = 100;
    let mut shown: String = field.chars().take(LONGEST).collect();
    if shown.len() < field.len() {
        shown.push('…');
    }
    shown.escape_debug().to_string()
}
