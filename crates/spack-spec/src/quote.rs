//! Quotes around values.
//!
//! Spack prints a value bare if that is safe, else in single quotes, and in double quotes with
//! JSON's escapes if it has single quotes itself. Reading takes only an escaped quote back, so a
//! value with both kinds of quotes or with backslashes does not survive Spack's way; what must,
//! is written [`exactly`].

use std::borrow::Cow;
use std::fmt::Write as _;

/// As Spack prints it.
pub(crate) fn quoted(value: &str) -> Cow<'_, str> {
    if is_bare(value) {
        Cow::Borrowed(value)
    } else if value.contains('\'') {
        Cow::Owned(json_string(value))
    } else {
        Cow::Owned(format!("'{value}'"))
    }
}

/// So that reading gives the same value back, whatever it is that was once read.
pub(crate) fn exactly(value: &str) -> Cow<'_, str> {
    if is_bare(value) || value.ends_with('\\') {
        // Nothing in quotes can end with a backslash; what does was bare.
        Cow::Borrowed(value)
    } else {
        Cow::Owned(format!("'{}'", value.replace('\'', "\\'")))
    }
}

/// The value of what stands right of an equals sign.
pub(crate) fn unquoted(text: &str) -> Cow<'_, str> {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    for (quote, escaped) in [('\'', "\\'"), ('"', "\\\"")] {
        match inner(quote) {
            Some(inner) if inner.contains(escaped) => {
                return Cow::Owned(inner.replace(escaped, &escaped[1..]));
            }
            Some(inner) => return Cow::Borrowed(inner),
            None => {}
        }
    }
    Cow::Borrowed(text)
}

fn is_bare(value: &str) -> bool {
    !value.is_empty()
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b",/_.-".contains(&byte))
}

fn json_string(value: &str) -> String {
    let mut json = String::with_capacity(value.len() + 2);
    json.push('"');
    for character in value.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            ' '..='~' => json.push(character),
            other => {
                for unit in other.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    let _ = write!(json, "\\u{unit:04x}");
                }
            }
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spack_prints_quotes_where_needed() {
        assert_eq!(quoted("-O3"), "-O3");
        assert_eq!(quoted("-O3 -g"), "'-O3 -g'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("-DX='1'"), "\"-DX='1'\"");
        assert_eq!(quoted("é'\u{1}"), "\"\\u00e9'\\u0001\"");
    }

    #[test]
    fn exact_quotes_come_off_again() {
        for value in ["", "a", "a b", "'", "\"", "\\'", "a\\b c", "'a'", "\"a' \\\""] {
            assert_eq!(unquoted(&exactly(value)), value);
        }
    }
}
