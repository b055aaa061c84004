//! What comes from outside, as a terminal may show it: file names, URLs, and what is in a cache.
//!
//! A terminal obeys control characters, CI systems obey lines that begin with `::`, and characters
//! that are not seen can make a name look like another. All of these are written out.

use std::fmt;

/// A text with whatever is not seen written out, line ends too.
pub(crate) fn visible(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), push)
}

/// A message of several lines, of which none is from outside: each is made visible by itself.
#[derive(Debug)]
pub(crate) struct Lines(pub(crate) String);

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.split('\n').map(visible).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Lines {}

fn push(mut text: String, letter: char) -> String {
    match letter {
        '"' | '\'' | '\\' => text.push(letter),
        _ => text.extend(letter.escape_debug()),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_written_out() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(visible(text), expected);
        }
        check("pages/hdf5.md: \"grüße\" \\ 'x' …", "pages/hdf5.md: \"grüße\" \\ 'x' …");
        check("x\x1b[2J\n::error::y\r\t\0", "x\\u{1b}[2J\\n::error::y\\r\\t\\0");
        check("a\u{202e}b\u{200b}\u{9b}2J", "a\\u{202e}b\\u{200b}\\u{9b}2J");
        assert_eq!(Lines("a\x07\n  ^".into()).to_string(), "a\\u{7}\n  ^");
    }
}
