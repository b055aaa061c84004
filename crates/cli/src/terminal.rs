//! Messages with several lines, for a terminal.

use std::fmt;

use cache_ingest::report::visible;

/// A message with several lines, each of which is escaped separately.
#[derive(Debug)]
pub(crate) struct Lines(pub(crate) String);

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.split('\n').map(visible).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Lines {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_is_invisible_in_each_line() {
        assert_eq!(Lines("a\x07\n  ^".into()).to_string(), "a\\u{7}\n  ^");
    }
}
