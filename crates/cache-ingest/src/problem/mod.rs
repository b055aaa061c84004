//! What is wrong with an input, what is new in it, and where.
//!
//! A [`Problem`] is a [`Finding`] at a [`Position`]; its text is one lower-case sentence such as `line 6, record 3
//! (24fngvd4f3yz7zj63yh4i2wjhfyscqp3), field size: expected "-" or a whole number, found true`. The caller adds the
//! name of the input. What is merely new is a [`Novelty`], counted in [`Notes`].

mod finding;
mod note;
#[cfg(test)]
mod tests;
mod wording;

use std::fmt;

use crate::visible;
pub use finding::Finding;
pub use note::{Notes, Novelty, Occurrences};
pub(crate) use wording::DIFFERING;

/// One thing that is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it was found.
    pub at: Position,
    /// What was found, and what was expected.
    pub finding: Finding,
}

/// A position within an input, as far as it is known; by default the input as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The path of the file, for inputs with many files; otherwise empty.
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// The byte within the line, counted from 1.
    pub column: Option<usize>,
    /// The record, for inputs that list records.
    pub record: Option<Record>,
    /// The field within the record or the input, with dots between the levels: `meta.num_specs`; otherwise empty.
    pub field: String,
}

/// A record of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Counted from 1; 0 for a record with its own file.
    pub number: usize,
    /// The hash as the record states it, which may be malformed; empty if there is none.
    pub hash: String,
}

impl Problem {
    /// Returns the heading for problems of the same kind: the field and the finding, without details of this record.
    pub fn kind(&self) -> String {
        let field = general(&self.at.field);
        let finding = self.finding.in_general();
        if field.is_empty() {
            finding.into_owned()
        } else {
            format!("field {}: {finding}", shown(field))
        }
    }

    /// Returns the same problem, in this field.
    pub(crate) fn with_field(mut self, field: String) -> Problem {
        self.at.field = field;
        self
    }

    /// Returns the same problem, in a file of the input that `file` names.
    pub(crate) fn named_by(mut self, file: &str) -> Problem {
        self.at.file = match self.at.file.as_str() {
            "" => file.to_owned(),
            named => format!("{named}, named by {file}"),
        };
        self
    }

    /// Returns the same problem, in this file of the input.
    pub fn in_file(mut self, file: &str) -> Problem {
        self.at.file = file.to_owned();
        self
    }
}

/// Returns a text from an input as messages show it: at most 60 characters, in quotes, with quotes, control characters
/// and invisible characters escaped.
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
    /// Writes the position within the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        match (self.line, self.column) {
            (Some(line), Some(column)) => parts.push(format!("line {line} column {column}")),
            (Some(line), None) => parts.push(format!("line {line}")),
            (None, _) => {}
        }
        match &self.record {
            // A blob is named by its digest.
            Some(Record { number: 0, hash }) if self.file.starts_with("blobs/") => {
                parts.push(format!("build {hash:.32}"));
            }
            // The file's name is enough.
            Some(Record { number: 0, .. }) => {}
            Some(Record { number, hash }) if hash.is_empty() => {
                parts.push(format!("record {number}"));
            }
            // A well-formed hash is shown as it is; anything else is quoted.
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

/// Returns the part of a field's name that does not depend on the contents of the input.
fn general(field: &str) -> &str {
    let free = ["spec.parameters", "meta.num_specs_by_stack"];
    let is_within = |known: &&str| field.strip_prefix(known).is_some_and(|rest| !rest.is_empty());
    free.into_iter().find(is_within).unwrap_or(field)
}

/// Returns a field's name, which may be any text, as messages show it.
fn shown(field: &str) -> String {
    const LONGEST: usize = 100;
    let mut shown: String = field.chars().take(LONGEST).collect();
    if shown.len() < field.len() {
        shown.push('…');
    }
    visible(&shown)
}
