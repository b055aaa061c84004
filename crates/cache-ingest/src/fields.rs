//! Taking an object apart field by field, noting every problem on the way.
//!
//! A reader takes the fields it knows, each with the type it expects; whatever it did not take is an
//! unknown field. A field that is missing or of the wrong type is noted once and reads as `None`,
//! and the reader goes on with the next.

use std::collections::BTreeSet;

use serde_json::error::Category;

use super::problem::{Finding, Position, Problem, Record};
use super::value::Value;
use cache_index::index::tame;

/// Problems of one input, with the place that is being read.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    /// Which line, if all that is being read now stands on one.
    pub(crate) line: Option<usize>,
    /// Which record is being read now.
    pub(crate) record: Option<Record>,
    found: Vec<Problem>,
}

impl Problems {
    /// Notes a problem at the place that is being read.
    pub(crate) fn note(&mut self, field: impl Into<String>, finding: Finding) {
        let at = Position {
            line: self.line,
            column: None,
            record: self.record.clone(),
            field: field.into(),
        };
        self.found.push(Problem { at, finding });
    }

    /// Notes a problem at a place of its own.
    pub(crate) fn note_at(&mut self, at: Position, finding: Finding) {
        self.found.push(Problem { at, finding });
    }

    /// Notes why the JSON reader gave up.
    pub(crate) fn note_json_error(&mut self, error: &serde_json::Error) {
        if error.is_eof() && error.line() <= 1 && error.column() == 0 {
            self.found.push(Problem { at: Position::default(), finding: Finding::NothingInIt });
            return;
        }
        // The message ends with the position, which is said before it here.
        let message = error.to_string();
        let end = message.rfind(" at line ").unwrap_or(message.len());
        let message = tame(&message[..end]);
        let finding = match error.classify() {
            Category::Io => Finding::Unreadable { message },
            Category::Data => Finding::NotADatabase { message },
            Category::Eof | Category::Syntax => Finding::InvalidJson { message },
        };
        let at = Position {
            line: Some(error.line()).filter(|&line| line > 0),
            column: Some(error.column()).filter(|&column| column > 0),
            ..Position::default()
        };
        self.found.push(Problem { at, finding });
    }

    /// How many were noted so far.
    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// All of them, in the order of reading.
    pub(crate) fn into_vec(self) -> Vec<Problem> {
        self.found
    }
}

/// An object of which some fields are taken already.
#[derive(Debug)]
pub(crate) struct Fields {
    /// Name of the object within the record or the input; empty for the outermost.
    path: String,
    /// Each name once.
    entries: Vec<(String, Value)>,
}

impl Fields {
    /// Opens an object. `path` is its name, empty for the outermost one.
    pub(crate) fn open(value: Value, path: &str, problems: &mut Problems) -> Option<Fields> {
        match value {
            Value::Map(entries) => {
                let mut fields = Fields { path: path.to_string(), entries: Vec::new() };
                let mut seen = BTreeSet::new();
                for (name, value) in entries {
                    if seen.insert(name.clone()) {
                        fields.entries.push((name, value));
                    } else {
                        problems.note(fields.name(&name), Finding::RepeatedField);
                    }
                }
                Some(fields)
            }
            other => unexpected(&other, "an object", path, problems),
        }
    }

    /// The full name of a field, as problems say it.
    pub(crate) fn name(&self, field: &str) -> String {
        if self.path.is_empty() { field.to_string() } else { format!("{}.{field}", self.path) }
    }

    /// A field that may be absent.
    pub(crate) fn optional(&mut self, field: &str) -> Option<Value> {
        let place = self.entries.iter().position(|(name, _)| name == field)?;
        Some(self.entries.remove(place).1)
    }

    /// A field that has to be there.
    pub(crate) fn required(&mut self, field: &str, problems: &mut Problems) -> Option<Value> {
        let value = self.optional(field);
        if value.is_none() {
            problems.note(self.name(field), Finding::MissingField);
        }
        value
    }

    /// A text of at least one character, which has to be there.
    pub(crate) fn text(&mut self, field: &str, problems: &mut Problems) -> Option<String> {
        let value = self.required(field, problems)?;
        text(value, &self.name(field), problems)
    }

    /// A list of such texts, which has to be there.
    pub(crate) fn texts(&mut self, field: &str, problems: &mut Problems) -> Option<Vec<String>> {
        let value = self.required(field, problems)?;
        texts(value, &self.name(field), problems)
    }

    /// A whole number that is not negative, which has to be there.
    pub(crate) fn whole(&mut self, field: &str, problems: &mut Problems) -> Option<u64> {
        match self.required(field, problems)? {
            Value::Whole(number) => Some(number),
            other => unexpected(&other, "a whole number", &self.name(field), problems),
        }
    }

    /// `true` or `false`, which has to be there.
    pub(crate) fn bool(&mut self, field: &str, problems: &mut Problems) -> Option<bool> {
        match self.required(field, problems)? {
            Value::Bool(value) => Some(value),
            other => unexpected(&other, "true or false", &self.name(field), problems),
        }
    }

    /// A list, which has to be there.
    pub(crate) fn list(&mut self, field: &str, problems: &mut Problems) -> Option<Vec<Value>> {
        match self.required(field, problems)? {
            Value::List(elements) => Some(elements),
            other => unexpected(&other, "a list", &self.name(field), problems),
        }
    }

    /// Whether a field is there and not taken yet.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.entries.iter().any(|(name, _)| name == field)
    }

    /// What was not taken, where any name may stand.
    pub(crate) fn into_entries(self) -> Vec<(String, Value)> {
        self.entries
    }

    /// Notes what was not taken.
    pub(crate) fn close(self, problems: &mut Problems) {
        for (name, _) in &self.entries {
            problems.note(self.name(name), Finding::UnknownField);
        }
    }
}

/// A text of at least one character.
pub(crate) fn text(value: Value, field: &str, problems: &mut Problems) -> Option<String> {
    match value {
        Value::Text(text) if text.is_empty() => {
            problems.note(field, Finding::EmptyText);
            None
        }
        Value::Text(text) => Some(text),
        other => unexpected(&other, "a text", field, problems),
    }
}

/// A list of texts; `None` if any of them is no text.
pub(crate) fn texts(value: Value, field: &str, problems: &mut Problems) -> Option<Vec<String>> {
    let Value::List(elements) = value else {
        return unexpected(&value, "a list of texts", field, problems);
    };
    let before = problems.len();
    let texts: Vec<String> =
        elements.into_iter().filter_map(|element| text(element, field, problems)).collect();
    (problems.len() == before).then_some(texts)
}

/// Notes a value of the wrong type.
pub(crate) fn unexpected<T>(
    value: &Value,
    expected: &'static str,
    field: &str,
    problems: &mut Problems,
) -> Option<T> {
    problems.note(field, Finding::UnexpectedType { expected, found: value.describe() });
    None
}
