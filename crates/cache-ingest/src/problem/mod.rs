//! What is wrong with an input, what is new in it, and where.
//!
//! A [`Problem`] is a [`Finding`] at a [`Position`]; its text is one lower-case sentence such as
//! `line 6, record 3 (24fngvd4f3yz7zj63yh4i2wjhfyscqp3), field size: expected "-" or a whole number,
//! found true`. Which input it was found in is the caller's to say. What is merely new is a
//! [`Novelty`], counted in [`Notes`].

mod finding;
mod note;
#[cfg(test)]
mod tests;

use std::fmt;

pub use finding::Finding;
pub use note::{Notes, Novelty, Seen};

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
    /// The file, in inputs of many files: its path within the input; empty for none.
    pub file: String,
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

/// A record of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Counted from 1; 0 for a record that has a file of its own.
    pub number: usize,
    /// What the record says its hash is, however wrong; empty if it says nothing.
    pub hash: String,
}

impl Problem {
    /// What this problem has in common with others of its kind, as a heading for them: the field
    /// and the finding, without what stands in this one record.
    pub fn kind(&self) -> String {
        let field = general(&self.at.field);
        let finding = self.finding.in_general();
        if field.is_empty() { finding } else { format!("field {}: {finding}", shown(field)) }
    }

    /// The same problem, found in this file of the input.
    pub fn in_file(mut self, file: &str) -> Problem {
        self.at.file = file.to_owned();
        self
    }
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
        if !self.at.file.is_empty() {
            write!(f, "{}: ", shown(&self.at.file))?;
        }
        let within = self.at.to_string();
        if !within.is_empty() {
            write!(f, "{within}: ")?;
        }
        self.finding.fmt(f)
    }
}

impl std::error::Error for Problem {}

impl fmt::Display for Position {
    /// The place within the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        match (self.line, self.column) {
            (Some(line), Some(column)) => parts.push(format!("line {line} column {column}")),
            (Some(line), None) => parts.push(format!("line {line}")),
            (None, _) => {}
        }
        match &self.record {
            // The file is named.
            Some(Record { number: 0, .. }) => {}
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

/// The part of a field's name that is not made by whoever made the input.
fn general(field: &str) -> &str {
    let free = ["spec.parameters", "meta.num_specs_by_stack"];
    let is_within = |known: &&str| field.strip_prefix(known).is_some_and(|rest| !rest.is_empty());
    free.into_iter().find(is_within).unwrap_or(field)
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
