//! Taking an object apart field by field, and collecting every problem along the way.
//!
//! A reader takes the fields it knows, each with the type it expects; fields that it did not take are new, and noted. A
//! field that is missing or has the wrong type is reported once and read as `None`, and the reader continues with the
//! next.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::error::Category;

use super::problem::{Finding, Notes, Novelty, Position, Problem, Record};
use super::read::Read;
use super::value::Value;
use cache_index::message::tame;

/// The problems and notes of one input, with the current position.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    /// The line, if everything being read is on one line.
    pub(crate) line: Option<usize>,
    /// The record being read.
    pub(crate) record: Option<Record>,
    found: Vec<Problem>,
    notes: Notes,
    /// Notes of the record being read, which only count if the record can be used.
    pending: Vec<(Novelty, Position)>,
}

/// The name of a field: the object that contains it, and its own name. Either may be empty.
///
/// It is only spelled out when it is reported.
#[derive(Clone, Copy)]
pub(crate) struct Name<'n> {
    path: &'n str,
    field: &'n str,
}

impl<'n> Name<'n> {
    pub(crate) fn new(path: &'n str, field: &'n str) -> Name<'n> {
        Name { path, field }
    }

    fn spell(self) -> String {
        let dot = if self.path.is_empty() || self.field.is_empty() { "" } else { "." };
        format!("{}{dot}{}", self.path, self.field)
    }
}

impl<'n> From<&'n str> for Name<'n> {
    fn from(field: &'n str) -> Name<'n> {
        Name { path: "", field }
    }
}

impl Problems {
    /// Reports a problem at the current position.
    pub(crate) fn report<'n>(&mut self, field: impl Into<Name<'n>>, finding: Finding) {
        let at = self.here(field.into());
        self.found.push(Problem { at, finding });
    }

    /// Reports a problem at another position.
    pub(crate) fn report_at(&mut self, at: Position, finding: Finding) {
        self.found.push(Problem { at, finding });
    }

    /// Notes something new at the current position.
    pub(crate) fn note(&mut self, novelty: Novelty) {
        let at = self.here(Name::from(""));
        if self.record.is_some() {
            self.pending.push((novelty, at));
        } else {
            self.notes.add(novelty, at);
        }
    }

    /// Returns `true` if there is a note of the record that is being read.
    pub(crate) fn has_pending_notes(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns `true` if there is neither a problem nor a note.
    pub(crate) fn is_quiet(&self) -> bool {
        self.found.is_empty() && self.notes.is_empty() && self.pending.is_empty()
    }

    /// Ends a record: what is new in it only counts if the record can be used. If it cannot, the reported problem is
    /// enough.
    pub(crate) fn end_record(&mut self, is_usable: bool) {
        self.record = None;
        for (novelty, at) in self.pending.drain(..) {
            if is_usable {
                self.notes.add(novelty, at);
            }
        }
    }

    /// Reports why the JSON reader stopped.
    pub(crate) fn report_json_error(&mut self, error: &serde_json::Error) {
        if error.is_eof() && error.line() <= 1 && error.column() == 0 {
            self.found.push(Problem { at: Position::default(), finding: Finding::NothingInIt });
            return;
        }
        let at = Position {
            line: Some(error.line()).filter(|&line| line > 0),
            column: Some(error.column()).filter(|&column| column > 0),
            ..Position::default()
        };
        self.found.push(Problem { at, finding: json_finding(error) });
    }

    /// Adds problems that were found elsewhere.
    pub(crate) fn extend(&mut self, problems: impl IntoIterator<Item = Problem>) {
        self.found.extend(problems);
    }

    /// Returns the number of problems reported so far.
    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// Ends the input. The problems are in the order of reading.
    pub(crate) fn read<T>(self, value: Option<T>) -> Read<T> {
        Read { value, problems: self.found, notes: self.notes }
    }

    fn here(&self, field: Name<'_>) -> Position {
        Position {
            line: self.line,
            record: self.record.clone(),
            field: field.spell(),
            ..Position::default()
        }
    }
}

/// Returns what the JSON reader found, without the position at the end of its message.
pub(crate) fn json_finding(error: &serde_json::Error) -> Finding {
    let message = error.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    let message = tame(&message[..end]);
    match error.classify() {
        Category::Io => Finding::Unreadable { message },
        Category::Data | Category::Eof | Category::Syntax => Finding::InvalidJson { message },
    }
}

/// An object, some of whose fields have been taken.
#[derive(Debug)]
pub(crate) struct Fields<'v> {
    /// The name of the object within the record or the input; empty for the outermost one.
    path: Cow<'static, str>,
    /// Each name once; the value is `None` once it has been taken.
    entries: Vec<(Cow<'v, str>, Option<Value<'v>>)>,
}

