//! The front matter of a page: its two fences, and the syntax between them.
//!
//! It does not interpret the fields.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::fields::Problems;
use super::super::kind::is_fence;
use super::super::problem::{Finding, Position, quote};
use super::super::value::Value;
use super::super::yaml_depth::{TOO_DEEP, is_too_deep};

/// The front matter as a tree, with the lines of the two long fields.
pub(super) struct FrontMatter<'t> {
    pub(super) tree: Value<'t>,
    /// `true` if the second fence is missing.
    pub(super) is_cut_off: bool,
    pub(super) meta_line: Option<usize>,
    pub(super) details_line: Option<usize>,
}

impl<'t> FrontMatter<'t> {
    /// Finds the front matter and parses its syntax.
    pub(super) fn find(text: &'t str, problems: &mut Problems) -> Option<FrontMatter<'t>> {
        if text.trim().is_empty() {
            problems.report("", Finding::NothingInIt);
            return None;
        }
        let mut lines = text.lines().enumerate().map(|(number, line)| (number + 1, line));
        match lines.next() {
            Some((_, first)) if is_fence(first) => {}
            first => {
                let found = quote(first.map_or("", |(_, line)| line));
                problems.report_at(line_position(1, ""), Finding::ExpectedFrontMatter { found });
                return None;
            }
        }
        // The rest for the YAML reader, line for line, so that its positions are those of the file.
        let mut yaml = String::from("\n");
        let mut json_fields = Vec::new();
        let mut line_of = BTreeMap::new();
        let mut closed = false;
        for (number, line) in lines.by_ref() {
            if is_fence(line) {
                closed = true;
                break;
            }
            if let Some(name) = ["meta", "spec_details"]
                .into_iter()
                .find(|name| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':')))
            {
                line_of.insert(name, number);
                if let Ok(value) = Value::of_json(&line.as_bytes()[name.len() + 1..]) {
                    json_fields.push((Cow::Borrowed(name), value));
                    yaml.push('\n');
                    continue;
                }
            }
            let _ = writeln!(yaml, "{line}");
        }
        if !closed {
            problems.report("", Finding::UnclosedFrontMatter);
        }
        if let Some((number, line)) = lines.find(|(_, line)| !line.trim().is_empty()) {
            let found = quote(line);
            problems.report_at(line_position(number, ""), Finding::TextAfterFrontMatter { found });
        }
        if is_too_deep(&yaml) {
            problems.report("", Finding::InvalidYaml { message: TOO_DEEP.to_string() });
            return None;
        }
        let tree = match read_yaml(&yaml) {
            Ok(Value::Map(mut entries)) => {
                entries.extend(json_fields);
                Value::Map(entries)
            }
            Ok(Value::Null) => Value::Map(json_fields),
            Ok(other) => other,
            Err(error) => {
                let at = Position {
                    line: error.location().map(|location| location.line()),
                    column: error.location().map(|location| location.column()),
                    ..Position::default()
                };
                problems.report_at(at, Finding::InvalidYaml { message: without_position(&error) });
                return None;
            }
        };
        Some(FrontMatter {
            tree,
            is_cut_off: !closed,
            meta_line: line_of.get("meta").copied(),
            details_line: line_of.get("spec_details").copied(),
        })
    }
}

/// Nothing in the result is borrowed: the YAML reader copies every text.
fn read_yaml(yaml: &str) -> serde_yaml::Result<Value<'static>> {
    Value::of_yaml(yaml).map(Value::into_owned)
}

fn line_position(line: usize, field: &str) -> Position {
    Position { line: Some(line), field: field.to_string(), ..Position::default() }
}

/// Returns the YAML reader's message without the position at its end, which is reported separately.
fn without_position(error: &serde_yaml::Error) -> String {
    let message = error.to_string();
    let end = message.find(" at line ").unwrap_or(message.len());
    message[..end].to_string()
}
