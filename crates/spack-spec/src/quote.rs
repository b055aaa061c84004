//! Quoting values.
//!
//! Spack prints a value bare if that is safe, else in single quotes, or in double quotes with JSON's escapes if the
//! value contains single quotes. When reading, it only unescapes quotes, so a value with both kinds of quotes or with
//! backslashes does not survive printing and reading. [`exactly`] quotes the values that must survive.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Quotes a value as Spack prints it.
pub(crate) fn quoted(value: &str) -> Cow<'_, str> {
    if is_bare(value) {
        Cow::Borrowed(value)
    } else if value.contains('\'') {
        Cow::Owned(json_string(value))
    } else {
        Cow::Owned(format!("'{value}'"))
    }
}

/// Quotes a value so that reading the result gives the same value. The value must have been read from a spec.
pub(crate) fn exactly(value: &str) -> Cow<'_, str> {
    if is_bare(value) || value.ends_with('\\') {
        // Nothing in quotes can end with a backslash, so this value was written bare.
        Cow::Borrowed(value)
    } else {
        Cow::Owned(format!("'{}'", value.replace('\'', "\\'")))
    }
}

/// Reads the value from the text after an equals sign.
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

/// Reads a value that [`quoted`] printed; `None` if a quote is not closed or an escape is invalid.
pub(crate) fn unquoted_as_printed(text: &str) -> Option<Cow<'_, str>> {
    match text.chars().next() {
        Some('\'') => text[1..].strip_suffix('\'').map(Cow::Borrowed),
        Some('"') => from_json_string(text[1..].strip_suffix('"')?).map(Cow::Owned),
        _ => Some(Cow::Borrowed(text)),
    }
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

/// Decodes a JSON string, given without its quotes.
fn from_json_string(json: &str) -> Option<String> {
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        text.push_str(unescaped(plain)?);
        let escape = escaped.chars().next()?;
        rest = &escaped[escape.len_utf8()..];
        text.push(match escape {
            '"' | '\\' | '/' => escape,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let first = code_unit(&mut rest)?;
                match char::from_u32(u32::from(first)) {
                    Some(character) => character,
                    // This is half of a surrogate pair: the other half must follow.
                    None => {
                        rest = rest.strip_prefix("\\u")?;
                        let pair = [first, code_unit(&mut rest)?];
                        char::decode_utf16(pair).next()?.ok()?
                    }
                }
            }
            _ => return None,
        });
    }
    text.push_str(unescaped(rest)?);
    Some(text)
}

/// Returns a piece of a JSON string that has no escapes, and so cannot contain a quote.
fn unescaped(piece: &str) -> Option<&str> {
    (!piece.contains('"')).then_some(piece)
}

/// Takes four hexadecimal digits off the start of a text.
fn code_unit(rest: &mut &str) -> Option<u16> {
    let (digits, after) = rest.split_at_checked(4)?;
    *rest = after;
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| is_hexadecimal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_quotes_where_spack_does() {
        assert_eq!(quoted("-O3"), "-O3");
        assert_eq!(quoted("-O3 -g"), "'-O3 -g'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("-DX='1'"), "\"-DX='1'\"");
        assert_eq!(quoted("é'\u{1}"), "\"\\u00e9'\\u0001\"");
    }

    #[test]
    fn reads_back_what_it_quotes() {
        for value in ["", "a", "a b", "'", "\"", "\\'", "a\\b c", "'a'", "\"a' \\\""] {
            assert_eq!(unquoted(&exactly(value)), value);
        }
    }
}
