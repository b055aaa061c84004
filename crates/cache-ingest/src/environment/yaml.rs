//! YAML as Spack reads it.
//!
//! Spack's reader accepts `[hdf5@1.14:]`, a text within brackets that ends with a colon; the reader used here accepts
//! such a text only in quotes. So text that it rejects is tried again with these texts quoted.

use crate::fields::Problems;
use crate::problem::{Finding, Position};
use crate::value::Value;
use crate::yaml_depth::{TOO_DEEP, is_too_deep};

/// Reads one YAML document, or reports where it is invalid.
pub(crate) fn read_yaml(text: &str, problems: &mut Problems) -> Option<Value<'static>> {
    if is_too_deep(text) {
        problems.report("", Finding::InvalidYaml { message: TOO_DEEP.to_string() });
        return None;
    }
    let error = match Value::of_yaml(text) {
        Ok(tree) => return Some(tree.into_owned()),
        Err(error) => error,
    };
    if let Ok(tree) = Value::of_yaml(&with_quotes(text)) {
        return Some(tree.into_owned());
    }
    let at = Position {
        line: error.location().map(|location| location.line()),
        column: error.location().map(|location| location.column()),
        ..Position::default()
    };
    let message = error.to_string();
    let end = message.find(" at line ").unwrap_or(message.len());
    problems.report_at(at, Finding::InvalidYaml { message: message[..end].to_owned() });
    None
}

/// Quotes the texts within brackets that end with a colon.
fn with_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0usize;
    let mut rest = text;
    // `true` where a text may start: after a bracket or a comma.
    let mut may_start = false;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\'' | '"' => quoted_length(rest, c),
            '#' if out.is_empty() || out.ends_with(char::is_whitespace) => {
                rest.find('\n').unwrap_or(rest.len())
            }
            '[' | ',' => {
                depth += usize::from(c == '[');
                may_start = depth > 0;
                out.push(c);
                rest = &rest[1..];
                continue;
            }
            ']' => {
                depth = depth.saturating_sub(1);
                1
            }
            c if c.is_whitespace() => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
            _ if may_start => {
                let end = rest.find([',', ']', '[', '{', '}', '\n']).unwrap_or(rest.len());
                let word = rest[..end].trim_end();
                if word.ends_with(':') && !word.contains('\'') {
                    out.push('\'');
                    out.push_str(word);
                    out.push('\'');
                    rest = &rest[word.len()..];
                    may_start = false;
                    continue;
                }
                word.len().max(c.len_utf8())
            }
            c => c.len_utf8(),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
        may_start = false;
    }
    out
}

/// Returns the length of a quoted text, including its quotes.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !escaped && c == quote {
            return at + 1;
        }
        escaped = !escaped && c == '\\' && quote == '"';
    }
    text.len()
}

/// Removes the `:` at the end of names, by which Spack overrides other files.
pub(super) fn without_marks(value: Value<'static>) -> Value<'static> {
    match value {
        Value::Map(fields) => {
            let fields = fields.into_iter().map(|(name, value)| {
                let unmarked = name.trim_end_matches(':');
                let name = if unmarked.is_empty() { name } else { unmarked.to_owned().into() };
                (name, without_marks(value))
            });
            Value::Map(fields.collect())
        }
        Value::List(list) => Value::List(list.into_iter().map(without_marks).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::with_quotes;

    #[test]
    fn quotes_texts_that_end_with_a_colon() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(with_quotes(text), expected);
        }
        check("a: [hdf5@1.14:]", "a: ['hdf5@1.14:']");
        check("a: [x@1: , y@2:, z]", "a: ['x@1:' , 'y@2:', z]");
        check("a: [[x@1:], ['y:']]", "a: [['x@1:'], ['y:']]");
        check("a:\n- x@1:\n- b # [c:]\n", "a:\n- x@1:\n- b # [c:]\n");
        check("a: {b: c}\n'[d:]': \"[e:]\"", "a: {b: c}\n'[d:]': \"[e:]\"");
        check("é: [é:, \u{1f600}:]", "é: ['é:', '\u{1f600}:']");
    }
}