impl<'v> Fields<'v> {
    /// Opens an object. `path` is its name, empty for the outermost one.
    pub(crate) fn open(
        value: Value<'v>,
        path: impl Into<Cow<'static, str>>,
        problems: &mut Problems,
    ) -> Option<Fields<'v>> {
        let path = path.into();
        match value {
            Value::Map(entries) => {
                let mut entries: Vec<_> =
                    entries.into_iter().map(|(name, value)| (name, Some(value))).collect();
                if repeats(&entries) {
                    let mut seen = HashSet::new();
                    entries.retain(|(name, _)| {
                        let is_new = seen.insert(name.clone());
                        if !is_new {
                            problems.report(Name::new(&path, name), Finding::RepeatedField);
                        }
                        is_new
                    });
                }
                Some(Fields { path, entries })
            }
            other => unexpected(&other, "an object", &*path, problems),
        }
    }

    /// Returns the full name of a field, as problems show it.
    pub(crate) fn name<'n>(&'n self, field: &'n str) -> Name<'n> {
        Name::new(&self.path, field)
    }

    /// Takes a field that may be missing.
    pub(crate) fn optional(&mut self, field: &str) -> Option<Value<'v>> {
        let is_it = |(name, value): &&mut (Cow<'v, str>, Option<Value<'v>>)| {
            name == field && value.is_some()
        };
        self.entries.iter_mut().find(is_it).and_then(|(_, value)| value.take())
    }

    /// Takes a required field.
    pub(crate) fn required(&mut self, field: &str, problems: &mut Problems) -> Option<Value<'v>> {
        let value = self.optional(field);
        if value.is_none() {
            problems.report(self.name(field), Finding::MissingField);
        }
        value
    }

    /// Takes a required text of at least one character.
    pub(crate) fn text(&mut self, field: &str, problems: &mut Problems) -> Option<String> {
        let value = self.required(field, problems)?;
        text(value, self.name(field), problems)
    }

    /// Takes a required list of such texts.
    pub(crate) fn texts(&mut self, field: &str, problems: &mut Problems) -> Option<Vec<String>> {
        let value = self.required(field, problems)?;
        texts(value, self.name(field), problems)
    }

    /// Takes a required whole number that is not negative.
    pub(crate) fn whole(&mut self, field: &str, problems: &mut Problems) -> Option<u64> {
        match self.required(field, problems)? {
            Value::Whole(number) => Some(number),
            other => unexpected(&other, "a whole number", self.name(field), problems),
        }
    }

    /// Takes a required `true` or `false`.
    pub(crate) fn bool(&mut self, field: &str, problems: &mut Problems) -> Option<bool> {
        match self.required(field, problems)? {
            Value::Bool(value) => Some(value),
            other => unexpected(&other, "true or false", self.name(field), problems),
        }
    }

    /// Takes a required list.
    pub(crate) fn list(&mut self, field: &str, problems: &mut Problems) -> Option<Vec<Value<'v>>> {
        match self.required(field, problems)? {
            Value::List(elements) => Some(elements),
            other => unexpected(&other, "a list", self.name(field), problems),
        }
    }

    /// Returns `true` if a field exists and has not been taken.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.entries.iter().any(|(name, value)| name == field && value.is_some())
    }

    /// Returns the names of the fields that have not been taken.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let left = self.entries.iter().filter(|(_, value)| value.is_some());
        left.map(|(name, _)| &**name)
    }

    /// Returns the fields that have not been taken, for objects in which any name may occur.
    pub(crate) fn into_entries(self) -> impl ExactSizeIterator<Item = (Cow<'v, str>, Value<'v>)> {
        let left: Vec<_> =
            self.entries.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        left.into_iter()
    }

    /// Reports the fields that have not been taken, for objects that may have no other fields.
    pub(crate) fn refuse_others(self, problems: &mut Problems) {
        for (name, value) in &self.entries {
            if value.is_some() {
                problems.report(self.name(name), Finding::UnknownField);
            }
        }
    }

    /// Notes the fields that have not been taken.
    pub(crate) fn close(self, problems: &mut Problems) {
        for (name, value) in &self.entries {
            if value.is_some() {
                problems.note(Novelty::UnknownField { field: self.name(name).spell() });
            }
        }
    }
}

/// Returns a field of an object without taking it.
pub(crate) fn field<'t, 'v>(value: &'t Value<'v>, name: &str) -> Option<&'t Value<'v>> {
    match value {
        Value::Map(fields) => {
            fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
        }
        _ => None,
    }
}

/// Returns `true` if a name occurs twice.
fn repeats<T>(entries: &[(Cow<'_, str>, T)]) -> bool {
    // Nearly all objects are small, and comparing a few texts is faster than hashing them.
    const FEW: usize = 16;
    if entries.len() <= FEW {
        let mut earlier = (0..).zip(entries);
        return earlier.any(|(at, (name, _))| entries[..at].iter().any(|(other, _)| other == name));
    }
    let mut seen = HashSet::with_capacity(entries.len());
    !entries.iter().all(|(name, _)| seen.insert(name))
}

/// Reads a text of at least one character.
pub(crate) fn text<'n>(
    value: Value<'_>,
    field: impl Into<Name<'n>>,
    problems: &mut Problems,
) -> Option<String> {
    match value {
        Value::Text(text) if text.is_empty() => {
            problems.report(field, Finding::EmptyText);
            None
        }
        Value::Text(text) => Some(text.into_owned()),
        other => unexpected(&other, "a text", field, problems),
    }
}

/// Reads a list of texts; `None` if any element is not a text.
pub(crate) fn texts<'n>(
    value: Value<'_>,
    field: impl Into<Name<'n>>,
    problems: &mut Problems,
) -> Option<Vec<String>> {
    let field = field.into();
    let Value::List(elements) = value else {
        return unexpected(&value, "a list of texts", field, problems);
    };
    let before = problems.len();
    let mut texts = Vec::with_capacity(elements.len());
    texts.extend(elements.into_iter().filter_map(|element| text(element, field, problems)));
    (problems.len() == before).then_some(texts)
}

/// Reports a value of the wrong type.
pub(crate) fn unexpected<'n, T>(
    value: &Value<'_>,
    expected: &'static str,
    field: impl Into<Name<'n>>,
    problems: &mut Problems,
) -> Option<T> {
    problems.report(field, Finding::UnexpectedType { expected, found: value.describe() });
    None
}
