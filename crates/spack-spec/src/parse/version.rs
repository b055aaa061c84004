//! How far the text of a version constraint extends.
//!
//! This module only finds the end of the text; [`VersionConstraint`](crate::VersionConstraint) reads it. Two surprises:
//!
//! - A version ends at a word boundary: in `@1.2-` the dash is not part of the version.
//! - In `@1.2:api=v110` the `api` is a key, and the range is open. But in `@1.2:my-api=v110` the
//!   range ends at `my-`, and only `api` is the key.

use super::token::{Lexer, is_word};

impl Lexer<'_> {
    /// Returns the end of the version constraint that starts at `at`.
    pub(super) fn version(&self, at: usize) -> Option<usize> {
        if let Some(reference_end) = self.git_reference(at) {
            let assigned = (self.byte(reference_end) == Some(b'='))
                .then(|| self.one_version(reference_end + 1, false))
                .flatten();
            return Some(assigned.unwrap_or(reference_end));
        }
        self.version_list(self.after_space(at))
    }

    fn git_reference(&self, at: usize) -> Option<usize> {
        let is_reference = |byte| is_word(byte) || matches!(byte, b'.' | b'/' | b'-');
        if self.text[at..].starts_with("git.") && self.byte(at + 4).is_some_and(is_word) {
            return Some(self.run(at + 4, is_reference));
        }
        let commit = self.text.as_bytes().get(at..at + 40)?;
        commit.iter().all(u8::is_ascii_hexdigit).then_some(at + 40)
    }

    pub(super) fn version_list(&self, at: usize) -> Option<usize> {
        let mut end = self.version_or_range(at)?;
        loop {
            let comma = self.after_space(end);
            if self.byte(comma) != Some(b',') {
                return Some(end);
            }
            match self.version_or_range(self.after_space(comma + 1)) {
                Some(next) => end = next,
                None => return Some(end),
            }
        }
    }

    fn version_or_range(&self, at: usize) -> Option<usize> {
        let low = self.one_version(at, false);
        let colon = low.unwrap_or(at);
        if self.byte(colon) == Some(b':') {
            // The text before an equals sign is a key, not the end of a range.
            return Some(self.one_version(colon + 1, true).unwrap_or(colon + 1));
        }
        low
    }

    /// Returns the end of one version: the last word boundary among its characters; if `before_no_equals`, one that no
    /// equals sign follows.
    fn one_version(&self, at: usize, before_no_equals: bool) -> Option<usize> {
        let start = if self.byte(at) == Some(b'=') { at + 1 } else { at };
        self.byte(start).filter(|byte| is_word(*byte))?;
        let longest = self.run(start, |byte| is_word(byte) || matches!(byte, b'.' | b'-'));
        (start + 1..=longest).rev().find(|&end| {
            let is_key = || self.byte(self.after_space(end)) == Some(b'=');
            self.is_word_boundary(end) && !(before_no_equals && is_key())
        })
    }

    /// Returns `true` at a word boundary as regular expressions define it.
    fn is_word_boundary(&self, at: usize) -> bool {
        // Anything beyond ASCII counts as a letter; it cannot be read anyway.
        let is_part = |byte: u8| is_word(byte) || !byte.is_ascii();
        let before = at > 0 && self.byte(at - 1).is_some_and(is_word);
        before != self.byte(at).is_some_and(is_part)
    }
}
